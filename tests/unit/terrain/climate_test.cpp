#include "terraway/terrain/climate.hpp"

#include "support/lattice_map.hpp"
#include "support/terrain_world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using namespace world;
using testing::value_or_fail;

constexpr Steps kSide = 64 * kStepsPerMetre;

struct Land {
    PolygonMap map;
    Relief relief;
    Drainage drainage;
    Rivers rivers;
};

/// A row of cells of 64 m, below zero ocean; without rivers.
Land row(const std::vector<Steps>& heights) {
    SerialExecutor executor;
    StageContext context(executor);
    Land land;
    land.map = test::lattice_map(
        {.columns = static_cast<std::int32_t>(heights.size()), .rows = 1, .side = kSide});
    for (const Steps h : heights) {
        land.relief.elevation.push_back(h);
        land.relief.water.push_back(h < 0 ? Water::ocean : Water::land);
    }
    land.drainage =
        value_or_fail(build_drainage(land.map, land.relief, Border::ocean, {}, context));
    land.rivers = value_or_fail(
        build_rivers(land.map, land.relief, land.drainage, {.min_flow = 1000.0}, context));
    return land;
}

Climate climate_of(const Land& land, const ClimateOptions& options) {
    SerialExecutor executor;
    StageContext context(executor);
    return value_or_fail(build_climate(land.map, land.relief, options, context));
}
Moisture moisture_of(const Land& land, const ClimateOptions& options) {
    SerialExecutor executor;
    StageContext context(executor);
    return value_or_fail(build_moisture(land.map, land.drainage, land.rivers,
                                        climate_of(land, options), options, context));
}

TEST(Climate, FallsToOneInEOverTheReach) {
    const Land land = row({-9, 1, 2, 3, 4, 5, 6, 7, 8});
    // Ten cells of 64 m a reach; the ground rises by single steps.
    const Climate climate = climate_of(land, {.reach = 640.0});
    for (std::uint32_t i = 1; i + 1 < 9; ++i) {
        const double here = climate.moisture[CellId(i)], next = climate.moisture[CellId(i + 1)];
        EXPECT_NEAR(next / here, std::exp(-0.1), 2e-4);
    }
    EXPECT_EQ(climate.moisture[CellId(0)], 65535);
}

TEST(Climate, IsDrierUphillAndBeyond) {
    const Climate flat = climate_of(row({-9, 1, 2, 3, 4}), {.reach = 640.0});
    const Climate ridge = climate_of(row({-9, 1, 90'000, 3, 4}), {.reach = 640.0});
    EXPECT_EQ(flat.moisture[CellId(1)], ridge.moisture[CellId(1)]);
    for (const std::uint32_t cell : {2u, 3u, 4u}) {
        EXPECT_LT(ridge.moisture[CellId(cell)], flat.moisture[CellId(cell)]);
    }
}

TEST(Climate, LakesAndRiversWetTheirBanks) {
    const Moisture dry = moisture_of(row({-9, 1, 2, 3, 4, 5, 6, 7}), {.reach = 128.0});
    Land with_lake = row({-9, 1, 2, 3, 4, 5, 6, 7});
    with_lake.drainage.water.edit(CellId(5)) = Water::lake;
    const Moisture lake = moisture_of(with_lake, {.reach = 128.0});
    EXPECT_EQ(lake.moisture[CellId(5)], 65535);
    EXPECT_GT(lake.moisture[CellId(6)], dry.moisture[CellId(6)]);
    EXPECT_GE(lake.moisture[CellId(1)], dry.moisture[CellId(1)]);

    Land with_river = row({-9, 1, 2, 3, 4, 5, 6, 7});
    SerialExecutor executor;
    StageContext context(executor);
    with_river.rivers = value_or_fail(
        build_rivers(with_river.map, with_river.relief, with_river.drainage, {}, context));
    const Moisture river = moisture_of(with_river, {.reach = 128.0});
    EXPECT_GT(river.moisture[CellId(7)], dry.moisture[CellId(7)]);
    // More from the larger part of the river, downstream.
    EXPECT_GT(river.moisture[CellId(2)], river.moisture[CellId(6)]);
}

TEST(Climate, WithoutAnyWaterIsDry) {
    const Climate climate = climate_of(row({5, 6, 7}), {});
    for (const CellId cell : climate.moisture.ids()) EXPECT_EQ(climate.moisture[cell], 0);
}

/// The biome of an inland cell at `celsius` with `moisture` of 0 … 1.
Biome biome_at(double celsius, double moisture) {
    SerialExecutor executor;
    StageContext context(executor);
    const Land land = row({-9, 5000, 10'240});
    Moisture climate;
    climate.moisture =
        IdArray<CellTag, std::uint16_t>(3, static_cast<std::uint16_t>(moisture * 65535.0));
    const Biomes biomes = value_or_fail(build_biomes(
        land.map, land.drainage, climate, {.temperature = celsius, .lapse = 0.0}, context));
    return biomes.biome[CellId(2)];
}

// Whittaker 1975: from cold to warm and from dry to wet.
TEST(Biomes, FollowWhittaker) {
    EXPECT_EQ(biome_at(-10, 0.9), Biome::snow);
    EXPECT_EQ(biome_at(-10, 0.05), Biome::snow);
    EXPECT_EQ(biome_at(2, 0.3), Biome::tundra);
    EXPECT_EQ(biome_at(2, 0.05), Biome::alpine_desert);
    EXPECT_EQ(biome_at(5, 0.9), Biome::taiga);
    EXPECT_EQ(biome_at(5, 0.3), Biome::shrubland);
    EXPECT_EQ(biome_at(12, 0.9), Biome::temperate_rain_forest);
    EXPECT_EQ(biome_at(12, 0.5), Biome::temperate_forest);
    EXPECT_EQ(biome_at(12, 0.25), Biome::grassland);
    EXPECT_EQ(biome_at(12, 0.05), Biome::temperate_desert);
    EXPECT_EQ(biome_at(26, 0.9), Biome::tropical_rain_forest);
    EXPECT_EQ(biome_at(26, 0.5), Biome::tropical_forest);
    EXPECT_EQ(biome_at(26, 0.05), Biome::subtropical_desert);
}

TEST(Biomes, CoolWithHeight) {
    SerialExecutor executor;
    StageContext context(executor);
    const Land land = row({-9, 100'000, to_steps(3000.0)});
    Moisture climate;
    climate.moisture = IdArray<CellTag, std::uint16_t>(3, 60'000);
    const Biomes biomes = value_or_fail(build_biomes(
        land.map, land.drainage, climate, {.temperature = 14, .lapse = 0.0065}, context));
    EXPECT_EQ(biomes.biome[CellId(0)], Biome::ocean);
    EXPECT_EQ(biomes.biome[CellId(1)], Biome::temperate_rain_forest);
    EXPECT_EQ(biomes.biome[CellId(2)], Biome::snow);  // 14 − 19.5 °C
}

// Summits are far from water, so dry: what lies above snow is snow all the same.
TEST(Biomes, NothingBareLiesAboveSnow) {
    SerialExecutor executor;
    StageContext context(executor);
    std::vector<Steps> heights{-9};
    for (int step = 1; step <= 40; ++step) heights.push_back(to_steps(100.0 * step));
    const Land land = row(heights);
    for (const double reach : {200.0, 2000.0, 20'000.0}) {
        const ClimateOptions options{.reach = reach};
        const Moisture climate = moisture_of(land, options);
        const Biomes biomes =
            value_or_fail(build_biomes(land.map, land.drainage, climate, options, context));
        bool snow = false;
        for (std::uint32_t cell = 1; cell <= 40; ++cell) {
            EXPECT_TRUE(!snow || biomes.biome[CellId(cell)] == Biome::snow) << reach << " " << cell;
            snow = biomes.biome[CellId(cell)] == Biome::snow;
        }
        EXPECT_TRUE(snow) << "the summit";
    }
}

TEST(Biomes, FlatCoastsAreBeachesAndCliffsAreNot) {
    SerialExecutor executor;
    StageContext context(executor);
    const auto coast = [&](Steps height) {
        const Land land = row({-9, height, 90'000});
        Moisture climate;
        climate.moisture = IdArray<CellTag, std::uint16_t>(3, 30'000);
        return value_or_fail(build_biomes(land.map, land.drainage, climate, {}, context))
            .biome[CellId(1)];
    };
    EXPECT_EQ(coast(to_steps(1.0)), Biome::beach);
    EXPECT_NE(coast(to_steps(20.0)), Biome::beach);
}

TEST(Climate, RefusesOptionsOutOfRange) {
    SerialExecutor executor;
    StageContext context(executor);
    const Land land = row({-9, 1, 2});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::pair<ClimateOptions, const char*> cases[] = {
        {{.reach = -1}, "reach"},
        {{.reach = nan}, "reach"},
        {{.temperature = 46}, "temperature"},
        {{.temperature = nan}, "temperature"},
        {{.lapse = -0.1}, "lapse"},
        {{.lapse = 0.2}, "lapse"},
    };
    for (const auto& [options, name] : cases) {
        const auto climate = build_climate(land.map, land.relief, options, context);
        ASSERT_FALSE(climate.ok()) << name;
        EXPECT_EQ(climate.error().subject.text(), name);
        EXPECT_FALSE(build_biomes(land.map, land.drainage, {}, options, context).ok());
    }
}

}  // namespace
}  // namespace tw::terrain
