#include "terraway/geometry/polygon.hpp"

#include "terraway/geometry/segment.hpp"

#include "unit/geometry/random_points.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace {

using tw::GridPoint;
using tw::geometry::EdgePair;
using tw::geometry::Side;
using Ring = std::vector<GridPoint>;

constexpr std::int32_t kMax = tw::kMaxCoordinate;

TEST(Segment, TouchAndCross) {
    using namespace tw::geometry;
    EXPECT_TRUE(segments_cross({0, 0}, {4, 4}, {0, 4}, {4, 0}));
    EXPECT_FALSE(segments_cross({0, 0}, {4, 4}, {2, 2}, {4, 0}));  // an end on the other
    EXPECT_TRUE(segments_touch({0, 0}, {4, 4}, {2, 2}, {4, 0}));
    EXPECT_TRUE(segments_touch({0, 0}, {4, 0}, {3, 0}, {9, 0}));
    EXPECT_FALSE(segments_touch({0, 0}, {4, 0}, {5, 0}, {9, 0}));
    EXPECT_TRUE(segments_touch({0, 0}, {9, 0}, {3, 0}, {5, 0}));  // one within the other
    EXPECT_TRUE(inside_segment({0, 0}, {9, 3}, {3, 1}));
    EXPECT_FALSE(inside_segment({0, 0}, {9, 3}, {9, 3}));
    EXPECT_FALSE(inside_segment({0, 0}, {9, 3}, {12, 4}));
    // One step beside a diagonal of the whole grid.
    EXPECT_FALSE(on_segment({-kMax, -kMax}, {kMax, kMax}, {1, 0}));
    EXPECT_TRUE(on_segment({-kMax, -kMax}, {kMax, kMax}, {1, 1}));
}

TEST(Segment, DistancesAreComparedExactly) {
    using tw::geometry::within_distance;
    EXPECT_TRUE(within_distance({0, 0}, {10, 0}, {5, 3}, 3));
    EXPECT_FALSE(within_distance({0, 0}, {10, 0}, {5, 4}, 3));
    EXPECT_TRUE(within_distance({0, 0}, {10, 0}, {-3, 4}, 5));  // nearest is an end
    EXPECT_FALSE(within_distance({0, 0}, {10, 0}, {13, 5}, 5));
    EXPECT_TRUE(within_distance({2, 2}, {2, 2}, {5, 6}, 5));
    // (3, 4) / 5 is a unit: the point 5 k away from a long line is at distance exactly 5 k.
    const GridPoint a{-4 * 100'000'000, 3 * 100'000'000}, b{4 * 100'000'000, -3 * 100'000'000};
    EXPECT_TRUE(within_distance(a, b, {3 * 7, 4 * 7}, 35));
    EXPECT_FALSE(within_distance(a, b, {3 * 7, 4 * 7}, 34));
    EXPECT_FALSE(within_distance(a, b, {3 * 7 + 1, 4 * 7}, 35));
}

TEST(Polygon, AreaIsExactUpToTheWholeGrid) {
    const Ring square{{-kMax, -kMax}, {kMax, -kMax}, {kMax, kMax}, {-kMax, kMax}};
    EXPECT_EQ(tw::geometry::double_area(square), std::int64_t{1} << 61);
    const Ring clockwise(square.rbegin(), square.rend());
    EXPECT_EQ(tw::geometry::double_area(clockwise), -(std::int64_t{1} << 61));
    EXPECT_EQ(tw::geometry::double_area(Ring{{0, 0}, {3, 0}, {0, 5}}), 15);
    EXPECT_EQ(tw::geometry::double_area(Ring{{0, 0}, {3, 0}}), 0);
    EXPECT_EQ(tw::geometry::double_area(Ring{}), 0);
    // A comb whose fan of triangles from vertex 0 leaves 64 bits on the way: teeth of full height.
    Ring comb{{-kMax, -kMax}};
    const std::int32_t teeth = 64;
    for (std::int32_t i = 0; i < teeth; ++i) {
        const std::int32_t x = kMax - i * (kMax / 32);
        comb.push_back({x, -kMax + 1});
        comb.push_back({x, kMax});
        comb.push_back({x - kMax / 64, kMax});
        comb.push_back({x - kMax / 64, -kMax + 1});
    }
    // The shoelace sum over trapezoids in long double, exact to 64 bits of mantissa.
    long double expected = 0.0L;
    for (std::size_t i = 0; i < comb.size(); ++i) {
        const GridPoint a = comb[i], b = comb[(i + 1) % comb.size()];
        expected += (static_cast<long double>(a.x) - b.x) * (static_cast<long double>(a.y) + b.y);
    }
    EXPECT_EQ(static_cast<long double>(tw::geometry::double_area(comb)), expected);
}

TEST(Polygon, PointsAreInsideOutsideOrOnTheBoundary) {
    const Ring ring{{0, 0}, {10, 0}, {10, 10}, {5, 5}, {0, 10}};
    EXPECT_EQ(tw::geometry::locate(ring, {5, 4}), Side::inside);
    EXPECT_EQ(tw::geometry::locate(ring, {5, 5}), Side::boundary);
    EXPECT_EQ(tw::geometry::locate(ring, {5, 6}), Side::outside);
    EXPECT_EQ(tw::geometry::locate(ring, {7, 7}), Side::boundary);
    EXPECT_EQ(tw::geometry::locate(ring, {10, 3}), Side::boundary);
    EXPECT_EQ(tw::geometry::locate(ring, {11, 0}), Side::outside);
    EXPECT_EQ(tw::geometry::locate(ring, {-1, 10}), Side::outside);
    const Ring twice{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {9, 0}, {9, 9}, {0, 9}};
    EXPECT_EQ(tw::geometry::winding_number(twice, {4, 4}), 2);
    EXPECT_EQ(tw::geometry::winding_number(Ring(ring.rbegin(), ring.rend()), {5, 4}), -1);
}

/// Pick's theorem: 2 A = 2 I + B − 2 ties area, inside and boundary together.
TEST(Polygon, PicksTheoremHoldsForRandomRings) {
    for (std::uint64_t id = 0; id < 30; ++id) {
        const Ring ring = tw::testing::random_ring(12, 20, id);
        ASSERT_TRUE(tw::geometry::is_simple(ring));
        std::int64_t inside = 0, boundary = 0;
        for (std::int32_t x = -21; x <= 21; ++x) {
            for (std::int32_t y = -21; y <= 21; ++y) {
                const Side side = tw::geometry::locate(ring, {x, y});
                inside += side == Side::inside;
                boundary += side == Side::boundary;
            }
        }
        EXPECT_EQ(std::abs(tw::geometry::double_area(ring)), 2 * inside + boundary - 2) << id;
    }
}

TEST(Polygon, WhatIsNotSimpleIsFound) {
    const auto contact = [](const Ring& ring) { return tw::geometry::find_self_contact(ring); };
    EXPECT_FALSE(contact({{0, 0}, {4, 0}, {4, 4}, {0, 4}}));
    EXPECT_FALSE(contact({{0, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}}));  // a straight angle is fine
    EXPECT_EQ(contact({{0, 0}, {4, 0}}), (EdgePair{0, 0}));
    EXPECT_EQ(contact({{0, 0}, {4, 0}, {4, 0}, {0, 4}}), (EdgePair{1, 1}));  // no length
    EXPECT_EQ(contact({{0, 0}, {4, 4}, {4, 0}, {0, 4}}), (EdgePair{0, 2}));  // a bow tie
    EXPECT_EQ(contact({{0, 0}, {4, 0}, {8, 0}}), (EdgePair{0, 2}));          // flat
    EXPECT_EQ(contact({{0, 0}, {4, 0}, {2, 0}, {2, 5}}), (EdgePair{0, 1}));  // a spike
    // A vertex on another edge, a vertex visited twice.
    EXPECT_TRUE(contact({{0, 0}, {8, 0}, {8, 8}, {4, 0}, {0, 8}}));
    EXPECT_TRUE(contact({{0, 0}, {4, 4}, {8, 0}, {8, 8}, {4, 4}, {0, 8}}));
}

TEST(Polygon, BigRingsAreJudgedAsSmallOnes) {
    for (std::uint64_t id = 0; id < 20; ++id) {
        Ring ring = tw::testing::random_ring(300, 2000, 100 + id);
        ASSERT_GT(ring.size(), 200u);
        EXPECT_TRUE(tw::geometry::is_simple(ring)) << id;
        const std::size_t k = 7 + id * 9;
        std::swap(ring[k], ring[(k * 5) % ring.size()]);
        // Brute force over all pairs, by the test's own predicate.
        std::optional<EdgePair> expected;
        const std::size_t n = ring.size();
        for (std::size_t i = 0; i < n && !expected; ++i) {
            for (std::size_t j = i + 2; j < n && !expected; ++j) {
                if (i == 0 && j == n - 1) continue;
                if (tw::testing::segments_meet(ring[i], ring[i + 1], ring[j], ring[(j + 1) % n])) {
                    expected =
                        EdgePair{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)};
                }
            }
        }
        EXPECT_EQ(tw::geometry::find_self_contact(ring), expected) << id;
    }
}

TEST(Polygon, HullHoldsAllPointsAndTurnsLeft) {
    for (std::uint64_t id = 0; id < 20; ++id) {
        // Few places: many equal and collinear points.
        const Ring points = tw::testing::random_points(200, id < 10 ? 5 : kMax, 200 + id);
        const Ring hull = tw::geometry::convex_hull(points);
        ASSERT_GE(hull.size(), 3u);
        EXPECT_EQ(hull.front(), *std::min_element(points.begin(), points.end()));
        for (std::size_t i = 0; i < hull.size(); ++i) {
            const GridPoint a = hull[i], b = hull[(i + 1) % hull.size()];
            EXPECT_GT(orient2d(a, b, hull[(i + 2) % hull.size()]), 0);
            for (GridPoint p : points) EXPECT_GE(orient2d(a, b, p), 0);
            EXPECT_NE(std::find(points.begin(), points.end(), a), points.end());
        }
    }
    EXPECT_EQ(tw::geometry::convex_hull(Ring{{3, 3}, {3, 3}}), (Ring{{3, 3}}));
    EXPECT_EQ(tw::geometry::convex_hull(Ring{{2, 2}, {0, 0}, {1, 1}}), (Ring{{0, 0}, {2, 2}}));
    EXPECT_TRUE(tw::geometry::convex_hull(Ring{}).empty());
}

}  // namespace
