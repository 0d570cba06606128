#include "terraway/terrain/drainage.hpp"

#include "drainage_levels.hpp"
#include "drainage_rules.hpp"
#include "drainage_ways.hpp"

#include <algorithm>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "drainage";

}  // namespace

void DrainageChanges::reset(const PolygonMap& map) {
    for (IdSet<CellTag>* set : {&elevation, &downhill, &discharge, &water}) {
        set->reset(map.cell_count());
    }
    corner.reset(map.corner_count());
    discharge_before.clear();
}

class DrainageUpdate::Impl {
public:
    Impl(const PolygonMap& map, Border border, const DrainageOptions& options)
        : map_(map), border_(border), depressions_(options.depressions), ways_(map) {
        reset();
    }

    Status run(const Relief& relief, std::span<const CellId> ground, Drainage& drainage,
               DrainageChanges& changes, StageContext& context);

private:
    bool has_sea(const Relief& relief) {
        if (!sea_known_) {
            const auto water = relief.water.span();
            has_sea_ = std::find(water.begin(), water.end(), Water::ocean) != water.end();
            sea_known_ = true;
        }
        return has_sea_;
    }
    /// Everything leaves over one cell of the rectangle; where it moves, both its places count as
    /// changed.
    CellId find_only_outlet(const Relief& relief, const Drainage& drainage) {
        if (rectangle_.empty()) rectangle_ = border_cells(map_);
        const CellId outlet = lowest_of(rectangle_, relief);
        for (const CellId cell : rectangle_) {
            if (map_.twin[drainage.downhill[cell]] || cell == outlet) continue;
            seeds_.push_back(cell);
            seeds_.push_back(outlet);
        }
        return outlet;
    }

    void reset() {
        levels_.reset(map_.cell_count());
        ways_.reset();
        around_.reset(map_.cell_count());
        if (depressions_ != Depressions::carve) return;
        for (IdSet<CellTag>* set : {&flats_, &flat_, &reached_}) set->reset(map_.cell_count());
    }

    struct Fill;
    struct Carve;

    const PolygonMap& map_;
    Border border_;
    Depressions depressions_;
    bool sea_known_ = false, has_sea_ = false;
    std::vector<CellId> rectangle_;  ///< the cells on it, ascending; empty: not asked for yet

    // Scratch, kept for its memory.
    std::vector<CellId> seeds_;  ///< cells whose rules read something else than before
    IdHeap<CellTag> queue_;
    LevelChanges levels_;
    CarveScratch carve_;
    IdSet<CellTag> around_;  ///< cells whose way down may be another
    IdSet<CellTag> flats_;   ///< cells in whose flats the ways may be others
    IdSet<CellTag> flat_;    ///< cells of flats whose ways were found
    IdSet<CellTag> reached_;
    std::vector<CellId> stack_;
    TurnedWays ways_;
};

/// One update of a filled landscape.
struct DrainageUpdate::Impl::Fill {
    Impl& own;
    const FillRules& rules;
    DrainageWork& work;

    Status run() {
        TW_TRY(settle_levels());
        turn_ways();
        update_standing_water();
        own.ways_.update_discharge(work, rules);
        update_corners(work);
        return ok_status();
    }

    Status settle_levels() {
        FillLevels levels(rules, work.drainage.elevation, own.levels_);
        FixedPoint<FillLevels> point(rules, levels, own.queue_);
        for (const CellId cell : own.seeds_) {
            if (rules.is_ocean(cell)) {
                levels.write(cell, rules.ground(cell));
            } else {
                point.look_at(cell);
            }
        }
        TW_TRY(point.settle(kStage, work.context));
        levels.finish(work.changes.elevation);
        return ok_status();
    }

    void turn_ways() {
        const auto add = [this](CellId cell) {
            if (cell && !rules.is_ocean(cell)) own.around_.insert(cell);
        };
        for (const CellId cell : own.seeds_) add(cell);
        for (const CellId cell : work.changes.elevation.ids()) {
            add(cell);
            for (const SideId side : work.map.sides(cell)) add(work.map.neighbour(side));
        }
        for (const CellId cell : own.around_.ids()) {
            own.ways_.turn(work, cell, rules.downhill_for(cell, work.drainage.elevation));
        }
    }

    /// What an outlet holds up goes up through the pit behind it.
    void update_standing_water() {
        Drainage& drainage = work.drainage;
        own.stack_.clear();
        for (const CellId cell : own.seeds_) own.stack_.push_back(cell);
        for (const CellId cell : work.changes.elevation.ids()) own.stack_.push_back(cell);
        for (const CellId cell : work.changes.downhill.ids()) own.stack_.push_back(cell);
        // From the top of the stack: lower cells first, so that most are settled at once.
        std::sort(own.stack_.begin(), own.stack_.end(), [&](CellId a, CellId b) {
            const Steps la = drainage.elevation[a], lb = drainage.elevation[b];
            return la != lb ? la > lb : a > b;
        });
        while (!own.stack_.empty()) {
            const CellId cell = own.stack_.back();
            own.stack_.pop_back();
            if (rules.is_ocean(cell)) {
                drainage.spill.set(cell, rules.ground(cell));
                continue;
            }
            const Steps spill =
                rules.spill_for(cell, drainage.elevation, drainage.downhill[cell], drainage.spill);
            if (drainage.water.set(cell, rules.water_for(cell, spill))) {
                work.changes.water.insert(cell);
            }
            if (drainage.spill.set(cell, spill)) push_held_up_by(cell);
        }
    }
    void push_held_up_by(CellId cell) {
        for (const SideId side : work.map.sides(cell)) {
            const SideId twin = work.map.twin[side];
            if (!twin) continue;
            const CellId other = work.map.cell_of_side[twin];
            if (!rules.is_ocean(other) && work.drainage.downhill[other] == twin &&
                work.drainage.elevation[other] != rules.ground(other)) {
                own.stack_.push_back(other);
            }
        }
    }
};

/// One update of a carved landscape.
struct DrainageUpdate::Impl::Carve {
    Impl& own;
    const CarveRules& rules;
    DrainageWork& work;

    const Heights& level() const { return work.drainage.spill; }

    Status run() {
        TW_TRY(settle_levels());
        find_flats();
        TW_TRY(turn_ways());
        own.ways_.update_carved_elevation(work, rules, own.seeds_);
        own.ways_.update_discharge(work, rules);
        update_corners(work);
        return ok_status();
    }

    Status settle_levels() {
        CarveLevels levels(rules, work.drainage, own.carve_);
        FixedPoint<CarveLevels> point(rules, levels, own.queue_);
        for (const CellId cell : own.seeds_) point.look_at(cell);
        TW_TRY(point.settle(kStage, work.context));
        levels.finish(own.levels_);
        return ok_status();
    }

    /// Ways within a flat may be others where a cell of it has other ground, came, left, or became
    /// an exit or ceased to be one.
    void find_flats() {
        for (const CellId cell : own.seeds_) {
            if (rules.is_ocean(cell)) continue;
            own.flats_.insert(cell);
            for_each_land_around(cell, [this](CellId other) { own.around_.insert(other); });
        }
        const auto cells = own.levels_.cell.ids();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Steps before = own.levels_.before[i], now = level()[cells[i]];
            own.flats_.insert(cells[i]);
            for_each_land_around(cells[i], [&](CellId other) {
                const Steps its = level()[other];
                const bool same_side = before < its ? now < its : before > its && now > its;
                (same_side ? own.around_ : own.flats_).insert(other);
            });
        }
    }
    template <class Visit>
    void for_each_land_around(CellId cell, Visit&& visit) const {
        for (const SideId side : work.map.sides(cell)) {
            if (const CellId other = rules.land_beyond(side)) visit(other);
        }
    }

    Status turn_ways() {
        for (const CellId cell : own.flats_.ids()) {
            if (own.flat_.contains(cell)) continue;
            find_exits(cell);
            TW_TRY(search_inwards());
        }
        for (const CellId cell : own.around_.ids()) {
            if (own.flat_.contains(cell)) continue;
            const SideId side = rules.way_out(cell, level());
            if (side) own.ways_.turn(work, cell, side);
        }
        return ok_status();
    }
    void find_exits(CellId first) {
        own.stack_.assign(1, first);
        own.flat_.insert(first);
        while (!own.stack_.empty()) {
            const CellId cell = own.stack_.back();
            own.stack_.pop_back();
            if (const SideId side = rules.way_out(cell, level())) reach(cell, side);
            for_each_land_around(cell, [&](CellId other) {
                if (level()[other] == level()[first] && own.flat_.insert(other)) {
                    own.stack_.push_back(other);
                }
            });
        }
    }
    void reach(CellId cell, SideId side) {
        own.reached_.insert(cell);
        own.ways_.turn(work, cell, side);
        own.queue_.push({static_cast<std::uint32_t>(rules.ground(cell)), cell});
    }
    Status search_inwards() {
        constexpr std::size_t kCellsBetweenChecks = 1 << 14;
        for (std::size_t count = 1; !own.queue_.empty(); ++count) {
            if (count % kCellsBetweenChecks == 0 && work.context.cancelled()) {
                own.queue_.clear();
                return cancelled_error(kStage);
            }
            const CellId cell = own.queue_.pop().id;
            for (const SideId side : work.map.sides(cell)) {
                const CellId other = rules.land_beyond(side);
                if (other && level()[other] == level()[cell] && !own.reached_.contains(other)) {
                    reach(other, work.map.twin[side]);
                }
            }
        }
        return ok_status();
    }
};

Status DrainageUpdate::Impl::run(const Relief& relief, std::span<const CellId> ground,
                                 Drainage& drainage, DrainageChanges& changes,
                                 StageContext& context) {
    changes.reset(map_);
    reset();
    seeds_.assign(ground.begin(), ground.end());
    CellId only_outlet;
    if (border_ == Border::ocean && !has_sea(relief)) {
        only_outlet = find_only_outlet(relief, drainage);
    }
    DrainageWork work{map_, relief, drainage, changes, context};
    if (depressions_ == Depressions::carve) {
        CarveRules rules(map_, relief, border_);
        rules.set_only_outlet(only_outlet);
        return Carve{*this, rules, work}.run();
    }
    FillRules rules(map_, relief, border_);
    rules.set_only_outlet(only_outlet);
    return Fill{*this, rules, work}.run();
}

DrainageUpdate::DrainageUpdate(const PolygonMap& map, Border border, const DrainageOptions& options)
    : impl_(std::make_unique<Impl>(map, border, options)) {}
DrainageUpdate::~DrainageUpdate() = default;

Status DrainageUpdate::run(const Relief& relief, std::span<const CellId> ground, Drainage& drainage,
                           DrainageChanges& changes, StageContext& context) {
    return impl_->run(relief, ground, drainage, changes, context);
}

}  // namespace tw::terrain
