#include "terraway/terrain/rivers.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "rivers";
constexpr double kSecondsPerYear = 31'557'600.0;  // Julian: 365.25 days
constexpr std::int64_t kMinGap = 2;               ///< [steps] from a river vertex to a corner

/// floor(sum / 2 + 1/2): the mean, halves up.
std::int32_t middle(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>((std::int64_t{a} + b + 1) >> 1);
}

/// True if the wedge of `side`, split at `point`, gives two that turn left.
bool splits_wedge(const PolygonMap& map, SideId side, GridPoint point) {
    const GridPoint site = map.site[map.cell_of_side[side]];
    return orient2d(site, map.corner_point[map.corner[side]], point) > 0 &&
           orient2d(site, point, map.corner_point[map.end_corner(side)]) > 0;
}

bool can_cross_at(const PolygonMap& map, SideId side, GridPoint point) {
    const GridPoint a = map.corner_point[map.corner[side]];
    const GridPoint b = map.corner_point[map.end_corner(side)];
    if (std::min(distance2(a, point), distance2(b, point)) < kMinGap * kMinGap) return false;
    if (!splits_wedge(map, side, point)) return false;
    const SideId twin = map.twin[side];
    if (twin) return splits_wedge(map, twin, point);
    return orient2d(a, b, point) == 0;
}

/// The rounded middle of the side. Rounding moves it by less than a step, so it can only fail on a
/// side that is seen from its site at a very flat angle, far from its foot: then a grid point
/// around.
Result<GridPoint> crossing(const PolygonMap& map, SideId side) {
    const GridPoint a = map.corner_point[map.corner[side]];
    const GridPoint b = map.corner_point[map.end_corner(side)];
    const GridPoint rounded{middle(a.x, b.x), middle(a.y, b.y)};
    constexpr std::array<GridPoint, 9> kAround{
        GridPoint{0, 0},   GridPoint{-1, 0}, GridPoint{0, -1}, GridPoint{0, 1}, GridPoint{1, 0},
        GridPoint{-1, -1}, GridPoint{-1, 1}, GridPoint{1, -1}, GridPoint{1, 1}};
    for (const GridPoint offset : kAround) {
        if (can_cross_at(map, side, rounded + offset)) return rounded + offset;
    }
    return Error{.code = ErrorCode::invalid_input,
                 .stage = std::string(kStage),
                 .subject = side,
                 .message =
                     "the side is seen at too flat an angle for a river to cross it; "
                     "spread the sites more evenly (lloyd_rounds)"};
}

/// Between the sites on both sides of the crossing; the sea's shore at 0.
Steps crossing_elevation(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                         CellId cell) {
    const SideId side = drainage.downhill[cell];
    const CellId below = map.neighbour(side);
    const Steps here = drainage.elevation[cell];
    if (!below) {
        const Steps start = drainage.corner_elevation[map.corner[side]];
        const Steps end = drainage.corner_elevation[map.end_corner(side)];
        return std::min({here, start, end});
    }
    if (relief.water[below] == Water::ocean) return 0;
    return static_cast<Steps>((std::int64_t{here} + drainage.elevation[below]) >> 1);
}

/// [litres a year] from which on a flow is a river; at least 1.
std::uint64_t least_flow(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                         const RiverOptions& options) {
    constexpr std::uint64_t kShare = 300;
    if (options.min_flow > 0.0) {
        return static_cast<std::uint64_t>(options.min_flow * 1000.0 * kSecondsPerYear);
    }
    std::uint64_t leaving = 0;
    for (const CellId cell : map.site.ids()) {
        if (relief.water[cell] == Water::ocean) continue;
        const CellId below = map.neighbour(drainage.downhill[cell]);
        if (!below || relief.water[below] == Water::ocean) leaving += drainage.discharge[cell];
    }
    return std::max<std::uint64_t>(1, leaving / kShare);
}

/// What decides on a cell's river alone.
struct RiverCell {
    SideId side;
    GridPoint crossing;
    Steps elevation = 0;
};

class RiverRules {
public:
    RiverRules(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
               std::uint64_t least_flow)
        : map_(map), relief_(relief), drainage_(drainage), least_flow_(least_flow) {}

    bool is_river(CellId cell) const {
        return relief_.water[cell] != Water::ocean && drainage_.discharge[cell] >= least_flow_;
    }
    /// `before`, if the cell's river left over the same side then: the crossing is the map's.
    Result<RiverCell> of(CellId cell, SideId before, GridPoint crossing_before) const {
        if (!is_river(cell)) return RiverCell{};
        RiverCell river{.side = drainage_.downhill[cell], .crossing = crossing_before};
        if (river.side != before) {
            TW_ASSIGN(river.crossing, crossing(map_, river.side));
        }
        river.elevation = crossing_elevation(map_, relief_, drainage_, cell);
        return river;
    }
    /// The next cell of the river; none at its mouth.
    CellId below(CellId cell) const {
        const CellId below = map_.neighbour(drainage_.downhill[cell]);
        return below && relief_.water[below] != Water::ocean ? below : CellId();
    }

private:
    const PolygonMap& map_;
    const Relief& relief_;
    const Drainage& drainage_;
    std::uint64_t least_flow_;  ///< [litres a year]
};

/// What flows into a river cell.
struct Inflow {
    std::uint32_t rivers = 0;
    std::uint8_t highest_order = 0, of_that_order = 0;
};

/// visit(index) for the bytes that are not 0, in order; eight at a time, for most are.
template <class Visit>
void for_each_set_byte(std::span<const std::uint8_t> bytes, Visit&& visit) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        std::uint64_t eight = 0;
        const std::size_t count = std::min(sizeof eight, bytes.size() - at);
        std::memcpy(&eight, bytes.data() + at, count);
        for (std::size_t i = at; eight != 0 && i < at + count; ++i) {
            if (bytes[i] != 0) visit(i);
        }
        at += count;
    }
}

/// All reaches, from scratch. Cost: O(cells) to look for rivers, in bytes; then O(river cells).
class ReachTables {
public:
    void build(const PolygonMap& map, const RiverRules& rules, const Drainage& drainage,
               const Rivers& rivers) {
        find_starts(map, rules, drainage, rivers);
        for (std::size_t i = 0; i < start_.size(); ++i) {
            add_reach(ReachId::from_index(i), rules, drainage);
        }
        for (const CellId confluence : end_) {
            next_.push_back(confluence ? reach_from_[confluence.index()] : ReachId());
        }
        for (const CellId cell : river_) {
            inflow_[cell.index()] = {};
            reach_from_[cell.index()] = ReachId();
        }
    }
    void write(Rivers& rivers) const {
        const auto write = [](auto& to, const auto& from) {
            to.resize(from.size());
            for (const auto id : to.ids()) to.set(id, from[id.index()]);
        };
        write(rivers.reach_start, start_);
        write(rivers.reach_cells, cells_);
        write(rivers.reach_next, next_);
        write(rivers.reach_discharge, discharge_);
        write(rivers.reach_order, order_);
    }

private:
    void find_starts(const PolygonMap& map, const RiverRules& rules, const Drainage& drainage,
                     const Rivers& rivers) {
        inflow_.resize(map.cell_count());
        reach_from_.resize(map.cell_count());
        for (auto* table : {&start_, &river_, &end_}) table->clear();
        cells_.clear();
        next_.clear();
        discharge_.clear();
        order_.clear();
        for_each_set_byte(rivers.rim_crossings.span(), [&](std::size_t index) {
            const CellId cell = CellId::from_index(index);
            if (!rivers.side[cell]) return;
            river_.push_back(cell);
            if (const CellId below = rules.below(cell)) ++inflow_[below.index()].rivers;
        });
        for (const CellId cell : river_) {
            if (inflow_[cell.index()].rivers != 1) start_.push_back(cell);
        }
        std::sort(start_.begin(), start_.end(), [&](CellId a, CellId b) {
            const std::uint64_t fa = drainage.discharge[a], fb = drainage.discharge[b];
            return fa != fb ? fa < fb : a < b;
        });
        for (std::size_t i = 0; i < start_.size(); ++i) {
            reach_from_[start_[i].index()] = ReachId::from_index(i);
        }
    }
    void add_reach(ReachId reach, const RiverRules& rules, const Drainage& drainage) {
        const CellId start = start_[reach.index()];
        const Inflow& in = inflow_[start.index()];
        const auto order = static_cast<std::uint8_t>(
            in.rivers == 0 ? 1 : in.highest_order + (in.of_that_order > 1 ? 1 : 0));
        std::uint32_t cells = 1;
        CellId cell = start, confluence;
        for (CellId below = rules.below(cell); below; below = rules.below(cell)) {
            ++cells;
            if (inflow_[below.index()].rivers > 1) {
                confluence = below;
                break;
            }
            cell = below;
        }
        if (confluence) {
            Inflow& into = inflow_[confluence.index()];
            if (order > into.highest_order) {
                into.highest_order = order;
                into.of_that_order = 1;
            } else if (order == into.highest_order && into.of_that_order < 2) {
                ++into.of_that_order;
            }
        }
        end_.push_back(confluence);
        cells_.push_back(cells);
        discharge_.push_back(drainage.discharge[cell]);
        order_.push_back(order);
    }

    std::vector<Inflow> inflow_;       ///< by cell
    std::vector<ReachId> reach_from_;  ///< by cell: the reach that starts there
    std::vector<CellId> river_, start_;
    std::vector<CellId> end_;  ///< confluence where the reach ends; none at a mouth
    std::vector<std::uint32_t> cells_;
    std::vector<ReachId> next_;
    std::vector<std::uint64_t> discharge_;
    std::vector<std::uint8_t> order_;
};

Status check_options(const RiverOptions& options) {
    if (options.min_flow == 0.0) return ok_status();
    return require_range(kStage, "min_flow", options.min_flow, 0.001, 100'000.0);
}

/// The cell's river goes into the arrays, and its crossing onto the rims of both its cells.
void count_on_rims(const PolygonMap& map, CellId cell, SideId side, int change, Rivers& rivers) {
    const auto count = [&](CellId at) {
        std::uint8_t& crossings = rivers.rim_crossings.edit(at);
        crossings = static_cast<std::uint8_t>(crossings + change);
    };
    count(cell);
    if (const CellId below = map.neighbour(side)) count(below);
}

}  // namespace

Result<Rivers> build_rivers(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                            const RiverOptions& options, StageContext& context) {
    constexpr std::uint64_t kBytesPerCell = 60;
    TW_TRY(check_options(options));
    TW_TRY(require_memory(context, kStage, kBytesPerCell * map.cell_count()));
    if (context.cancelled()) return cancelled_error(kStage);
    const std::size_t cells = map.cell_count();
    Rivers rivers{.least_flow = least_flow(map, relief, drainage, options),
                  .side = IdArray<CellTag, SideId>(cells),
                  .crossing = IdArray<CellTag, GridPoint>(cells),
                  .crossing_elevation = IdArray<CellTag, Steps>(cells),
                  .rim_crossings = IdArray<CellTag, std::uint8_t>(cells),
                  .reach_start = {},
                  .reach_cells = {},
                  .reach_next = {},
                  .reach_discharge = {},
                  .reach_order = {}};
    const RiverRules rules(map, relief, drainage, rivers.least_flow);
    for (const CellId cell : map.site.ids()) {
        if (!rules.is_river(cell)) continue;
        TW_ASSIGN(const RiverCell river, rules.of(cell, {}, {}));
        rivers.side.edit(cell) = river.side;
        rivers.crossing.edit(cell) = river.crossing;
        rivers.crossing_elevation.edit(cell) = river.elevation;
        count_on_rims(map, cell, river.side, 1, rivers);
    }
    context.progress.set(0.5);
    if (context.cancelled()) return cancelled_error(kStage);
    ReachTables reaches;
    reaches.build(map, rules, drainage, rivers);
    reaches.write(rivers);
    context.progress.set(1.0);
    return rivers;
}

class RiverUpdate::Impl {
public:
    explicit Impl(const PolygonMap& map) : map_(map) { around_.reset(map.cell_count()); }

    Status run(const Relief& relief, const Drainage& drainage, const DrainageChanges& water,
               Rivers& rivers, RiverChanges& changes) {
        changes.rim.reset(map_.cell_count());
        changes.source.reset(map_.cell_count());
        const RiverRules rules(map_, relief, drainage, rivers.least_flow);
        collect(drainage, water);
        for (const CellId cell : around_.ids()) {
            const SideId before = rivers.side[cell];
            TW_ASSIGN(const RiverCell river, rules.of(cell, before, rivers.crossing[cell]));
            if (rivers.side.set(cell, river.side)) {
                if (before) move_crossing(cell, before, -1, rivers, changes);
                if (river.side) move_crossing(cell, river.side, 1, rivers, changes);
                rivers.crossing.set(cell, river.crossing);
                changes.source.insert(cell);
            }
            if (rivers.crossing_elevation.set(cell, river.elevation)) {
                mark_rims(cell, rivers.side[cell], changes);
            }
            if (river.side && water.discharge.contains(cell)) changes.source.insert(cell);
        }
        return ok_status();
    }
    void list_reaches(const Relief& relief, const Drainage& drainage, Rivers& rivers) {
        const RiverRules rules(map_, relief, drainage, rivers.least_flow);
        reaches_.build(map_, rules, drainage, rivers);
        reaches_.write(rivers);
    }

private:
    /// Cells whose river reads something that changed: its flow and way, the heights of its cell
    /// and the one below, and at the border those of the corners.
    void collect(const Drainage& drainage, const DrainageChanges& water) {
        around_.reset(map_.cell_count());
        for (const CellId cell : water.discharge.ids()) around_.insert(cell);
        for (const CellId cell : water.downhill.ids()) around_.insert(cell);
        for (const CellId cell : water.elevation.ids()) {
            around_.insert(cell);
            for (const SideId side : map_.sides(cell)) {
                const CellId other = map_.neighbour(side);
                if (!other) continue;
                const SideId down = drainage.downhill[other];
                if (down && (map_.neighbour(down) == cell || !map_.twin[down])) {
                    around_.insert(other);
                }
            }
        }
    }
    void mark_rims(CellId cell, SideId side, RiverChanges& changes) {
        changes.rim.insert(cell);
        if (!side) return;
        if (const CellId below = map_.neighbour(side)) changes.rim.insert(below);
    }
    void move_crossing(CellId cell, SideId side, int change, Rivers& rivers,
                       RiverChanges& changes) {
        count_on_rims(map_, cell, side, change, rivers);
        mark_rims(cell, side, changes);
    }

    const PolygonMap& map_;
    IdSet<CellTag> around_;
    ReachTables reaches_;
};

RiverUpdate::RiverUpdate(const PolygonMap& map) : impl_(std::make_unique<Impl>(map)) {}
RiverUpdate::~RiverUpdate() = default;

Status RiverUpdate::run(const Relief& relief, const Drainage& drainage,
                        const DrainageChanges& water, Rivers& rivers, RiverChanges& changes) {
    return impl_->run(relief, drainage, water, rivers, changes);
}
void RiverUpdate::list_reaches(const Relief& relief, const Drainage& drainage, Rivers& rivers) {
    impl_->list_reaches(relief, drainage, rivers);
}

}  // namespace tw::terrain
