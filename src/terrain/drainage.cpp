#include "terraway/terrain/drainage.hpp"

#include "terraway/core/id_heap.hpp"
#include "terraway/core/option_range.hpp"

#include "drainage_rules.hpp"

#include <algorithm>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "drainage";

/// Heights as keys that sort like them: first the level of the flood, then the ground, so that
/// within a pit that is carved the flood runs down to its bottom before it spreads.
std::uint64_t flood_key(Steps level, Steps ground) {
    const auto biased = [](Steps v) { return static_cast<std::uint32_t>(v) ^ 0x80000000u; };
    return std::uint64_t{biased(level)} << 32 | biased(ground);
}
Steps level_of(std::uint64_t key) {
    return static_cast<Steps>(static_cast<std::uint32_t>(key >> 32) ^ 0x80000000u);
}

/// Priority flood: the sea rises from the outlets inland, always over the lowest cell of its edge.
/// The cell over which a cell is reached first becomes its downhill cell. In a landscape that is
/// carved, all exits of a flat are reached before the flood runs over any: its inner ways are those
/// of CarveRules.
class Flood {
public:
    Flood(const PolygonMap& map, const Relief& relief, Depressions depressions)
        : map_(map),
          relief_(relief),
          level_(relief.elevation.values()),
          downhill_(map.cell_count()),
          state_(map.cell_count(), State::dry),
          depressions_(depressions),
          rise_(depressions == Depressions::fill ? 1 : 0) {
        order_.reserve(map.cell_count());
    }

    void start(Border border) {
        bool has_outlet = false;
        for (const CellId cell : map_.site.ids()) {
            if (relief_.water[cell] == Water::ocean) {
                state_[cell.index()] = State::reached;
                has_outlet = true;
            }
        }
        // From the sea's side the coast is reached in the order of ocean cells' ids.
        for (const CellId cell : map_.site.ids()) {
            if (relief_.water[cell] == Water::ocean) spread(cell, 0);
        }
        if (border == Border::open) {
            for (const CellId cell : map_.site.ids()) {
                if (state_[cell.index()] == State::dry) start_at_rectangle(cell);
            }
        } else if (!has_outlet) {
            start_at_rectangle(lowest_of(border_cells(map_), relief_));
        }
    }

    Status run(StageContext& context) {
        constexpr std::size_t kCellsBetweenChecks = 1 << 16;
        std::size_t count = 0;
        while (!queue_.empty()) {
            if (++count % kCellsBetweenChecks == 0) {
                if (context.cancelled()) return cancelled_error(kStage);
                context.progress.set(0.8 * static_cast<double>(count) /
                                     static_cast<double>(map_.cell_count()));
            }
            const auto entry = queue_.pop();
            order_.push_back(entry.id);
            state_[entry.id.index()] = State::reached;
            const Steps level = level_of(entry.key);
            level_[entry.id.index()] = level;
            spread(entry.id, level);
        }
        std::reverse(order_.begin(), order_.end());
        return ok_status();
    }

    /// That each cell is flooded to; the sea's ground.
    std::vector<Steps> take_level() { return std::move(level_); }
    /// Over which each cell was reached.
    std::vector<SideId> take_downhill() { return std::move(downhill_); }
    /// Cells above others of the same way first.
    std::vector<CellId> take_order() { return std::move(order_); }

private:
    enum class State : std::uint8_t {
        dry,
        outlet,  ///< waits to drain over the rectangle, unless a lower neighbour comes first
        reached,
    };

    void spread(CellId cell, Steps level) {
        for (const SideId side : map_.sides(cell)) {
            const SideId back = map_.twin[side];
            if (!back) continue;
            const CellId other = map_.cell_of_side[back];
            State& state = state_[other.index()];
            if (state == State::dry) {
                reach(other, back, level + rise_);
                state = State::reached;
            } else if (state == State::outlet && relief_.elevation[other] > level) {
                downhill_[other.index()] = back;
                state = State::reached;
            }
        }
    }

    void start_at_rectangle(CellId cell) {
        const SideId side = outer_side(map_, cell);
        if (!side) return;
        reach(cell, side, 1);
        state_[cell.index()] = State::outlet;
    }

    void reach(CellId cell, SideId downhill, Steps least) {
        const Steps ground = relief_.elevation[cell];
        downhill_[cell.index()] = downhill;
        const Steps then = depressions_ == Depressions::carve ? ground : 0;
        queue_.push({flood_key(std::max(ground, least), then), cell});
    }

    const PolygonMap& map_;
    const Relief& relief_;
    std::vector<Steps> level_;
    std::vector<SideId> downhill_;
    std::vector<State> state_;
    std::vector<CellId> order_;
    IdHeap<CellTag> queue_;
    Depressions depressions_;
    Steps rise_;  ///< [steps] from a filled cell to the next
};

std::vector<std::uint64_t> accumulate(const PolygonMap& map, const Relief& relief,
                                      const std::vector<SideId>& downhill,
                                      const std::vector<CellId>& upstream_first,
                                      std::int64_t micrometres, Executor& executor) {
    std::vector<std::uint64_t> discharge(map.cell_count(), 0);
    parallel_for(executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         if (relief.water[cell] != Water::ocean) {
                             discharge[cell.index()] = rain_on(map, cell, micrometres);
                         }
                     }
                 });
    for (const CellId cell : upstream_first) {
        const CellId below = map.neighbour(downhill[cell.index()]);
        if (below && relief.water[below] != Water::ocean) {
            discharge[below.index()] += discharge[cell.index()];
        }
    }
    return discharge;
}

/// The mean of the cells around each corner, rounded down; the coast lies at 0.
IdArray<CornerTag, Steps> corner_elevations(const PolygonMap& map, const Relief& relief,
                                            const Heights& elevation) {
    struct Around {
        std::int64_t sum = 0;
        std::int32_t ocean = 0, land = 0;
    };
    std::vector<Around> around(map.corner_count());
    for (const CellId cell : map.site.ids()) {
        const bool ocean = relief.water[cell] == Water::ocean;
        for (const SideId side : map.sides(cell)) {
            Around& corner = around[map.corner[side].index()];
            corner.sum += elevation[cell];
            ++(ocean ? corner.ocean : corner.land);
        }
    }
    std::vector<Steps> mean(map.corner_count());
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const Around& corner = around[i];
        if (corner.ocean > 0 && corner.land > 0) continue;
        mean[i] = static_cast<Steps>(
            floor_quotient<std::int64_t>(corner.sum, corner.ocean + corner.land));
    }
    return IdArray<CornerTag, Steps>(std::move(mean));
}

/// Exits of flats drain by their rule, whichever neighbour was first.
void turn_exits(const PolygonMap& map, const CarveRules& rules, const Heights& level,
                std::vector<SideId>& downhill, Executor& executor) {
    parallel_for(executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         if (rules.is_ocean(cell)) continue;
                         const SideId side = rules.way_below(cell, level);
                         if (side) downhill[cell.index()] = side;
                     }
                 });
}

/// The ground, every way downhill dug so deep that it never rises.
std::vector<Steps> carved(const PolygonMap& map, const Relief& relief,
                          const std::vector<SideId>& downhill,
                          std::span<const CellId> upstream_first) {
    std::vector<Steps> height = relief.elevation.values();
    for (const CellId cell : upstream_first) {
        const CellId below = map.neighbour(downhill[cell.index()]);
        if (!below || relief.water[below] == Water::ocean) continue;
        height[below.index()] = std::min(height[below.index()], height[cell.index()]);
    }
    return height;
}

/// Where water stands, and up to which height: behind outlets, upstream of them.
void find_standing_water(const PolygonMap& map, const Relief& relief, const FillRules& rules,
                         std::span<const CellId> upstream_first, Drainage& drainage) {
    drainage.spill = relief.elevation;
    drainage.water = relief.water;
    const std::span<Steps> spill = drainage.spill.edit_all();
    const std::span<Water> water = drainage.water.edit_all();
    for (std::size_t i = upstream_first.size(); i-- > 0;) {
        const CellId cell = upstream_first[i];
        if (drainage.elevation[cell] == relief.elevation[cell]) continue;
        spill[cell.index()] = spill[map.neighbour(drainage.downhill[cell]).index()];
    }
    for (const CellId cell : upstream_first) {
        water[cell.index()] = rules.water_for(cell, spill[cell.index()]);
    }
}

}  // namespace

Steps corner_elevation_for(const PolygonMap& map, const Relief& relief, const Heights& elevation,
                           SideId side) {
    std::int64_t sum = 0;
    std::int32_t ocean = 0, land = 0;
    for_each_spoke(map, side, [&](SideId spoke, SideId) {
        const CellId cell = map.cell_of_side[spoke];
        sum += elevation[cell];
        ++(relief.water[cell] == Water::ocean ? ocean : land);
    });
    if (ocean > 0 && land > 0) return 0;
    return static_cast<Steps>(floor_quotient<std::int64_t>(sum, ocean + land));
}

Result<world::Drainage> build_drainage(const PolygonMap& map, const Relief& relief, Border border,
                                       const DrainageOptions& options, StageContext& context) {
    constexpr std::uint64_t kBytesPerCell = 120;
    TW_TRY(require_range(kStage, "rain", options.rain, 0.0, 20.0));
    TW_TRY(require_memory(context, kStage, kBytesPerCell * map.cell_count()));

    Flood flood(map, relief, options.depressions);
    flood.start(border);
    TW_TRY(flood.run(context));

    Drainage drainage;
    const std::vector<CellId> order = flood.take_order();
    std::vector<SideId> downhill = flood.take_downhill();
    Heights level(flood.take_level());
    if (options.depressions == Depressions::fill) {
        drainage.elevation = std::move(level);
    } else {
        turn_exits(map, CarveRules(map, relief, border), level, downhill, *context.executor);
        drainage.elevation = Heights(carved(map, relief, downhill, order));
        drainage.spill = std::move(level);
        drainage.water = relief.water;
    }
    drainage.discharge = IdArray<CellTag, std::uint64_t>(
        accumulate(map, relief, downhill, order, micrometres_of(options.rain), *context.executor));
    drainage.downhill = IdArray<CellTag, SideId>(std::move(downhill));
    drainage.corner_elevation = corner_elevations(map, relief, drainage.elevation);
    if (options.depressions == Depressions::fill) {
        find_standing_water(map, relief, FillRules(map, relief, border), order, drainage);
    }
    context.progress.set(1.0);
    return drainage;
}

}  // namespace tw::terrain
