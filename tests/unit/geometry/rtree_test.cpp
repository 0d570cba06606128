#include "terraway/geometry/rtree.hpp"

#include "unit/geometry/random_points.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace {

using tw::GridBox;
using tw::GridPoint;
using tw::geometry::RTree;

std::vector<GridBox> random_boxes(std::size_t count, std::int32_t reach, std::int32_t side,
                                  std::uint64_t id) {
    const auto corners = tw::testing::random_points(count, reach, id);
    const auto sizes = tw::testing::random_points(count, side, id + 1'000'000);
    std::vector<GridBox> boxes(count);
    for (std::size_t i = 0; i < count; ++i) {
        boxes[i].include(corners[i]);
        boxes[i].include(corners[i] + sizes[i]);
    }
    return boxes;
}

TEST(RTree, DistanceToABox) {
    const GridBox box{{0, 0}, {10, 10}};
    EXPECT_EQ(tw::geometry::distance2(box, {5, 5}), 0);
    EXPECT_EQ(tw::geometry::distance2(box, {10, 0}), 0);
    EXPECT_EQ(tw::geometry::distance2(box, {13, 14}), 25);
    EXPECT_EQ(tw::geometry::distance2(box, {5, -7}), 49);
}

TEST(RTree, FindsWhatBruteForceFinds) {
    for (std::size_t count : {1u, 2u, 15u, 16u, 17u, 256u, 257u, 5000u}) {
        for (std::int32_t reach : {50, 1'000'000, tw::kMaxCoordinate - 1000}) {
            const auto boxes = random_boxes(count, reach, std::min(reach / 10, 1000), count);
            const RTree tree(boxes);
            EXPECT_EQ(tree.size(), count);
            for (const GridBox& query : random_boxes(30, reach, reach / 4, 77)) {
                std::vector<std::uint32_t> expected;
                for (std::uint32_t i = 0; i < count; ++i) {
                    if (boxes[i].intersects(query)) expected.push_back(i);
                }
                EXPECT_EQ(tree.find(query), expected);
            }
        }
    }
}

TEST(RTree, NearestIsThatOfBruteForceWithTheLeastId) {
    for (std::int32_t reach : {20, 100'000, tw::kMaxCoordinate - 1000}) {  // 20: many ties
        const auto boxes = random_boxes(700, reach, std::min(reach / 10, 1000), 5);
        const RTree tree(boxes);
        for (GridPoint p : tw::testing::random_points(200, reach, 6)) {
            std::uint32_t expected = 0;
            for (std::uint32_t i = 1; i < boxes.size(); ++i) {
                if (tw::geometry::distance2(boxes[i], p) <
                    tw::geometry::distance2(boxes[expected], p)) {
                    expected = i;
                }
            }
            EXPECT_EQ(tree.nearest(p), expected);
        }
    }
}

TEST(RTree, NearestByTheThingsOwnMeasure) {
    // Things are the diagonals' lower corners: farther than the box, by brute force.
    const auto boxes = random_boxes(500, 10'000, 3000, 9);
    const RTree tree(boxes);
    for (GridPoint p : tw::testing::random_points(200, 12'000, 10)) {
        const auto measure = [&](std::uint32_t id) {
            return static_cast<double>(distance2(boxes[id].lo, p));
        };
        std::uint32_t expected = 0;
        for (std::uint32_t i = 1; i < boxes.size(); ++i) {
            if (measure(i) < measure(expected)) expected = i;
        }
        EXPECT_EQ(tree.nearest(p, measure), expected);
    }
}

TEST(RTree, EmptyTreesAndEmptyBoxes) {
    EXPECT_EQ(RTree().nearest({0, 0}), RTree::kNone);
    EXPECT_TRUE(RTree().find({{-5, -5}, {5, 5}}).empty());
    const std::vector<GridBox> boxes{GridBox{}, {{3, 3}, {4, 4}}, GridBox{}};
    const RTree tree(boxes);
    EXPECT_EQ(tree.find({{-5, -5}, {5, 5}}), std::vector<std::uint32_t>{1});
    EXPECT_TRUE(tree.find(GridBox{}).empty());
    EXPECT_EQ(tree.nearest({0, 0}), 1u);
    const std::vector<GridBox> nothing(3);
    EXPECT_EQ(RTree(nothing).nearest({0, 0}), RTree::kNone);
    // A thousand times the same box.
    const std::vector<GridBox> same(1000, GridBox{{7, 7}, {7, 7}});
    EXPECT_EQ(RTree(same).nearest({0, 0}), 0u);
    EXPECT_EQ(RTree(same).find({{7, 7}, {9, 9}}).size(), 1000u);
}

}  // namespace
