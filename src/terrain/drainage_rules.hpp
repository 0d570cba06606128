#pragma once
// What the flood of a filled landscape comes to, cell by cell: the rules that building and updating
// share. Each looks at the cell and its neighbours alone.

#include "terraway/math/int128.hpp"
#include "terraway/terrain/drainage.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::terrain {

/// The first side of the cell that lies on the rectangle; none for inner cells.
inline world::SideId outer_side(const world::PolygonMap& map, world::CellId cell) {
    for (const world::SideId side : map.sides(cell)) {
        if (!map.twin[side]) return side;
    }
    return {};
}

/// The cells on the rectangle, ascending.
inline std::vector<world::CellId> border_cells(const world::PolygonMap& map) {
    std::vector<world::CellId> cells;
    for (const world::SideId side : map.twin.ids()) {
        const world::CellId cell = map.cell_of_side[side];
        if (!map.twin[side] && (cells.empty() || cells.back() != cell)) cells.push_back(cell);
    }
    return cells;
}

/// The lowest of some ascending cells, of equals the first: over it a map without sea and with a
/// closed border drains.
inline world::CellId lowest_of(std::span<const world::CellId> cells, const world::Relief& relief) {
    world::CellId lowest;
    for (const world::CellId cell : cells) {
        if (!lowest || relief.elevation[cell] < relief.elevation[lowest]) lowest = cell;
    }
    return lowest;
}

/// [micrometres a year] of rain in metres.
inline std::int64_t micrometres_of(double rain) {
    return static_cast<std::int64_t>(rain * 1e6 + 0.5);
}

/// [litres a year] that fall on a cell, rounded down.
inline std::uint64_t rain_on(const world::PolygonMap& map, world::CellId cell,
                             std::int64_t micrometres) {
    // Litres are square metres times millimetres; an area is doubled and in square steps.
    constexpr std::int64_t kDivisor = std::int64_t{2} * kStepsPerMetre * kStepsPerMetre * 1000;
    return static_cast<std::uint64_t>(floor_quotient<Int128>(
        wide_product<Int128>(world::double_area(map, cell), micrometres), kDivisor));
}

/// Levels are the least that satisfy level = max(ground, 1 + lowest neighbour), the sea's being 0:
/// every cell lies a step above the one that it drains to, so no order of evaluation shows.
class FillRules {
public:
    using Levels = IdArray<world::CellTag, Steps>;
    static constexpr Steps kUnreached = INT32_MAX;

    FillRules(const world::PolygonMap& map, const world::Relief& relief, Border border)
        : map_(map), relief_(relief), border_(border) {}
    /// A cell that drains over the rectangle where the border is closed; none: there is a sea.
    void set_only_outlet(world::CellId cell) { only_outlet_ = cell; }
    world::CellId only_outlet() const { return only_outlet_; }

    bool is_ocean(world::CellId cell) const { return relief_.water[cell] == world::Water::ocean; }
    Steps level_for(world::CellId cell, const Levels& level) const {
        const Steps ground = relief_.elevation[cell];
        if (is_outlet(cell)) return ground;
        Steps lowest = kUnreached;
        for (const world::SideId side : map_.sides(cell)) {
            const world::CellId other = map_.neighbour(side);
            if (other) lowest = std::min(lowest, level_of(other, level));
        }
        return lowest == kUnreached ? kUnreached : std::max(ground, lowest + 1);
    }
    /// To the lowest neighbour, of equals the one of least id; an outlet that has none below itself
    /// drains over the rectangle.
    world::SideId downhill_for(world::CellId cell, const Levels& level) const {
        Steps lowest = is_outlet(cell) ? relief_.elevation[cell] : kUnreached;
        world::SideId best;
        world::CellId to;
        for (const world::SideId side : map_.sides(cell)) {
            const world::CellId other = map_.neighbour(side);
            if (!other) continue;
            const Steps its = level_of(other, level);
            if (its > lowest || (its == lowest && (!to || to <= other))) continue;
            lowest = its;
            best = side;
            to = other;
        }
        return best ? best : outer_side(map_, cell);
    }
    Steps spill_for(world::CellId cell, const Levels& level, world::SideId downhill,
                    const Levels& spill) const {
        const Steps ground = relief_.elevation[cell];
        return level[cell] == ground ? ground : spill[map_.neighbour(downhill)];
    }
    world::Water water_for(world::CellId cell, Steps spill) const {
        const world::Water before = relief_.water[cell];
        return before == world::Water::lake && relief_.elevation[cell] >= spill ? world::Water::land
                                                                                : before;
    }

private:
    bool is_outlet(world::CellId cell) const {
        return border_ == Border::open ? static_cast<bool>(outer_side(map_, cell))
                                       : cell == only_outlet_;
    }
    Steps level_of(world::CellId cell, const Levels& level) const {
        return is_ocean(cell) ? 0 : level[cell];
    }

    const world::PolygonMap& map_;
    const world::Relief& relief_;
    Border border_;
    world::CellId only_outlet_;
};

/// The mean of the cells around the corner that `side` starts at, rounded down; 0 at the coast.
Steps corner_elevation_for(const world::PolygonMap& map, const world::Relief& relief,
                           const IdArray<world::CellTag, Steps>& elevation, world::SideId side);

}  // namespace tw::terrain
