#include "terraway/geometry/arc.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace {

using tw::GridPoint;
using tw::Vec2d;
using tw::geometry::Fillet;

constexpr double kPi = std::numbers::pi;
constexpr double kRounding = 0.7072;  // half a diagonal of a step

double distance(Vec2d a, Vec2d b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

TEST(Arc, ChordsAreAsFewAsTheToleranceAllows) {
    for (double radius : {10.0, 1000.0, 1e6}) {
        for (double sweep : {0.1, 1.0, kPi, 2 * kPi}) {
            for (double tolerance : {0.01, 1.0, 50.0}) {
                const std::uint32_t n = tw::geometry::chord_count(radius, sweep, tolerance);
                const auto sagitta = [&](double chords) {
                    return radius * (1 - std::cos(sweep / chords / 2));
                };
                EXPECT_LE(sagitta(n), tolerance * (1 + 1e-6));
                if (n > (sweep > kPi ? 2 : 1)) {
                    EXPECT_GT(sagitta(n - 1), tolerance * (1 - 1e-6));
                }
                EXPECT_EQ(n, tw::geometry::chord_count(radius, -sweep, tolerance));
            }
        }
    }
    EXPECT_EQ(tw::geometry::chord_count(0.0, 1.0, 1.0), 1u);
}

TEST(Arc, PointsLieOnTheCircleAndChordsNearIt) {
    const Vec2d centre{5000, -3000};
    for (double sweep : {0.5, -2.0, 6.0}) {
        const auto points = tw::geometry::arc_points(centre, {9000, -3000}, sweep, 20.0);
        EXPECT_EQ(points.front(), (GridPoint{9000, -3000}));
        const Vec2d end = centre + Vec2d{std::cos(sweep), std::sin(sweep)} * 4000.0;
        EXPECT_LE(distance(tw::to_vec(points.back()), end), kRounding);
        for (std::size_t i = 0; i < points.size(); ++i) {
            EXPECT_NEAR(distance(tw::to_vec(points[i]), centre), 4000, kRounding);
            if (i == 0) continue;
            const Vec2d middle = (tw::to_vec(points[i - 1]) + tw::to_vec(points[i])) * 0.5;
            EXPECT_GE(distance(middle, centre), 4000 - 20.0 - kRounding);
            // Each chord turns the way of the sweep.
            const double turn =
                cross(tw::to_vec(points[i - 1]) - centre, tw::to_vec(points[i]) - centre);
            EXPECT_GT(turn * sweep, 0);
        }
    }
}

/// The distance of the point from the line through the other two.
double from_line(GridPoint a, GridPoint b, Vec2d p) {
    return cross(normalized(tw::to_vec(b) - tw::to_vec(a)), p - tw::to_vec(a));
}

TEST(Arc, FilletTouchesBothLegs) {
    const GridPoint before{-20000, 0}, corner{0, 0};
    for (double turn : {0.2, 1.0, kPi / 2, 2.5, -0.2, -1.5, -2.9}) {
        const GridPoint after = tw::to_grid(Vec2d{std::cos(turn), std::sin(turn)} * 20000.0);
        const Fillet f =
            tw::geometry::fillet(before, corner, after, {.radius = 1000, .tolerance = 1.0});
        EXPECT_NEAR(f.sweep, turn, 1e-4);
        EXPECT_NEAR(f.radius, 1000, 1e-6);
        EXPECT_NEAR(f.tangent, 1000 * std::tan(std::abs(turn) / 2), 2.0);
        // The centre is a radius from both lines, on the side of the turn.
        EXPECT_NEAR(from_line(before, corner, f.centre), turn > 0 ? 1000 : -1000, 1e-6);
        EXPECT_NEAR(from_line(corner, after, f.centre), turn > 0 ? 1000 : -1000, 1e-6);
        // It begins and ends on the legs, `tangent` from the corner.
        EXPECT_LE(std::abs(from_line(before, corner, tw::to_vec(f.points.front()))), kRounding);
        EXPECT_LE(std::abs(from_line(corner, after, tw::to_vec(f.points.back()))), kRounding);
        EXPECT_NEAR(length(tw::to_vec(f.points.front())), f.tangent, kRounding);
        EXPECT_NEAR(length(tw::to_vec(f.points.back())), f.tangent, kRounding);
        for (GridPoint p : f.points)
            EXPECT_NEAR(distance(tw::to_vec(p), f.centre), 1000, kRounding);
    }
}

TEST(Arc, ARightAngleHasKnownNumbers) {
    const Fillet f =
        tw::geometry::fillet({-100, 0}, {0, 0}, {0, 100}, {.radius = 40, .tolerance = 1});
    EXPECT_EQ(f.centre, (Vec2d{-40, 40}));
    EXPECT_EQ(f.tangent, 40.0);
    EXPECT_EQ(f.points.front(), (GridPoint{-40, 0}));
    EXPECT_EQ(f.points.back(), (GridPoint{0, 40}));
}

TEST(Arc, ShortLegsShrinkTheRadius) {
    const Fillet f =
        tw::geometry::fillet({-100, 0}, {0, 0}, {0, 30}, {.radius = 500, .tolerance = 1});
    EXPECT_EQ(f.tangent, 30.0);
    EXPECT_EQ(f.radius, 30.0);
    EXPECT_EQ(f.points.back(), (GridPoint{0, 30}));
    const Fillet half = tw::geometry::fillet({-100, 0}, {0, 0}, {0, 30},
                                             {.radius = 500, .tolerance = 1, .max_tangent = 15});
    EXPECT_EQ(half.points.back(), (GridPoint{0, 15}));
}

TEST(Arc, WhereNoArcFitsTheCornerStays) {
    const auto stays = [](GridPoint a, GridPoint b, GridPoint c, double radius) {
        const Fillet f = tw::geometry::fillet(a, b, c, {.radius = radius});
        EXPECT_EQ(f.points, std::vector<GridPoint>{b});
        EXPECT_EQ(f.radius, 0.0);
        EXPECT_EQ(f.tangent, 0.0);
    };
    stays({0, 0}, {10, 0}, {20, 0}, 5);   // straight
    stays({0, 0}, {10, 0}, {0, 0}, 5);    // back again
    stays({0, 0}, {0, 0}, {10, 0}, 5);    // no leg
    stays({0, 0}, {10, 0}, {10, 10}, 0);  // no radius
    // Nearly back again: the arc would be below a step.
    stays({-100000, 0}, {0, 0}, {-100000, 1}, 0.5);
}

}  // namespace
