#pragma once
// What the flood comes to, cell by cell: the rules that building and updating share. Each looks at
// the cell and its neighbours alone.

#include "terraway/math/int128.hpp"
#include "terraway/terrain/drainage.hpp"

#include <algorithm>
#include <compare>
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

/// Where water can leave, and what each cell asks its neighbours. The sea's level is 0.
class FloodRules {
public:
    FloodRules(const world::PolygonMap& map, const world::Relief& relief, Border border)
        : map_(map), relief_(relief), border_(border) {}
    /// A cell that drains over the rectangle where the border is closed; none: there is a sea.
    void set_only_outlet(world::CellId cell) { only_outlet_ = cell; }
    world::CellId only_outlet() const { return only_outlet_; }

    const world::PolygonMap& map() const { return map_; }
    Steps ground(world::CellId cell) const { return relief_.elevation[cell]; }
    world::Water water(world::CellId cell) const { return relief_.water[cell]; }
    bool is_ocean(world::CellId cell) const { return water(cell) == world::Water::ocean; }
    bool is_outlet(world::CellId cell) const {
        return border_ == Border::open ? static_cast<bool>(outer_side(map_, cell))
                                       : cell == only_outlet_;
    }
    /// The land that a side leads to; none: the sea, or out of the map.
    world::CellId land_beyond(world::SideId side) const {
        const world::CellId other = map_.neighbour(side);
        return other && !is_ocean(other) ? other : world::CellId();
    }
    /// The least `level_of` a neighbour; `none` where it has none.
    template <class Level, class LevelOf>
    Level lowest_around(world::CellId cell, Level none, LevelOf&& level_of) const {
        Level lowest = none;
        for (const world::SideId side : map_.sides(cell)) {
            const world::CellId other = map_.neighbour(side);
            if (other) lowest = std::min(lowest, is_ocean(other) ? Level{0} : level_of(other));
        }
        return lowest;
    }

private:
    const world::PolygonMap& map_;
    const world::Relief& relief_;
    Border border_;
    world::CellId only_outlet_;
};

using Heights = IdArray<world::CellTag, Steps>;

/// A filled landscape, by the levels that it is filled to (Drainage::elevation).
class FillRules : public FloodRules {
public:
    using FloodRules::FloodRules;

    /// To the lowest neighbour, of equals the one of least id; an outlet that has none below itself
    /// drains over the rectangle.
    world::SideId downhill_for(world::CellId cell, const Heights& level) const {
        Steps lowest = is_outlet(cell) ? ground(cell) : INT32_MAX;
        world::SideId best;
        world::CellId to;
        for (const world::SideId side : map().sides(cell)) {
            const world::CellId other = map().neighbour(side);
            if (!other) continue;
            const Steps its = is_ocean(other) ? 0 : level[other];
            if (its > lowest || (its == lowest && (!to || to <= other))) continue;
            lowest = its;
            best = side;
            to = other;
        }
        return best ? best : outer_side(map(), cell);
    }
    Steps spill_for(world::CellId cell, const Heights& level, world::SideId downhill,
                    const Heights& spill) const {
        return level[cell] == ground(cell) ? ground(cell) : spill[map().neighbour(downhill)];
    }
    world::Water water_for(world::CellId cell, Steps spill) const {
        const world::Water before = water(cell);
        return before == world::Water::lake && ground(cell) >= spill ? world::Water::land : before;
    }
};

/// A carved landscape, by the levels that water would stand at if nothing were dug
/// (Drainage::spill). Cells of one level that touch are a flat, and those of them that have lower
/// neighbours or are outlets its exits; from the exits the ways are found inwards, over the lowest
/// cell that is reached, of equals the one of least id.
class CarveRules : public FloodRules {
public:
    using FloodRules::FloodRules;

    /// To the neighbour of least level, ground and id, if its level is below the cell's; of the
    /// sea's cells to that of least id. None: there is none.
    world::SideId way_below(world::CellId cell, const Heights& level) const {
        struct Rank {
            Steps level, ground;
            world::CellId id;
            auto operator<=>(const Rank&) const = default;
        };
        Rank least{level[cell], INT32_MIN, world::CellId::from_index(0)};
        world::SideId best;
        for (const world::SideId side : map().sides(cell)) {
            const world::CellId other = map().neighbour(side);
            if (!other) continue;
            const Rank its =
                is_ocean(other) ? Rank{0, 0, other} : Rank{level[other], ground(other), other};
            if (its >= least) continue;
            least = its;
            best = side;
        }
        return best;
    }
    /// The way of an exit; none for other cells.
    world::SideId way_out(world::CellId cell, const Heights& level) const {
        const world::SideId side = way_below(cell, level);
        return !side && is_outlet(cell) ? outer_side(map(), cell) : side;
    }
    /// As deep as any cell that drains into it.
    Steps elevation_for(world::CellId cell, const world::Drainage& drainage) const {
        Steps lowest = ground(cell);
        for (const world::SideId side : map().sides(cell)) {
            const world::SideId twin = map().twin[side];
            if (!twin) continue;
            const world::CellId other = map().cell_of_side[twin];
            if (drainage.downhill[other] == twin) {
                lowest = std::min(lowest, drainage.elevation[other]);
            }
        }
        return lowest;
    }
};

/// The mean of the cells around the corner that `side` starts at, rounded down; 0 at the coast.
Steps corner_elevation_for(const world::PolygonMap& map, const world::Relief& relief,
                           const Heights& elevation, world::SideId side);

}  // namespace tw::terrain
