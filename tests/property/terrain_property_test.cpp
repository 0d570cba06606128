// What must hold for terrain of any seed.

#include "terraway/core/thread_pool.hpp"

#include "support/terrain_world.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tw {
namespace {

using namespace world;
using namespace terrain;
using testing::build_terrain;
using testing::TerrainOptions;
using testing::TerrainWorld;

constexpr std::uint64_t kSeeds = 30;

/// Worlds that differ in more than their seed.
TerrainOptions options_of(std::uint64_t seed) {
    TerrainOptions options;
    options.bounds =
        testing::box_of_metres(seed % 3 == 0 ? 9000 : 2500, seed % 2 == 0 ? 2500 : 1700);
    options.sites.cells = seed % 5 == 0 ? 300 : 1500;
    options.sites.lloyd_rounds = static_cast<std::uint32_t>(seed % 4);
    options.relief.shape = seed % 3 == 1 ? Shape::continent : Shape::island;
    options.relief.border = seed % 4 == 1 ? Border::open : Border::ocean;
    options.relief.land_fraction = 0.3 + 0.05 * static_cast<double>(seed % 7);
    options.drainage.depressions = seed % 2 == 0 ? Depressions::fill : Depressions::carve;
    return options;
}

class TerrainProperty : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(TerrainProperty, EveryGuaranteeHolds) {
    const TerrainOptions options = options_of(GetParam());
    const TerrainWorld w = build_terrain(options, Seed{GetParam()});
    for (const Status& status :
         {validate(w.map), validate(w.map, w.relief), validate(w.map, w.relief, w.drainage),
          validate(w.map, w.drainage, w.rivers)}) {
        EXPECT_TRUE(status.ok()) << to_string(status.error());
    }
}

TEST_P(TerrainProperty, LandHasItsShareOfTheArea) {
    const TerrainOptions options = options_of(GetParam());
    const TerrainWorld w = build_terrain(options, Seed{GetParam()});
    double land = 0, whole = 0;
    for (const CellId cell : w.map.site.ids()) {
        const auto area = static_cast<double>(double_area(w.map, cell));
        whole += area;
        land += w.relief.water[cell] == Water::land ? area : 0;
    }
    EXPECT_NEAR(land / whole, options.relief.land_fraction, 0.01);
}

TEST_P(TerrainProperty, AllRainArrives) {
    const TerrainOptions options = options_of(GetParam());
    const TerrainWorld w = build_terrain(options, Seed{GetParam()});
    // 0.8 m a year on the land's area, against what leaves over coasts and borders.
    double rain = 0, arrived = 0;
    for (const CellId cell : w.map.site.ids()) {
        if (w.relief.water[cell] == Water::ocean) continue;
        rain += static_cast<double>(double_area(w.map, cell)) / 2 / (1024.0 * 1024.0) * 800.0;
        const CellId below = w.map.neighbour(w.drainage.downhill[cell]);
        if (!below || w.relief.water[below] == Water::ocean) {
            arrived += static_cast<double>(w.drainage.discharge[cell]);
        }
    }
    EXPECT_NEAR(arrived, rain, static_cast<double>(w.map.cell_count()));  // a litre a cell
}

TEST_P(TerrainProperty, RiversNeverRiseAndReachTheirMouths) {
    const TerrainWorld w = build_terrain(options_of(GetParam()), Seed{GetParam()});
    for (const ReachId reach : w.rivers.reach_start.ids()) {
        const std::vector<RiverNode> line = reach_line(w.map, w.drainage, w.rivers, reach);
        ASSERT_GE(line.size(), 2u);
        for (std::size_t i = 1; i < line.size(); ++i) {
            EXPECT_LE(line[i].elevation, line[i - 1].elevation);
        }
        const ReachId next = w.rivers.reach_next[reach];
        if (next) {
            EXPECT_EQ(line.back().point, w.map.site[w.rivers.reach_start[next]]);
            EXPECT_GE(w.rivers.reach_order[next], w.rivers.reach_order[reach]);
            EXPECT_GT(w.rivers.reach_discharge[next], w.rivers.reach_discharge[reach]);
        }
    }
}

TEST_P(TerrainProperty, FillingOnlyRaisesAndCarvingOnlyLowers) {
    TerrainOptions options = options_of(GetParam());
    options.drainage.depressions = Depressions::fill;
    const TerrainWorld filled = build_terrain(options, Seed{GetParam()});
    options.drainage.depressions = Depressions::carve;
    const TerrainWorld carved = build_terrain(options, Seed{GetParam()});
    ASSERT_EQ(hash_of(filled.relief), hash_of(carved.relief));
    for (const CellId cell : filled.map.site.ids()) {
        EXPECT_GE(filled.drainage.elevation[cell], filled.relief.elevation[cell]);
        EXPECT_LE(carved.drainage.elevation[cell], carved.relief.elevation[cell]);
        if (filled.relief.water[cell] == Water::ocean) continue;
        // Filled ground falls strictly on the way.
        const CellId below = filled.map.neighbour(filled.drainage.downhill[cell]);
        if (below) {
            EXPECT_LT(filled.drainage.elevation[below], filled.drainage.elevation[cell]);
        }
    }
}

TEST_P(TerrainProperty, ThreadsChangeNothing) {
    const TerrainOptions options = options_of(GetParam());
    const std::uint64_t serial = hash_of(build_terrain(options, Seed{GetParam()}));
    for (const unsigned threads : {2u, 5u}) {
        ThreadPool pool(threads);
        EXPECT_EQ(hash_of(build_terrain(options, Seed{GetParam()}, pool)), serial) << threads;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TerrainProperty, ::testing::Range<std::uint64_t>(1, kSeeds + 1));

}  // namespace
}  // namespace tw
