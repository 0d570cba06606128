#include "terraway/terrain/relief.hpp"

#include "support/lattice_map.hpp"
#include "support/terrain_world.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using namespace world;
using testing::box_of_metres;
using testing::value_or_fail;

PolygonMap map_of(const GridBox& bounds, std::uint32_t cells) {
    SerialExecutor executor;
    StageContext context(executor);
    const SiteOptions options{.cells = cells};
    const Sites sites = value_or_fail(build_sites(bounds, options, Seed{2}, context));
    return value_or_fail(build_polygon_map(sites, bounds, options, context));
}

Result<Relief> try_relief(const PolygonMap& map, const ReliefOptions& options,
                          const ImportedHeights* heights = nullptr, Seed seed = Seed{4}) {
    SerialExecutor executor;
    StageContext context(executor);
    return build_relief(map, options, heights, {.bounds = map.bounds}, seed, context);
}
Relief relief_of(const PolygonMap& map, const ReliefOptions& options,
                 const ImportedHeights* heights = nullptr, Seed seed = Seed{4}) {
    Relief relief = value_or_fail(try_relief(map, options, heights, seed));
    const Status status = validate(map, relief);
    EXPECT_TRUE(status.ok()) << to_string(status.error());
    return relief;
}

double land_share(const PolygonMap& map, const Relief& relief) {
    double land = 0, whole = 0;
    for (const CellId cell : map.site.ids()) {
        const auto area = static_cast<double>(double_area(map, cell));
        whole += area;
        if (relief.water[cell] == Water::land) land += area;
    }
    return land / whole;
}

TEST(NoiseRelief, MeetsTheLandFraction) {
    const PolygonMap map = map_of(box_of_metres(3000, 2000), 3000);
    for (const Shape shape : {Shape::island, Shape::continent}) {
        for (const double fraction : {0.0, 0.05, 0.3, 0.5, 0.8}) {
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                const Relief relief = relief_of(map, {.shape = shape, .land_fraction = fraction},
                                                nullptr, Seed{seed});
                EXPECT_NEAR(land_share(map, relief), fraction, 0.01);
            }
        }
    }
}

TEST(NoiseRelief, ClosedBordersAreOcean) {
    const PolygonMap map = map_of(box_of_metres(2000, 2000), 1500);
    for (const Shape shape : {Shape::island, Shape::continent}) {
        const Relief relief = relief_of(map, {.shape = shape, .land_fraction = 1.0});
        std::size_t ocean = 0, at_border = 0;
        for (const CellId cell : map.site.ids()) {
            bool border = false;
            for (const SideId side : map.sides(cell)) border |= map.twin[side].is_none();
            if (border) {
                EXPECT_EQ(relief.water[cell], Water::ocean);
                ++at_border;
            }
            ocean += relief.water[cell] == Water::ocean ? 1 : 0;
        }
        EXPECT_EQ(ocean, at_border) << "all the land that there can be";
    }
}

TEST(NoiseRelief, ReachesTheWantedHeights) {
    const PolygonMap map = map_of(box_of_metres(2000, 2000), 1500);
    const Relief relief = relief_of(map, {.highest = 1234.0, .deepest = 321.0});
    const auto [low, high] =
        std::minmax_element(relief.elevation.span().begin(), relief.elevation.span().end());
    EXPECT_EQ(*high, to_steps(1234.0));
    EXPECT_EQ(*low, -to_steps(321.0));
}

TEST(NoiseRelief, APlainIsAllLand) {
    const PolygonMap map = map_of(box_of_metres(2000, 2000), 1500);
    const Relief relief = relief_of(map, {.shape = Shape::plain});
    EXPECT_EQ(land_share(map, relief), 1.0);
}

// The same world with four times the cells: nearly the same land.
TEST(NoiseRelief, IsTheSameWorldAtAnotherResolution) {
    const GridBox bounds = box_of_metres(20'000, 20'000);
    const PolygonMap coarse = map_of(bounds, 2500), fine = map_of(bounds, 10'000);
    const Relief a = relief_of(coarse, {}), b = relief_of(fine, {});
    std::size_t same = 0, probes = 0;
    for (const CellId cell : coarse.site.ids()) {
        CellId nearest(0);
        for (const CellId other : fine.site.ids()) {
            if (distance2(coarse.site[cell], fine.site[other]) <
                distance2(coarse.site[cell], fine.site[nearest])) {
                nearest = other;
            }
        }
        same += (a.water[cell] == Water::ocean) == (b.water[nearest] == Water::ocean) ? 1 : 0;
        ++probes;
    }
    EXPECT_GT(static_cast<double>(same), 0.96 * static_cast<double>(probes));
}

TEST(NoiseRelief, SeedsMakeDifferentWorlds) {
    const PolygonMap map = map_of(box_of_metres(2000, 2000), 1500);
    EXPECT_NE(hash_of(relief_of(map, {}, nullptr, Seed{1})),
              hash_of(relief_of(map, {}, nullptr, Seed{2})));
}

/// A raster over the bounds of `map` with pixels of `pixel` metres.
ImportedHeights raster_over(const GridBox& bounds, double pixel,
                            const std::vector<Steps>& heights) {
    ImportedHeights raster;
    raster.has_place = 1;
    raster.pixel = pixel;
    raster.west = to_metres(bounds.lo.x);
    raster.south = to_metres(bounds.lo.y);
    raster.columns = static_cast<std::int32_t>(to_metres(bounds.width()) / pixel + 0.5);
    raster.rows = static_cast<std::int32_t>(to_metres(bounds.height()) / pixel + 0.5);
    raster.height = IdArray<PixelTag, Steps>(heights);
    return raster;
}

/// A lattice of columns × rows cells, 16 m each.
PolygonMap squares(std::int32_t columns, std::int32_t rows) {
    return test::lattice_map({.columns = columns, .rows = rows, .side = 16 * kStepsPerMetre});
}

TEST(RasterRelief, TakesPixelsAtTheirMiddles) {
    const PolygonMap map = squares(3, 2);
    // Rows from the north: the second row of the raster is the map's first.
    const ImportedHeights raster = raster_over(map.bounds, 16.0, {40, 50, 60, 10, 20, 30});
    const Relief relief = relief_of(map, {.border = Border::open}, &raster);
    const Steps expected[] = {10, 20, 30, 40, 50, 60};
    for (const CellId cell : map.site.ids()) {
        EXPECT_EQ(relief.elevation[cell], expected[cell.index()]);
        EXPECT_EQ(relief.water[cell], Water::land);
    }
}

// A bilinear surface is reproduced at any place between the outermost middles.
TEST(RasterRelief, IsBilinearBetweenMiddles) {
    const PolygonMap map = map_of(box_of_metres(640, 640), 300);
    constexpr int kSide = 20;
    std::vector<Steps> heights;
    const auto surface = [](double x, double y) {  // x, y in metres from the south-west corner
        return 40'000.0 + 60.0 * x + 35.0 * y + 0.125 * x * y;
    };
    for (int row = kSide - 1; row >= 0; --row) {
        for (int column = 0; column < kSide; ++column) {
            heights.push_back(static_cast<Steps>(surface(32.0 * column + 16, 32.0 * row + 16)));
        }
    }
    const ImportedHeights raster = raster_over(map.bounds, 32.0, heights);
    const Relief relief = relief_of(map, {.border = Border::open}, &raster);
    std::size_t inside = 0;
    for (const CellId cell : map.site.ids()) {
        const double x = to_metres(map.site[cell].x) - raster.west;
        const double y = to_metres(map.site[cell].y) - raster.south;
        if (x < 16 || y < 16 || x > 624 || y > 624) continue;
        EXPECT_NEAR(relief.elevation[cell], surface(x, y), 1.01);
        ++inside;
    }
    EXPECT_GT(inside, 200u);
}

TEST(RasterRelief, VoidsTakeTheNearestData) {
    const PolygonMap map = squares(5, 1);
    constexpr Steps kVoid = ImportedHeights::kVoid;
    const ImportedHeights raster = raster_over(map.bounds, 16.0, {kVoid, 70, kVoid, kVoid, 90});
    const Relief relief = relief_of(map, {.border = Border::open}, &raster);
    const Steps expected[] = {70, 70, 70, 90, 90};
    for (const CellId cell : map.site.ids()) {
        EXPECT_EQ(relief.elevation[cell], expected[cell.index()]);
    }
}

TEST(RasterRelief, SeaReachesTheBorderAndLakesDoNot) {
    const PolygonMap map = squares(5, 5);
    constexpr Steps kMetre = kStepsPerMetre;
    const ImportedHeights raster = raster_over(
        map.bounds, 16.0, {9 * kMetre, 9 * kMetre, 9 * kMetre, 9 * kMetre, 9 * kMetre,  //
                           9 * kMetre, 9 * kMetre, 9 * kMetre, 2 * kMetre, 9 * kMetre,  //
                           4 * kMetre, 3 * kMetre, 9 * kMetre, 9 * kMetre, 9 * kMetre,  //
                           9 * kMetre, 9 * kMetre, 9 * kMetre, 9 * kMetre, 9 * kMetre,  //
                           9 * kMetre, 9 * kMetre, 9 * kMetre, 9 * kMetre, 9 * kMetre});
    const Relief relief = relief_of(map, {.vertical_scale = 2.0, .sea_level = 4.0}, &raster);
    EXPECT_EQ(relief.water[CellId(10)], Water::ocean);  // at the sea's level, on the border
    EXPECT_EQ(relief.elevation[CellId(10)], -1);
    EXPECT_EQ(relief.water[CellId(11)], Water::ocean);  // a metre below, beside it
    EXPECT_EQ(relief.elevation[CellId(11)], -2 * kMetre);
    EXPECT_EQ(relief.water[CellId(18)], Water::lake);  // two metres below, inland
    EXPECT_EQ(relief.elevation[CellId(18)], 1);
    EXPECT_EQ(relief.elevation[CellId(0)], 10 * kMetre);
}

// A picture without a place covers the world, cut evenly at both ends of its longer side.
TEST(RasterRelief, APictureWithoutAPlaceCoversTheWorld) {
    const PolygonMap map = squares(2, 2);
    ImportedHeights raster;
    raster.columns = 4;
    raster.rows = 2;
    raster.height = {900, 30, 40, 900, 900, 10, 20, 900};
    const Relief relief = relief_of(map, {.border = Border::open}, &raster);
    const Steps expected[] = {10, 20, 30, 40};
    for (const CellId cell : map.site.ids()) {
        EXPECT_EQ(relief.elevation[cell], expected[cell.index()]);
    }
}

// Contained, it keeps its columns; north and south of it the outermost pixels go on.
TEST(RasterRelief, AContainedPictureShowsAllOfItself) {
    const PolygonMap map = squares(4, 4);
    const ImportedHeights raster{
        .columns = 4, .rows = 2, .height = {50, 60, 70, 80, 10, 20, 30, 40}};
    SerialExecutor executor;
    StageContext context(executor);
    const Placement placement{.bounds = map.bounds, .picture_fit = Fit::contain};
    const Relief relief = value_or_fail(
        build_relief(map, {.border = Border::open}, &raster, placement, Seed{4}, context));
    const Steps expected[] = {10, 20, 30, 40, 10, 20, 30, 40, 50, 60, 70, 80, 50, 60, 70, 80};
    for (const CellId cell : map.site.ids()) {
        EXPECT_EQ(relief.elevation[cell], expected[cell.index()]);
    }
}

// A degree of longitude is shorter than one of latitude: the picture is not.
TEST(RasterRelief, APicturesPixelsAreSquareInMetresInAnyFrame) {
    const PolygonMap map = squares(2, 2);
    const ImportedHeights raster{
        .columns = 4, .rows = 2, .height = {900, 30, 40, 900, 900, 10, 20, 900}};
    SerialExecutor executor;
    StageContext context(executor);
    const Placement placement{.bounds = map.bounds,
                              .frame = Frame::geographic,
                              .middle_x = 7.4,
                              .middle_y = 60.0,
                              .scale_x = 55'800.0,
                              .scale_y = 111'412.0};
    const Relief relief = value_or_fail(
        build_relief(map, {.border = Border::open}, &raster, placement, Seed{4}, context));
    const Steps expected[] = {10, 20, 30, 40};
    for (const CellId cell : map.site.ids()) {
        EXPECT_EQ(relief.elevation[cell], expected[cell.index()]);
    }
}

TEST(RasterRelief, RefusesRastersWithoutUse) {
    const PolygonMap map = squares(2, 1);
    const auto code = [&](const ImportedHeights& raster, const ReliefOptions& options = {}) {
        const auto result = try_relief(map, options, &raster);
        return result.ok() ? std::string_view("built") : to_string(result.error().code);
    };
    constexpr Steps kVoid = ImportedHeights::kVoid;
    const auto invalid = to_string(ErrorCode::invalid_input);
    EXPECT_EQ(code(raster_over(map.bounds, 16.0, {5, 6})), "built");
    EXPECT_EQ(code(raster_over(map.bounds, 16.0, {kVoid, kVoid})), invalid);
    EXPECT_EQ(code(raster_over(map.bounds, 16.0, {5})), invalid);
    ImportedHeights away = raster_over(map.bounds, 16.0, {5, 6});
    away.west += 1e5;
    EXPECT_EQ(code(away), invalid);
    EXPECT_EQ(
        code(raster_over(map.bounds, 16.0, {5, 9000 * kStepsPerMetre}), {.vertical_scale = 100.0}),
        invalid);
}

TEST(Relief, RefusesOptionsOutOfRange) {
    const PolygonMap map = squares(2, 2);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::pair<ReliefOptions, const char*> cases[] = {
        {{.land_fraction = -0.1}, "land_fraction"},
        {{.land_fraction = nan}, "land_fraction"},
        {{.highest = 0.5}, "highest"},
        {{.highest = 9001}, "highest"},
        {{.deepest = 0}, "deepest"},
        {{.deepest = nan}, "deepest"},
        {{.wavelength = -5}, "wavelength"},
        {{.wavelength = nan}, "wavelength"},
        {{.octaves = 0}, "octaves"},
        {{.octaves = 13}, "octaves"},
        {{.gain = 0.95}, "gain"},
        {{.roughness = 1.5}, "roughness"},
        {{.vertical_scale = 0}, "vertical_scale"},
        {{.sea_level = 1e5}, "sea_level"},
    };
    for (const auto& [options, name] : cases) {
        const auto result = try_relief(map, options);
        ASSERT_FALSE(result.ok()) << name;
        EXPECT_EQ(result.error().code, ErrorCode::invalid_option);
        EXPECT_EQ(result.error().subject.text(), name);
        EXPECT_NE(result.error().message.find("out of range"), std::string::npos);
    }
}

}  // namespace
}  // namespace tw::terrain
