#include "terraway/terrain/rivers.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <array>
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

/// What flows into each river cell.
struct Inflow {
    std::uint32_t rivers = 0;
    std::uint8_t highest_order = 0, of_that_order = 0;
};

class Builder {
public:
    Builder(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
            std::uint64_t least)
        : map_(map), relief_(relief), drainage_(drainage), least_(least) {}

    Status add_vertices() {
        rivers_.vertex_of_side = IdArray<SideTag, RiverVertexId>(map_.side_count());
        const std::span<RiverVertexId> vertex_of_side = rivers_.vertex_of_side.edit_all();
        for (const CellId cell : map_.site.ids()) {
            if (!is_river(cell)) continue;
            const SideId side = drainage_.downhill[cell];
            TW_ASSIGN(const GridPoint point, crossing(map_, side));
            const RiverVertexId vertex = rivers_.vertex_point.push_back(point);
            rivers_.vertex_elevation.push_back(crossing_elevation(map_, relief_, drainage_, cell));
            vertex_of_side[side.index()] = vertex;
            if (map_.twin[side]) vertex_of_side[map_.twin[side].index()] = vertex;
        }
        return ok_status();
    }

    /// Reaches in the order of their starts, upstream first, so that all that flow into one come
    /// before it.
    void add_reaches() {
        std::vector<Inflow> inflow(map_.cell_count());
        for (const CellId cell : drainage_.upstream_first.span()) {
            if (!is_river(cell)) continue;
            const CellId below = river_below(cell);
            if (below) ++inflow[below.index()].rivers;
        }
        std::vector<ReachId> reach_from(map_.cell_count());
        for (const CellId cell : drainage_.upstream_first.span()) {
            if (!is_river(cell) || inflow[cell.index()].rivers == 1) continue;
            const Inflow& in = inflow[cell.index()];
            const auto order = static_cast<std::uint8_t>(
                in.rivers == 0 ? 1 : in.highest_order + (in.of_that_order > 1 ? 1 : 0));
            reach_from[cell.index()] = add_reach(cell, order, inflow);
        }
        link_reaches(reach_from);
    }

    Rivers take() { return std::move(rivers_); }

private:
    bool is_river(CellId cell) const {
        return relief_.water[cell] != Water::ocean && drainage_.discharge[cell] >= least_;
    }
    /// The next cell of the river; none at its mouth.
    CellId river_below(CellId cell) const {
        const CellId below = map_.neighbour(drainage_.downhill[cell]);
        return below && relief_.water[below] != Water::ocean ? below : CellId();
    }

    ReachId add_reach(CellId start, std::uint8_t order, std::vector<Inflow>& inflow) {
        std::uint32_t cells = 1;
        CellId cell = start;
        CellId confluence;
        for (CellId below = river_below(cell); below; below = river_below(cell)) {
            ++cells;
            if (inflow[below.index()].rivers > 1) {
                confluence = below;
                break;
            }
            cell = below;
        }
        if (confluence) {
            Inflow& in = inflow[confluence.index()];
            if (order > in.highest_order) {
                in.highest_order = order;
                in.of_that_order = 1;
            } else if (order == in.highest_order && in.of_that_order < 2) {
                ++in.of_that_order;
            }
        }
        reach_end_.push_back(confluence);
        rivers_.reach_start.push_back(start);
        rivers_.reach_cells.push_back(cells);
        rivers_.reach_discharge.push_back(drainage_.discharge[cell]);
        return rivers_.reach_order.push_back(order);
    }

    void link_reaches(const std::vector<ReachId>& reach_from) {
        for (const CellId confluence : reach_end_) {
            rivers_.reach_next.push_back(confluence ? reach_from[confluence.index()] : ReachId());
        }
    }

    const PolygonMap& map_;
    const Relief& relief_;
    const Drainage& drainage_;
    std::uint64_t least_;  ///< [litres a year]
    Rivers rivers_;
    std::vector<CellId> reach_end_;  ///< confluence where the reach ends; none at a mouth
};

}  // namespace

Result<Rivers> build_rivers(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                            const RiverOptions& options, StageContext& context) {
    constexpr std::uint64_t kBytesPerCell = 60;
    if (options.min_flow != 0.0) {
        TW_TRY(require_range(kStage, "min_flow", options.min_flow, 0.001, 100'000.0));
    }
    TW_TRY(require_memory(context, kStage, kBytesPerCell * map.cell_count()));
    if (context.cancelled()) return cancelled_error(kStage);
    Builder builder(map, relief, drainage, least_flow(map, relief, drainage, options));
    TW_TRY(builder.add_vertices());
    context.progress.set(0.5);
    if (context.cancelled()) return cancelled_error(kStage);
    builder.add_reaches();
    context.progress.set(1.0);
    return builder.take();
}

}  // namespace tw::terrain
