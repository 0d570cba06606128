#include "meshes_chunks.hpp"

#include "terraway/geometry/raster.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace tw::ground {
namespace {

using world::MeshChunk;
using world::MeshVertexId;

/// As a 32-bit float a count of steps is exact up to here.
constexpr std::int64_t kFarthest = std::int64_t{1} << 24;

/// The patches of each square, ascending.
std::vector<std::pair<Square, std::vector<std::uint32_t>>> patches_by_square(
    const WholeSurface& whole) {
    std::map<Square, std::vector<std::uint32_t>> by_square;
    std::vector<std::uint32_t>* patches = nullptr;
    Square last{};
    for (std::uint32_t i = 0; i < whole.patch_anchor.size(); ++i) {
        if (whole.patch_begin[i] == whole.patch_begin[i + 1]) continue;
        const Square square = square_at(whole.patch_anchor[i]);
        // Neighbours in memory are neighbours in space: most patches fall where the last one did.
        if (!patches || square != last) patches = &by_square[square];
        patches->push_back(i);
        last = square;
    }
    return {std::make_move_iterator(by_square.begin()), std::make_move_iterator(by_square.end())};
}

/// Cuts chunks out of a surface, one after another.
class ChunkCutter {
public:
    explicit ChunkCutter(const WholeSurface& whole)
        : whole_(whole), local_(whole.position.size()) {}
    /// False: a vertex lies out of reach.
    bool cut(Square square, std::span<const std::uint32_t> patches, MeshChunk& chunk) {
        chunk.origin = square.origin();
        vertex_.clear();
        take_triangles(patches, chunk);
        for (const std::uint32_t vertex : vertex_) local_[vertex] = MeshVertexId();
        return take_vertices(chunk);
    }

private:
    /// Numbers vertices in order of first use.
    void take_triangles(std::span<const std::uint32_t> patches, MeshChunk& chunk) {
        std::size_t count = 0;
        for (const std::uint32_t patch : patches) {
            count += whole_.patch_begin[patch + 1] - whole_.patch_begin[patch];
        }
        std::vector<std::array<MeshVertexId, 3>> triangles;
        triangles.reserve(count);
        for (const std::uint32_t patch : patches) {
            for (std::uint32_t t = whole_.patch_begin[patch]; t < whole_.patch_begin[patch + 1];
                 ++t) {
                std::array<MeshVertexId, 3> triangle;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t vertex = whole_.triangle[t][k];
                    MeshVertexId& local = local_[vertex];
                    if (local.is_none()) {
                        local = MeshVertexId::from_index(vertex_.size());
                        vertex_.push_back(vertex);
                    }
                    triangle[k] = local;
                }
                triangles.push_back(triangle);
            }
        }
        chunk.triangle =
            IdArray<world::MeshTriangleTag, std::array<MeshVertexId, 3>>(std::move(triangles));
    }
    bool take_vertices(MeshChunk& chunk) const {
        std::vector<std::array<Steps, 3>> position;
        std::vector<Vec3f> normal;
        std::vector<std::uint32_t> rgba;
        position.reserve(vertex_.size());
        normal.reserve(vertex_.size());
        rgba.reserve(vertex_.size());
        for (const std::uint32_t vertex : vertex_) {
            const SurfacePoint& point = whole_.position[vertex];
            if (!within_reach(point, chunk.origin)) return false;
            position.push_back(
                {point.plan.x - chunk.origin.x, point.plan.y - chunk.origin.y, point.height});
            normal.push_back(whole_.normal[vertex]);
            rgba.push_back(whole_.rgba[vertex]);
        }
        chunk.position = IdArray<world::MeshVertexTag, std::array<Steps, 3>>(std::move(position));
        chunk.normal = IdArray<world::MeshVertexTag, Vec3f>(std::move(normal));
        chunk.rgba = IdArray<world::MeshVertexTag, std::uint32_t>(std::move(rgba));
        return true;
    }

    const WholeSurface& whole_;
    std::vector<MeshVertexId> local_;    ///< by vertex of the whole; none: not in this chunk
    std::vector<std::uint32_t> vertex_;  ///< of the whole, in order of first use
};

}  // namespace

std::uint64_t bytes_of_surface(std::size_t triangles) {
    constexpr std::uint64_t kTriangle = 3 * sizeof(std::uint32_t);
    constexpr std::uint64_t kVertex = sizeof(SurfacePoint) + sizeof(Vec3f) + sizeof(std::uint32_t);
    constexpr std::uint64_t kCutting = kCutters * sizeof(MeshVertexId);
    return triangles * (2 * kTriangle + kVertex + kCutting / 2);
}

Square square_at(GridPoint point) {
    constexpr geometry::Raster kSquares{.origin = {0, 0}, .pixel = world::kChunkSize};
    return {kSquares.row_at(point.y), kSquares.column_at(point.x)};
}

bool within_reach(const SurfacePoint& point, GridPoint origin) {
    return std::abs(std::int64_t{point.plan.x} - origin.x) <= kFarthest &&
           std::abs(std::int64_t{point.plan.y} - origin.y) <= kFarthest &&
           std::abs(std::int64_t{point.height}) <= kFarthest;
}

Error too_far_error() {
    return {.code = ErrorCode::too_large,
            .stage = "meshes",
            .subject = {},
            .message =
                "cells are over 12 km wide, too far for exact positions; "
                "ask for more cells or a smaller world"};
}

Vec3f vertex_normal(std::span<const Vec3<std::int64_t>> double_areas) {
    Vec3<std::int64_t> sum;
    for (const auto& area : double_areas) sum = sum + area;
    const auto as_doubles = [](const Vec3<std::int64_t>& v) {
        return Vec3d{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    };
    const Vec3d whole = as_doubles(sum);
    const double size = length(whole);
    Vec3d normal = size > 0 ? whole * (1.0 / size) : Vec3d{0, 0, 1};
    constexpr double kLeastCosine = 1e-3;
    double lean = 0.0;  // how much zenith makes the worst triangle see the normal
    for (const auto& double_area : double_areas) {
        const Vec3d face = as_doubles(double_area);
        const double seen = dot(normal, face), size2 = dot(face, face);
        if (seen > 0 && seen * seen >= kLeastCosine * kLeastCosine * size2) [[likely]]
            continue;
        lean = std::max(lean, (kLeastCosine * std::sqrt(size2) - seen) / face.z);
    }
    if (lean > 0.0) {
        normal.z += lean;
        normal = normal * (1.0 / length(normal));
    }
    return {static_cast<float>(normal.x), static_cast<float>(normal.y),
            static_cast<float>(normal.z)};
}

Result<std::vector<MeshChunk>> cut_into_chunks(const WholeSurface& whole, StageContext& context) {
    const auto squares = patches_by_square(whole);
    std::vector<MeshChunk> chunks(squares.size());
    std::atomic<bool> too_far = false;
    const std::size_t a_cutter = (squares.size() + kCutters - 1) / kCutters;
    parallel_for(*context.executor, squares.size(), a_cutter,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     ChunkCutter cutter(whole);
                     for (std::size_t i = begin; i < end; ++i) {
                         if (context.cancelled()) return;
                         const auto& [square, patches] = squares[i];
                         if (!cutter.cut(square, patches, chunks[i])) too_far = true;
                     }
                 });
    if (context.cancelled()) return cancelled_error("meshes");
    if (too_far) return too_far_error();
    return chunks;
}

}  // namespace tw::ground
