#include "terraway/ground/height_raster.hpp"

#include "terraway/core/thread_pool.hpp"
#include "terraway/geometry/raster.hpp"
#include "terraway/world/surface_scan.hpp"

#include "support/river_map.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tw::ground {
namespace {

using test::RiverMap;
using world::HeightRaster;

HeightRaster raster_of(const world::CanonicalSurface& surface, std::uint32_t longest,
                       unsigned threads = 1) {
    ThreadPool executor(threads);
    StageContext context(executor);
    auto raster = build_height_raster(surface, {.longest = longest}, context);
    EXPECT_TRUE(raster.ok());
    return std::move(raster).value();
}

GridPoint middle_of(const HeightRaster& raster, std::size_t index) {
    const auto columns = static_cast<std::size_t>(raster.columns);
    const auto column = static_cast<Steps>(index % columns);
    const auto row = static_cast<Steps>(index / columns);
    return {raster.origin.x + column * raster.pixel + raster.pixel / 2,
            raster.origin.y + (raster.rows - 1 - row) * raster.pixel + raster.pixel / 2};
}

std::size_t pixel_at(const HeightRaster& raster, double x, double y) {
    const auto square = [&](double at, std::int32_t from, std::int32_t count) {
        const auto index = static_cast<std::int32_t>(std::floor((at - from) / raster.pixel));
        return static_cast<std::size_t>(std::clamp(index, 0, count - 1));
    };
    const std::size_t column = square(x, raster.origin.x, raster.columns);
    const std::size_t row = square(y, raster.origin.y, raster.rows);
    return (static_cast<std::size_t>(raster.rows) - 1 - row) *
               static_cast<std::size_t>(raster.columns) +
           column;
}

/// Pixels in the order in which the segment is in them: cut at every line of the raster, in
/// doubles.
void trace_by_cuts(const HeightRaster& raster, GridPoint a, GridPoint b,
                   std::vector<std::size_t>& pixels) {
    std::vector<double> cut{0.0, 1.0};
    const auto add_cuts = [&](std::int32_t from, std::int32_t to, std::int32_t origin) {
        if (from == to) return;
        const std::int32_t low = std::min(from, to), high = std::max(from, to);
        for (std::int64_t line = (low - origin) / raster.pixel;; ++line) {
            const double at = origin + static_cast<double>(line) * raster.pixel;
            if (at > high) break;
            const double t = (at - from) / (to - from);
            if (t > 0 && t < 1) cut.push_back(t);
        }
    };
    add_cuts(a.x, b.x, raster.origin.x);
    add_cuts(a.y, b.y, raster.origin.y);
    std::sort(cut.begin(), cut.end());
    for (std::size_t i = 1; i < cut.size(); ++i) {
        if (cut[i] - cut[i - 1] < 1e-12) continue;
        const double t = (cut[i] + cut[i - 1]) / 2;
        pixels.push_back(pixel_at(raster, a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)));
    }
}

TEST(HeightRaster, EqualsTheSurfaceOffRivers) {
    const RiverMap world = test::river_map();
    const world::SurfaceQuery query(world.surface());
    const HeightRaster raster = raster_of(world.surface(), 301);
    std::set<std::size_t> river;
    for (const world::ReachId reach : world.rivers.reach_start.ids()) {
        const auto line = world::reach_line(world.map, world.drainage, world.rivers, reach);
        for (std::size_t i = 1; i < line.size(); ++i) {
            geometry::walk_segment(
                {raster.origin, raster.pixel, raster.columns, raster.rows}, line[i - 1].point,
                line[i].point, [&](std::int32_t x, std::int32_t y) {
                    river.insert(pixel_at(raster, raster.origin.x + (x + 0.5) * raster.pixel,
                                          raster.origin.y + (y + 0.5) * raster.pixel));
                });
        }
    }
    ASSERT_GT(river.size(), 1000u);
    for (const auto pixel : raster.height.ids()) {
        const Steps surface = query.height_at(middle_of(raster, pixel.index()));
        if (river.contains(pixel.index())) {
            ASSERT_LE(raster.height[pixel], surface);
        } else {
            ASSERT_EQ(raster.height[pixel], surface) << pixel.index();
        }
    }
}

TEST(HeightRaster, HeightsNeverRiseAlongAnyReach) {
    // Pixels far larger and far smaller than cells, so that lines cross pixels of other lines.
    for (const std::uint32_t longest : {16u, 40u, 233u, 1024u}) {
        const RiverMap world = test::river_map();
        const HeightRaster raster = raster_of(world.surface(), longest);
        for (const world::ReachId reach : world.rivers.reach_start.ids()) {
            const auto line = world::reach_line(world.map, world.drainage, world.rivers, reach);
            std::vector<std::size_t> pixels;
            for (std::size_t i = 1; i < line.size(); ++i) {
                trace_by_cuts(raster, line[i - 1].point, line[i].point, pixels);
            }
            for (std::size_t i = 1; i < pixels.size(); ++i) {
                ASSERT_LE(raster.height.span()[pixels[i]], raster.height.span()[pixels[i - 1]])
                    << longest << " reach " << reach.value();
            }
        }
    }
}

TEST(HeightRaster, CarvesNoMoreThanNeeded) {
    // The fixed point by its definition: lower along every reach until nothing changes.
    const RiverMap world = test::river_map();
    for (const std::uint32_t longest : {24u, 150u}) {
        const HeightRaster carved = raster_of(world.surface(), longest);
        const geometry::Raster squares{carved.origin, carved.pixel, carved.columns, carved.rows};
        std::vector<Steps> height(carved.height.size());
        world::SurfaceQuery query(world.surface());
        for (std::size_t i = 0; i < height.size(); ++i) {
            height[i] = query.height_at(middle_of(carved, i));
        }
        bool changed = true;
        while (changed) {
            changed = false;
            for (const world::ReachId reach : world.rivers.reach_start.ids()) {
                const auto line = world::reach_line(world.map, world.drainage, world.rivers, reach);
                Steps least = INT32_MAX;
                for (std::size_t i = 1; i < line.size(); ++i) {
                    geometry::walk_segment(
                        squares, line[i - 1].point, line[i].point,
                        [&](std::int32_t x, std::int32_t y) {
                            const auto column =
                                static_cast<std::size_t>(std::clamp(x, 0, carved.columns - 1));
                            const auto row = static_cast<std::size_t>(
                                carved.rows - 1 - std::clamp(y, 0, carved.rows - 1));
                            Steps& at =
                                height[row * static_cast<std::size_t>(carved.columns) + column];
                            least = std::min(least, at);
                            changed |= at != least;
                            at = least;
                        });
                }
            }
        }
        EXPECT_EQ(carved.height.values(), height);
    }
}

TEST(HeightRaster, APlaneStaysAPlane) {
    test::RiverMapOptions options;
    RiverMap world = test::river_map(options);
    // z = 3x − 2y + 7 at every vertex: exact at every middle, whatever triangle it lies in.
    const auto plane = [](GridPoint p) { return 3 * p.x - 2 * p.y + 7; };
    for (const auto cell : world.map.site.ids()) {
        world.drainage.elevation.edit(cell) = plane(world.map.site[cell]);
    }
    for (const auto corner : world.map.corner_point.ids()) {
        world.drainage.corner_elevation.edit(corner) = plane(world.map.corner_point[corner]);
    }
    const HeightRaster raster = raster_of(world.dry_surface(), 200);
    for (const auto pixel : raster.height.ids()) {
        ASSERT_EQ(raster.height[pixel], plane(middle_of(raster, pixel.index())));
    }
}

TEST(HeightRaster, ThreadsDontMatter) {
    const RiverMap world = test::river_map();
    EXPECT_EQ(raster_of(world.surface(), 500, 1).height, raster_of(world.surface(), 500, 5).height);
}

TEST(HeightRaster, RefusesWhatItCannotDo) {
    const RiverMap world = test::river_map();
    SerialExecutor executor;
    StageContext context(executor);
    const auto code_of = [&](std::uint32_t longest) {
        const auto raster = build_height_raster(world.surface(), {.longest = longest}, context);
        return raster.ok() ? std::string("ok") : std::string(to_string(raster.error().code));
    };
    EXPECT_EQ(code_of(15), to_string(ErrorCode::invalid_option));
    EXPECT_EQ(code_of(16'385), to_string(ErrorCode::invalid_option));
    EXPECT_EQ(code_of(16), "ok");
    context.memory_limit = 1000;
    EXPECT_EQ(code_of(1024), to_string(ErrorCode::too_large));
    context.memory_limit = kNoMemoryLimit;
    CancelFlag cancel;
    cancel.cancel();
    context.cancel = &cancel;
    EXPECT_EQ(code_of(16), to_string(ErrorCode::cancelled));
}

}  // namespace
}  // namespace tw::ground
