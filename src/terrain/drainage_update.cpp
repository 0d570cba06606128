#include "terraway/core/id_heap.hpp"
#include "terraway/terrain/drainage.hpp"

#include "drainage_rules.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "drainage";
constexpr std::size_t kStepsBetweenChecks = 1 << 14;

/// Writes what differs, and says where.
template <class Tag, class T>
void take_over(const IdArray<Tag, T>& from, IdArray<Tag, T>& to, IdSet<Tag>& changed) {
    for (const Id<Tag> id : from.ids()) {
        if (to.set(id, from[id])) changed.insert(id);
    }
}

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
        : map_(map), border_(border), options_(options) {}

    Status run(const Relief& relief, std::span<const CellId> ground, Drainage& drainage,
               DrainageChanges& changes, StageContext& context);

private:
    Status rebuild(const Relief& relief, Drainage& drainage, DrainageChanges& changes,
                   StageContext& context) {
        TW_ASSIGN(const Drainage fresh, build_drainage(map_, relief, border_, options_, context));
        take_over(fresh.elevation, drainage.elevation, changes.elevation);
        take_over(fresh.downhill, drainage.downhill, changes.downhill);
        for (const CellId cell : fresh.discharge.ids()) {
            const std::uint64_t before = drainage.discharge[cell];
            if (!drainage.discharge.set(cell, fresh.discharge[cell])) continue;
            changes.discharge.insert(cell);
            changes.discharge_before.push_back(before);
        }
        take_over(fresh.water, drainage.water, changes.water);
        take_over(fresh.corner_elevation, drainage.corner_elevation, changes.corner);
        for (const CellId cell : fresh.spill.ids()) drainage.spill.set(cell, fresh.spill[cell]);
        return ok_status();
    }
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
    void find_only_outlet(const Relief& relief, const Drainage& drainage, FillRules& rules) {
        if (rectangle_.empty()) rectangle_ = border_cells(map_);
        rules.set_only_outlet(lowest_of(rectangle_, relief));
        for (const CellId cell : rectangle_) {
            if (map_.twin[drainage.downhill[cell]] || cell == rules.only_outlet()) continue;
            seeds_.push_back(cell);
            seeds_.push_back(rules.only_outlet());
        }
    }

    /// One update of a filled landscape.
    struct Fill;

    const PolygonMap& map_;
    Border border_;
    DrainageOptions options_;
    bool sea_known_ = false, has_sea_ = false;
    std::vector<CellId> rectangle_;  ///< the cells on it, ascending; empty: not asked for yet

    // Scratch, kept for its memory.
    std::vector<CellId> seeds_;  ///< cells whose rules read something else than before
    IdHeap<CellTag> queue_;
    IdSet<CellTag> touched_;           ///< cells whose level was written
    std::vector<Steps> level_before_;  ///< of each, in their order
    IdSet<CellTag> around_;            ///< cells whose way down may be another
    std::vector<std::pair<CellId, SideId>> downhill_before_;
    std::vector<CellId> stack_;
    IdSet<CellTag> below_;  ///< cells whose discharge may be another
    std::vector<std::uint32_t>
        waiting_;                       ///< by cell: members of below_ that flow in and are to come
    std::vector<std::uint64_t> extra_;  ///< by cell: what more flows in, wrapping
};

struct DrainageUpdate::Impl::Fill {
    Impl& own;
    const FillRules& rules;
    const Relief& relief;
    Drainage& drainage;
    DrainageChanges& changes;
    StageContext& context;

    const PolygonMap& map() const { return own.map_; }

    Status run() {
        own.touched_.reset(map().cell_count());
        own.level_before_.clear();
        own.around_.reset(map().cell_count());
        TW_TRY(settle_levels());
        find_changed_levels();
        turn_ways();
        update_standing_water();
        update_discharge();
        update_corners();
        return ok_status();
    }

    // ---- Levels: dynamic fixed point. A cell is settled while its level is what its rule says.

    static std::uint64_t key_of(Steps level) { return static_cast<std::uint32_t>(level); }
    void write_level(CellId cell, Steps level) {
        if (own.touched_.insert(cell)) own.level_before_.push_back(drainage.elevation[cell]);
        drainage.elevation.edit(cell) = level;
    }
    void look_at(CellId cell) {
        if (rules.is_ocean(cell)) return;
        const Steps is = drainage.elevation[cell];
        const Steps should = rules.level_for(cell, drainage.elevation);
        if (is != should) own.queue_.push({key_of(std::min(is, should)), cell});
    }
    void look_around(CellId cell, Steps from) {
        for (const SideId side : map().sides(cell)) {
            const CellId other = map().neighbour(side);
            // Whom this cell neither carried nor can lower does not care.
            if (other && drainage.elevation[other] > from) look_at(other);
        }
    }
    void seed_levels() {
        for (const CellId cell : own.seeds_) {
            if (rules.is_ocean(cell)) {
                write_level(cell, relief.elevation[cell]);
            } else {
                look_at(cell);
            }
        }
    }
    Status settle_levels() {
        seed_levels();
        std::size_t count = 0;
        while (!own.queue_.empty()) {
            if (++count % kStepsBetweenChecks == 0 && context.cancelled()) {
                own.queue_.clear();
                return cancelled_error(kStage);
            }
            const auto entry = own.queue_.pop();
            const CellId cell = entry.id;
            const Steps is = drainage.elevation[cell];
            const Steps should = rules.level_for(cell, drainage.elevation);
            if (is == should) continue;
            if (key_of(std::min(is, should)) != entry.key) {
                own.queue_.push({key_of(std::min(is, should)), cell});
            } else if (is > should) {
                write_level(cell, should);
                look_around(cell, should);
            } else {
                // What stood on it must not hold it up: first it goes, then it comes back.
                write_level(cell, FillRules::kUnreached);
                look_at(cell);
                look_around(cell, is);
            }
        }
        return ok_status();
    }
    void find_changed_levels() {
        const auto cells = own.touched_.ids();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (drainage.elevation[cells[i]] != own.level_before_[i]) {
                changes.elevation.insert(cells[i]);
            }
        }
    }

    // ---- Ways down.

    void turn_ways() {
        const auto add = [this](CellId cell) {
            if (!rules.is_ocean(cell)) own.around_.insert(cell);
        };
        for (const CellId cell : own.seeds_) add(cell);
        for (const CellId cell : changes.elevation.ids()) {
            add(cell);
            for (const SideId side : map().sides(cell)) {
                if (const CellId other = map().neighbour(side)) add(other);
            }
        }
        own.downhill_before_.clear();
        for (const CellId cell : own.around_.ids()) {
            const SideId before = drainage.downhill[cell];
            if (!drainage.downhill.set(cell, rules.downhill_for(cell, drainage.elevation))) {
                continue;
            }
            changes.downhill.insert(cell);
            own.downhill_before_.emplace_back(cell, before);
        }
    }

    // ---- Standing water: what an outlet holds up goes up through the pit behind it.

    void update_standing_water() {
        own.stack_.clear();
        for (const CellId cell : own.seeds_) own.stack_.push_back(cell);
        for (const CellId cell : changes.elevation.ids()) own.stack_.push_back(cell);
        for (const CellId cell : changes.downhill.ids()) own.stack_.push_back(cell);
        // From the top of the stack: lower cells first, so that most are settled at once.
        std::sort(own.stack_.begin(), own.stack_.end(), [this](CellId a, CellId b) {
            const Steps la = drainage.elevation[a], lb = drainage.elevation[b];
            return la != lb ? la > lb : a > b;
        });
        while (!own.stack_.empty()) {
            const CellId cell = own.stack_.back();
            own.stack_.pop_back();
            if (rules.is_ocean(cell)) {
                drainage.spill.set(cell, relief.elevation[cell]);
                continue;
            }
            const Steps spill =
                rules.spill_for(cell, drainage.elevation, drainage.downhill[cell], drainage.spill);
            if (drainage.water.set(cell, rules.water_for(cell, spill))) changes.water.insert(cell);
            if (!drainage.spill.set(cell, spill)) continue;
            for (const SideId side : map().sides(cell)) {
                const SideId twin = map().twin[side];
                if (!twin) continue;
                const CellId other = map().cell_of_side[twin];
                if (!rules.is_ocean(other) && drainage.downhill[other] == twin &&
                    drainage.elevation[other] != relief.elevation[other]) {
                    own.stack_.push_back(other);
                }
            }
        }
    }

    // ---- Discharge: along the ways down from where they changed, upstream cells first.

    CellId land_below(SideId downhill) const {
        const CellId below = map().neighbour(downhill);
        return below && !rules.is_ocean(below) ? below : CellId();
    }
    void add_way_from(CellId cell) {
        while (cell && own.below_.insert(cell)) cell = land_below(drainage.downhill[cell]);
    }
    void update_discharge() {
        if (own.waiting_.empty()) {
            own.waiting_.assign(map().cell_count(), 0);
            own.extra_.assign(map().cell_count(), 0);
        }
        own.below_.reset(map().cell_count());
        for (const auto& [cell, before] : own.downhill_before_) {
            if (const CellId lost = land_below(before)) {
                own.extra_[lost.index()] -= drainage.discharge[cell];
                add_way_from(lost);
            }
            add_way_from(cell);
        }
        for (const CellId cell : own.below_.ids()) {
            if (const CellId to = land_below(drainage.downhill[cell])) ++own.waiting_[to.index()];
        }
        own.stack_.clear();
        for (const CellId cell : own.below_.ids()) {
            if (own.waiting_[cell.index()] == 0) own.stack_.push_back(cell);
        }
        while (!own.stack_.empty()) {
            const CellId cell = own.stack_.back();
            own.stack_.pop_back();
            const std::uint64_t more = std::exchange(own.extra_[cell.index()], 0);
            const std::uint64_t flow = drainage.discharge[cell] + more;
            if (more != 0) {
                changes.discharge.insert(cell);
                changes.discharge_before.push_back(flow - more);
                drainage.discharge.edit(cell) = flow;
            }
            const CellId to = land_below(drainage.downhill[cell]);
            if (!to) continue;
            own.extra_[to.index()] += changes.downhill.contains(cell) ? flow : more;
            if (--own.waiting_[to.index()] == 0) own.stack_.push_back(to);
        }
    }

    void update_corners() {
        for (const CellId cell : changes.elevation.ids()) {
            for (const SideId side : map().sides(cell)) {
                const CornerId corner = map().corner[side];
                if (changes.corner.contains(corner)) continue;
                const Steps height = corner_elevation_for(map(), relief, drainage.elevation, side);
                if (drainage.corner_elevation.set(corner, height)) changes.corner.insert(corner);
            }
        }
    }
};

Status DrainageUpdate::Impl::run(const Relief& relief, std::span<const CellId> ground,
                                 Drainage& drainage, DrainageChanges& changes,
                                 StageContext& context) {
    changes.reset(map_);
    if (options_.depressions == Depressions::carve) {
        return rebuild(relief, drainage, changes, context);
    }
    FillRules rules(map_, relief, border_);
    seeds_.assign(ground.begin(), ground.end());
    if (border_ == Border::ocean && !has_sea(relief)) find_only_outlet(relief, drainage, rules);
    Fill fill{*this, rules, relief, drainage, changes, context};
    return fill.run();
}

DrainageUpdate::DrainageUpdate(const PolygonMap& map, Border border, const DrainageOptions& options)
    : impl_(std::make_unique<Impl>(map, border, options)) {}
DrainageUpdate::~DrainageUpdate() = default;

Status DrainageUpdate::run(const Relief& relief, std::span<const CellId> ground, Drainage& drainage,
                           DrainageChanges& changes, StageContext& context) {
    return impl_->run(relief, ground, drainage, changes, context);
}

}  // namespace tw::terrain
