#include "drainage_ways.hpp"

namespace tw::terrain {

using namespace world;

void TurnedWays::update_discharge(DrainageWork& work, const FloodRules& rules) {
    Drainage& drainage = work.drainage;
    ways_.reset();
    for (const auto& [cell, before] : turned_) {
        if (const CellId lost = rules.land_beyond(before)) {
            extra_[lost.index()] -= drainage.discharge[cell];
            ways_.add(lost, rules, drainage);
        }
        ways_.add(cell, rules, drainage);
    }
    ways_.for_each(rules, drainage, [&](CellId cell, CellId to) {
        const std::uint64_t more = std::exchange(extra_[cell.index()], 0);
        const std::uint64_t flow = drainage.discharge[cell] + more;
        if (more != 0) {
            work.changes.discharge.insert(cell);
            work.changes.discharge_before.push_back(flow - more);
            drainage.discharge.edit(cell) = flow;
        }
        if (to) extra_[to.index()] += work.changes.downhill.contains(cell) ? flow : more;
    });
}

void TurnedWays::update_carved_elevation(DrainageWork& work, const CarveRules& rules,
                                         std::span<const CellId> ground) {
    Drainage& drainage = work.drainage;
    ways_.reset();
    inflow_.reset(work.map.cell_count());
    const auto look_at = [&](CellId cell) {
        inflow_.insert(cell);
        ways_.add(cell, rules, drainage);
    };
    for (const CellId cell : ground) {
        if (!rules.is_ocean(cell)) {
            look_at(cell);
        } else if (drainage.elevation.set(cell, rules.ground(cell))) {
            drainage.spill.set(cell, rules.ground(cell));
            work.changes.elevation.insert(cell);
        }
    }
    for (const auto& [cell, before] : turned_) {
        for (const SideId side : {before, drainage.downhill[cell]}) {
            if (const CellId below = rules.land_beyond(side)) look_at(below);
        }
    }
    ways_.for_each(rules, drainage, [&](CellId cell, CellId to) {
        if (!inflow_.contains(cell)) return;
        if (!drainage.elevation.set(cell, rules.elevation_for(cell, drainage))) return;
        work.changes.elevation.insert(cell);
        if (to) inflow_.insert(to);
    });
}

void update_corners(DrainageWork& work) {
    for (const CellId cell : work.changes.elevation.ids()) {
        for (const SideId side : work.map.sides(cell)) {
            const CornerId corner = work.map.corner[side];
            if (work.changes.corner.contains(corner)) continue;
            const Steps height =
                corner_elevation_for(work.map, work.relief, work.drainage.elevation, side);
            if (work.drainage.corner_elevation.set(corner, height)) {
                work.changes.corner.insert(corner);
            }
        }
    }
}

}  // namespace tw::terrain
