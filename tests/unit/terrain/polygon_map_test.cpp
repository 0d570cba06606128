// build_polygon_map: the sites' cells after Lloyd's rounds.

#include "terraway/terrain/sites.hpp"

#include "support/point_sets.hpp"
#include "support/terrain_world.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using testing::box_of_metres;
using testing::value_or_fail;
using world::CellId;
using world::PolygonMap;
using world::SideId;

PolygonMap map_of(const Sites& sites, const GridBox& bounds, std::uint32_t rounds) {
    SerialExecutor executor;
    StageContext context(executor);
    return value_or_fail(build_polygon_map(sites, bounds, {.lloyd_rounds = rounds}, context));
}
Sites sites_of(const GridBox& bounds, std::uint32_t cells) {
    SerialExecutor executor;
    StageContext context(executor);
    return value_or_fail(build_sites(bounds, {.cells = cells}, Seed{3}, context));
}

/// The centroid of a cell in long doubles from the shoelace formula, in steps.
std::pair<long double, long double> centroid(const PolygonMap& map, CellId cell) {
    long double area = 0, x = 0, y = 0;
    for (const SideId side : map.sides(cell)) {
        const GridPoint a = map.corner_point[map.corner[side]];
        const GridPoint b = map.corner_point[map.end_corner(side)];
        const long double cross =
            static_cast<long double>(a.x) * b.y - static_cast<long double>(a.y) * b.x;
        area += cross;
        x += cross * (static_cast<long double>(a.x) + b.x);
        y += cross * (static_cast<long double>(a.y) + b.y);
    }
    return {x / (3 * area), y / (3 * area)};
}

TEST(BuildPolygonMap, WithoutRoundsKeepsTheSites) {
    const GridBox bounds = box_of_metres(900, 500);
    const Sites sites = sites_of(bounds, 800);
    const PolygonMap map = map_of(sites, bounds, 0);
    EXPECT_EQ(map.site.values(), sites.point);
    EXPECT_GE(map.spacing, sites.spacing);
    const Status status = validate(map);
    EXPECT_TRUE(status.ok()) << to_string(status.error());
}

TEST(BuildPolygonMap, ARoundMovesSitesToTheTrueCentroids) {
    const GridBox bounds = box_of_metres(900, 500);
    const Sites sites = sites_of(bounds, 800);
    const PolygonMap before = map_of(sites, bounds, 0), after = map_of(sites, bounds, 1);
    ASSERT_EQ(before.cell_count(), after.cell_count());
    for (const CellId cell : before.site.ids()) {
        const auto [x, y] = centroid(before, cell);
        EXPECT_LE(std::abs(after.site[cell].x - x), 0.501L);
        EXPECT_LE(std::abs(after.site[cell].y - y), 0.501L);
    }
}

TEST(BuildPolygonMap, RoundsKeepSitesApart) {
    for (const Steps metres : {60, 20'000, 1'000'000}) {
        const GridBox bounds = box_of_metres(metres, metres);
        const Sites sites = sites_of(bounds, 1000);
        for (const std::uint32_t rounds : {1u, 2u, 5u, 16u}) {
            const PolygonMap map = map_of(sites, bounds, rounds);
            EXPECT_GE(2 * map.spacing, sites.spacing);
            EXPECT_EQ(map.cell_count(), sites.point.size());
            const Status status = validate(map);
            EXPECT_TRUE(status.ok()) << to_string(status.error());
        }
    }
}

// The spacing is the largest that is true: by brute force over pairs and over distances to the
// border.
TEST(BuildPolygonMap, SpacingIsExact) {
    const GridBox bounds = box_of_metres(300, 300);
    const PolygonMap map = map_of(sites_of(bounds, 300), bounds, 3);
    std::int64_t least2 = INT64_MAX, margin = INT64_MAX;
    for (const CellId a : map.site.ids()) {
        const GridPoint p = map.site[a];
        margin = std::min<std::int64_t>(
            {margin, p.x - bounds.lo.x, bounds.hi.x - p.x, p.y - bounds.lo.y, bounds.hi.y - p.y});
        for (const CellId b : map.site.ids()) {
            if (a < b) least2 = std::min(least2, distance2(p, map.site[b]));
        }
    }
    const std::int64_t s = map.spacing;
    EXPECT_LE(s * s, least2);
    EXPECT_LE(s, 2 * margin);
    EXPECT_TRUE((s + 1) * (s + 1) > least2 || s + 1 > 2 * margin);
}

// Rounds make cells rounder: the mean squared distance of corners to sites falls.
TEST(BuildPolygonMap, RoundsEvenTheCells) {
    const GridBox bounds = box_of_metres(900, 900);
    const Sites sites = sites_of(bounds, 1500);
    const auto spread = [&](std::uint32_t rounds) {
        const PolygonMap map = map_of(sites, bounds, rounds);
        double sum = 0;
        for (const SideId side : map.corner.ids()) {
            sum += static_cast<double>(
                distance2(map.site[map.cell_of_side[side]], map.corner_point[map.corner[side]]));
        }
        return sum / static_cast<double>(map.side_count());
    };
    const double none = spread(0), one = spread(1), four = spread(4);
    EXPECT_LT(one, none);
    EXPECT_LT(four, one);
}

TEST(BuildPolygonMap, RefusesWhatCannotBe) {
    const GridBox bounds = box_of_metres(100, 100);
    SerialExecutor executor;
    StageContext context(executor);
    const auto code = [&](const Sites& sites, std::uint32_t rounds) {
        const auto result = build_polygon_map(sites, bounds, {.lloyd_rounds = rounds}, context);
        return result.ok() ? std::string_view("built") : to_string(result.error().code);
    };
    const Sites good{.spacing = 20'000, .point = {{-20'000, 0}, {20'000, 0}}};
    EXPECT_EQ(code(good, 1), "built");
    EXPECT_EQ(code(good, 17), to_string(ErrorCode::invalid_option));
    EXPECT_EQ(code({.spacing = 64, .point = {}}, 0), to_string(ErrorCode::invalid_input));
    EXPECT_EQ(code({.spacing = 64, .point = {{5, 5}, {5, 5}}}, 0),
              to_string(ErrorCode::invalid_input));
    context.memory_limit = 10;
    EXPECT_EQ(code(good, 1), to_string(ErrorCode::too_large));
    context.memory_limit = kNoMemoryLimit;
    CancelFlag cancel;
    cancel.cancel();
    context.cancel = &cancel;
    EXPECT_EQ(code(good, 1), to_string(ErrorCode::cancelled));
}

}  // namespace
}  // namespace tw::terrain
