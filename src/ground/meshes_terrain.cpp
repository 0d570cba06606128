#include "meshes_terrain.hpp"

#include "terraway/geometry/raster.hpp"

#include "meshes_chunks.hpp"
#include "meshes_colour.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <compare>
#include <map>

namespace tw::ground {
namespace {

using world::Biome;
using world::CanonicalSurface;
using world::CellId;
using world::CornerId;
using world::MeshChunk;
using world::MeshTriangleId;
using world::MeshVertexId;
using world::PolygonMap;
using world::SideId;
using AreaNormal = Vec3<std::int64_t>;
using Triangle = std::array<MeshVertexId, 3>;

constexpr std::size_t kPerTask = 1024;
constexpr std::uint32_t kNone = 0xffffffffu;
constexpr std::uint32_t kRiverAtCrossing = 154, kRiverAtSite = 77;  ///< 256ths of river colour
constexpr std::uint32_t kSandAtShore = 128;                         ///< 256ths of sand

Colour biome_colour(Biome biome) {
    return Colour::from_rgb(world::look_of(biome).rgb);
}

/// What stands at a vertex.
struct Vertex {
    SurfacePoint point;
    Vec3f normal;
    std::uint32_t rgba = 0;
};

/// Vertices of the surface, each from its neighbourhood alone.
class VertexMaker {
public:
    VertexMaker(const CanonicalSurface& surface, const world::Biomes& biomes)
        : surface_(surface), map_(*surface.map), biomes_(biomes) {}

    Vertex at_site(CellId cell) {
        around_.clear();
        const SurfacePoint middle = site(cell);
        bool has_river = false;
        for (const SideId side : map_.sides(cell)) {
            const SurfacePoint from = corner(side), to = corner(map_.next(side));
            if (const CellId river = river_over(side)) {
                const SurfacePoint split = crossing(river);
                around_.push_back(double_area_normal(middle, from, split));
                around_.push_back(double_area_normal(middle, split, to));
                has_river = true;
            } else {
                around_.push_back(double_area_normal(middle, from, to));
            }
        }
        const Colour colour = colour_of(cell);
        return {middle, vertex_normal(around_),
                (has_river ? colour.mixed(river_colour_, kRiverAtSite) : colour).rgba()};
    }
    /// The corner where the side starts.
    Vertex at_corner(SideId any) {
        around_.clear();
        const SurfacePoint middle = corner(any);
        ColourMean land, sea;
        world::for_each_spoke(map_, any, [&](SideId side, SideId before) {
            const CellId cell = map_.cell_of_side[side];
            const SurfacePoint at = site(cell);
            const CellId ahead = river_over(side), behind = river_over(before);
            around_.push_back(
                double_area_normal(at, middle, ahead ? crossing(ahead) : corner(map_.next(side))));
            around_.push_back(
                double_area_normal(at, behind ? crossing(behind) : corner(before), middle));
            (biomes_.biome[cell] == Biome::ocean ? sea : land).add(colour_of(cell));
        });
        const Colour colour = land.empty()  ? sea.mean()
                              : sea.empty() ? land.mean()
                                            : land.mean().mixed(sand_, kSandAtShore);
        return {middle, vertex_normal(around_), colour.rgba()};
    }
    Vertex at_crossing(CellId river) {
        around_.clear();
        const SurfacePoint middle = crossing(river);
        ColourMean banks;
        const auto add_bank = [&](SideId side) {
            const CellId cell = map_.cell_of_side[side];
            around_.push_back(double_area_normal(site(cell), corner(side), middle));
            around_.push_back(double_area_normal(site(cell), middle, corner(map_.next(side))));
            banks.add(colour_of(cell));
        };
        const SideId side = surface_.rivers->side[river];
        add_bank(side);
        if (map_.twin[side]) add_bank(map_.twin[side]);
        return {middle, vertex_normal(around_),
                banks.mean().mixed(river_colour_, kRiverAtCrossing).rgba()};
    }
    CellId river_over(SideId side) const {
        return surface_.rivers ? surface_.rivers->over(map_, side) : CellId();
    }
    bool has_crossings(CellId cell) const {
        return surface_.rivers && surface_.rivers->rim_crossings[cell] > 0;
    }

private:
    SurfacePoint site(CellId cell) const {
        return {map_.site[cell], surface_.drainage->elevation[cell]};
    }
    SurfacePoint corner(SideId side) const {
        const CornerId corner = map_.corner[side];
        return {map_.corner_point[corner], surface_.drainage->corner_elevation[corner]};
    }
    SurfacePoint crossing(CellId river) const {
        return {surface_.rivers->crossing[river], surface_.rivers->crossing_elevation[river]};
    }
    Colour colour_of(CellId cell) const { return biome_colour(biomes_.biome[cell]); }

    const CanonicalSurface& surface_;
    const PolygonMap& map_;
    const world::Biomes& biomes_;
    const Colour river_colour_ = biome_colour(Biome::lake), sand_ = biome_colour(Biome::beach);
    std::vector<AreaNormal> around_;
};

std::array<Steps, 3> position_of(const Vertex& vertex, GridPoint origin) {
    return {vertex.point.plan.x - origin.x, vertex.point.plan.y - origin.y, vertex.point.height};
}

void write(MeshChunk& chunk, std::uint32_t index, const Vertex& vertex) {
    const MeshVertexId id(index);
    chunk.position.set(id, position_of(vertex, chunk.origin));
    chunk.normal.set(id, vertex.normal);
    chunk.rgba.set(id, vertex.rgba);
}

/// Calls visit(river, cell, side) for crossings on rims of the square's cells, cell by cell; most
/// come twice.
template <class Visit>
void for_each_crossing(const PolygonMap& map, const VertexMaker& vertices,
                       std::span<const CellId> cells, Visit&& visit) {
    for (const CellId cell : cells) {
        if (!vertices.has_crossings(cell)) continue;
        for (const SideId side : map.sides(cell)) {
            if (const CellId river = vertices.river_over(side)) visit(river, cell, side);
        }
    }
}

/// Numbers the crossings of a chunk from `first` on, in order of first use; gives how many there
/// are. `local` is kNone everywhere before, and by forget_crossings after.
std::uint32_t number_crossings(const PolygonMap& map, const VertexMaker& vertices,
                               std::span<const CellId> cells, std::uint32_t first,
                               std::vector<std::uint32_t>& local) {
    std::uint32_t next = first;
    for_each_crossing(map, vertices, cells, [&](CellId river, CellId, SideId) {
        if (local[river.index()] == kNone) local[river.index()] = next++;
    });
    return next - first;
}
void forget_crossings(const PolygonMap& map, const VertexMaker& vertices,
                      std::span<const CellId> cells, std::vector<std::uint32_t>& local) {
    for_each_crossing(map, vertices, cells,
                      [&](CellId river, CellId, SideId) { local[river.index()] = kNone; });
}

/// The triangle of a side, given those of its chunk without rivers: up to the crossing, or whole.
Triangle first_half(const TerrainLayout& layout, const PolygonMap& map, const MeshChunk& chunk,
                    CellId cell, SideId side, std::uint32_t crossing) {
    const std::uint32_t base = layout.first_triangle(cell) - map.side_begin[cell];
    const auto corner = [&](SideId at) {
        return chunk.triangle[MeshTriangleId(base + at.value())][1];
    };
    return {MeshVertexId(layout.site_vertex(cell)), corner(side),
            crossing == kNone ? corner(map.next(side)) : MeshVertexId(crossing)};
}

/// Writes crossings and the triangles beside them: first halves in their places, second ones at the
/// end.
void write_rivers(const TerrainLayout& layout, const PolygonMap& map, VertexMaker& vertices,
                  std::uint32_t square, std::uint32_t fixed_vertices,
                  std::vector<std::uint32_t>& local, MeshChunk& chunk) {
    const std::span<const CellId> cells = layout.cells().squares()[square].cell;
    const std::uint32_t count = number_crossings(map, vertices, cells, fixed_vertices, local);
    const std::size_t all = std::size_t{fixed_vertices} + count;
    chunk.position.resize(all);
    chunk.normal.resize(all);
    chunk.rgba.resize(all);
    std::uint32_t halves = 0;
    for_each_crossing(map, vertices, cells, [&](CellId, CellId, SideId) { ++halves; });
    const std::uint32_t sides = layout.side_count(square);
    chunk.triangle.resize(std::size_t{sides} + halves);
    std::uint32_t at = sides;
    for_each_crossing(map, vertices, cells, [&](CellId river, CellId cell, SideId side) {
        const std::uint32_t crossing = local[river.index()];
        write(chunk, crossing, vertices.at_crossing(river));
        const MeshTriangleId whole(layout.first_triangle(cell) + side.value() -
                                   map.side_begin[cell]);
        const Triangle before = first_half(layout, map, chunk, cell, side, kNone);
        chunk.triangle.set(whole, {before[0], before[1], MeshVertexId(crossing)});
        chunk.triangle.set(MeshTriangleId(at++), {before[0], MeshVertexId(crossing), before[2]});
    });
    forget_crossings(map, vertices, cells, local);
}

/// The fixed part of a chunk's triangles. `local` has kNone for every corner, before and after.
/// Gives a side that starts at each corner, in order of the corners' vertices.
std::vector<SideId> list_fixed(const TerrainLayout& layout, const PolygonMap& map,
                               std::uint32_t square, std::vector<std::uint32_t>& local,
                               MeshChunk& chunk) {
    const std::span<const CellId> cells = layout.cells().squares()[square].cell;
    auto next = static_cast<std::uint32_t>(cells.size());
    std::vector<SideId> corners;
    std::vector<Triangle> triangles;
    triangles.reserve(layout.side_count(square));
    const auto vertex_of = [&](SideId side) {
        std::uint32_t& vertex = local[map.corner[side].index()];
        if (vertex == kNone) {
            vertex = next++;
            corners.push_back(side);
        }
        return MeshVertexId(vertex);
    };
    for (const CellId cell : cells) {
        const MeshVertexId site(layout.site_vertex(cell));
        const world::SideId first = *map.sides(cell).begin();
        MeshVertexId from = vertex_of(first);
        for (const SideId side : map.sides(cell)) {
            const MeshVertexId to = vertex_of(map.next(side));
            triangles.push_back({site, from, to});
            from = to;
        }
    }
    for (const SideId side : corners) local[map.corner[side].index()] = kNone;
    chunk.triangle = IdArray<world::MeshTriangleTag, Triangle>(std::move(triangles));
    return corners;
}

}  // namespace

CellSquares::CellSquares(const PolygonMap& map) : square_of_(map.cell_count()) {
    struct Place {
        std::int32_t row, column;
        auto operator<=>(const Place&) const = default;
    };
    const geometry::Raster raster{.origin = {0, 0}, .pixel = world::kChunkSize};
    std::map<Place, std::uint32_t> number;
    for (const CellId cell : map.site.ids()) {
        const GridPoint site = map.site[cell];
        number.emplace(Place{raster.row_at(site.y), raster.column_at(site.x)}, 0u);
    }
    for (auto& [place, index] : number) {
        index = static_cast<std::uint32_t>(square_.size());
        square_.push_back({{place.column * world::kChunkSize, place.row * world::kChunkSize}, {}});
    }
    for (const CellId cell : map.site.ids()) {
        const GridPoint site = map.site[cell];
        const std::uint32_t square =
            number.find(Place{raster.row_at(site.y), raster.column_at(site.x)})->second;
        square_of_[cell.index()] = square;
        square_[square].cell.push_back(cell);
    }
}

TerrainLayout::TerrainLayout(const PolygonMap& map)
    : cells_(map), site_(map.cell_count()), triangle_(map.cell_count()) {
    std::vector<std::uint32_t> used_by(map.corner_count(), kNone);
    for (std::uint32_t i = 0; i < cells_.squares().size(); ++i) {
        std::uint32_t site = 0, corners = 0, triangles = 0;
        for (const CellId cell : cells_.squares()[i].cell) {
            site_[cell.index()] = site++;
            triangle_[cell.index()] = triangles;
            triangles += static_cast<std::uint32_t>(map.sides(cell).size());
            for (const SideId side : map.sides(cell)) {
                std::uint32_t& user = used_by[map.corner[side].index()];
                corners += user != i ? 1 : 0;
                user = i;
            }
        }
        sides_.push_back(triangles);
        vertices_.push_back(site + corners);
    }
}

Result<std::vector<MeshChunk>> terrain_chunks(const TerrainLayout& layout,
                                              const CanonicalSurface& surface,
                                              const world::Biomes& biomes, StageContext& context) {
    const PolygonMap& map = *surface.map;
    const auto squares = layout.cells().squares();
    std::vector<MeshChunk> chunks(squares.size());
    std::atomic<bool> too_far = false;
    const std::size_t a_cutter = (squares.size() + kCutters - 1) / kCutters;
    parallel_for(
        *context.executor, squares.size(), a_cutter,
        [&](std::size_t begin, std::size_t end, std::size_t) {
            std::vector<std::uint32_t> local(std::max(map.corner_count(), map.cell_count()), kNone);
            for (std::size_t i = begin; i < end && !context.cancelled(); ++i) {
                const auto square = static_cast<std::uint32_t>(i);
                const std::span<const CellId> cells = squares[i].cell;
                MeshChunk& chunk = chunks[i];
                chunk.origin = squares[i].origin;
                const std::vector<SideId> corners = list_fixed(layout, map, square, local, chunk);
                const std::size_t count = cells.size() + corners.size();
                std::vector<std::array<Steps, 3>> position(count);
                std::vector<Vec3f> normal(count);
                std::vector<std::uint32_t> rgba(count);
                parallel_for(*context.executor, count, kPerTask,
                             [&](std::size_t first, std::size_t last, std::size_t) {
                                 VertexMaker vertices(surface, biomes);
                                 for (std::size_t v = first; v < last; ++v) {
                                     const Vertex vertex =
                                         v < cells.size()
                                             ? vertices.at_site(cells[v])
                                             : vertices.at_corner(corners[v - cells.size()]);
                                     if (!within_reach(vertex.point, chunk.origin)) too_far = true;
                                     position[v] = position_of(vertex, chunk.origin);
                                     normal[v] = vertex.normal;
                                     rgba[v] = vertex.rgba;
                                 }
                             });
                chunk.position =
                    IdArray<world::MeshVertexTag, std::array<Steps, 3>>(std::move(position));
                chunk.normal = IdArray<world::MeshVertexTag, Vec3f>(std::move(normal));
                chunk.rgba = IdArray<world::MeshVertexTag, std::uint32_t>(std::move(rgba));
                VertexMaker vertices(surface, biomes);
                write_rivers(layout, map, vertices, square, static_cast<std::uint32_t>(count),
                             local, chunk);
            }
        });
    if (context.cancelled()) return cancelled_error("meshes");
    if (too_far) return too_far_error();
    return chunks;
}

void TerrainMeshUpdate::run(const CanonicalSurface& surface, const world::Biomes& biomes,
                            std::span<const CellId> shape, std::span<const CellId> rim,
                            std::span<const CellId> colour, std::vector<MeshChunk>& chunks) {
    const PolygonMap& map = *surface.map;
    VertexMaker vertices(surface, biomes);
    dirty_.reset(map.cell_count());
    corner_.reset(map.corner_count());
    for (const std::span<const CellId> cells : {shape, rim, colour}) {
        for (const CellId cell : cells) dirty_.insert(cell);
    }
    // A crossing takes its colour from both banks, and its normal.
    square_.clear();
    local_.resize(map.cell_count(), kNone);
    const auto add_square = [&](CellId cell) {
        square_.push_back(layout_.cells().square_of(cell));
    };
    for (const CellId cell : dirty_.ids()) {
        write(chunks[layout_.cells().square_of(cell)], layout_.site_vertex(cell),
              vertices.at_site(cell));
        for (const SideId side : map.sides(cell)) {
            if (vertices.river_over(side)) {
                add_square(cell);
                if (const CellId other = map.neighbour(side)) add_square(other);
            }
            if (!corner_.insert(map.corner[side])) continue;
            const Vertex vertex = vertices.at_corner(side);
            world::for_each_spoke(map, side, [&](SideId spoke, SideId) {
                const CellId at = map.cell_of_side[spoke];
                MeshChunk& chunk = chunks[layout_.cells().square_of(at)];
                const MeshTriangleId triangle(layout_.first_triangle(at) + spoke.value() -
                                              map.side_begin[at]);
                write(chunk, chunk.triangle[triangle][1].value(), vertex);
            });
        }
    }
    for (const CellId cell : rim) {
        add_square(cell);
        // Sides without a crossing are whole again.
        MeshChunk& chunk = chunks[layout_.cells().square_of(cell)];
        for (const SideId side : map.sides(cell)) {
            const MeshTriangleId triangle(layout_.first_triangle(cell) + side.value() -
                                          map.side_begin[cell]);
            if (vertices.river_over(side)) continue;
            chunk.triangle.set(triangle, first_half(layout_, map, chunk, cell, side, kNone));
        }
    }
    std::sort(square_.begin(), square_.end());
    square_.erase(std::unique(square_.begin(), square_.end()), square_.end());
    for (const std::uint32_t square : square_) {
        MeshChunk& chunk = chunks[square];
        write_rivers(layout_, map, vertices, square, layout_.fixed_vertices(square), local_, chunk);
    }
}

}  // namespace tw::ground
