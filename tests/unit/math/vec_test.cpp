#include "terraway/math/vec.hpp"

#include <gtest/gtest.h>

namespace {

using tw::GridPoint;
using tw::Vec2d;
using tw::Vec2f;
using tw::Vec3d;

TEST(Vec, CrossIsPositiveToTheLeft) {
    EXPECT_EQ(cross(Vec2d{1, 0}, Vec2d{0, 1}), 1.0);
    EXPECT_EQ(cross(Vec2d{0, 1}, Vec2d{1, 0}), -1.0);
    EXPECT_EQ(left_of(Vec2d{3, 4}), (Vec2d{-4, 3}));
    EXPECT_EQ(dot(Vec2d{3, 4}, left_of(Vec2d{3, 4})), 0.0);
}

TEST(Vec, ThreeDimensionsAreRightHanded) {
    EXPECT_EQ(cross(Vec3d{1, 0, 0}, Vec3d{0, 1, 0}), (Vec3d{0, 0, 1}));
    EXPECT_EQ(cross(Vec3d{0, 1, 0}, Vec3d{0, 0, 1}), (Vec3d{1, 0, 0}));
    const Vec3d a{2, -3, 5}, b{7, 11, -13};
    EXPECT_EQ(dot(a, cross(a, b)), 0.0);
    EXPECT_EQ(dot(b, cross(a, b)), 0.0);
    EXPECT_EQ(length(Vec3d{2, 3, 6}), 7.0);
}

TEST(Vec, TheZeroVectorStaysZero) {
    EXPECT_EQ(normalized(Vec2f{0, 0}), (Vec2f{0, 0}));
    EXPECT_EQ(normalized(Vec2f{0, -4}), (Vec2f{0, -1}));
    EXPECT_EQ(length(Vec2d{-3, 4}), 5.0);
}

TEST(Vec, GridPointsGoToDoublesAndBack) {
    for (GridPoint p : {GridPoint{0, 0}, GridPoint{tw::kMaxCoordinate, -tw::kMaxCoordinate}}) {
        EXPECT_EQ(tw::to_grid(tw::to_vec(p)), p);
    }
    EXPECT_EQ(tw::to_grid({0.5, -0.5}), (GridPoint{1, -1}));
    EXPECT_EQ(tw::to_grid({2.49, -2.51}), (GridPoint{2, -3}));
}

}  // namespace
