#include "terraway/world/placement.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tw::world {
namespace {

ImportedLines one_line(Frame frame, const std::vector<std::array<std::int64_t, 2>>& points,
                       double width = 6.0) {
    ImportedLines lines;
    lines.frame = frame;
    lines.label.push_back("w1");
    lines.attributes.push_back({.width = to_steps(width)});
    lines.point_begin = {0u, static_cast<std::uint32_t>(points.size())};
    for (const auto& [x, y] : points) {
        lines.x.push_back(x);
        lines.y.push_back(y);
        lines.node.push_back(ImportedLines::kNoNode);
    }
    return lines;
}
std::vector<GridPoint> projected(const ImportedLines& lines, const PlacementOptions& options = {}) {
    auto placement = place_world(options, nullptr, &lines);
    EXPECT_TRUE(placement.ok()) << to_string(placement.error());
    auto out = project_lines(lines, *placement);
    EXPECT_TRUE(out.ok()) << to_string(out.error());
    return out->point.values();
}

TEST(Placement, ADegreeIsAsLongAsOnTheEllipsoid) {
    // The published table of WGS 84, rounded to a metre: latitude, along the meridian, the
    // parallel.
    struct Row {
        double latitude, meridian, parallel;
    };
    for (const Row row :
         {Row{0, 110574, 111320}, Row{15, 110649, 107550}, Row{30, 110852, 96486},
          Row{45, 111132, 78847}, Row{60, 111412, 55800}, Row{-75, 111618, 28902}}) {
        const auto lat = static_cast<std::int64_t>(row.latitude * 1e7);
        const ImportedLines lines =
            one_line(Frame::geographic, {{70'000'000, lat - 500'000}, {71'000'000, lat + 500'000}});
        const auto placement = place_world({}, nullptr, &lines);
        ASSERT_TRUE(placement.ok());
        EXPECT_NEAR(placement->scale_y, row.meridian, 0.6) << row.latitude;
        EXPECT_NEAR(placement->scale_x, row.parallel, 0.6) << row.latitude;
    }
}

TEST(Placement, ToSourceUndoesTheProjection) {
    const ImportedLines lines =
        one_line(Frame::geographic, {{74'000'000, 437'000'000}, {74'300'000, 437'500'000}});
    const auto placement = place_world({}, nullptr, &lines);
    ASSERT_TRUE(placement.ok());
    const auto points = project_lines(lines, *placement);
    ASSERT_TRUE(points.ok());
    for (const RoadPointId p : points->point.ids()) {
        const Vec2d degrees = to_source(*placement, points->point[p]);
        // A step is about 10⁻⁸ degrees.
        EXPECT_NEAR(degrees.x, static_cast<double>(lines.x[LinePointId(p.value())]) * 1e-7, 1.2e-8);
        EXPECT_NEAR(degrees.y, static_cast<double>(lines.y[LinePointId(p.value())]) * 1e-7, 1.2e-8);
    }
}

TEST(Placement, RoadsAloneHaveAMarginAndTheWorldItsMiddleAtTheOrigin) {
    const ImportedLines lines = one_line(Frame::planar, {{0, 0}, {200 * 1024, 400 * 1024}});
    const auto placement = place_world({}, nullptr, &lines);
    ASSERT_TRUE(placement.ok());
    EXPECT_EQ(placement->bounds.width(), 300 * 1024);
    EXPECT_EQ(placement->bounds.height(), 500 * 1024);
    EXPECT_EQ(placement->bounds.lo, (GridPoint{-150 * 1024, -250 * 1024}));
    EXPECT_EQ(projected(lines),
              (std::vector<GridPoint>{{-100 * 1024, -200 * 1024}, {100 * 1024, 200 * 1024}}));
}

TEST(Placement, AFarOriginChangesNothing) {
    const std::vector<std::array<std::int64_t, 2>> shape{{0, 0}, {61441, 3}, {10669, 60507}};
    std::vector<std::array<std::int64_t, 2>> far = shape;
    for (auto& [x, y] : far) {
        x += 10'000'000LL * 1024 + 1;
        y -= 10'000'000LL * 1024 - 1;
    }
    EXPECT_EQ(projected(one_line(Frame::planar, shape)), projected(one_line(Frame::planar, far)));
}

TEST(Placement, FitsContainAndCrop) {
    const ImportedLines lines =
        one_line(Frame::planar, {{0, 0}, {1000 * 1024, 0}, {1000 * 1024, 500 * 1024}});
    const auto contain = projected(lines, {.size = {{2000.0, 2000.0}}, .fit = Fit::contain});
    EXPECT_EQ(contain.back(), (GridPoint{1000 * 1024, 500 * 1024})) << "scaled by 2";
    // Cropped to 1000 × 1000: scaled by 2, and what lies east of 500 m is cut away.
    const auto crop = projected(lines, {.size = {{1000.0, 1000.0}}, .fit = Fit::crop});
    EXPECT_EQ(crop,
              (std::vector<GridPoint>{{-500 * 1024, -500 * 1024}, {500 * 1024, -500 * 1024}}));
}

TEST(Placement, CutLinesBecomeNumberedParts) {
    // Out of the world on the east side and back again.
    const ImportedLines lines = one_line(
        Frame::planar, {{-100 * 1024, 0}, {900 * 1024, 100 * 1024}, {-100 * 1024, 200 * 1024}});
    const auto placement =
        place_world({.size = {{500.0, 500.0}}, .fit = Fit::crop}, nullptr, &lines);
    ASSERT_TRUE(placement.ok());
    const auto parts = project_lines(lines, *placement);
    ASSERT_TRUE(parts.ok());
    ASSERT_EQ(parts->label.size(), 2u);
    EXPECT_EQ(parts->label[RoadId(0)], "w1:1");
    EXPECT_EQ(parts->label[RoadId(1)], "w1:2");
    for (const GridPoint p : parts->point.span()) EXPECT_TRUE(placement->bounds.contains(p));
    EXPECT_EQ(parts->points(RoadId(0)).back().x, placement->bounds.hi.x);
    EXPECT_EQ(parts->attributes[RoadId(0)].width, 6 * 1024 * 5 / 2)
        << "the map is 2.5 times as large";
}

TEST(Placement, AnOriginFixesTheFrame) {
    constexpr std::int64_t kMetre = kStepsPerMetre;
    const std::vector<std::array<std::int64_t, 2>> shape{{-30 * kMetre, 7},
                                                         {70 * kMetre, 40 * kMetre}};
    const PlacementOptions options{.size = {{400.0, 300.0}}, .origin = {{0.0, 0.0}}};
    const std::vector<GridPoint> expected{{-30 * 1024, 7}, {70 * 1024, 40 * 1024}};
    EXPECT_EQ(projected(one_line(Frame::planar, shape), options), expected);
    // Another point moves nothing else.
    auto longer = shape;
    longer.push_back({200 * kMetre, -150 * kMetre});
    EXPECT_EQ(projected(one_line(Frame::planar, longer), options)[1], expected[1]);
    // 201 m east of the origin do not fit a width of 400 m; without one they would.
    longer.back() = {201 * kMetre, 0};
    const ImportedLines lines = one_line(Frame::planar, longer);
    EXPECT_FALSE(place_world(options, nullptr, &lines).ok());
    EXPECT_TRUE(place_world({.size = {{400.0, 300.0}}}, nullptr, &lines).ok());
    // Without a size the world reaches as far on the other side, and the margin.
    const auto alone = place_world({.origin = {{0.0, 0.0}}}, nullptr, &lines);
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ(alone->bounds.width(), 2 * (201 + 50) * kMetre);
    EXPECT_FALSE(place_world({.origin = {{2e8, 0.0}}}, nullptr, &lines).ok());
}

TEST(Placement, AnOriginInDegrees) {
    const ImportedLines lines =
        one_line(Frame::geographic, {{74'000'000, 437'000'000}, {74'300'000, 437'500'000}});
    const auto placement = place_world({.origin = {{7.41, 43.71}}}, nullptr, &lines);
    ASSERT_TRUE(placement.ok());
    const Vec2d middle = to_source(*placement, {0, 0});
    EXPECT_DOUBLE_EQ(middle.x, 7.41);
    EXPECT_DOUBLE_EQ(middle.y, 43.71);
    for (const GridPoint p : projected(lines, {.origin = {{7.41, 43.71}}})) {
        EXPECT_TRUE(placement->bounds.contains(p));
    }
}

TEST(Placement, NodesThatTieNothingAreDropped) {
    ImportedLines lines = one_line(Frame::planar, {{0, 0}, {1024, 9}, {2048, 0}, {4096, 0}});
    lines.label.push_back("w2");
    lines.attributes.push_back({.width = 1024});
    lines.point_begin.push_back(6u);
    for (const auto& [x, y] : {std::pair{2048, 0}, std::pair{2048, 4096}}) {
        lines.x.push_back(x);
        lines.y.push_back(y);
    }
    lines.node = {5u, 6u, 7u, 8u, 7u, 9u};
    const auto placement = place_world({}, nullptr, &lines);
    const auto out = project_lines(lines, *placement);
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(out->node.values(), (std::vector<std::uint64_t>{5, 0, 7, 8, 7, 9}));
}

TEST(Placement, WhatIsOnewayAgainstItsLineIsTurnedRound) {
    ImportedLines lines = one_line(Frame::planar, {{0, 0}, {1024, 512}, {4096, 0}});
    lines.node = {5u, 0u, 7u};
    const std::vector<GridPoint> along = projected(lines);
    lines.attributes.edit(LineId(0)).oneway = Oneway::against;
    const auto placement = place_world({}, nullptr, &lines);
    const auto out = project_lines(lines, *placement);
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(out->point.values(), (std::vector<GridPoint>{along[2], along[1], along[0]}));
    EXPECT_EQ(out->node.values(), (std::vector<std::uint64_t>{7, 0, 5}));
    EXPECT_EQ(out->attributes[RoadId(0)].oneway, Oneway::along);
}

TEST(Placement, RefusesWhatDoesNotFit) {
    const ImportedLines lines = one_line(Frame::planar, {{0, 0}, {1000 * 1024, 0}});
    const auto small = place_world({.size = {{500.0, 500.0}}}, nullptr, &lines);
    ASSERT_FALSE(small.ok());
    EXPECT_EQ(small.error().code, ErrorCode::invalid_input);
    EXPECT_NE(small.error().message.find("1000"), std::string::npos);
    EXPECT_NE(small.error().message.find("500"), std::string::npos);
    EXPECT_EQ(place_world({.size = {{50.0, 500.0}}}, nullptr, nullptr).error().code,
              ErrorCode::invalid_option);
    EXPECT_EQ(place_world({.size = {{500.0, 1048577.0}}}, nullptr, nullptr).error().code,
              ErrorCode::invalid_option);
    EXPECT_EQ(place_world({}, nullptr, nullptr).error().code, ErrorCode::invalid_option);
    const ImportedLines pole = one_line(Frame::geographic, {{0, 840'000'000}, {0, 860'000'000}});
    EXPECT_EQ(place_world({}, nullptr, &pole).error().code, ErrorCode::invalid_input);
    ImportedHeights heights{.frame = Frame::geographic,
                            .has_place = 1,
                            .columns = 2,
                            .rows = 2,
                            .pixel = 0.1,
                            .height = {}};
    EXPECT_EQ(place_world({}, &heights, &lines).error().code, ErrorCode::invalid_input);
}

TEST(Placement, ARasterGivesTheExtent) {
    const ImportedHeights heights{.has_place = 1,
                                  .columns = 240,
                                  .rows = 144,
                                  .pixel = 90.0,
                                  .west = 500000.0,
                                  .south = 4000000.0,
                                  .height = {}};
    const ImportedLines lines = one_line(
        Frame::planar, {{500000LL * 1024, 4000000LL * 1024}, {600000LL * 1024, 4000000LL * 1024}});
    const auto placement = place_world({}, &heights, &lines);
    ASSERT_TRUE(placement.ok());
    EXPECT_EQ(placement->bounds.width(), 21600 * 1024);
    EXPECT_EQ(placement->bounds.height(), 12960 * 1024);
    const Vec2d corner = to_source(*placement, placement->bounds.lo);
    EXPECT_DOUBLE_EQ(corner.x, 500000.0);
    EXPECT_DOUBLE_EQ(corner.y, 4000000.0);
    const ImportedHeights picture{.columns = 100, .rows = 50, .height = {}};
    const auto bare = place_world({.size = {}, .metres_per_pixel = 20.0}, &picture, nullptr);
    ASSERT_TRUE(bare.ok());
    EXPECT_EQ(bare->bounds.width(), 2000 * 1024);
}

// It has no metres of its own that true_scale could keep.
TEST(Placement, APictureCoversTheWorldUnlessItIsContained) {
    const ImportedHeights picture{.columns = 100, .rows = 50, .height = {}};
    for (const auto& [fit, in_bounds] :
         {std::pair{Fit::contain, Fit::contain}, std::pair{Fit::crop, Fit::crop},
          std::pair{Fit::true_scale, Fit::crop}}) {
        const auto placement =
            place_world({.size = {{900.0, 800.0}}, .fit = fit}, &picture, nullptr);
        ASSERT_TRUE(placement.ok()) << to_string(placement.error());
        EXPECT_EQ(placement->picture_fit, in_bounds);
        EXPECT_EQ(placement->bounds.width(), 900 * 1024);
        EXPECT_EQ(placement->bounds.height(), 800 * 1024);
    }
}

}  // namespace
}  // namespace tw::world
