#include "terraway/geometry/polyline.hpp"

#include "terraway/geometry/segment.hpp"

#include "unit/geometry/random_points.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace {

using tw::GridPoint;
using tw::Vec2d;
using Line = std::vector<GridPoint>;

double distance(Vec2d a, Vec2d b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}
double distance(GridPoint a, GridPoint b) {
    return distance(tw::to_vec(a), tw::to_vec(b));
}

/// A wandering line of short steps.
Line walk(std::size_t count, std::int32_t step, std::uint64_t id) {
    Line line = tw::testing::random_points(count, step, id);
    for (std::size_t i = 1; i < count; ++i) line[i] = line[i - 1] + line[i];
    return line;
}

TEST(Polyline, LengthsOfKnownLines) {
    const Line line{{0, 0}, {3, 4}, {3, 4}, {3, 16}};
    EXPECT_EQ(tw::geometry::length(line), 17.0);
    EXPECT_EQ(tw::geometry::arc_lengths(line), (std::vector<double>{0, 5, 5, 17}));
    EXPECT_EQ(tw::geometry::length(Line{{7, 7}}), 0.0);
    EXPECT_EQ(tw::geometry::length(Line{}), 0.0);
}

TEST(Polyline, PlacesAlongALine) {
    const Line line{{0, 0}, {10, 0}, {10, 0}, {10, 20}, {10, 20}};
    const auto lengths = tw::geometry::arc_lengths(line);
    const auto at = [&](double s) { return tw::geometry::place_at(line, lengths, s); };
    EXPECT_EQ(at(4).point, (Vec2d{4, 0}));
    EXPECT_EQ(at(4).direction, (Vec2d{1, 0}));
    EXPECT_EQ(at(15).point, (Vec2d{10, 5}));
    EXPECT_EQ(at(15).segment, 2u);
    EXPECT_EQ(at(10).direction, (Vec2d{0, 1}));  // a vertex belongs to what follows
    EXPECT_EQ(at(-5).point, (Vec2d{0, 0}));
    EXPECT_EQ(at(99).point, (Vec2d{10, 20}));
    EXPECT_EQ(at(99).direction, (Vec2d{0, 1}));
    const Line dot{{5, 5}, {5, 5}};
    const auto place = tw::geometry::place_at(dot, tw::geometry::arc_lengths(dot), 1.0);
    EXPECT_EQ(place.point, (Vec2d{5, 5}));
    EXPECT_EQ(place.direction, (Vec2d{0, 0}));
}

TEST(Polyline, ClosestPlaceIsNoFartherThanAnySample) {
    for (std::uint64_t id = 0; id < 20; ++id) {
        const Line line = walk(20, 1000, id);
        const auto lengths = tw::geometry::arc_lengths(line);
        for (GridPoint p : tw::testing::random_points(20, 5000, 100 + id)) {
            const auto closest = tw::geometry::closest_place(line, p);
            EXPECT_NEAR(closest.distance, distance(closest.point, tw::to_vec(p)), 1e-9);
            const GridPoint a = line[closest.segment], b = line[closest.segment + 1];
            EXPECT_NEAR(distance(tw::to_vec(a) + (tw::to_vec(b) - tw::to_vec(a)) * closest.along,
                                 closest.point),
                        0, 1e-9);
            double sampled = 1e300;
            for (int k = 0; k <= 4000; ++k) {
                const auto place = tw::geometry::place_at(line, lengths, lengths.back() * k / 4000);
                sampled = std::min(sampled, distance(place.point, tw::to_vec(p)));
            }
            EXPECT_LE(closest.distance, sampled + 1e-9);
            EXPECT_GE(closest.distance, sampled - lengths.back() / 4000);
        }
    }
    EXPECT_EQ(tw::geometry::closest_place(Line{{3, 0}}, {0, 4}).distance, 5.0);
}

TEST(Polyline, RepeatsGo) {
    EXPECT_EQ(tw::geometry::without_repeats(Line{{1, 1}, {1, 1}, {2, 1}, {1, 1}, {1, 1}}),
              (Line{{1, 1}, {2, 1}, {1, 1}}));
    EXPECT_TRUE(tw::geometry::without_repeats(Line{}).empty());
}

TEST(Polyline, ResamplingKeepsEndsSpacingAndCourse) {
    for (std::uint64_t id = 0; id < 20; ++id) {
        const Line line = walk(30, 3000, 200 + id);
        for (double spacing : {50.0, 777.0, 1e9}) {
            const Line points = tw::geometry::resample(line, spacing);
            EXPECT_EQ(points.front(), line.front());
            EXPECT_EQ(points.back(), line.back());
            const double whole = tw::geometry::length(line);
            EXPECT_EQ(points.size(), static_cast<std::size_t>(std::ceil(whole / spacing)) + 1);
            for (std::size_t i = 0; i < points.size(); ++i) {
                EXPECT_LE(tw::geometry::closest_place(line, points[i]).distance, 0.7072);
                if (i > 0) {
                    EXPECT_LE(distance(points[i - 1], points[i]), spacing + 1.4143);
                }
            }
        }
    }
    EXPECT_EQ(tw::geometry::resample(Line{{4, 4}, {4, 4}}, 10), (Line{{4, 4}}));
    EXPECT_EQ(tw::geometry::resample(Line{{0, 0}, {10, 0}}, 4),
              (Line{{0, 0}, {3, 0}, {7, 0}, {10, 0}}));
}

TEST(Polyline, SubdividingKeepsEveryVertex) {
    const Line line = walk(50, 3000, 300);
    const Line points = tw::geometry::subdivide(line, 100.0);
    EXPECT_TRUE(std::includes(points.begin(), points.end(), line.begin(), line.begin()));
    std::size_t next = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (next < line.size() && points[i] == line[next]) ++next;
        if (i > 0) {
            EXPECT_LE(distance(points[i - 1], points[i]), 101.4143);
        }
    }
    EXPECT_EQ(next, line.size());
    EXPECT_EQ(tw::geometry::subdivide(Line{{0, 0}, {8, 0}, {8, 3}}, 4),
              (Line{{0, 0}, {4, 0}, {8, 0}, {8, 3}}));
}

TEST(Polyline, SimplifyingIsBoundedExactly) {
    for (std::uint64_t id = 0; id < 40; ++id) {
        const Line line = walk(200, id % 2 == 0 ? 300 : 2, 400 + id);
        for (tw::Steps tolerance : {0, 1, 50, 1000}) {
            const auto kept = tw::geometry::simplify(line, tolerance);
            ASSERT_GE(kept.size(), 2u);
            EXPECT_EQ(kept.front(), 0u);
            EXPECT_EQ(kept.back(), line.size() - 1);
            for (std::size_t k = 1; k < kept.size(); ++k) {
                for (std::uint32_t i = kept[k - 1] + 1; i < kept[k]; ++i) {
                    EXPECT_TRUE(tw::geometry::within_distance(line[kept[k - 1]], line[kept[k]],
                                                              line[i], tolerance));
                }
            }
        }
    }
}

TEST(Polyline, SimplifyingDropsWhatItMay) {
    Line straight;
    for (std::int32_t i = 0; i <= 100; ++i) straight.push_back({3 * i, 4 * i});
    EXPECT_EQ(tw::geometry::simplify(straight, 0), (std::vector<std::uint32_t>{0, 100}));
    const Line corner{{0, 0}, {50, 1}, {100, 0}, {101, 50}, {100, 100}};
    EXPECT_EQ(tw::geometry::simplify(corner, 1), (std::vector<std::uint32_t>{0, 2, 4}));
    EXPECT_EQ(tw::geometry::simplify(corner, 0).size(), 5u);
    // There and back: the turning point is far from the segment without length.
    EXPECT_EQ(tw::geometry::simplify(Line{{0, 0}, {9, 0}, {0, 0}}, 5),
              (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(tw::geometry::simplify(Line{{1, 1}}, 5), (std::vector<std::uint32_t>{0}));
    EXPECT_TRUE(tw::geometry::simplify(Line{}, 5).empty());
}

TEST(Polyline, OffsetsOfKnownLines) {
    using tw::geometry::offset;
    EXPECT_EQ(offset(Line{{0, 0}, {100, 0}}, 10), (Line{{0, 10}, {100, 10}}));
    EXPECT_EQ(offset(Line{{0, 0}, {100, 0}}, -10), (Line{{0, -10}, {100, -10}}));
    // A right angle to the left: inside to the left, outside to the right, both mitred.
    const Line angle{{0, 0}, {100, 0}, {100, 100}};
    EXPECT_EQ(offset(angle, 10), (Line{{0, 10}, {90, 10}, {90, 100}}));
    EXPECT_EQ(offset(angle, -10), (Line{{0, -10}, {110, -10}, {110, 100}}));
    // √2 is the mitre of a right angle: a lower limit bevels.
    EXPECT_EQ(offset(angle, -10, {.miter_limit = 1.4}),
              (Line{{0, -10}, {100, -10}, {110, 0}, {110, 100}}));
    EXPECT_EQ(offset(angle, -10, {.miter_limit = 1.42}).size(), 3u);
    // There and back.
    EXPECT_EQ(offset(Line{{0, 0}, {50, 0}, {0, 0}}, 10),
              (Line{{0, 10}, {50, 10}, {50, -10}, {0, -10}}));
    EXPECT_TRUE(offset(Line{{5, 5}, {5, 5}}, 10).empty());
    EXPECT_EQ(offset(Line{{0, 0}, {0, 0}, {100, 0}}, 10), (Line{{0, 10}, {100, 10}}));
}

TEST(Polyline, OffsetSegmentsAreParallelAtTheDistance) {
    // Gentle bends: each moved segment lies beside its own, at the distance to within rounding.
    const Line line{{0, 0}, {1000, 200}, {2000, 100}, {3000, -500}, {4000, -400}};
    for (double d : {100.0, -100.0}) {
        const Line moved = tw::geometry::offset(line, d);
        ASSERT_EQ(moved.size(), line.size());
        for (std::size_t i = 1; i < line.size(); ++i) {
            const double base = distance(line[i - 1], line[i]);
            for (GridPoint p : {moved[i - 1], moved[i]}) {
                EXPECT_NEAR(static_cast<double>(tw::orient2d(line[i - 1], line[i], p)) / base, d,
                            0.75);
            }
        }
    }
}

}  // namespace
