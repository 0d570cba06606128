#include "terraway/geometry/point_grid.hpp"

#include "unit/geometry/random_points.hpp"

#include <gtest/gtest.h>

namespace {

using tw::GridPoint;
using tw::geometry::PointGrid;

void expect_brute_force(const std::vector<GridPoint>& points, std::int32_t reach,
                        std::int64_t square) {
    const PointGrid grid(points, square);
    EXPECT_EQ(grid.size(), points.size());
    for (GridPoint p : tw::testing::random_points(60, reach, 99)) {
        for (std::int64_t radius :
             {std::int64_t{0}, std::int64_t{reach / 20}, std::int64_t{reach}}) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < points.size(); ++i) {
                if (distance2(points[i], p) <= radius * radius) expected.push_back(i);
            }
            EXPECT_EQ(grid.within(p, radius), expected);
        }
        std::uint32_t nearest = 0;
        for (std::uint32_t i = 1; i < points.size(); ++i) {
            if (distance2(points[i], p) < distance2(points[nearest], p)) nearest = i;
        }
        EXPECT_EQ(grid.nearest(p), nearest);
    }
}

TEST(PointGrid, AnswersAsBruteForceDoes) {
    for (std::int32_t reach : {10, 5000, tw::kMaxCoordinate}) {  // 10: many equal points and ties
        for (std::size_t count : {1u, 2u, 50u, 2000u}) {
            const auto points = tw::testing::random_points(count, reach, count);
            expect_brute_force(points, reach, 0);
            expect_brute_force(points, reach, 1);
            expect_brute_force(points, reach, reach);
        }
    }
}

TEST(PointGrid, AnswersOutsideAndOnUnevenPoints) {
    std::vector<GridPoint> points = tw::testing::random_points(500, 100, 3);  // a cluster
    points.push_back({tw::kMaxCoordinate, tw::kMaxCoordinate});               // and a far point
    expect_brute_force(points, 1000, 0);
    expect_brute_force(points, tw::kMaxCoordinate, 0);
    std::vector<GridPoint> row;
    row.reserve(300);
    for (std::int32_t i = 0; i < 300; ++i) row.push_back({i * 1000, 7});
    expect_brute_force(row, 400'000, 0);
}

TEST(PointGrid, WithoutPoints) {
    EXPECT_EQ(PointGrid().nearest({1, 2}), PointGrid::kNone);
    EXPECT_TRUE(PointGrid(std::vector<GridPoint>{}).within({0, 0}, 100).empty());
}

}  // namespace
