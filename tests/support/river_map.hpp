#pragma once
// A small coast with rivers for tests: a lattice map that falls from west to east, its last column
// the sea.

#include "terraway/world/surface.hpp"
#include "terraway/world/terrain.hpp"

#include "support/lattice_map.hpp"

#include <algorithm>
#include <vector>

namespace tw::test {

struct RiverMapOptions {
    LatticeMapOptions lattice{.columns = 24, .rows = 16, .side = 40'960, .jitter = 4000};
    Steps fall = 5000;             ///< [steps] from column to column; noise is smaller
    std::uint64_t river_from = 3;  ///< cells upstream, itself included, that make a river
};

struct RiverMap {
    world::PolygonMap map;
    world::Relief relief;
    world::Drainage drainage;
    world::Rivers rivers;
    world::Biomes biomes;

    world::CanonicalSurface surface() const { return {&map, &drainage, &rivers}; }
    world::CanonicalSurface dry_surface() const { return {&map, &drainage, nullptr}; }
};

namespace detail {

inline void add_heights(RiverMap& out, const RiverMapOptions& options) {
    const std::int32_t columns = options.lattice.columns;
    RandomStream random(Seed{11}, Purpose("river map"), 0);
    for (const world::CellId cell : out.map.site.ids()) {
        const auto column = static_cast<std::int32_t>(cell.value()) % columns;
        const bool ocean = column == columns - 1;
        const auto noise =
            static_cast<Steps>(random.below(static_cast<std::uint32_t>(options.fall)));
        const Steps land = (columns - 1 - column) * options.fall + noise;
        out.relief.water.push_back(ocean ? world::Water::ocean : world::Water::land);
        out.relief.elevation.push_back(ocean ? -1 - noise : land);
        out.biomes.biome.push_back(ocean ? world::Biome::ocean : world::Biome::grassland);
    }
    out.drainage.elevation = out.relief.elevation;
    std::vector<std::int64_t> sum(out.map.corner_count(), 0), count(out.map.corner_count(), 0);
    std::vector<int> wet(out.map.corner_count(), 0);
    for (const world::SideId side : out.map.corner.ids()) {
        const world::CellId cell = out.map.cell_of_side[side];
        const std::size_t corner = out.map.corner[side].index();
        sum[corner] += out.drainage.elevation[cell];
        ++count[corner];
        wet[corner] |= out.relief.water[cell] == world::Water::ocean ? 1 : 2;
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
        out.drainage.corner_elevation.push_back(
            wet[i] == 3 ? 0 : static_cast<Steps>(sum[i] / count[i]));
    }
}

inline void add_drainage(RiverMap& out) {
    const auto cells = out.map.cell_count();
    std::vector<world::SideId> downhill(cells);
    std::vector<world::CellId> order;
    for (const world::CellId cell : out.map.site.ids()) {
        if (out.relief.water[cell] == world::Water::ocean) continue;
        order.push_back(cell);
        Steps lowest = out.drainage.elevation[cell];
        for (const world::SideId side : out.map.sides(cell)) {
            const world::CellId over = out.map.neighbour(side);
            if (!over || out.drainage.elevation[over] >= lowest) continue;
            lowest = out.drainage.elevation[over];
            downhill[cell.index()] = side;
        }
    }
    std::sort(order.begin(), order.end(), [&](world::CellId a, world::CellId b) {
        const Steps ha = out.drainage.elevation[a], hb = out.drainage.elevation[b];
        return ha != hb ? ha > hb : a < b;
    });
    std::vector<std::uint64_t> discharge(cells, 0);
    for (const world::CellId cell : order) {
        ++discharge[cell.index()];
        const world::CellId below = out.map.neighbour(downhill[cell.index()]);
        discharge[below.index()] += discharge[cell.index()];
    }
    out.drainage.downhill = IdArray<world::CellTag, world::SideId>(std::move(downhill));
    out.drainage.discharge = IdArray<world::CellTag, std::uint64_t>(std::move(discharge));
    out.drainage.water = out.relief.water;
    out.drainage.spill = out.drainage.elevation;
}

/// Arrays of the right sizes, without a river.
inline world::Rivers no_rivers(const world::PolygonMap& map) {
    using namespace world;
    Rivers rivers;
    rivers.least_flow = 1;
    rivers.side = IdArray<CellTag, SideId>(map.cell_count());
    rivers.crossing = IdArray<CellTag, GridPoint>(map.cell_count());
    rivers.crossing_elevation = IdArray<CellTag, Steps>(map.cell_count());
    rivers.rim_crossings = IdArray<CellTag, std::uint8_t>(map.cell_count());
    return rivers;
}

inline void add_rivers(RiverMap& out, std::uint64_t river_from) {
    using namespace world;
    const PolygonMap& map = out.map;
    const auto is_river = [&](CellId cell) {
        return out.relief.water[cell] == Water::land && out.drainage.discharge[cell] >= river_from;
    };
    out.rivers = no_rivers(map);
    out.rivers.least_flow = river_from;
    std::vector<int> inflows(map.cell_count(), 0);
    for (const CellId cell : map.site.ids()) {
        if (!is_river(cell)) continue;
        const SideId side = out.drainage.downhill[cell];
        const CellId below = map.neighbour(side);
        const GridPoint a = map.corner_point[map.corner[side]];
        const GridPoint b = map.corner_point[map.end_corner(side)];
        const bool mouth = out.relief.water[below] == Water::ocean;
        out.rivers.side.edit(cell) = side;
        out.rivers.crossing.edit(cell) = {(a.x + b.x) / 2, (a.y + b.y) / 2};
        out.rivers.crossing_elevation.edit(cell) =
            mouth ? 0 : (out.drainage.elevation[cell] + out.drainage.elevation[below]) / 2;
        ++out.rivers.rim_crossings.edit(cell);
        ++out.rivers.rim_crossings.edit(below);
        ++inflows[below.index()];
    }
    for (const CellId start : map.site.ids()) {
        if (!is_river(start) || inflows[start.index()] == 1) continue;
        std::uint32_t cells = 1;
        CellId at = start, below = map.neighbour(out.drainage.downhill[start]);
        while (is_river(below)) {
            ++cells;
            at = below;
            if (inflows[below.index()] > 1) break;
            below = map.neighbour(out.drainage.downhill[below]);
        }
        out.rivers.reach_start.push_back(start);
        out.rivers.reach_cells.push_back(cells);
        out.rivers.reach_discharge.push_back(out.drainage.discharge[at]);
        out.rivers.reach_order.push_back(1);
    }
    for (const ReachId reach : out.rivers.reach_start.ids()) {
        CellId end = out.rivers.reach_start[reach];
        for (std::uint32_t i = 1; i < out.rivers.reach_cells[reach]; ++i) {
            end = map.neighbour(out.drainage.downhill[end]);
        }
        const std::vector<CellId>& starts = out.rivers.reach_start.values();
        const auto next = std::find(starts.begin(), starts.end(), end);
        const bool confluence = out.rivers.reach_cells[reach] > 1 && next != starts.end();
        out.rivers.reach_next.push_back(
            confluence ? ReachId::from_index(static_cast<std::size_t>(next - starts.begin()))
                       : ReachId());
    }
}

}  // namespace detail

inline RiverMap river_map(const RiverMapOptions& options = {}) {
    RiverMap out;
    out.map = lattice_map(options.lattice);
    detail::add_heights(out, options);
    detail::add_drainage(out);
    detail::add_rivers(out, options.river_from);
    return out;
}

}  // namespace tw::test
