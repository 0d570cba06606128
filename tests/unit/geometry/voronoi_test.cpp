#include "terraway/geometry/voronoi.hpp"

#include "terraway/core/thread_pool.hpp"

#include "support/point_sets.hpp"
#include "support/voronoi_check.hpp"

#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace tw::geometry {
namespace {

using namespace tw::testing;

struct Case {
    std::string name;
    Points sites;
    GridBox box;
    std::int32_t spacing;
};

GridBox box_around(const Points& points, std::int32_t margin) {
    GridBox box;
    for (const GridPoint p : points) box.include(p);
    return {{box.lo.x - margin, box.lo.y - margin}, {box.hi.x + margin, box.hi.y + margin}};
}

Case around(std::string name, const Points& sites, std::int32_t margin, std::int32_t spacing) {
    return {std::move(name), sites, box_around(sites, margin), spacing};
}

std::vector<Case> cases() {
    constexpr std::int32_t kMax = kMaxCoordinate;
    constexpr GridBox kWorld{{-kMax, -kMax}, {kMax, kMax}};
    const GridBox square{{0, 0}, {1000, 1000}};
    Points wheel = circle_points(50, {0, 0});
    wheel.push_back({0, 0});
    return {
        around("spaced", spaced_points(60000, 50000, 1024, 1), 32, 1024),
        around("spaced_tight", spaced_points(3000, 2000, 64, 2), 32, 64),
        around("spaced_wide", spaced_points(1 << 28, 1 << 28, 1 << 23, 3), 1 << 22, 1 << 23),
        {"sparse", spaced_points(60000, 60000, 64, 4, 1), {{-40, -40}, {60040, 60040}}, 64},
        around("square_grid", lattice(12, 9, {0, 0}, {256, 0}, {0, 256}), 128, 256),
        around("square_grid_odd", lattice(12, 9, {0, 0}, {257, 0}, {0, 257}), 100, 256),
        around("long_grid", lattice(3, 90, {0, 0}, {5000, 0}, {0, 100}), 50, 100),
        around("rotated_grid", lattice(9, 9, {0, 0}, {300, 400}, {-400, 300}), 64, 500),
        around(
            "near_grid",
            [] {
                Points p = lattice(20, 20, {0, 0}, {300, 0}, {0, 300});
                Dice dice(5);
                for (GridPoint& q : p) q = q + dice.point(-2, 2);
                return p;
            }(),
            40, 290),
        around("hexagonal", lattice(12, 9, {0, 0}, {1000, 0}, {500, 866}), 500, 900),
        around("circle", circle_points(50, {0, 0}), 1000, 64),
        around("circle_far_rectangle", circle_points(50, {0, 0}), 10000000, 64),
        around("wheel", wheel, 32, 64),
        {"one", {{300, 400}}, square, 64},
        {"two_level", {{300, 400}, {600, 400}}, square, 64},
        {"two_oblique", {{300, 400}, {500, 701}}, square, 64},
        {"bisector_through_corners", {{250, 750}, {750, 250}}, square, 64},
        {"three", {{200, 200}, {800, 300}, {400, 700}}, square, 64},
        // A circumcentre in the south-western corner, on the southern side, in the middle.
        {"centre_on_corner", {{300, 400}, {400, 300}, {480, 140}, {140, 480}}, square, 64},
        {"centre_on_side", {{200, 400}, {800, 400}, {100, 300}, {900, 300}}, square, 64},
        {"centre_in_middle", {{200, 200}, {800, 200}, {800, 800}, {200, 800}}, square, 64},
        around("line_level", lattice(20, 1, {0, 0}, {100, 0}, {0, 0}), 50, 100),
        around("line_upright", lattice(1, 20, {0, 0}, {0, 0}, {0, 100}), 50, 100),
        around("line_oblique", lattice(20, 1, {0, 0}, {300, 401}, {0, 0}), 50, 500),
        {"line_in_the_world", lattice(20, 1, {0, 0}, {12345, 6789}, {0, 0}), kWorld, 10000},
        {"few_in_the_world",
         {{-kMax + 32, -kMax + 32},
          {kMax - 32, kMax - 32},
          {kMax - 32, -kMax + 40},
          {0, 1},
          {70, 3}},
         kWorld,
         64},
        {"cluster_in_the_world", spaced_points(2000, 2000, 64, 6), kWorld, 64},
        {"random_in_the_world", spaced_points(1 << 29, 1 << 29, 1 << 24, 7), kWorld, 1 << 24},
    };
}

struct Built {
    Delaunay delaunay;
    VoronoiCells cells;
};
Built must_build(const Points& sites, const GridBox& box, std::int32_t spacing) {
    SerialExecutor serial;
    auto delaunay = build_delaunay_general(sites);
    EXPECT_TRUE(delaunay.ok());
    auto cells = build_voronoi(*delaunay, box, spacing, serial);
    if (!cells.ok()) {
        ADD_FAILURE() << to_string(cells.error());
        return {};
    }
    EXPECT_EQ(check_voronoi(*cells, *delaunay, box, spacing), "");
    return {*std::move(delaunay), *std::move(cells)};
}

/// The polygons by site, each from its least corner.
std::map<GridPoint, Points> polygons(const Built& built) {
    std::map<GridPoint, Points> result;
    const VoronoiView view{built.cells};
    for (std::uint32_t cell = 0; cell < view.cell_count(); ++cell) {
        Points polygon;
        for (auto s = built.cells.side_begin[cell]; s < built.cells.side_begin[cell + 1]; ++s) {
            polygon.push_back(view.start(s));
        }
        std::rotate(polygon.begin(), std::min_element(polygon.begin(), polygon.end()),
                    polygon.end());
        result[built.delaunay.point[cell]] = polygon;
    }
    return result;
}

double distance(GridPoint a, GridPoint b) {
    return std::sqrt(static_cast<double>(distance2(a, b)));
}
double slack(std::int32_t spacing) {
    return 4.0 * std::max(spacing / 256, kMinCornerGap) + 2.0;
}

class VoronoiCase : public ::testing::TestWithParam<Case> {};

TEST_P(VoronoiCase, TilesTheRectangle) {
    const auto& [name, sites, box, spacing] = GetParam();
    const Built built = must_build(sites, box, spacing);
    const Built moved = must_build(shuffled(sites, 1), box, spacing);
    EXPECT_EQ(polygons(moved), polygons(built));
}

TEST_P(VoronoiCase, APointLiesInTheCellOfItsNearestSite) {
    const auto& [name, sites, box, spacing] = GetParam();
    const Built built = must_build(sites, box, spacing);
    Dice dice(7);
    for (int i = 0; i < 300; ++i) {
        const GridPoint p{dice.between(box.lo.x, box.hi.x), dice.between(box.lo.y, box.hi.y)};
        double nearest = 1e300, containing = 1e300;
        for (std::uint32_t cell = 0; cell < sites.size(); ++cell) {
            const double to_site = distance(built.delaunay.point[cell], p);
            nearest = std::min(nearest, to_site);
            if (cell_contains(built.cells, cell, built.delaunay.point[cell], p)) {
                containing = std::min(containing, to_site);
            }
        }
        ASSERT_LE(containing, nearest + slack(spacing)) << p.x << ' ' << p.y;
    }
}

TEST_P(VoronoiCase, ACornerIsAsFarFromEachOfItsSites) {
    const auto& [name, sites, box, spacing] = GetParam();
    const Built built = must_build(sites, box, spacing);
    std::vector<double> least(built.cells.corner_point.size(), 1e300);
    std::vector<double> most(built.cells.corner_point.size(), 0.0);
    for (std::uint32_t s = 0; s < built.cells.corner.size(); ++s) {
        const std::uint32_t c = built.cells.corner[s];
        const double d = distance(built.cells.corner_point[c],
                                  built.delaunay.point[built.cells.cell_of_side[s]]);
        least[c] = std::min(least[c], d);
        most[c] = std::max(most[c], d);
    }
    for (std::uint32_t c = 0; c < least.size(); ++c) {
        ASSERT_LE(most[c], least[c] + slack(spacing));
    }
}

TEST_P(VoronoiCase, DoesNotDependOnThreads) {
    const auto& [name, sites, box, spacing] = GetParam();
    const Built built = must_build(sites, box, spacing);
    ThreadPool pool(3);
    const auto again = build_voronoi(built.delaunay, box, spacing, pool);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->corner, built.cells.corner);
    EXPECT_EQ(again->twin, built.cells.twin);
    EXPECT_EQ(again->corner_point, built.cells.corner_point);
}

INSTANTIATE_TEST_SUITE_P(Sets, VoronoiCase, ::testing::ValuesIn(cases()),
                         [](const auto& set) { return set.param.name; });

TEST(Voronoi, OfOneSiteIsTheRectangle) {
    const Built built = must_build({{300, 400}}, {{0, 0}, {1000, 900}}, 64);
    EXPECT_EQ(built.cells.corner_point, (Points{{0, 0}, {1000, 0}, {1000, 900}, {0, 900}}));
}

TEST(Voronoi, OfASquareGridHasSharedCorners) {
    const Points sites = lattice(4, 3, {50, 50}, {100, 0}, {0, 100});
    const Built built = must_build(sites, {{0, 0}, {400, 300}}, 100);
    // The corners are the lattice's own: 5 × 4, of which 2 · 3 inner ones merged in pairs.
    EXPECT_EQ(built.cells.corner_point.size(), 20u);
    EXPECT_EQ(built.cells.merged_corners, 6u);
    for (std::uint32_t cell = 0; cell < sites.size(); ++cell) {
        const GridPoint s = built.delaunay.point[cell];
        EXPECT_EQ(polygons(built)[s], (Points{{s.x - 50, s.y - 50},
                                              {s.x + 50, s.y - 50},
                                              {s.x + 50, s.y + 50},
                                              {s.x - 50, s.y + 50}}));
    }
}

TEST(Voronoi, CornersRoundHalvesUp) {
    // Circumcentre (100.5, 99.5) inside, crossings at 100.5.
    const Built built = must_build({{50, 49}, {151, 49}, {151, 150}}, {{0, 0}, {201, 200}}, 64);
    EXPECT_NE(std::find(built.cells.corner_point.begin(), built.cells.corner_point.end(),
                        GridPoint{101, 100}),
              built.cells.corner_point.end());
    EXPECT_NE(std::find(built.cells.corner_point.begin(), built.cells.corner_point.end(),
                        GridPoint{101, 0}),
              built.cells.corner_point.end());
}

TEST(Voronoi, MovesWithItsSites) {
    const Points sites = spaced_points(20000, 20000, 512, 3);
    const GridBox box{{-64, -64}, {20064, 20064}};
    const GridPoint by{-77777777, 123456789};
    const Built built = must_build(sites, box, 512);
    const Built moved = must_build(translated(sites, by), {box.lo + by, box.hi + by}, 512);
    EXPECT_EQ(moved.cells.corner, built.cells.corner);
    EXPECT_EQ(moved.cells.twin, built.cells.twin);
    EXPECT_EQ(moved.cells.corner_point, translated(built.cells.corner_point, by));
}

ErrorCode error_of(const Points& sites, const GridBox& box, std::int32_t spacing) {
    SerialExecutor serial;
    const auto delaunay = build_delaunay_general(sites);
    EXPECT_TRUE(delaunay.ok());
    const auto cells = build_voronoi(*delaunay, box, spacing, serial);
    EXPECT_FALSE(cells.ok());
    return cells.ok() ? ErrorCode::check_failed : cells.error().code;
}

TEST(Voronoi, RefusesWhatItCannotPromise) {
    const GridBox box{{0, 0}, {1000, 1000}};
    const Points good = {{300, 400}, {600, 400}};
    EXPECT_EQ(error_of(good, box, 63), ErrorCode::invalid_option);
    EXPECT_EQ(error_of(good, {{0, 0}, {-1, 5}}, 64), ErrorCode::invalid_option);
    EXPECT_EQ(error_of(good, {{0, 0}, {kMaxCoordinate + 1, 1000}}, 64), ErrorCode::invalid_option);
    EXPECT_EQ(error_of(good, box, 2000), ErrorCode::invalid_option);
    EXPECT_EQ(error_of(good, box, 301), ErrorCode::invalid_input);
    EXPECT_EQ(error_of({{31, 400}}, box, 64), ErrorCode::invalid_input);
    EXPECT_EQ(error_of({{500, 1100}}, box, 64), ErrorCode::invalid_input);
    EXPECT_EQ(error_of({}, box, 64), ErrorCode::invalid_input);
}

}  // namespace
}  // namespace tw::geometry
