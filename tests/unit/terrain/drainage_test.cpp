#include "terraway/terrain/drainage.hpp"

#include "support/point_sets.hpp"
#include "support/square_relief.hpp"
#include "support/terrain_world.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using namespace world;
using test::relief_of;
using test::squares;
using testing::value_or_fail;

Drainage drain(const PolygonMap& map, const Relief& relief, const DrainageOptions& options,
               Border border = Border::ocean) {
    SerialExecutor executor;
    StageContext context(executor);
    Drainage result = value_or_fail(build_drainage(map, relief, border, options, context));
    const Status status = validate(map, relief, result);
    EXPECT_TRUE(status.ok()) << to_string(status.error());
    return result;
}

// A ridge of 9 around a pit of 2; the sea lies in the west. The way out leads over the 5.
TEST(Drainage, FillsAPitToItsOutletAndAStepMore) {
    const PolygonMap map = squares(5, 3);
    const Relief relief = relief_of({-1, 9, 9, 9, 9,  //
                                     -1, 5, 2, 3, 9,  //
                                     -1, 9, 9, 9, 9});
    const Drainage filled = drain(map, relief, {.depressions = Depressions::fill});
    EXPECT_EQ(filled.elevation[CellId(6)], 5);
    EXPECT_EQ(filled.elevation[CellId(7)], 6);
    EXPECT_EQ(filled.elevation[CellId(8)], 7);
    EXPECT_EQ(filled.elevation[CellId(9)], 9);
    EXPECT_EQ(map.neighbour(filled.downhill[CellId(8)]), CellId(7));
    EXPECT_EQ(map.neighbour(filled.downhill[CellId(7)]), CellId(6));
    EXPECT_EQ(map.neighbour(filled.downhill[CellId(6)]), CellId(5));
}

TEST(Drainage, CarvesTheWayOutOfAPit) {
    const PolygonMap map = squares(5, 3);
    const Relief relief = relief_of({-1, 9, 9, 9, 9,  //
                                     -1, 5, 2, 3, 9,  //
                                     -1, 9, 9, 9, 9});
    const Drainage carved = drain(map, relief, {.depressions = Depressions::carve});
    EXPECT_EQ(carved.elevation[CellId(6)], 2);
    EXPECT_EQ(carved.elevation[CellId(7)], 2);
    EXPECT_EQ(carved.elevation[CellId(8)], 3);
    EXPECT_EQ(carved.elevation[CellId(12)], 9);
}

TEST(Drainage, TiesGoToTheLowerId) {
    const PolygonMap map = squares(3, 3);
    const Relief relief = relief_of({-1, -1, -1,  //
                                     -1, 7, -1,   //
                                     -1, -1, -1});
    const Drainage one = drain(map, relief, {});
    EXPECT_EQ(map.neighbour(one.downhill[CellId(4)]), CellId(1));
    const PolygonMap row = squares(5, 1);
    const Drainage level = drain(row, relief_of({-1, 4, 8, 4, -1}), {});
    EXPECT_EQ(row.neighbour(level.downhill[CellId(2)]), CellId(1));
}

TEST(Drainage, DischargeIsTheRainUpstream) {
    const PolygonMap map = squares(4, 1);
    const Drainage drainage = drain(map, relief_of({-1, 10, 20, 30}), {.rain = 0.5});
    const std::uint64_t cell = 4096 * 500;  // 4,096 m² times 500 mm
    EXPECT_EQ(drainage.discharge[CellId(3)], cell);
    EXPECT_EQ(drainage.discharge[CellId(2)], 2 * cell);
    EXPECT_EQ(drainage.discharge[CellId(1)], 3 * cell);
    EXPECT_EQ(drainage.discharge[CellId(0)], 0u);
}

TEST(Drainage, CornersAreMeansAndTheCoastIsZero) {
    const PolygonMap map = squares(3, 2);
    const Drainage drainage = drain(map,
                                    relief_of({-3, 10, 21,  //
                                               -6, 30, 42}),
                                    {});
    const auto corner = [&](std::uint32_t x, std::uint32_t y) {
        return drainage.corner_elevation[CornerId(y * 4 + x)];
    };
    EXPECT_EQ(corner(0, 0), -3);
    EXPECT_EQ(corner(0, 1), -5);  // −4.5 rounded down
    EXPECT_EQ(corner(1, 1), 0);
    EXPECT_EQ(corner(2, 1), 25);  // 103 / 4
    EXPECT_EQ(corner(3, 1), 31);  // 63 / 2
}

TEST(Drainage, AnOpenBorderLetsWaterLeave) {
    const PolygonMap map = squares(3, 3);
    const Relief relief = relief_of({9, 8, 9,  //
                                     9, 5, 3,  //
                                     9, 8, 9});
    const Drainage open = drain(map, relief, {}, Border::open);
    EXPECT_EQ(open.elevation[CellId(4)], 5);
    EXPECT_FALSE(map.twin[open.downhill[CellId(5)]]);
    EXPECT_EQ(map.neighbour(open.downhill[CellId(4)]), CellId(5));
    // A border cell with a lower neighbour sends its water there.
    EXPECT_EQ(map.neighbour(open.downhill[CellId(1)]), CellId(4));
}

TEST(Drainage, WithoutAnyOutletTheLowestBorderCellIsOne) {
    const PolygonMap map = squares(3, 3);
    const Relief relief = relief_of({9, 8, 9,  //
                                     9, 5, 7,  //
                                     9, 8, 7});
    const Drainage closed = drain(map, relief, {.depressions = Depressions::fill});
    EXPECT_FALSE(map.twin[closed.downhill[CellId(5)]]);
    EXPECT_EQ(closed.elevation[CellId(4)], 8);
    EXPECT_EQ(closed.discharge[CellId(5)],
              9 * std::uint64_t{4096} * 800);  // all the rain leaves there
}

/// The lowest level at which water at each cell connects to the sea: by relaxing until nothing
/// changes, with `rise` more for every move.
std::vector<Steps> flood_levels(const PolygonMap& map, const Relief& relief, Steps rise) {
    std::vector<Steps> level(map.cell_count(), INT32_MAX);
    for (bool changed = true; changed;) {
        changed = false;
        for (const SideId side : map.corner.ids()) {
            const CellId cell = map.cell_of_side[side], from = map.neighbour(side);
            if (relief.water[cell] == Water::ocean || !from) continue;
            const Steps source = relief.water[from] == Water::ocean ? 0 : level[from.index()];
            if (source == INT32_MAX) continue;
            const Steps reached = std::max(relief.elevation[cell], source + rise);
            if (reached < level[cell.index()]) {
                level[cell.index()] = reached;
                changed = true;
            }
        }
    }
    return level;
}

TEST(Drainage, LevelsAreTheMinimaxOfAllWays) {
    testing::Dice dice(5);
    const PolygonMap map = squares(9, 8);
    for (int round = 0; round < 200; ++round) {
        std::vector<Steps> heights(72);
        // Few heights, so that ties are common.
        for (Steps& h : heights) h = dice.below(12) == 0 ? -1 : dice.between(1, round % 2 ? 9 : 90);
        heights[dice.below(8)] = -1;
        const Relief relief = relief_of(heights);
        const Drainage filled = drain(map, relief, {.depressions = Depressions::fill});
        const Drainage carved = drain(map, relief, {.depressions = Depressions::carve});
        const std::vector<Steps> level = flood_levels(map, relief, 1);
        for (const CellId cell : map.site.ids()) {
            const Steps ground = relief.elevation[cell];
            if (ground < 0) continue;
            EXPECT_EQ(filled.elevation[cell], level[cell.index()]);
            EXPECT_LE(carved.elevation[cell], ground);
            // Water goes to the lowest neighbour, of equals to that of lower id.
            CellId lowest;
            for (const SideId side : map.sides(cell)) {
                const CellId other = map.neighbour(side);
                if (!other) continue;
                const auto rank = [&](CellId c) {
                    return std::pair{std::max(filled.elevation[c], 0), c};
                };
                if (!lowest || rank(other) < rank(lowest)) lowest = other;
            }
            EXPECT_EQ(map.neighbour(filled.downhill[cell]), lowest);
        }
    }
}

// Carving digs along the way out of pits only: whatever was dug lies on a way from a lower place.
TEST(Drainage, CarvingDigsNoDeeperThanThePitsUpstream) {
    testing::Dice dice(6);
    const PolygonMap map = squares(9, 8);
    for (int round = 0; round < 100; ++round) {
        std::vector<Steps> heights(72);
        for (Steps& h : heights) h = dice.between(1, 50);
        heights[3] = -5;
        const Relief relief = relief_of(heights);
        const Drainage carved = drain(map, relief, {.depressions = Depressions::carve});
        // Each cell's ground, handed down its whole way.
        std::vector<Steps> lowest_upstream(heights);
        for (const CellId cell : map.site.ids()) {
            for (CellId at = cell; heights[at.index()] > 0;
                 at = map.neighbour(carved.downhill[at])) {
                lowest_upstream[at.index()] =
                    std::min(lowest_upstream[at.index()], heights[cell.index()]);
            }
        }
        for (const CellId cell : map.site.ids()) {
            if (heights[cell.index()] > 0) {
                EXPECT_EQ(carved.elevation[cell], lowest_upstream[cell.index()]);
            }
        }
    }
}

TEST(Drainage, RefusesWhatCannotBe) {
    const PolygonMap map = squares(2, 2);
    const Relief relief = relief_of({-1, 3, 4, 5});
    SerialExecutor executor;
    StageContext context(executor);
    for (const double rain : {-0.1, 20.1, std::numeric_limits<double>::quiet_NaN()}) {
        const auto result = build_drainage(map, relief, Border::ocean, {.rain = rain}, context);
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, ErrorCode::invalid_option);
        EXPECT_EQ(result.error().subject.text(), "rain");
    }
    context.memory_limit = 10;
    EXPECT_EQ(build_drainage(map, relief, Border::ocean, {}, context).error().code,
              ErrorCode::too_large);
}

}  // namespace
}  // namespace tw::terrain
