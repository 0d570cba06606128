// Triangulations of random sets of many kinds hold what they promise.

#include "terraway/core/executor.hpp"
#include "terraway/geometry/delaunay.hpp"

#include "support/delaunay_check.hpp"
#include "support/point_sets.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tw::geometry {
namespace {

using namespace tw::testing;

Delaunay general(const Points& points) {
    auto d = build_delaunay_general(points);
    EXPECT_TRUE(d.ok());
    return *std::move(d);
}

/// Points within a random box of a random size, so that ties, lines and duplicates come often.
Points any_points(std::uint64_t seed) {
    Dice dice(seed);
    const std::int32_t width = 1 << dice.below(30), height = 1 << dice.below(30);
    Points points(dice.below(200));
    for (GridPoint& p : points) {
        const std::int32_t x = dice.between(0, width) - width / 2;
        const std::int32_t y = dice.between(0, height) - height / 2;
        p = {x, y};
    }
    return points;
}

TEST(DelaunayProperty, HoldsOnRandomSets) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Points points = any_points(seed);
        const Delaunay d = general(points);
        ASSERT_EQ(check_delaunay(d, points), "") << "seed " << seed;
        ASSERT_EQ(check_empty_circles(d), "") << "seed " << seed;
        if (d.triangle_count == 0) {
            ASSERT_EQ(check_path(d), "") << "seed " << seed;
        }
    }
}

TEST(DelaunayProperty, DependsOnTheSetAlone) {
    for (std::uint64_t seed = 1000; seed < 1200; ++seed) {
        const Points points = any_points(seed);
        ASSERT_EQ(triangles_of(general(shuffled(points, seed))), triangles_of(general(points)))
            << "seed " << seed;
    }
}

/// The tie rule looks at (x, y), so only translations keep it; turned sets have the same circles.
TEST(DelaunayProperty, QuarterTurnsKeepSetsWithoutTies) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Points points = uniform_points(200, -kMaxCoordinate, kMaxCoordinate, seed);
        Points turned = points;
        for (GridPoint& p : turned) p = {-p.y, p.x};
        std::vector<Triangle> expected;
        for (const Triangle& t : triangles_of(general(turned))) {
            Triangle back{};
            for (std::size_t i = 0; i < 3; ++i) back[i] = {t[i].y, -t[i].x};
            std::rotate(back.begin(), std::min_element(back.begin(), back.end()), back.end());
            expected.push_back(back);
        }
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(triangles_of(general(points)), expected) << "seed " << seed;
    }
}

TEST(DelaunayProperty, HoldsOnLargeSets) {
    Points ring;  // a worst case for hulls: thousands of corners
    for (std::int32_t i = 1; i < 3000; ++i) {
        ring.push_back({i * 20000, static_cast<std::int32_t>(std::int64_t{i} * i * 50)});
    }
    for (const Points& points : {uniform_points(40000, -kMaxCoordinate, kMaxCoordinate, 1),
                                 uniform_points(40000, 0, 300, 2),
                                 spaced_points(200000, 200000, 1000, 3), shuffled(ring, 4)}) {
        const Delaunay d = general(points);
        ASSERT_EQ(check_delaunay(d, points), "");
    }
}

Points without(Points points, GridBox hole) {
    std::erase_if(points, [&](GridPoint p) { return hole.contains(p); });
    return points;
}

std::vector<std::pair<std::string, Points>> even_sets() {
    std::vector<std::pair<std::string, Points>> sets;
    const auto add = [&](std::string name, Points points) {
        sets.emplace_back(std::move(name), std::move(points));
    };
    const Points spaced = spaced_points(64000, 48000, 1000, 1, 2000);
    add("spaced", spaced);
    add("spaced, shuffled", shuffled(spaced, 2));
    add("spaced with a hole", without(spaced, {{20000, 20000}, {30000, 26000}}));
    add("spaced with a bay", without(spaced, {{30000, 10000}, {64000, 12000}}));
    add("spaced widely", spaced_points(1 << 29, 1 << 29, 1 << 23, 3, 500));
    add("spaced loosely", spaced_points(60000, 60000, 1000, 4, 5));
    add("square grid", lattice(60, 40, {-100, 300}, {100, 0}, {0, 100}));
    add("largest square grid",
        lattice(33, 33, {-kMaxCoordinate, -kMaxCoordinate}, {1 << 25, 0}, {0, 1 << 25}));
    add("smallest square grid", lattice(40, 40, {0, 0}, {1, 0}, {0, 1}));
    add("rotated grid", lattice(40, 40, {0, 0}, {30, 40}, {-40, 30}));
    add("sheared grid", lattice(40, 40, {0, 0}, {100, 1}, {50, 87}));
    add("hexagonal", [] {
        Points p;
        for (int j = 0; j < 40; ++j) {
            for (int i = 0; i < 40; ++i) p.push_back({i * 2000 + (j % 2) * 1000, j * 1732});
        }
        return p;
    }());
    for (const std::int32_t jitter : {1, 10, 45, 99}) {
        Points p = lattice(50, 50, {0, 0}, {200, 0}, {0, 200});
        Dice dice(static_cast<std::uint64_t>(jitter));
        for (GridPoint& q : p) q = q + dice.point(-jitter, jitter);
        add("jittered by " + std::to_string(jitter), p);
    }
    Points doubled = spaced;
    doubled.push_back(spaced[77]);
    add("one duplicate", doubled);
    add("long", spaced_points(400000, 2000, 1000, 6, 2000));
    add("uniform", uniform_points(3000, 0, 100000, 7));
    return sets;
}

TEST(DelaunayProperty, EvenSetsTakeTheLocalPath) {
    SerialExecutor executor;
    for (const auto& [name, points] : even_sets()) {
        const auto d = build_delaunay_local(points, executor);
        const bool even = name != "uniform" && name != "one duplicate" && name != "long" &&
                          name != "spaced loosely";
        EXPECT_EQ(d.ok(), even) << name;
        if (!d.ok()) {
            EXPECT_EQ(d.error().code, ErrorCode::unsupported) << name;
        }
    }
}

TEST(DelaunayProperty, LocalPathGivesTheBytesOfTheGeneralOne) {
    SerialExecutor executor;
    for (const auto& [name, points] : even_sets()) {
        const Delaunay expected = general(points);
        const auto d = build_delaunay(points, executor);
        ASSERT_TRUE(d.ok());
        EXPECT_EQ(check_delaunay(*d, points), "") << name;
        EXPECT_TRUE(d->point == expected.point) << name;
        EXPECT_TRUE(d->star_begin == expected.star_begin) << name;
        EXPECT_TRUE(d->head == expected.head) << name;
        EXPECT_TRUE(d->twin == expected.twin) << name;
        EXPECT_TRUE(d->on_hull == expected.on_hull) << name;
        EXPECT_TRUE(d->vertex_of_input == expected.vertex_of_input) << name;
        EXPECT_EQ(d->duplicate_count, expected.duplicate_count) << name;
        EXPECT_EQ(d->triangle_count, expected.triangle_count) << name;
    }
}

}  // namespace
}  // namespace tw::geometry
