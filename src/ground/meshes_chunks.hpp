#pragma once
// A surface of any extent, cut into chunks whose positions are exact as floats.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::ground {

/// A point of a surface, in the world's frame.
struct SurfacePoint {
    GridPoint plan;
    Steps height = 0;
};

/// One surface with shared vertices. A patch (a cell, a street piece) goes into one chunk whole.
struct WholeSurface {
    std::vector<SurfacePoint> position;
    std::vector<Vec3f> normal;
    std::vector<std::uint32_t> rgba;
    std::vector<std::array<std::uint32_t, 3>> triangle;  ///< vertex indices, patch by patch
    std::vector<std::uint32_t> patch_begin;              ///< triangles, patches + 1 entries
    std::vector<GridPoint> patch_anchor;                 ///< whose square is the patch's chunk
};

/// Bytes of a surface whole and in chunks, with a vertex for every two triangles.
std::uint64_t bytes_of_surface(std::size_t triangles);

/// Squares of chunks, in row order.
struct Square {
    std::int32_t row = 0, column = 0;
    GridPoint origin() const { return {column * world::kChunkSize, row * world::kChunkSize}; }
    friend constexpr auto operator<=>(const Square&, const Square&) = default;
};
Square square_at(GridPoint point);

/// Twice the triangle's area along its normal, in square steps; z > 0 when it turns left in plan.
inline Vec3<std::int64_t> double_area_normal(const SurfacePoint& a, const SurfacePoint& b,
                                             const SurfacePoint& c) {
    const auto offset = [&a](const SurfacePoint& to) {
        return Vec3<std::int64_t>{std::int64_t{to.plan.x} - a.plan.x,
                                  std::int64_t{to.plan.y} - a.plan.y,
                                  std::int64_t{to.height} - a.height};
    };
    return cross(offset(b), offset(c));
}

/// The unit normal of a vertex whose triangles have these double area normals: their sum, leaned
/// towards the zenith where it would face away from one of them.
Vec3f vertex_normal(std::span<const Vec3<std::int64_t>> double_areas);

/// True if the point's offset from a chunk's origin is exact as 32-bit floats.
bool within_reach(const SurfacePoint& point, GridPoint origin);
Error too_far_error();

/// Surfaces are cut by so many at once, each with an index for every vertex of the whole.
inline constexpr std::size_t kCutters = 4;

/// Chunks in row order of their origins; patches without triangles are left out.
/// Errors: too_large (a patch that reaches too far from its chunk's origin), cancelled.
Result<std::vector<world::MeshChunk>> cut_into_chunks(const WholeSurface&, StageContext&);

}  // namespace tw::ground
