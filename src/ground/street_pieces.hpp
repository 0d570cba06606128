#pragma once
// How a street piece becomes part of a surface: what both forms of the street meshes share.

#include "terraway/world/ground.hpp"
#include "terraway/world/streets.hpp"

#include "meshes_chunks.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tw::ground {

inline constexpr std::array<std::string_view, 4> kStreetSurfaces{"junctions", "corridors",
                                                                 "bridges", "tunnels"};

/// Where a piece goes, by kStreetSurfaces. A junction stays with the junctions, whatever ends
/// there.
std::size_t surface_of(const world::StreetSurface&, world::PieceId);

/// One for all of the piece.
std::uint32_t colour_of(const world::StreetSurface&, world::PieceId);

inline SurfacePoint point_at(const world::StreetSurface& streets,
                             const world::StreetHeights& heights, world::StreetVertexId vertex) {
    return {streets.vertex[vertex], heights.height[vertex]};
}

/// Numbers the vertices of one piece after another, each in order of first use. Colours change at
/// the seam, so each piece has its own copies of them.
class PieceNumbers {
public:
    /// For surfaces with so many vertices.
    void reset(std::size_t vertices) { number_.resize(vertices, kNone); }
    /// Adds the piece's vertices to `vertex`, and its triangles, as places among these, to
    /// `triangle`.
    void add(const world::StreetSurface& streets, world::PieceId piece,
             std::vector<world::StreetVertexId>& vertex,
             std::vector<std::array<std::uint32_t, 3>>& triangle);

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::vector<std::uint32_t> number_;  ///< by vertex; kNone: not in the piece at hand
};

/// The least vertex, whose square is the piece's chunk.
GridPoint anchor_of(const world::StreetSurface&, std::span<const world::StreetVertexId>);

/// The normals of `count` vertices, over the triangles of all pieces, so that these shade alike at
/// their seams. for_each_triangle(visit) gives all triangles at these vertices, twice;
/// number(vertex) is one below `count`, or else the vertex is left out.
template <class ForEachTriangle, class Number>
std::vector<Vec3f> street_normals(const world::StreetSurface& streets,
                                  const world::StreetHeights& heights, std::size_t count,
                                  ForEachTriangle&& for_each_triangle, Number&& number) {
    using Triangle = std::array<world::StreetVertexId, 3>;
    std::vector<std::uint32_t> begin(count + 1, 0);
    for_each_triangle([&](const Triangle& triangle) {
        for (const world::StreetVertexId vertex : triangle) {
            const std::size_t at = number(vertex);
            if (at < count) ++begin[at + 1];
        }
    });
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<Vec3<std::int64_t>> around(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for_each_triangle([&](const Triangle& triangle) {
        const Vec3<std::int64_t> area = double_area_normal(point_at(streets, heights, triangle[0]),
                                                           point_at(streets, heights, triangle[1]),
                                                           point_at(streets, heights, triangle[2]));
        for (const world::StreetVertexId vertex : triangle) {
            const std::size_t at = number(vertex);
            if (at < count) around[next[at]++] = area;
        }
    });
    std::vector<Vec3f> normals(count);
    for (std::size_t i = 0; i < count; ++i) {
        normals[i] = vertex_normal(std::span(around).subspan(begin[i], begin[i + 1] - begin[i]));
    }
    return normals;
}

}  // namespace tw::ground
