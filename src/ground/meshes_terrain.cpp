#include "meshes_terrain.hpp"

#include "meshes_colour.hpp"

#include <algorithm>
#include <array>

namespace tw::ground {
namespace {

using world::Biome;
using world::CanonicalSurface;
using world::CellId;
using world::CornerId;
using world::PolygonMap;
using world::RiverVertexId;
using world::SideId;
using world::Water;
using AreaNormal = Vec3<std::int64_t>;

constexpr std::size_t kPerTask = 1024;
constexpr std::uint32_t kRiverAtVertex = 154, kRiverAtSite = 77;  ///< 256ths of river colour
constexpr std::uint32_t kSandAtShore = 128;                       ///< 256ths of sand
constexpr Steps kLakeFilm = 128;  ///< [steps] of a lake over its filled bed

Colour biome_colour(Biome biome) {
    return Colour::from_rgb(world::look_of(biome).rgb);
}

/// Numbers and neighbourhoods of the canonical surface's vertices.
class Vertices {
public:
    explicit Vertices(const CanonicalSurface& surface)
        : map(*surface.map),
          drainage(*surface.drainage),
          rivers(surface.rivers),
          corner_base_(static_cast<std::uint32_t>(map.cell_count())),
          river_base_(corner_base_ + static_cast<std::uint32_t>(map.corner_count())) {}

    const PolygonMap& map;
    const world::Drainage& drainage;
    const world::Rivers* rivers;

    std::uint32_t of(CellId cell) const { return cell.value(); }
    std::uint32_t of(CornerId corner) const { return corner_base_ + corner.value(); }
    std::uint32_t of(RiverVertexId vertex) const { return river_base_ + vertex.value(); }
    std::size_t river_count() const { return rivers ? rivers->vertex_point.size() : 0; }
    std::size_t count() const { return river_base_ + river_count(); }
    RiverVertexId river_of(SideId side) const {
        return rivers ? rivers->vertex_of_side[side] : RiverVertexId();
    }
    SideId before(SideId side) const {
        const CellId cell = map.cell_of_side[side];
        return side.value() == map.side_begin[cell]
                   ? SideId(map.side_begin[CellId(cell.value() + 1)] - 1)
                   : SideId(side.value() - 1);
    }

private:
    std::uint32_t corner_base_, river_base_;
};

/// A side that starts at each corner: the first of the fan, so that turning over twins meets all.
std::vector<SideId> first_sides(const Vertices& vertices) {
    std::vector<SideId> first(vertices.map.corner_count());
    for (const SideId side : vertices.map.corner.ids()) {
        SideId& entry = first[vertices.map.corner[side].index()];
        const bool fan_starts = vertices.map.twin[side].is_none();
        if (entry.is_none() || fan_starts) entry = side;
    }
    return first;
}

/// Calls visit(side, before) for the sides that start at a corner, given the first of its fan, and
/// the sides before them, which end there.
template <class Visit>
void for_each_spoke(const Vertices& vertices, SideId first, Visit&& visit) {
    SideId side = first;
    while (side) {
        const SideId before = vertices.before(side);
        visit(side, before);
        side = vertices.map.twin[before];
        if (side == first) return;
    }
}

void place_vertices(const Vertices& vertices, WholeSurface& out) {
    out.position.reserve(vertices.count());
    const PolygonMap& map = vertices.map;
    for (const CellId cell : map.site.ids()) {
        out.position.push_back({map.site[cell], vertices.drainage.elevation[cell]});
    }
    for (const CornerId corner : map.corner_point.ids()) {
        out.position.push_back(
            {map.corner_point[corner], vertices.drainage.corner_elevation[corner]});
    }
    for (std::size_t i = 0; i < vertices.river_count(); ++i) {
        const auto vertex = RiverVertexId::from_index(i);
        out.position.push_back(
            {vertices.rivers->vertex_point[vertex], vertices.rivers->vertex_elevation[vertex]});
    }
}

void list_triangles(const Vertices& vertices, WholeSurface& out, Executor& executor) {
    const PolygonMap& map = vertices.map;
    out.patch_begin.reserve(map.cell_count() + 1);
    out.patch_begin.push_back(0);
    std::uint32_t count = 0;
    for (const CellId cell : map.site.ids()) {
        for (const SideId side : map.sides(cell)) count += vertices.river_of(side) ? 2 : 1;
        out.patch_begin.push_back(count);
    }
    out.triangle.resize(count);
    parallel_for(executor, map.cell_count(), kPerTask,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     std::uint32_t at = out.patch_begin[begin];
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         const std::uint32_t site = vertices.of(cell);
                         for (const SideId side : map.sides(cell)) {
                             const std::uint32_t from = vertices.of(map.corner[side]);
                             const std::uint32_t to = vertices.of(map.end_corner(side));
                             const RiverVertexId river = vertices.river_of(side);
                             if (river) {
                                 out.triangle[at++] = {site, from, vertices.of(river)};
                                 out.triangle[at++] = {site, vertices.of(river), to};
                             } else {
                                 out.triangle[at++] = {site, from, to};
                             }
                         }
                     }
                 });
    out.patch_anchor = map.site.values();
}

/// The triangles of a side's wedge, one or two, as area normals.
class WedgeNormals {
public:
    WedgeNormals(const Vertices& vertices, const WholeSurface& whole)
        : vertices_(vertices), whole_(whole) {}
    /// Of the triangle at the side's start.
    AreaNormal at_start(SideId side) const {
        return normal(side, start(side), middle_or(side, end(side)));
    }
    /// Of the triangle at its end: the same one where no river splits the wedge.
    AreaNormal at_end(SideId side) const {
        return normal(side, middle_or(side, start(side)), end(side));
    }
    const SurfacePoint& point_after_start(SideId side) const {
        return whole_.position[middle_or(side, end(side))];
    }
    const SurfacePoint& point_before_end(SideId side) const {
        return whole_.position[middle_or(side, start(side))];
    }
    bool split(SideId side) const { return static_cast<bool>(vertices_.river_of(side)); }

private:
    std::uint32_t start(SideId side) const { return vertices_.of(vertices_.map.corner[side]); }
    std::uint32_t end(SideId side) const { return vertices_.of(vertices_.map.end_corner(side)); }
    std::uint32_t middle_or(SideId side, std::uint32_t otherwise) const {
        const RiverVertexId river = vertices_.river_of(side);
        return river ? vertices_.of(river) : otherwise;
    }
    AreaNormal normal(SideId side, std::uint32_t a, std::uint32_t b) const {
        return double_area_normal(whole_.position[vertices_.of(vertices_.map.cell_of_side[side])],
                                  whole_.position[a], whole_.position[b]);
    }
    const Vertices& vertices_;
    const WholeSurface& whole_;
};

void find_normals(const Vertices& vertices, std::span<const SideId> first_side, WholeSurface& out,
                  Executor& executor) {
    out.normal.resize(vertices.count());
    const WedgeNormals wedge(vertices, out);
    const PolygonMap& map = vertices.map;
    parallel_for(executor, map.cell_count(), kPerTask,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     std::vector<AreaNormal> around;
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         around.clear();
                         for (const SideId side : map.sides(cell)) {
                             around.push_back(wedge.at_start(side));
                             if (wedge.split(side)) around.push_back(wedge.at_end(side));
                         }
                         out.normal[vertices.of(cell)] = vertex_normal(around);
                     }
                 });
    parallel_for(executor, map.corner_count(), kPerTask,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     std::vector<AreaNormal> around;
                     for (const CornerId corner : IdRange<CornerId>(begin, end)) {
                         around.clear();
                         const SurfacePoint& middle = out.position[vertices.of(corner)];
                         // What follows the corner on a spoke precedes it on the twin.
                         const SurfacePoint* ahead = nullptr;
                         const SideId first = first_side[corner.index()];
                         for_each_spoke(vertices, first, [&](SideId side, SideId before) {
                             if (!ahead) ahead = &wedge.point_after_start(side);
                             const SurfacePoint& site =
                                 out.position[vertices.of(map.cell_of_side[side])];
                             const SurfacePoint& behind = wedge.point_before_end(before);
                             around.push_back(double_area_normal(site, middle, *ahead));
                             around.push_back(double_area_normal(site, behind, middle));
                             ahead = &behind;
                         });
                         out.normal[vertices.of(corner)] = vertex_normal(around);
                     }
                 });
    if (!vertices.rivers) return;
    for (const SideId side : map.corner.ids()) {
        const RiverVertexId river = vertices.river_of(side);
        const SideId twin = map.twin[side];
        if (!river || (twin && twin < side)) continue;
        std::vector<AreaNormal> around{wedge.at_start(side), wedge.at_end(side)};
        if (twin) {
            around.push_back(wedge.at_start(twin));
            around.push_back(wedge.at_end(twin));
        }
        out.normal[vertices.of(river)] = vertex_normal(around);
    }
}

void find_colours(const Vertices& vertices, std::span<const SideId> first_side,
                  const world::Biomes& biomes, WholeSurface& out, Executor& executor) {
    const PolygonMap& map = vertices.map;
    const Colour river_colour = biome_colour(Biome::lake), sand = biome_colour(Biome::beach);
    const auto of_cell = [&](CellId cell) { return biome_colour(biomes.biome[cell]); };
    out.rgba.resize(vertices.count());
    const auto colour_of_cell = [&](CellId cell) {
        bool has_river = false;
        for (const SideId side : map.sides(cell)) has_river |= !vertices.river_of(side).is_none();
        const Colour colour = of_cell(cell);
        return has_river ? colour.mixed(river_colour, kRiverAtSite) : colour;
    };
    const auto colour_of_corner = [&](CornerId corner) {
        ColourMean land, sea;
        for_each_spoke(vertices, first_side[corner.index()], [&](SideId side, SideId) {
            const CellId cell = map.cell_of_side[side];
            (biomes.biome[cell] == Biome::ocean ? sea : land).add(of_cell(cell));
        });
        return land.empty()  ? sea.mean()
               : sea.empty() ? land.mean()
                             : land.mean().mixed(sand, kSandAtShore);
    };
    parallel_for(executor, map.cell_count(), kPerTask,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         out.rgba[vertices.of(cell)] = colour_of_cell(cell).rgba();
                     }
                 });
    parallel_for(executor, map.corner_count(), kPerTask,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CornerId corner : IdRange<CornerId>(begin, end)) {
                         out.rgba[vertices.of(corner)] = colour_of_corner(corner).rgba();
                     }
                 });
    if (!vertices.rivers) return;
    for (const SideId side : map.corner.ids()) {
        const RiverVertexId river = vertices.river_of(side);
        if (!river) continue;
        ColourMean banks;
        banks.add(of_cell(map.cell_of_side[side]));
        if (const CellId over = map.neighbour(side)) banks.add(of_cell(over));
        out.rgba[vertices.of(river)] = banks.mean().mixed(river_colour, kRiverAtVertex).rgba();
    }
}

/// Level of every cell that water covers, found lake by lake.
std::vector<Steps> lake_levels(const CanonicalSurface& surface, const world::Relief& relief) {
    const PolygonMap& map = *surface.map;
    std::vector<Steps> level(map.cell_count(), 0);
    std::vector<std::uint8_t> seen(map.cell_count(), 0);
    std::vector<CellId> lake;
    for (const CellId first : map.site.ids()) {
        if (relief.water[first] != Water::lake || seen[first.index()]) continue;
        lake.assign(1, first);
        seen[first.index()] = 1;
        Steps highest = surface.drainage->elevation[first];
        for (std::size_t i = 0; i < lake.size(); ++i) {
            highest = std::max(highest, surface.drainage->elevation[lake[i]]);
            for (const SideId side : map.sides(lake[i])) {
                const CellId over = map.neighbour(side);
                if (!over || relief.water[over] != Water::lake || seen[over.index()]) continue;
                seen[over.index()] = 1;
                lake.push_back(over);
            }
        }
        for (const CellId cell : lake) level[cell.index()] = highest + kLakeFilm;
    }
    return level;
}

}  // namespace

WholeSurface terrain_surface(const CanonicalSurface& surface, const world::Biomes& biomes,
                             StageContext& context) {
    WholeSurface out;
    const Vertices vertices(surface);
    place_vertices(vertices, out);
    list_triangles(vertices, out, *context.executor);
    const std::vector<SideId> first_side = first_sides(vertices);
    find_normals(vertices, first_side, out, *context.executor);
    find_colours(vertices, first_side, biomes, out, *context.executor);
    return out;
}

WholeSurface water_surface(const CanonicalSurface& surface, const world::Relief& relief) {
    const PolygonMap& map = *surface.map;
    const std::vector<Steps> level = lake_levels(surface, relief);
    WholeSurface out;
    const auto add_vertex = [&](GridPoint plan, Steps height, Biome biome) {
        out.position.push_back({plan, height});
        out.rgba.push_back(biome_colour(biome).rgba());
        return static_cast<std::uint32_t>(out.position.size() - 1);
    };
    // A corner may be the shore of the sea and of lakes at once: a vertex for each level.
    constexpr std::uint32_t kNone = 0xffffffffu;
    struct CornerUse {
        Steps height;
        std::uint32_t vertex;
        std::uint32_t older;  ///< use of the same corner, kNone: no more
    };
    std::vector<std::uint32_t> newest(map.corner_count(), kNone);
    std::vector<CornerUse> uses;
    const auto corner_vertex = [&](CornerId corner, Steps height, Biome biome) {
        std::uint32_t& latest = newest[corner.index()];
        for (std::uint32_t at = latest; at != kNone; at = uses[at].older) {
            if (uses[at].height == height) return uses[at].vertex;
        }
        const std::uint32_t vertex = add_vertex(map.corner_point[corner], height, biome);
        uses.push_back({height, vertex, latest});
        latest = static_cast<std::uint32_t>(uses.size() - 1);
        return vertex;
    };
    out.patch_begin.push_back(0);
    for (const CellId cell : map.site.ids()) {
        if (relief.water[cell] == Water::land) continue;
        const Biome biome = relief.water[cell] == Water::ocean ? Biome::ocean : Biome::lake;
        const Steps height = level[cell.index()];
        const std::uint32_t site = add_vertex(map.site[cell], height, biome);
        for (const SideId side : map.sides(cell)) {
            const std::uint32_t from = corner_vertex(map.corner[side], height, biome);
            const std::uint32_t to = corner_vertex(map.end_corner(side), height, biome);
            out.triangle.push_back({site, from, to});
        }
        out.patch_begin.push_back(static_cast<std::uint32_t>(out.triangle.size()));
        out.patch_anchor.push_back(map.site[cell]);
    }
    out.normal.assign(out.position.size(), Vec3f{0, 0, 1});
    return out;
}

}  // namespace tw::ground
