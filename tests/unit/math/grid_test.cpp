#include "terraway/math/grid.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace {

using tw::GridBox;
using tw::GridPoint;

TEST(Grid, AStepIsABinaryMillimetre) {
    EXPECT_EQ(tw::to_steps(1.0), 1024);
    EXPECT_EQ(tw::to_steps(-524288.0), -tw::kMaxCoordinate);
    EXPECT_EQ(tw::to_metres(1), 0.0009765625);
    EXPECT_EQ(tw::to_metres(tw::kMaxCoordinate), 524288.0);
}

TEST(Grid, StepsRoundHalvesAwayFromZero) {
    EXPECT_EQ(tw::to_steps(0.5 / 1024), 1);
    EXPECT_EQ(tw::to_steps(-0.5 / 1024), -1);
    EXPECT_EQ(tw::to_steps(0.499 / 1024), 0);
    EXPECT_EQ(tw::to_steps(-2.501 / 1024), -3);
    for (std::int32_t c : {-tw::kMaxCoordinate, -12345, 0, 1, tw::kMaxCoordinate}) {
        EXPECT_EQ(tw::to_steps(tw::to_metres(c)), c);
    }
}

TEST(Grid, PointsCompareByXThenY) {
    EXPECT_LT((GridPoint{1, 9}), (GridPoint{2, 0}));
    EXPECT_LT((GridPoint{1, -9}), (GridPoint{1, 0}));
    EXPECT_EQ((GridPoint{3, 4} + GridPoint{-1, 1}), (GridPoint{2, 5}));
    EXPECT_EQ((GridPoint{3, 4} - GridPoint{-1, 1}), (GridPoint{4, 3}));
}

TEST(Grid, TheEdgeOfTheGridBelongsToIt) {
    constexpr std::int32_t kMost = tw::kMaxCoordinate;
    EXPECT_TRUE(tw::on_grid({kMost, -kMost}));
    EXPECT_FALSE(tw::on_grid({kMost + 1, 0}));
    EXPECT_FALSE(tw::on_grid({0, -kMost - 1}));
    EXPECT_FALSE(tw::on_grid({INT32_MIN, 0}));
}

TEST(Grid, DistancesAreExactFromCornerToCorner) {
    constexpr std::int32_t kMost = tw::kMaxCoordinate;
    EXPECT_EQ(tw::distance2({-kMost, -kMost}, {kMost, kMost}), std::int64_t{1} << 61);
    EXPECT_EQ(tw::distance2({kMost, kMost}, {-kMost, -kMost + 1}),
              (std::int64_t{1} << 61) - (std::int64_t{1} << 31) + 1);
    EXPECT_EQ(tw::distance2({3, 4}, {0, 0}), 25);
}

TEST(Grid, ABoxIsEmptyUntilItIncludesSomething) {
    GridBox box;
    EXPECT_TRUE(box.empty());
    EXPECT_FALSE(box.contains({1, 1}));
    box.include({5, -7});
    EXPECT_FALSE(box.empty());
    EXPECT_EQ(box, (GridBox{{5, -7}, {5, -7}}));
    box.include({-tw::kMaxCoordinate, tw::kMaxCoordinate});
    EXPECT_EQ(box, (GridBox{{-tw::kMaxCoordinate, -7}, {5, tw::kMaxCoordinate}}));
    EXPECT_EQ(box.width(), std::int64_t{tw::kMaxCoordinate} + 5);
    EXPECT_TRUE(box.contains({5, -7}));
    EXPECT_FALSE(box.contains({6, 0}));
}

TEST(Grid, ClosedBoxesMeetInASharedPoint) {
    const GridBox a{{0, 0}, {4, 4}};
    EXPECT_TRUE(a.intersects({{4, 4}, {9, 9}}));
    EXPECT_TRUE(a.intersects({{1, 1}, {2, 2}}));
    EXPECT_TRUE(a.intersects({{-1, 2}, {9, 2}}));
    EXPECT_FALSE(a.intersects({{5, 0}, {9, 9}}));
    EXPECT_FALSE(a.intersects({{0, -9}, {4, -1}}));
}

}  // namespace
