#include "terraway/navigation/cost_grid.hpp"

#include "terraway/core/thread_pool.hpp"

#include "support/river_map.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tw::navigation {
namespace {

using test::RiverMap;
using world::CostGrid;
using world::NavCellId;

constexpr std::uint64_t kCubicMetreASecond = 31'557'600'000;  ///< [litres a year]

CostGrid grid_of(const RiverMap& world, const CostOptions& options,
                 const world::StreetSurface* streets = nullptr, unsigned threads = 1) {
    ThreadPool executor(threads);
    StageContext context(executor);
    auto grid =
        build_cost_grid({.surface = world.surface(), .biomes = &world.biomes, .streets = streets},
                        options, context);
    EXPECT_TRUE(grid.ok());
    return std::move(grid).value();
}

GridPoint middle_of(const CostGrid& costs, NavCellId cell) {
    const auto column = static_cast<Steps>(cell.value()) % costs.grid.columns;
    const auto row = static_cast<Steps>(cell.value()) / costs.grid.columns;
    return {costs.grid.origin.x + column * costs.grid.cell + costs.grid.cell / 2,
            costs.grid.origin.y + row * costs.grid.cell + costs.grid.cell / 2};
}

/// A rectangle of street in the plane, one piece.
world::StreetSurface street(GridBox box, world::RoadForm form) {
    world::StreetSurface streets;
    streets.vertex = {box.lo, {box.hi.x, box.lo.y}, box.hi, {box.lo.x, box.hi.y}};
    streets.kind = {world::PieceKind::corridor};
    streets.form = {form};
    using Triangle = std::array<world::StreetVertexId, 3>;
    const auto v = [](std::uint32_t i) { return world::StreetVertexId(i); };
    streets.triangle_begin = {0u, 2u};
    streets.triangle = {Triangle{v(0), v(1), v(2)}, Triangle{v(0), v(2), v(3)}};
    return streets;
}

TEST(CostGrid, TheSeaBlocksAndLevelLandCostsByBiome) {
    RiverMap world = test::river_map();
    for (const auto cell : world.map.site.ids()) {
        if (world.relief.water[cell] == world::Water::land)
            world.drainage.elevation.edit(cell) = 100;
    }
    for (const auto corner : world.map.corner_point.ids()) {
        world.drainage.corner_elevation.edit(corner) = 100;
    }
    world.rivers = test::detail::no_rivers(world.map);
    const world::CellId jungle(5 * 24 + 5), lake(9 * 24 + 5);
    world.biomes.biome.edit(jungle) = world::Biome::tropical_rain_forest;
    world.drainage.water.edit(lake) = world::Water::lake;
    const CostGrid costs = grid_of(world, {.longest = 240});
    const world::SurfaceQuery query(world.surface());
    std::set<std::uint8_t> grass, forest;
    for (const NavCellId cell : costs.cost.ids()) {
        const world::CellId under = query.cell_at(middle_of(costs, cell));
        if (world.drainage.water[under] != world::Water::land) {
            ASSERT_EQ(costs.cost[cell], CostGrid::kBlocked);
        } else {
            (under == jungle ? forest : grass).insert(costs.cost[cell]);
        }
    }
    ASSERT_EQ(grass.size(), 1u);
    ASSERT_EQ(forest.size(), 1u);
    EXPECT_GT(*grass.begin(), 1) << "roads are cheaper";
    EXPECT_GT(*forest.begin(), *grass.begin());
}

TEST(CostGrid, SlopeMakesDearerAndThenBlocks) {
    RiverMap world = test::river_map();
    const auto cost_at_slope = [&](double slope) {
        const auto height = [&](GridPoint p) { return static_cast<Steps>(slope * p.x); };
        for (const auto cell : world.map.site.ids()) {
            world.drainage.elevation.edit(cell) = height(world.map.site[cell]);
        }
        for (const auto corner : world.map.corner_point.ids()) {
            world.drainage.corner_elevation.edit(corner) = height(world.map.corner_point[corner]);
        }
        world.rivers = test::detail::no_rivers(world.map);
        const CostGrid costs = grid_of(world, {.longest = 24, .steepest = 0.5});
        return costs.cost[NavCellId(24 * 8 + 10)];
    };
    const std::uint8_t level = cost_at_slope(0.0), gentle = cost_at_slope(0.1);
    const std::uint8_t steep = cost_at_slope(0.45), cliff = cost_at_slope(0.55);
    EXPECT_LT(level, gentle);
    EXPECT_LT(gentle, steep);
    EXPECT_LT(steep, CostGrid::kBlocked);
    EXPECT_EQ(cliff, CostGrid::kBlocked);
}

TEST(CostGrid, LargeRiversBlockWithoutGapsAndRoadsCrossThem) {
    RiverMap world = test::river_map();
    for (const auto cell : world.map.site.ids()) {
        world.drainage.discharge.edit(cell) = world.drainage.discharge[cell] * kCubicMetreASecond;
    }
    // Every river of three cells' rain and more blocks.
    const CostGrid blocked = grid_of(world, {.longest = 240, .steepest = 10, .ford_flow = 2.5});
    const CostGrid open = grid_of(world, {.longest = 240, .steepest = 10, .ford_flow = 1e6});
    const auto at = [&](const CostGrid& costs, GridPoint p) {
        const Steps column = (p.x - costs.grid.origin.x) / costs.grid.cell;
        const Steps row = (p.y - costs.grid.origin.y) / costs.grid.cell;
        return costs.cost[NavCellId(static_cast<std::uint32_t>(row * costs.grid.columns + column))];
    };
    const auto near_a_side = [](const CostGrid& costs, GridPoint p) {
        const auto near = [&](Steps offset) {
            const Steps within = offset % costs.grid.cell;
            return within < 2 || within > costs.grid.cell - 2;
        };
        return near(p.x - costs.grid.origin.x) || near(p.y - costs.grid.origin.y);
    };
    std::size_t tested = 0;
    for (const world::ReachId reach : world.rivers.reach_start.ids()) {
        const auto line = world::reach_line(world.map, world.drainage, world.rivers, reach);
        for (std::size_t i = 1; i < line.size(); ++i) {
            for (int k = 0; k <= 200; ++k) {
                const GridPoint a = line[i - 1].point, b = line[i].point;
                const GridPoint p{a.x + (b.x - a.x) * k / 200, a.y + (b.y - a.y) * k / 200};
                if (near_a_side(blocked, p)) continue;  // p was rounded: it may lie across
                ASSERT_EQ(at(blocked, p), CostGrid::kBlocked);
                tested += at(open, p) != CostGrid::kBlocked ? 1 : 0;
            }
        }
    }
    EXPECT_GT(tested, 10'000u) << "without the rivers these cells were open";

    // A bridge narrower than a cell, along a whole column: every square it touches costs 1.
    const GridBox box{{300'000, 1000}, {301'000, 600'000}};
    const auto bridge = street(box, world::RoadForm::bridge);
    const CostGrid bridged =
        grid_of(world, {.longest = 240, .steepest = 10, .ford_flow = 2.5}, &bridge);
    for (Steps y = box.lo.y; y <= box.hi.y; y += 500) {
        ASSERT_EQ(at(bridged, {300'000, y}), 1);
        ASSERT_EQ(at(bridged, {301'000, y}), 1);
    }
    const auto tunnel = street(box, world::RoadForm::tunnel);
    EXPECT_EQ(grid_of(world, {.longest = 240, .steepest = 10, .ford_flow = 2.5}, &tunnel).cost,
              blocked.cost);
}

TEST(CostGrid, ThreadsDontMatter) {
    const RiverMap world = test::river_map();
    EXPECT_EQ(grid_of(world, {.longest = 333}, nullptr, 1).cost,
              grid_of(world, {.longest = 333}, nullptr, 4).cost);
}

TEST(CostGrid, RefusesOptionsOutOfRange) {
    const RiverMap world = test::river_map();
    SerialExecutor executor;
    StageContext context(executor);
    for (const CostOptions& options :
         {CostOptions{.longest = 7}, CostOptions{.longest = 8193}, CostOptions{.steepest = 0.01},
          CostOptions{.steepest = 11.0}, CostOptions{.ford_flow = -1.0},
          CostOptions{.ford_flow = 2e6}}) {
        const auto grid = build_cost_grid({.surface = world.surface(), .biomes = &world.biomes},
                                          options, context);
        ASSERT_FALSE(grid.ok());
        EXPECT_EQ(grid.error().code, ErrorCode::invalid_option);
    }
}

}  // namespace
}  // namespace tw::navigation
