#include "meshes_terrain.hpp"

#include "terraway/geometry/raster.hpp"

#include "meshes_chunks.hpp"
#include "meshes_colour.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <compare>
#include <map>
#include <utility>

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

/// What stands at a vertex, in the world's frame.
struct Vertex {
    SurfacePoint point;
    Vec3f normal;
    std::uint32_t rgba = 0;
};

/// Vertices of the surface, each from its neighbourhood alone.
class VertexMaker {
public:
    /// `around` is scratch memory.
    VertexMaker(const CanonicalSurface& surface, const world::Biomes& biomes,
                std::vector<AreaNormal>& around)
        : surface_(surface), map_(*surface.map), biomes_(biomes), around_(around) {}

    Vertex at_site(CellId cell) {
        around_.clear();
        const SurfacePoint middle = site(cell);
        for (const SideId side : map_.sides(cell)) {
            const SurfacePoint from = corner(side), to = corner(map_.next(side));
            if (const CellId river = river_over(side)) {
                const SurfacePoint split = crossing(river);
                around_.push_back(double_area_normal(middle, from, split));
                around_.push_back(double_area_normal(middle, split, to));
            } else {
                around_.push_back(double_area_normal(middle, from, to));
            }
        }
        return {middle, vertex_normal(around_), site_rgba(cell)};
    }
    std::uint32_t site_rgba(CellId cell) const {
        const Colour colour = colour_of(cell);
        return (has_crossings(cell) ? colour.mixed(river_colour_, kRiverAtSite) : colour).rgba();
    }
    /// The corner where the side starts.
    Vertex at_corner(SideId any) {
        around_.clear();
        const SurfacePoint middle = corner(any);
        world::for_each_spoke(map_, any, [&](SideId side, SideId before) {
            const SurfacePoint at = site(map_.cell_of_side[side]);
            const CellId ahead = river_over(side), behind = river_over(before);
            around_.push_back(
                double_area_normal(at, middle, ahead ? crossing(ahead) : corner(map_.next(side))));
            around_.push_back(
                double_area_normal(at, behind ? crossing(behind) : corner(before), middle));
        });
        return {middle, vertex_normal(around_), corner_rgba(any)};
    }
    std::uint32_t corner_rgba(SideId any) const {
        ColourMean land, sea;
        world::for_each_spoke(map_, any, [&](SideId side, SideId) {
            const CellId cell = map_.cell_of_side[side];
            (biomes_.biome[cell] == Biome::ocean ? sea : land).add(colour_of(cell));
        });
        const Colour colour = land.empty()  ? sea.mean()
                              : sea.empty() ? land.mean()
                                            : land.mean().mixed(sand_, kSandAtShore);
        return colour.rgba();
    }
    Vertex at_crossing(CellId river) {
        around_.clear();
        const SurfacePoint middle = crossing(river);
        for_each_bank(river, [&](SideId side) {
            const SurfacePoint at = site(map_.cell_of_side[side]);
            around_.push_back(double_area_normal(at, corner(side), middle));
            around_.push_back(double_area_normal(at, middle, corner(map_.next(side))));
        });
        return {middle, vertex_normal(around_), crossing_rgba(river)};
    }
    std::uint32_t crossing_rgba(CellId river) const {
        ColourMean banks;
        for_each_bank(river, [&](SideId side) { banks.add(colour_of(map_.cell_of_side[side])); });
        return banks.mean().mixed(river_colour_, kRiverAtCrossing).rgba();
    }
    /// visit(side) for the side that the river crosses, from either cell.
    template <class Visit>
    void for_each_bank(CellId river, Visit&& visit) const {
        const SideId side = surface_.rivers->side[river];
        visit(side);
        if (map_.twin[side]) visit(map_.twin[side]);
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
    std::vector<AreaNormal>& around_;
};

std::array<Steps, 3> position_of(const Vertex& vertex, GridPoint origin) {
    return {vertex.point.plan.x - origin.x, vertex.point.plan.y - origin.y, vertex.point.height};
}

void write(MeshChunk& chunk, std::uint32_t index, const ChunkVertex& vertex) {
    const MeshVertexId id(index);
    chunk.position.set(id, vertex.position);
    chunk.normal.set(id, vertex.normal);
    chunk.rgba.set(id, vertex.rgba);
}
void write(MeshChunk& chunk, std::uint32_t index, const Vertex& vertex) {
    write(chunk, index, ChunkVertex{position_of(vertex, chunk.origin), vertex.normal, vertex.rgba});
}

/// Triangles and vertices of sides, in the chunk of their cell.
class SidePlaces {
public:
    SidePlaces(const TerrainLayout& layout, const PolygonMap& map) : layout_(layout), map_(map) {}
    /// The side's triangle, up to the crossing where a river crosses it.
    MeshTriangleId triangle(CellId cell, SideId side) const {
        return MeshTriangleId(layout_.first_triangle(cell) + side.value() - map_.side_begin[cell]);
    }
    MeshVertexId corner(const MeshChunk& chunk, CellId cell, SideId side) const {
        return chunk.triangle[triangle(cell, side)][1];
    }
    /// Where the triangle of the side ends: at its crossing, or at the next corner.
    MeshVertexId end(const MeshChunk& chunk, CellId cell, SideId side) const {
        return chunk.triangle[triangle(cell, side)][2];
    }
    Triangle whole(const MeshChunk& chunk, CellId cell, SideId side) const {
        return {MeshVertexId(layout_.site_vertex(cell)), corner(chunk, cell, side),
                corner(chunk, cell, map_.next(side))};
    }

private:
    const TerrainLayout& layout_;
    const PolygonMap& map_;
};

/// The sides of a chunk's cells that rivers cross, cell by cell: most rivers come twice.
void list_crossed(const PolygonMap& map, const VertexMaker& vertices, std::span<const CellId> cells,
                  std::vector<CrossedSide>& out) {
    out.clear();
    for (const CellId cell : cells) {
        if (!vertices.has_crossings(cell)) continue;
        for (const SideId side : map.sides(cell)) {
            if (const CellId river = vertices.river_over(side)) out.push_back({cell, side, river});
        }
    }
}

/// Writes crossings, in order of first use, and the triangles beside them: first halves in their
/// places, second ones at the end. Crossings that the chunk has are taken from there, but those of
/// `stale` cells, which may be null where it has none.
void write_rivers(const TerrainLayout& layout, const PolygonMap& map, VertexMaker& vertices,
                  std::uint32_t square, std::uint32_t fixed_vertices,
                  const IdSet<world::CellTag>* stale, CrossingScratch& scratch, MeshChunk& chunk) {
    const SidePlaces places(layout, map);
    list_crossed(map, vertices, layout.cells().squares()[square].cell, scratch.side);
    scratch.vertex.clear();
    for (const auto& [cell, side, river] : scratch.side) {
        if (scratch.local[river.index()] != kNone) continue;
        scratch.local[river.index()] =
            fixed_vertices + static_cast<std::uint32_t>(scratch.vertex.size());
        const MeshVertexId known = places.end(chunk, cell, side);
        bool stands = stale && known.value() >= fixed_vertices;
        if (stands) {
            vertices.for_each_bank(river, [&](SideId bank) {
                stands = stands && !stale->contains(map.cell_of_side[bank]);
            });
        }
        if (stands) {
            scratch.vertex.push_back(
                {chunk.position[known], chunk.normal[known], chunk.rgba[known]});
        } else {
            const Vertex fresh = vertices.at_crossing(river);
            scratch.vertex.push_back({position_of(fresh, chunk.origin), fresh.normal, fresh.rgba});
        }
    }
    const std::size_t all = fixed_vertices + scratch.vertex.size();
    chunk.position.resize(all);
    chunk.normal.resize(all);
    chunk.rgba.resize(all);
    std::uint32_t vertex = fixed_vertices;
    for (const ChunkVertex& each : scratch.vertex) write(chunk, vertex++, each);
    std::uint32_t at = layout.side_count(square);
    chunk.triangle.resize(at + scratch.side.size());
    for (const auto& [cell, side, river] : scratch.side) {
        const MeshVertexId crossing(scratch.local[river.index()]);
        const Triangle whole = places.whole(chunk, cell, side);
        chunk.triangle.set(places.triangle(cell, side), {whole[0], whole[1], crossing});
        chunk.triangle.set(MeshTriangleId(at++), {whole[0], crossing, whole[2]});
    }
    for (const CrossedSide& each : scratch.side) scratch.local[each.river.index()] = kNone;
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
            std::vector<std::uint32_t> local(map.corner_count(), kNone);
            CrossingScratch crossings;
            crossings.local.resize(map.cell_count(), kNone);
            std::vector<AreaNormal> around;
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
                                 std::vector<AreaNormal> some;
                                 VertexMaker vertices(surface, biomes, some);
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
                VertexMaker vertices(surface, biomes, around);
                write_rivers(layout, map, vertices, square, static_cast<std::uint32_t>(count),
                             nullptr, crossings, chunk);
            }
        });
    if (context.cancelled()) return cancelled_error("meshes");
    if (too_far) return too_far_error();
    return chunks;
}

/// Writes vertices of an update into the chunks that hold them.
class TerrainMeshUpdate::Writer {
public:
    Writer(TerrainMeshUpdate& own, const CanonicalSurface& surface, const world::Biomes& biomes,
           std::vector<MeshChunk>& chunks)
        : layout_(own.layout_),
          map_(*surface.map),
          places_(own.layout_, *surface.map),
          vertices_(surface, biomes, own.around_),
          chunks_(chunks) {}
    VertexMaker& vertices() { return vertices_; }

    void shape_site(CellId cell) {
        write(chunk_of(cell), layout_.site_vertex(cell), vertices_.at_site(cell));
    }
    void shape_corner(SideId any) {
        const Vertex vertex = vertices_.at_corner(any);
        for_each_corner(
            any, [&](MeshChunk& chunk, MeshVertexId at) { write(chunk, at.value(), vertex); });
    }
    void shape_crossing(CellId river) {
        const Vertex vertex = vertices_.at_crossing(river);
        for_each_crossing(
            river, [&](MeshChunk& chunk, MeshVertexId at) { write(chunk, at.value(), vertex); });
    }
    void colour_site(CellId cell) {
        chunk_of(cell).rgba.set(MeshVertexId(layout_.site_vertex(cell)), vertices_.site_rgba(cell));
    }
    void colour_corner(SideId any) {
        const std::uint32_t rgba = vertices_.corner_rgba(any);
        for_each_corner(any, [&](MeshChunk& chunk, MeshVertexId at) { chunk.rgba.set(at, rgba); });
    }
    void colour_crossing(CellId river) {
        const std::uint32_t rgba = vertices_.crossing_rgba(river);
        for_each_crossing(river,
                          [&](MeshChunk& chunk, MeshVertexId at) { chunk.rgba.set(at, rgba); });
    }
    /// True if rivers cross other sides of the cell than its triangles show.
    bool has_other_crossings(CellId cell) {
        const std::uint32_t square = layout_.cells().square_of(cell);
        for (const SideId side : map_.sides(cell)) {
            const bool shown =
                places_.end(chunks_[square], cell, side).value() >= layout_.fixed_vertices(square);
            if (shown != static_cast<bool>(vertices_.river_over(side))) return true;
        }
        return false;
    }
    /// Sides without a crossing are whole again.
    void join_halves(CellId cell) {
        MeshChunk& chunk = chunk_of(cell);
        for (const SideId side : map_.sides(cell)) {
            if (vertices_.river_over(side)) continue;
            chunk.triangle.set(places_.triangle(cell, side), places_.whole(chunk, cell, side));
        }
    }

private:
    MeshChunk& chunk_of(CellId cell) { return chunks_[layout_.cells().square_of(cell)]; }
    /// visit(chunk, vertex) for chunks that hold the corner where the side starts; seldom twice.
    template <class Visit>
    void for_each_corner(SideId any, Visit&& visit) {
        const MeshChunk* last = nullptr;
        world::for_each_spoke(map_, any, [&](SideId spoke, SideId) {
            const CellId cell = map_.cell_of_side[spoke];
            MeshChunk& chunk = chunk_of(cell);
            if (std::exchange(last, &chunk) == &chunk) return;
            visit(chunk, places_.corner(chunk, cell, spoke));
        });
    }
    /// Where the crossing is new, its chunks are to be numbered again, and nothing is visited.
    template <class Visit>
    void for_each_crossing(CellId river, Visit&& visit) {
        vertices_.for_each_bank(river, [&](SideId side) {
            const CellId cell = map_.cell_of_side[side];
            const std::uint32_t square = layout_.cells().square_of(cell);
            const MeshVertexId at = places_.end(chunks_[square], cell, side);
            if (at.value() >= layout_.fixed_vertices(square)) visit(chunks_[square], at);
        });
    }

    const TerrainLayout& layout_;
    const PolygonMap& map_;
    SidePlaces places_;
    VertexMaker vertices_;
    std::vector<MeshChunk>& chunks_;
};

TerrainMeshUpdate::TerrainMeshUpdate(const PolygonMap& map, const TerrainLayout& layout)
    : layout_(layout) {
    dirty_.reset(map.cell_count());
    corner_.reset(map.corner_count());
    crossings_.local.resize(map.cell_count(), kNone);
}

void TerrainMeshUpdate::run(const CanonicalSurface& surface, const world::Biomes& biomes,
                            std::span<const CellId> shape, std::span<const CellId> rim,
                            std::span<const CellId> colour, std::vector<MeshChunk>& chunks) {
    const PolygonMap& map = *surface.map;
    Writer writer(*this, surface, biomes, chunks);
    dirty_.clear();
    corner_.clear();
    for (const std::span<const CellId> cells : {shape, rim}) {
        for (const CellId cell : cells) dirty_.insert(cell);
    }
    for (const CellId cell : dirty_.ids()) {
        writer.shape_site(cell);
        for (const SideId side : map.sides(cell)) {
            if (const CellId river = writer.vertices().river_over(side)) {
                writer.shape_crossing(river);
            }
            if (corner_.insert(map.corner[side])) writer.shape_corner(side);
        }
    }
    for (const CellId cell : colour) {
        if (!dirty_.insert(cell)) continue;
        writer.colour_site(cell);
        for (const SideId side : map.sides(cell)) {
            if (const CellId river = writer.vertices().river_over(side)) {
                writer.colour_crossing(river);
            }
            if (corner_.insert(map.corner[side])) writer.colour_corner(side);
        }
    }
    // Where a crossing came or went, all that come after it have other numbers.
    square_.clear();
    for (const CellId cell : rim) {
        if (writer.has_other_crossings(cell)) square_.push_back(layout_.cells().square_of(cell));
    }
    std::sort(square_.begin(), square_.end());
    square_.erase(std::unique(square_.begin(), square_.end()), square_.end());
    for (const std::uint32_t square : square_) {
        write_rivers(layout_, map, writer.vertices(), square, layout_.fixed_vertices(square),
                     &dirty_, crossings_, chunks[square]);
    }
    for (const CellId cell : rim) writer.join_halves(cell);
}

}  // namespace tw::ground
