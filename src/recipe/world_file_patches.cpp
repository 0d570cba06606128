#include "world_file_patches.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace tw::recipe {

using namespace world;

namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

/// Squares in order of rows.
std::pair<std::int32_t, std::int32_t> square_of(GridPoint point) {
    static_assert(kChunkSize == 1 << 22);
    return {point.y >> 22, point.x >> 22};
}

/// a − b for any numbers: files hold what they like.
std::int32_t wrapping(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

}  // namespace

SurfacePatches::SurfacePatches(PatchKind kind, std::span<const MeshChunk> chunks) : kind_(kind) {
    for (const MeshChunk& chunk : chunks) {
        if (!chunk_.empty() && square_of(chunk.origin) <= square_of(chunk_.back().origin)) break;
        chunk_.emplace_back().origin = chunk.origin;
    }
}

void SurfacePatches::sort_cells(const PolygonMap& map, const Relief* relief) {
    Chunk* last = nullptr;
    for (const CellId cell : map.site.ids()) {
        if (kind_ == PatchKind::sea && relief->water[cell] != Water::ocean) continue;
        const auto square = square_of(map.site[cell]);
        // Neighbours in memory are neighbours in space: most fall where the last one did.
        if (!last || square_of(last->origin) != square) {
            const auto found = std::ranges::lower_bound(
                chunk_, square, {}, [](const Chunk& chunk) { return square_of(chunk.origin); });
            if (found == chunk_.end() || square_of(found->origin) != square) continue;
            last = &*found;
        }
        last->cell.push_back(cell);
    }
}

/// `local` has kNone for every corner, before and after.
void SurfacePatches::number(const PolygonMap& map, Chunk& chunk,
                            std::vector<std::uint32_t>& local) const {
    std::size_t sides = 0;
    for (const CellId cell : chunk.cell) sides += map.sides(cell).size();
    chunk.site.reserve(chunk.cell.size());
    chunk.triangle.reserve(chunk.cell.size() + 1);
    chunk.from.reserve(sides);
    chunk.vertex.reserve(chunk.cell.size() + sides / 2);
    const auto add_site = [&](CellId cell) {
        chunk.site.push_back(static_cast<std::uint32_t>(chunk.vertex.size()));
        chunk.vertex.push_back(cell.value() | kSite);
    };
    if (kind_ == PatchKind::terrain) {
        for (const CellId cell : chunk.cell) add_site(cell);
    }
    for (const CellId cell : chunk.cell) {
        if (kind_ == PatchKind::sea) add_site(cell);
        chunk.triangle.push_back(static_cast<std::uint32_t>(chunk.from.size()));
        for (const SideId side : map.sides(cell)) {
            const CornerId corner = map.corner[side];
            std::uint32_t& vertex = local[corner.index()];
            if (vertex == kNone) {
                vertex = static_cast<std::uint32_t>(chunk.vertex.size());
                chunk.vertex.push_back(corner.value());
            }
            chunk.from.push_back(vertex);
        }
    }
    chunk.triangle.push_back(static_cast<std::uint32_t>(chunk.from.size()));
    for (const std::uint32_t vertex : chunk.vertex) {
        if ((vertex & kSite) == 0) local[vertex] = kNone;
    }
}

void SurfacePatches::prepare(const PolygonMap& map, const Relief* relief, Executor& executor) {
    if (map.corner_count() >= kSite || map.side_count() >= kNone) return;
    sort_cells(map, relief);
    std::atomic<std::size_t> next = 0;
    executor.run(std::min<std::size_t>(executor.concurrency(), chunk_.size()), [&](std::size_t) {
        std::vector<std::uint32_t> local(map.corner_count(), kNone);
        for (std::size_t i = next++; i < chunk_.size(); i = next++) number(map, chunk_[i], local);
    });
}

void SurfacePatches::fill(const PolygonMap& map, const Drainage* drainage, std::size_t index,
                          std::size_t begin, std::span<Position> to) const {
    const Chunk& chunk = chunk_[index];
    std::size_t at = 0;
    for (; at < to.size() && begin + at < chunk.vertex.size(); ++at) {
        const std::uint32_t vertex = chunk.vertex[begin + at];
        GridPoint point;
        Steps height = 0;
        if (vertex & kSite) {
            const CellId cell(vertex & ~kSite);
            point = map.site[cell];
            if (drainage) height = drainage->elevation[cell];
        } else {
            const CornerId corner(vertex);
            point = map.corner_point[corner];
            if (drainage) height = drainage->corner_elevation[corner];
        }
        to[at] = {wrapping(point.x, chunk.origin.x), wrapping(point.y, chunk.origin.y), height};
    }
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(at), to.end(), Position{});
}

void SurfacePatches::fill(std::size_t index, std::size_t begin, std::span<Triangle> to) const {
    const Chunk& chunk = chunk_[index];
    std::size_t at = 0;
    if (begin < chunk.from.size()) {
        const auto after = std::ranges::upper_bound(chunk.triangle, begin);
        auto cell = static_cast<std::size_t>(after - chunk.triangle.begin()) - 1;
        for (; at < to.size() && cell < chunk.cell.size(); ++cell) {
            const std::size_t first = chunk.triangle[cell], end = chunk.triangle[cell + 1];
            const MeshVertexId site(chunk.site[cell]);
            for (std::size_t i = begin + at; i < end && at < to.size(); ++i, ++at) {
                to[at] = {site, MeshVertexId(chunk.from[i]),
                          MeshVertexId(chunk.from[i + 1 < end ? i + 1 : first])};
            }
        }
    }
    const MeshVertexId zero(0);
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(at), to.end(), Triangle{zero, zero, zero});
}

bool SurfacePatches::begins_with(const MeshChunk& mesh, const Chunk& chunk, std::size_t begin,
                                 std::size_t end) {
    const std::span<const Triangle> triangles = mesh.triangle.span();
    bool all = true;
    for (std::size_t cell = begin; cell < end; ++cell) {
        const MeshVertexId site(chunk.site[cell]);
        for (std::size_t i = chunk.triangle[cell]; i < chunk.triangle[cell + 1]; ++i) {
            all = triangles[i][0] == site && triangles[i][1].value() == chunk.from[i] && all;
        }
    }
    return all;
}

bool SurfacePatches::has_all_of(std::span<const MeshChunk> chunks, std::size_t cells,
                                Executor& executor) const {
    constexpr std::size_t kCellsAtOnce = std::size_t{1} << 13;
    if (chunks.size() != chunk_.size()) return false;
    std::size_t found = 0;
    for (std::size_t i = 0; i < chunk_.size(); ++i) {
        const Chunk& chunk = chunk_[i];
        if (chunk.cell.empty() || chunks[i].triangle.size() < chunk.from.size() ||
            chunks[i].position.size() < chunk.vertex.size()) {
            return false;
        }
        found += chunk.cell.size();
    }
    if (found != cells) return false;
    std::atomic<bool> all = true;
    executor.run(chunk_.size(), [&](std::size_t i) {
        parallel_for(executor, chunk_[i].cell.size(), kCellsAtOnce,
                     [&](std::size_t begin, std::size_t end, std::size_t) {
                         if (!begins_with(chunks[i], chunk_[i], begin, end)) all = false;
                     });
    });
    return all;
}

}  // namespace tw::recipe
