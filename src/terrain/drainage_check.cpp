#include "drainage_rules.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace tw::terrain {
namespace {

using namespace world;

CellId only_outlet(const PolygonMap& map, const Relief& relief, Border border) {
    if (border != Border::ocean) return {};
    const auto water = relief.water.span();
    const bool has_sea = std::find(water.begin(), water.end(), Water::ocean) != water.end();
    return has_sea ? CellId() : lowest_of(border_cells(map), relief);
}

bool holds(const FillRules& rules, const Drainage& drainage, CellId cell) {
    const Heights& level = drainage.elevation;
    if (rules.is_ocean(cell)) return level[cell] == rules.ground(cell);
    Steps should = rules.ground(cell);
    if (!rules.is_outlet(cell)) {
        const Steps lowest =
            rules.lowest_around(cell, INT32_MAX - 1, [&](CellId other) { return level[other]; });
        should = std::max(should, lowest + 1);
    }
    if (level[cell] != should) return false;
    const SideId way = rules.downhill_for(cell, level);
    if (drainage.downhill[cell] != way) return false;
    const Steps spill = rules.spill_for(cell, level, way, drainage.spill);
    return drainage.spill[cell] == spill && drainage.water[cell] == rules.water_for(cell, spill);
}

/// Ways within a flat end at its exits, for no way runs in a circle; so no flat holds itself up.
bool holds(const CarveRules& rules, const Drainage& drainage, CellId cell) {
    const Heights& level = drainage.spill;
    if (rules.is_ocean(cell)) return drainage.elevation[cell] == rules.ground(cell);
    Steps should = rules.ground(cell);
    if (!rules.is_outlet(cell)) {
        should = std::max(should, rules.lowest_around(cell, INT32_MAX,
                                                      [&](CellId other) { return level[other]; }));
    }
    if (level[cell] != should || drainage.elevation[cell] != rules.elevation_for(cell, drainage)) {
        return false;
    }
    const SideId way = drainage.downhill[cell];
    if (const SideId out = rules.way_out(cell, level)) return way == out;
    const CellId below = rules.land_beyond(way);
    return below && level[below] == level[cell];
}

template <class Rules>
Status check_all(Rules rules, CellId outlet, const Drainage& drainage, Executor& executor) {
    constexpr std::size_t kChunk = 1 << 14;
    rules.set_only_outlet(outlet);
    std::atomic<bool> all{true};
    parallel_for(executor, rules.map().cell_count(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (std::size_t i = begin; i < end; ++i) {
                         if (holds(rules, drainage, CellId::from_index(i))) continue;
                         all.store(false, std::memory_order_relaxed);
                         return;
                     }
                 });
    if (all.load()) return ok_status();
    return Error{.code = ErrorCode::check_failed,
                 .stage = "drainage",
                 .subject = {},
                 .message = "the drainage is not of the relief of this world; bake it again"};
}

}  // namespace

Status check_drainage(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                      Border border, const DrainageOptions& options, Executor& executor) {
    const CellId outlet = only_outlet(map, relief, border);
    return options.depressions == Depressions::carve
               ? check_all(CarveRules(map, relief, border), outlet, drainage, executor)
               : check_all(FillRules(map, relief, border), outlet, drainage, executor);
}

}  // namespace tw::terrain
