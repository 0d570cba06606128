#include "terraway/world/terrain.hpp"

#include "terraway/math/predicates.hpp"

#include "first_broken.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <string>

namespace tw::world {
namespace {

constexpr std::array<BiomeLook, kBiomeCount> kLooks{{
    {"ocean", 0x3b6a94},
    {"beach", 0xd9c79a},
    {"lake", 0x4f86ad},
    {"subtropical_desert", 0xd2b98b},
    {"grassland", 0x9db668},
    {"tropical_forest", 0x5f9c4d},
    {"tropical_rain_forest", 0x3b7d4b},
    {"temperate_desert", 0xc3bd8c},
    {"temperate_forest", 0x6a9a56},
    {"temperate_rain_forest", 0x46835a},
    {"shrubland", 0x93a37d},
    {"taiga", 0x7d9c7c},
    {"alpine_desert", 0x9a948a},
    {"tundra", 0xb4b9a4},
    {"snow", 0xf2f5f7},
}};

template <class AnyId>
Error broken(std::string_view stage, AnyId subject, std::string_view message) {
    return {.code = ErrorCode::check_failed,
            .stage = std::string(stage),
            .subject = subject,
            .message = std::string(message)};
}
Error broken_sizes(std::string_view stage) {
    return broken(stage, CellId(), "the arrays' sizes do not match the map; rebuild it");
}

Status check_water(const PolygonMap& map, const Relief& relief) {
    std::vector<std::uint8_t> reached(map.cell_count(), 0);
    std::vector<CellId> front;
    const auto reach = [&](CellId cell) {
        if (relief.water[cell] != Water::ocean || reached[cell.index()]) return;
        reached[cell.index()] = 1;
        front.push_back(cell);
    };
    for (const SideId side : map.twin.ids()) {
        if (!map.twin[side]) reach(map.cell_of_side[side]);
    }
    while (!front.empty()) {
        const CellId cell = front.back();
        front.pop_back();
        for (const SideId side : map.sides(cell)) {
            if (const CellId other = map.neighbour(side)) reach(other);
        }
    }
    for (const CellId cell : map.site.ids()) {
        if (relief.water[cell] == Water::ocean && !reached[cell.index()]) {
            return broken("relief", cell,
                          "an ocean cell is cut off from the border; call it a lake");
        }
    }
    return ok_status();
}

/// Following `downhill` from every land cell ends; no way is walked twice.
Status check_ways(const PolygonMap& map, const Drainage& drainage) {
    enum class State : std::uint8_t { unseen, on_the_way, ends };
    std::vector<State> state(map.cell_count(), State::unseen);
    std::vector<CellId> way;
    for (const CellId first : map.site.ids()) {
        way.clear();
        CellId cell = first;
        while (cell && drainage.downhill[cell] && state[cell.index()] == State::unseen) {
            state[cell.index()] = State::on_the_way;
            way.push_back(cell);
            cell = map.neighbour(drainage.downhill[cell]);
        }
        if (cell && state[cell.index()] == State::on_the_way) {
            return broken("drainage", cell, "water runs in a circle here");
        }
        for (const CellId passed : way) state[passed.index()] = State::ends;
    }
    return ok_status();
}

bool is_height(Steps height) {
    return height >= -kFarthestHeight && height <= kFarthestHeight;
}

/// What the cell says of itself and of the one below; sets `level` where both lie equally high.
const char* check_way_down(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                           CellId cell, std::atomic<bool>& level) {
    const SideId side = drainage.downhill[cell];
    const Steps height = drainage.elevation[cell];
    if (!is_height(height) || !is_height(drainage.spill[cell])) {
        return "the ground is out of any height";
    }
    const Water before = relief.water[cell], after = drainage.water[cell];
    if (after != before && (before != Water::lake || after != Water::land)) {
        return "the water is not the relief's, nor a dry lake's";
    }
    if (before == Water::ocean) {
        if (side) return "water leaves an ocean cell";
        return height >= 0 ? "the sea must lie below 0" : nullptr;
    }
    if (height <= 0) return "the land must lie above 0";
    if (!map.corner.contains(side) || map.cell_of_side[side] != cell) {
        return "water does not leave over a side of the cell";
    }
    const CellId below = map.neighbour(side);
    if (!below) return nullptr;
    if (drainage.elevation[below] > height) return "water runs uphill";
    if (relief.water[below] == Water::ocean) return nullptr;
    if (drainage.discharge[below] < drainage.discharge[cell]) {
        return "water is lost on its way to the downhill cell";
    }
    if (drainage.elevation[below] == height) level.store(true, std::memory_order_relaxed);
    return nullptr;
}

Status check_corner_elevations(const PolygonMap& map, const Relief& relief,
                               const Drainage& drainage) {
    std::vector<std::uint8_t> seen(map.corner_count(), 0);  // 1 land, 2 ocean, 3 both
    for (const SideId side : map.corner.ids()) {
        const bool ocean = relief.water[map.cell_of_side[side]] == Water::ocean;
        seen[map.corner[side].index()] |= ocean ? 2 : 1;
    }
    for (const CornerId corner : map.corner_point.ids()) {
        const Steps height = drainage.corner_elevation[corner];
        const std::uint8_t around = seen[corner.index()];
        if ((around == 3 && height != 0) || (around == 1 && height <= 0) ||
            (around == 2 && height >= 0)) {
            return broken("drainage", corner,
                          "a corner must be 0 at the coast, above on land and below in the sea");
        }
    }
    return ok_status();
}

bool splits_wedge(const PolygonMap& map, SideId side, GridPoint point) {
    const GridPoint site = map.site[map.cell_of_side[side]];
    return orient2d(site, map.corner_point[map.corner[side]], point) > 0 &&
           orient2d(site, point, map.corner_point[map.end_corner(side)]) > 0;
}

const char* check_crossing(const PolygonMap& map, const Drainage& drainage, const Rivers& rivers,
                           CellId cell) {
    constexpr std::int64_t kMinGap = 2;
    const SideId side = rivers.side[cell];
    if (!side) {
        return rivers.crossing[cell] != GridPoint{} || rivers.crossing_elevation[cell] != 0
                   ? "a cell without a river has a crossing"
                   : nullptr;
    }
    if (drainage.downhill[cell] != side) return "the river leaves over another side than the water";
    if (drainage.discharge[cell] < rivers.least_flow) return "the flow is too small for a river";
    if (!is_height(rivers.crossing_elevation[cell])) return "the crossing is out of any height";
    const SideId twin = map.twin[side];
    const GridPoint point = rivers.crossing[cell];
    if (!map.bounds.contains(point)) return "the crossing is out of bounds";
    const GridPoint a = map.corner_point[map.corner[side]];
    const GridPoint b = map.corner_point[map.end_corner(side)];
    if (std::min(distance2(a, point), distance2(b, point)) < kMinGap * kMinGap) {
        return "the crossing is nearer than 2 steps to a corner";
    }
    if (!twin && orient2d(a, b, point) != 0) return "the crossing leaves the rectangle's side";
    if (!splits_wedge(map, side, point) || (twin && !splits_wedge(map, twin, point))) {
        return "the wedges beside the crossing do not turn left";
    }
    return nullptr;
}

Status check_crossings(const PolygonMap& map, const Drainage& drainage, const Rivers& rivers,
                       Executor& executor) {
    const Broken cell = first_broken(executor, map.cell_count(), [&](std::size_t i) {
        return check_crossing(map, drainage, rivers, CellId::from_index(i));
    });
    if (cell) return broken("rivers", CellId::from_index(cell.index), cell.why);
    std::vector<std::uint8_t> on_rim(map.cell_count(), 0);
    for (const CellId river : map.site.ids()) {
        const SideId side = rivers.side[river];
        if (!side) continue;
        ++on_rim[river.index()];
        if (const CellId below = map.neighbour(side)) ++on_rim[below.index()];
    }
    const auto counted = rivers.rim_crossings.span();
    const auto wrong = std::mismatch(counted.begin(), counted.end(), on_rim.begin()).first;
    if (wrong == counted.end()) return ok_status();
    return broken("rivers", CellId::from_index(static_cast<std::size_t>(wrong - counted.begin())),
                  "the crossings on the cell's rim are miscounted");
}

/// Walks a reach: every crossing has its vertex, no height rises, and it ends where `reach_next`
/// says.
const char* check_reach(const PolygonMap& map, const Drainage& drainage, const Rivers& rivers,
                        ReachId reach) {
    const ReachId next = rivers.reach_next[reach];
    CellId cell = rivers.reach_start[reach];
    if (!map.site.contains(cell)) return "the reach starts nowhere";
    if (rivers.reach_cells[reach] < (next ? 2u : 1u)) {
        return "the reach has too few cells";
    }
    if (rivers.reach_cells[reach] > map.cell_count()) return "the reach has too many cells";
    const std::uint32_t crossings = rivers.reach_cells[reach] - (next ? 1 : 0);
    for (std::uint32_t i = 0; i < crossings; ++i) {
        const SideId side = cell ? rivers.side[cell] : SideId();
        if (!side) return "the reach runs through a cell without a river";
        const Steps height = rivers.crossing_elevation[cell];
        if (height > drainage.elevation[cell]) return "the reach rises";
        cell = map.neighbour(side);
        const bool ends = i + 1 == rivers.reach_cells[reach];
        if (!ends && (!cell || drainage.elevation[cell] > height)) {
            return "the reach rises or leaves the map before its end";
        }
    }
    if (next && (!rivers.reach_start.contains(next) || rivers.reach_start[next] != cell)) {
        return "the reach does not end where the next one starts";
    }
    if (!next && cell && drainage.downhill[cell]) {
        return "the reach without a next one ends on land";
    }
    return nullptr;
}

}  // namespace

const BiomeLook& look_of(Biome biome) {
    return kLooks[static_cast<std::size_t>(biome)];
}

std::vector<RiverNode> reach_line(const PolygonMap& map, const Drainage& drainage,
                                  const Rivers& rivers, ReachId reach) {
    std::vector<RiverNode> line;
    CellId cell = rivers.reach_start[reach];
    const std::uint32_t crossings = rivers.reach_cells[reach] - (rivers.reach_next[reach] ? 1 : 0);
    line.reserve(2 * std::size_t{crossings} + 1);
    line.push_back({map.site[cell], drainage.elevation[cell]});
    for (std::uint32_t i = 0; i < crossings; ++i) {
        line.push_back({rivers.crossing[cell], rivers.crossing_elevation[cell]});
        if (i + 1 == rivers.reach_cells[reach]) break;  // the mouth lies on the side
        cell = map.neighbour(rivers.side[cell]);
        line.push_back({map.site[cell], drainage.elevation[cell]});
    }
    return line;
}

Status validate_references(const PolygonMap& map, const Relief& relief, Executor& executor) {
    constexpr std::string_view kStage = "relief";
    if (relief.elevation.size() != map.cell_count() || relief.water.size() != map.cell_count()) {
        return broken_sizes(kStage);
    }
    const Broken cell = first_broken(executor, map.cell_count(), [&](std::size_t i) -> const char* {
        const CellId at = CellId::from_index(i);
        const Steps height = relief.elevation[at];
        if (relief.water[at] > Water::lake) return "the water is of no kind";
        if (!is_height(height)) return "the ground is out of any height";
        return (relief.water[at] == Water::ocean ? height >= 0 : height <= 0)
                   ? "the sea must lie below 0 and the land above"
                   : nullptr;
    });
    if (cell) return broken(kStage, CellId::from_index(cell.index), cell.why);
    return ok_status();
}

Status validate(const PolygonMap& map, const Relief& relief) {
    SerialExecutor serial;
    TW_TRY(validate_references(map, relief, serial));
    return check_water(map, relief);
}

Status validate_references(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                           Executor& executor) {
    constexpr std::string_view kStage = "drainage";
    const std::size_t cells = map.cell_count();
    if (drainage.elevation.size() != cells || drainage.downhill.size() != cells ||
        drainage.discharge.size() != cells || drainage.spill.size() != cells ||
        drainage.water.size() != cells || drainage.corner_elevation.size() != map.corner_count()) {
        return broken_sizes(kStage);
    }
    // Where water falls on every way, no way is a circle.
    std::atomic<bool> level = false;
    const Broken cell = first_broken(executor, cells, [&](std::size_t i) {
        return check_way_down(map, relief, drainage, CellId::from_index(i), level);
    });
    if (cell) return broken(kStage, CellId::from_index(cell.index), cell.why);
    const Broken corner = first_broken(executor, map.corner_count(), [&](std::size_t i) {
        return is_height(drainage.corner_elevation[CornerId::from_index(i)])
                   ? nullptr
                   : "the corner is out of any height";
    });
    if (corner) return broken(kStage, CornerId::from_index(corner.index), corner.why);
    return level ? check_ways(map, drainage) : ok_status();
}

Status validate(const PolygonMap& map, const Relief& relief, const Drainage& drainage) {
    SerialExecutor serial;
    TW_TRY(validate_references(map, relief, drainage, serial));
    return check_corner_elevations(map, relief, drainage);
}

Status validate_references(const PolygonMap& map, const Drainage& drainage, const Rivers& rivers,
                           Executor& executor) {
    const std::size_t reaches = rivers.reach_start.size();
    const std::size_t cells = map.cell_count();
    if (rivers.side.size() != cells || rivers.crossing.size() != cells ||
        rivers.crossing_elevation.size() != cells || rivers.rim_crossings.size() != cells ||
        rivers.reach_cells.size() != reaches || rivers.reach_next.size() != reaches ||
        rivers.reach_discharge.size() != reaches || rivers.reach_order.size() != reaches) {
        return broken_sizes("rivers");
    }
    if (rivers.least_flow == 0) return broken("rivers", CellId(), "the least flow is not above 0");
    TW_TRY(check_crossings(map, drainage, rivers, executor));
    // Walking the reaches must end: together they have a cell each, and one more at a confluence.
    const auto reach_cells = rivers.reach_cells.span();
    if (std::accumulate(reach_cells.begin(), reach_cells.end(), std::uint64_t{0}) >
        cells + reaches) {
        return broken("rivers", ReachId(), "the reaches have more cells than the map");
    }
    const Broken reach = first_broken(executor, reaches, [&](std::size_t i) {
        return check_reach(map, drainage, rivers, ReachId::from_index(i));
    });
    if (reach) return broken("rivers", ReachId::from_index(reach.index), reach.why);
    return ok_status();
}

Status validate(const PolygonMap& map, const Drainage& drainage, const Rivers& rivers) {
    SerialExecutor serial;
    return validate_references(map, drainage, rivers, serial);
}

}  // namespace tw::world
