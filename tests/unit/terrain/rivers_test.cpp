#include "terraway/terrain/rivers.hpp"

#include "terraway/math/predicates.hpp"

#include "support/lattice_map.hpp"
#include "support/terrain_world.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using namespace world;
using testing::value_or_fail;

constexpr Steps kSide = 1 << 20;                // 1,024 m: a cell of 1,048,576 m²
constexpr std::uint64_t kCell = 1'048'576'000;  // litres a year at one metre of rain

struct Valley {
    PolygonMap map;
    Relief relief;
    Drainage drainage;
    Rivers rivers;
};

/// Heights row by row from the south, below zero ocean; rivers from `cells` cells of rain on.
Valley valley(std::int32_t columns, std::int32_t rows, const std::vector<Steps>& heights,
              double cells, Border border = Border::ocean) {
    SerialExecutor executor;
    StageContext context(executor);
    Valley v;
    v.map = test::lattice_map({.columns = columns, .rows = rows, .side = kSide});
    for (const Steps h : heights) {
        v.relief.elevation.push_back(h);
        v.relief.water.push_back(h < 0 ? Water::ocean : Water::land);
    }
    v.drainage = value_or_fail(build_drainage(v.map, v.relief, border, {.rain = 1.0}, context));
    const double flow = (cells - 0.5) * static_cast<double>(kCell) / 1000.0 / 31'557'600.0;
    v.rivers =
        value_or_fail(build_rivers(v.map, v.relief, v.drainage, {.min_flow = flow}, context));
    const Status status = validate(v.map, v.drainage, v.rivers);
    EXPECT_TRUE(status.ok()) << to_string(status.error());
    return v;
}

TEST(Rivers, OneRiverFromItsSourceToTheSea) {
    const Valley v = valley(5, 1, {-1, 10, 20, 35, 60}, 2);
    // Cell 4 has the rain of one cell: no river. Cells 3, 2, 1 are one.
    ASSERT_EQ(v.rivers.reach_start.size(), 1u);
    const ReachId reach(0);
    EXPECT_EQ(v.rivers.reach_start[reach], CellId(3));
    EXPECT_EQ(v.rivers.reach_cells[reach], 3u);
    EXPECT_FALSE(v.rivers.reach_next[reach]);
    EXPECT_EQ(v.rivers.reach_discharge[reach], 4 * kCell);
    EXPECT_EQ(v.rivers.reach_order[reach], 1);
    const std::vector<RiverNode> line = reach_line(v.map, v.drainage, v.rivers, reach);
    const std::pair<Steps, Steps> expected[] = {
        // x in half cells, height: between sites the mean, rounded down; 0 at the sea
        {7, 35}, {6, 27}, {5, 20}, {4, 15}, {3, 10}, {2, 0}};
    ASSERT_EQ(line.size(), std::size(expected));
    for (std::size_t i = 0; i < line.size(); ++i) {
        EXPECT_EQ(line[i].point, (GridPoint{expected[i].first * kSide / 2, kSide / 2}));
        EXPECT_EQ(line[i].elevation, expected[i].second);
    }
}

// Two brooks along the north, from the west and the east, meet in the middle column and run south.
TEST(Rivers, ReachesMeetAtConfluencesInStrahlersOrder) {
    const Valley v = valley(5, 4, {-1, -1, -1, -1, -1,  //
                                   90, 60, 10, 60, 90,  //
                                   99, 95, 20, 95, 99,  //
                                   80, 50, 30, 50, 80},
                            2);
    const auto reach_from = [&](CellId start) {
        for (const ReachId reach : v.rivers.reach_start.ids()) {
            if (v.rivers.reach_start[reach] == start) return reach;
        }
        return ReachId();
    };
    const ReachId west = reach_from(CellId(15)), east = reach_from(CellId(19));
    ASSERT_TRUE(west);
    ASSERT_TRUE(east);
    const ReachId middle = v.rivers.reach_next[west];
    ASSERT_TRUE(middle);
    EXPECT_EQ(v.rivers.reach_next[east], middle);
    EXPECT_EQ(v.rivers.reach_start[middle], CellId(17));
    EXPECT_EQ(v.rivers.reach_cells[west], 3u);
    EXPECT_EQ(v.rivers.reach_order[west], 1);
    EXPECT_EQ(v.rivers.reach_order[east], 1);
    EXPECT_EQ(v.rivers.reach_order[middle], 2);
    EXPECT_EQ(v.rivers.reach_discharge[west], 3 * kCell);
    const std::vector<RiverNode> line = reach_line(v.map, v.drainage, v.rivers, west);
    ASSERT_EQ(line.size(), 5u);
    EXPECT_EQ(line.back().point, v.map.site[CellId(17)]);
    // Every reach that flows into another comes before it.
    for (const ReachId reach : v.rivers.reach_start.ids()) {
        const ReachId next = v.rivers.reach_next[reach];
        if (next) {
            EXPECT_LT(reach, next);
        }
    }
}

TEST(Rivers, OrderRisesOnlyWhereTwoOfTheHighestMeet) {
    // A comb: brooks from the north join a river that runs west, one after the other.
    const Valley v = valley(5, 3,
                            {-1, 10, 20, 30, 40,  //
                             -1, 50, 51, 52, 53,  //
                             -1, 90, 91, 92, 93},
                            2);
    std::uint8_t highest = 0;
    for (const ReachId reach : v.rivers.reach_start.ids()) {
        highest = std::max(highest, v.rivers.reach_order[reach]);
    }
    // (3, 0) joins a brook to the source (4, 0): order 2; each later brook is of order 1.
    EXPECT_EQ(highest, 2);
}

TEST(Rivers, LeaveOverAnOpenBorder) {
    const Valley v = valley(3, 1, {10, 20, 30}, 2, Border::open);
    ASSERT_EQ(v.rivers.reach_start.size(), 1u);
    const std::vector<RiverNode> line = reach_line(v.map, v.drainage, v.rivers, ReachId(0));
    ASSERT_EQ(line.size(), 4u);
    const SideId mouth = v.drainage.downhill[CellId(0)];
    EXPECT_FALSE(v.map.twin[mouth]);
    EXPECT_EQ(line.back().point, v.rivers.crossing[CellId(0)]);
    for (std::size_t i = 1; i < line.size(); ++i) {
        EXPECT_LE(line[i].elevation, line[i - 1].elevation);
    }
}

TEST(Rivers, ByDefaultDrawTheSameShareOfAnyWorld) {
    SerialExecutor executor;
    StageContext context(executor);
    Valley v = valley(5, 1, {-1, 10, 20, 35, 60}, 2);
    const Rivers automatic =
        value_or_fail(build_rivers(v.map, v.relief, v.drainage, {.min_flow = 0.0}, context));
    // A 300th of four cells' rain: all land cells.
    const auto& sides = automatic.side.values();
    EXPECT_EQ(std::count(sides.begin(), sides.end(), SideId()), 1) << "the sea's cell alone";
    const Drainage dry =
        value_or_fail(build_drainage(v.map, v.relief, Border::ocean, {.rain = 0.0}, context));
    EXPECT_TRUE(build_rivers(v.map, v.relief, dry, {}, context).value().reach_start.empty());
}

TEST(Rivers, RefuseWhatCannotBe) {
    SerialExecutor executor;
    StageContext context(executor);
    const Valley v = valley(5, 1, {-1, 10, 20, 35, 60}, 2);
    for (const double flow : {-1.0, 0.0001, 1e6, std::numeric_limits<double>::quiet_NaN()}) {
        const auto result = build_rivers(v.map, v.relief, v.drainage, {.min_flow = flow}, context);
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().subject.text(), "min_flow");
    }
    CancelFlag cancel;
    cancel.cancel();
    context.cancel = &cancel;
    EXPECT_EQ(build_rivers(v.map, v.relief, v.drainage, {}, context).error().code,
              ErrorCode::cancelled);
}

/// Two triangles on both sides of the side (0, 0) → b, seen from the sites `left` and `right`;
/// water runs from the left cell into the sea on the right.
Result<Rivers> cross_side(GridPoint b, GridPoint left, GridPoint right) {
    SerialExecutor executor;
    StageContext context(executor);
    PolygonMap map;
    map.site = {left, right};
    map.side_begin = {0, 3, 6};
    map.corner = {CornerId(0), CornerId(1), CornerId(2), CornerId(1), CornerId(0), CornerId(3)};
    map.twin = {SideId(3), SideId(), SideId(), SideId(0), SideId(), SideId()};
    map.cell_of_side = {CellId(0), CellId(0), CellId(0), CellId(1), CellId(1), CellId(1)};
    map.corner_point = {{0, 0}, b, {3 * left.x, 3 * left.y}, {3 * right.x, 3 * right.y}};
    Relief relief;
    relief.elevation = {5, -5};
    relief.water = {Water::land, Water::ocean};
    Drainage drainage;
    drainage.elevation = relief.elevation;
    drainage.corner_elevation = {0, 0, 5, -5};
    drainage.downhill = {SideId(0), SideId()};
    drainage.discharge = {1'000'000'000'000, 0};
    drainage.water = relief.water;
    return build_rivers(map, relief, drainage, {.min_flow = 1.0}, context);
}

TEST(Rivers, CrossTheRoundedMiddleOfASide) {
    EXPECT_EQ(value_or_fail(cross_side({9, 0}, {4, 60}, {4, -60})).crossing[CellId(0)],
              (GridPoint{5, 0}));
}

TEST(Rivers, CrossBesideTheMiddleOfASideSeenAtAFlatAngle) {
    // From (−76, 39) the rounded middle (4, −2) lies behind the side's start (0, 0).
    const GridPoint b{8, -5}, left{44, 61}, right{-76, 39};
    ASSERT_LE(orient2d(right, {4, -2}, {0, 0}), 0);
    const Rivers rivers = value_or_fail(cross_side(b, left, right));
    ASSERT_TRUE(rivers.side[CellId(0)]);
    const GridPoint p = rivers.crossing[CellId(0)];
    EXPECT_LE(distance2(p, {4, -2}), 2);
    EXPECT_GT(orient2d(left, {0, 0}, p), 0);
    EXPECT_GT(orient2d(left, p, b), 0);
    EXPECT_GT(orient2d(right, b, p), 0);
    EXPECT_GT(orient2d(right, p, {0, 0}), 0);
}

TEST(Rivers, RefuseASideThatNoGridPointSplits) {
    const Result<Rivers> result = cross_side({1, 7}, {-56, 11}, {-5, -56});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(result.error().subject.text(), "#0");
}

}  // namespace
}  // namespace tw::terrain
