#include "terraway/geometry/delaunay.hpp"

#include "terraway/core/thread_pool.hpp"

#include "support/delaunay_check.hpp"
#include "support/point_sets.hpp"
#include "support/real_data.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tw::geometry {
namespace {

using namespace tw::testing;

struct Case {
    std::string name;
    Points points;
};

std::vector<Case> cases() {
    constexpr std::int32_t kMax = kMaxCoordinate;
    Points doubled = uniform_points(300, -50, 50, 4);
    doubled.insert(doubled.end(), doubled.begin(), doubled.begin() + 150);
    Points hexagonal;
    for (int j = 0; j < 20; ++j) {
        for (int i = 0; i < 20; ++i) hexagonal.push_back({i * 2000 + (j % 2) * 1000, j * 1732});
    }
    Points circles = circle_points(3, {0, 0});
    const Points more = circle_points(3, {5000, 100});
    circles.insert(circles.end(), more.begin(), more.end());
    Points circle_and_centre = circle_points(100, {7, -9});
    circle_and_centre.push_back({7, -9});
    Points cross = lattice(100, 1, {-50, 0}, {1, 0}, {0, 1});
    const Points upright = lattice(1, 100, {3, -50}, {1, 0}, {0, 1});
    cross.insert(cross.end(), upright.begin(), upright.end());
    return {
        {"random", uniform_points(500, -1000000, 1000000, 1)},
        {"random_dense", uniform_points(600, -15, 15, 2)},
        {"full_range", uniform_points(400, -kMax, kMax, 3)},
        {"full_range_corners",
         {{-kMax, -kMax}, {kMax, -kMax}, {kMax, kMax}, {-kMax, kMax}, {0, 0}, {1, 0}, {kMax, 0}}},
        {"duplicates", doubled},
        {"square_grid", lattice(17, 23, {-100, -100}, {10, 0}, {0, 10})},
        {"full_range_grid", lattice(9, 9, {-kMax, -kMax}, {kMax / 4, 0}, {0, kMax / 4})},
        {"rotated_grid", lattice(20, 20, {0, 0}, {3, 4}, {-4, 3})},
        {"rotated_grid_steep", lattice(20, 20, {0, 0}, {12, -5}, {5, 12})},
        {"hexagonal", hexagonal},
        {"circle", circle_points(1, {0, 0})},
        {"large_circle", circle_points(kMax / 1200, {0, 0})},
        {"circle_and_centre", circle_and_centre},
        {"two_circles", circles},
        {"cross", cross},
        {"line_and_point",
         [] {
             Points p = lattice(50, 1, {0, 0}, {7, 3}, {0, 0});
             p.push_back({100, -500});
             return p;
         }()},
        {"thin", uniform_points(400, 0, 1 << 20, 8)},
        {"clusters",
         [] {
             Points p = uniform_points(200, 0, 20, 5);
             const Points far = translated(uniform_points(200, 0, 20, 6), {kMax - 20, -kMax});
             p.insert(p.end(), far.begin(), far.end());
             return p;
         }()},
        {"spaced", spaced_points(40000, 30000, 1000, 9)},
    };
}

class DelaunayCase : public ::testing::TestWithParam<Case> {};

TEST_P(DelaunayCase, IsTheDelaunayTriangulation) {
    const auto d = build_delaunay_general(GetParam().points);
    ASSERT_TRUE(d.ok());
    EXPECT_EQ(check_delaunay(*d, GetParam().points), "");
    EXPECT_EQ(check_empty_circles(*d), "");
}

TEST_P(DelaunayCase, DoesNotDependOnTheOrderOfInput) {
    const auto d = build_delaunay_general(GetParam().points);
    ASSERT_TRUE(d.ok());
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Points other = shuffled(GetParam().points, seed);
        const auto again = build_delaunay_general(other);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(check_delaunay(*again, other), "");
        EXPECT_EQ(triangles_of(*again), triangles_of(*d));
    }
}

TEST_P(DelaunayCase, AllPathsAndThreadsGiveTheSameBytes) {
    const auto general = build_delaunay_general(GetParam().points);
    ASSERT_TRUE(general.ok());
    SerialExecutor serial;
    ThreadPool pool(3);
    for (Executor* executor : {static_cast<Executor*>(&serial), static_cast<Executor*>(&pool)}) {
        const auto chosen = build_delaunay(GetParam().points, *executor);
        ASSERT_TRUE(chosen.ok());
        EXPECT_EQ(chosen->star_begin, general->star_begin);
        EXPECT_EQ(chosen->head, general->head);
        EXPECT_EQ(chosen->twin, general->twin);
        EXPECT_EQ(chosen->on_hull, general->on_hull);
        EXPECT_EQ(chosen->triangle_count, general->triangle_count);
        EXPECT_EQ(chosen->vertex_of_input, general->vertex_of_input);
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, DelaunayCase, ::testing::ValuesIn(cases()),
                         [](const auto& set) { return set.param.name; });

Delaunay must_build(const Points& points) {
    auto d = build_delaunay_general(points);
    EXPECT_TRUE(d.ok());
    EXPECT_EQ(check_delaunay(*d, points), "");
    return *std::move(d);
}

TEST(Delaunay, OfNothing) {
    const Delaunay d = must_build({});
    EXPECT_EQ(d.vertex_count(), 0u);
    EXPECT_EQ(d.star_begin, std::vector<std::uint32_t>{0});
}

TEST(Delaunay, OfOnePointIsAnEmptyStarOnTheHull) {
    const Delaunay d = must_build({{5, 5}, {5, 5}});
    EXPECT_EQ(d.vertex_count(), 1u);
    EXPECT_EQ(d.half_edge_count(), 0u);
    EXPECT_EQ(d.on_hull[0], 1);
    EXPECT_EQ(d.duplicate_count, 1u);
}

TEST(Delaunay, OfCollinearPointsIsAPath) {
    const Points line = lattice(40, 1, {0, 0}, {1, 0}, {0, 0});
    const Points upright = lattice(1, 40, {3, 0}, {0, 0}, {0, 5});
    const Points oblique = lattice(40, 1, {-60, 90}, {3, -7}, {0, 0});
    const Points wide = {
        {-kMaxCoordinate, -kMaxCoordinate}, {0, 0}, {kMaxCoordinate, kMaxCoordinate}};
    for (const Points& points : {line, upright, oblique, wide, Points{{1, 2}, {3, 4}}}) {
        const Delaunay d = must_build(shuffled(points, 1));
        EXPECT_EQ(d.triangle_count, 0u);
        EXPECT_EQ(check_path(d), "");
    }
}

TEST(Delaunay, OfCocircularPointsIsTheFanFromTheLeast) {
    for (const Points& points : {circle_points(1, {0, 0}), circle_points(1000, {-50, 60}),
                                 Points{{0, 0}, {10, 0}, {0, 10}, {10, 10}}}) {
        const Delaunay d = must_build(shuffled(points, 3));
        const GridPoint least = *std::min_element(points.begin(), points.end());
        EXPECT_EQ(d.triangle_count, points.size() - 2);
        for (const Triangle& t : triangles_of(d)) EXPECT_EQ(t[0], least);
    }
}

TEST(Delaunay, MovesWithItsPoints) {
    const Points points = uniform_points(300, -40, 40, 11);
    const Delaunay d = must_build(points);
    const Delaunay moved = must_build(translated(points, {1234567, -7654321}));
    EXPECT_EQ(moved.head, d.head);
    EXPECT_EQ(moved.twin, d.twin);
    EXPECT_EQ(moved.star_begin, d.star_begin);
}

TEST(Delaunay, RefusesPointsOffTheGrid) {
    const Points points = {{0, 0}, {kMaxCoordinate + 1, 0}};
    const auto d = build_delaunay_general(points);
    ASSERT_FALSE(d.ok());
    EXPECT_EQ(d.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(d.error().subject.text(), "#1");
}

TEST(Delaunay, OfHardRealPoints) {
    for (const char* name :
         {"robustness/delaunator_robustness2.json", "robustness/delaunator_ukraine.json"}) {
        const std::vector<double> numbers = numbers_in(data_file(name));
        if (numbers.empty()) GTEST_SKIP() << "no " << name << " in TERRAWAY_DATA";
        for (const double half_extent : {0x1p29, 0x1p12, 100.0}) {
            const Points points = scaled_to_grid(numbers, half_extent);
            const Delaunay d = must_build(points);
            EXPECT_EQ(check_empty_circles(d), "") << name;
        }
    }
}

}  // namespace
}  // namespace tw::geometry
