#pragma once
// The ways down brought up to date: cells that drain elsewhere, and what comes down from them.

#include "terraway/core/id_set.hpp"

#include "drainage_rules.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tw::terrain {

/// What one update works on.
struct DrainageWork {
    const world::PolygonMap& map;
    const world::Relief& relief;
    world::Drainage& drainage;
    DrainageChanges& changes;
    StageContext& context;
};

/// Some cells and all on the ways down from them.
class WaysDown {
public:
    explicit WaysDown(const world::PolygonMap& map)
        : cells_(map.cell_count()), waiting_(cells_, 0) {
        reset();
    }
    void reset() { cell_.reset(cells_); }
    void add(world::CellId cell, const FloodRules& rules, const world::Drainage& drainage) {
        while (cell && cell_.insert(cell)) cell = rules.land_beyond(drainage.downhill[cell]);
    }
    /// visit(cell, next cell of its way or none), upstream cells first.
    template <class Visit>
    void for_each(const FloodRules& rules, const world::Drainage& drainage, Visit&& visit) {
        const auto next = [&](world::CellId cell) {
            return rules.land_beyond(drainage.downhill[cell]);
        };
        for (const world::CellId cell : cell_.ids()) {
            if (const world::CellId to = next(cell)) ++waiting_[to.index()];
        }
        for (const world::CellId cell : cell_.ids()) {
            if (waiting_[cell.index()] == 0) ready_.push_back(cell);
        }
        while (!ready_.empty()) {
            const world::CellId cell = ready_.back();
            ready_.pop_back();
            const world::CellId to = next(cell);
            visit(cell, to);
            if (to && --waiting_[to.index()] == 0) ready_.push_back(to);
        }
    }

private:
    std::size_t cells_;
    IdSet<world::CellTag> cell_;
    std::vector<std::uint32_t>
        waiting_;  ///< by cell: of cell_ that flow in and are to come; else 0
    std::vector<world::CellId> ready_;
};

/// Cells that drain over other sides than before, and what follows from that.
class TurnedWays {
public:
    explicit TurnedWays(const world::PolygonMap& map) : ways_(map), extra_(map.cell_count(), 0) {}
    void reset() { turned_.clear(); }
    void turn(DrainageWork& work, world::CellId cell, world::SideId side) {
        const world::SideId before = work.drainage.downhill[cell];
        if (!work.drainage.downhill.set(cell, side)) return;
        work.changes.downhill.insert(cell);
        turned_.emplace_back(cell, before);
    }
    void update_discharge(DrainageWork& work, const FloodRules& rules);
    /// `ground`: cells whose ground changed.
    void update_carved_elevation(DrainageWork& work, const CarveRules& rules,
                                 std::span<const world::CellId> ground);

private:
    std::vector<std::pair<world::CellId, world::SideId>> turned_;  ///< with the side before
    WaysDown ways_;
    std::vector<std::uint64_t> extra_;  ///< by cell: what more flows in, wrapping
    IdSet<world::CellTag> inflow_;      ///< cells whose elevation may be another
};

void update_corners(DrainageWork& work);

}  // namespace tw::terrain
