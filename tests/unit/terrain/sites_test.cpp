#include "terraway/terrain/sites.hpp"

#include "terraway/core/thread_pool.hpp"

#include "support/terrain_world.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using testing::box_of_metres;
using testing::value_or_fail;

Sites sites_of(const GridBox& bounds, std::uint32_t cells, std::uint64_t seed = 1) {
    SerialExecutor executor;
    StageContext context(executor);
    return value_or_fail(build_sites(bounds, {.cells = cells}, Seed{seed}, context));
}

std::int64_t least_distance2(const std::vector<GridPoint>& points) {
    std::int64_t least = INT64_MAX;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            least = std::min(least, distance2(points[i], points[j]));
    }
    return least;
}

TEST(Sites, KeepTheirDistanceAndStayInside) {
    // Places are whole units of a power of two here (20 km) and single steps there (60 m).
    for (const Steps metres : {60, 700, 20'000, 900'000}) {
        const GridBox bounds = box_of_metres(metres, metres / 2);
        const Sites sites = sites_of(bounds, 1500);
        EXPECT_GE(least_distance2(sites.point), std::int64_t{sites.spacing} * sites.spacing);
        for (const GridPoint p : sites.point) {
            EXPECT_GE(2 * (p.x - bounds.lo.x), sites.spacing);
            EXPECT_GE(2 * (bounds.hi.x - p.x), sites.spacing);
            EXPECT_GE(2 * (p.y - bounds.lo.y), sites.spacing);
            EXPECT_GE(2 * (bounds.hi.y - p.y), sites.spacing);
        }
    }
}

// Maximal: no place is left for another site. Places lie a 4096th of the spacing apart at most.
TEST(Sites, LeaveNoGap) {
    for (const Steps metres : {60, 20'000}) {
        const GridBox bounds = box_of_metres(metres, metres);
        const Sites sites = sites_of(bounds, 400);
        const double reach = sites.spacing * (1.0 + 1.0 / 4096);
        const Steps margin = (sites.spacing + 1) / 2;
        constexpr int kProbes = 700;
        for (int i = 0; i <= kProbes; ++i) {
            for (int k = 0; k <= kProbes; ++k) {
                const auto along = [&](Steps lo, Steps hi, int at) {
                    return static_cast<Steps>(lo + margin +
                                              (std::int64_t{hi} - lo - 2 * margin) * at / kProbes);
                };
                const GridPoint probe{along(bounds.lo.x, bounds.hi.x, i),
                                      along(bounds.lo.y, bounds.hi.y, k)};
                std::int64_t nearest = INT64_MAX;
                for (const GridPoint p : sites.point)
                    nearest = std::min(nearest, distance2(p, probe));
                ASSERT_LE(static_cast<double>(nearest), reach * reach) << probe.x << ' ' << probe.y;
            }
        }
    }
}

TEST(Sites, ComeInTheWantedNumber) {
    const std::uint32_t wanted[] = {1000, 2500, 10'000, 40'000};
    for (const std::uint32_t cells : wanted) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const auto square = sites_of(box_of_metres(5000, 5000), cells, seed).point.size();
            const auto oblong = sites_of(box_of_metres(20'000, 2000), cells, seed).point.size();
            EXPECT_NEAR(static_cast<double>(square), cells, 0.03 * cells) << seed;
            EXPECT_NEAR(static_cast<double>(oblong), cells, 0.03 * cells) << seed;
        }
    }
}

// Jammed discs in a box: a strip along the border is as full as the middle.
TEST(Sites, AreAsDenseAtTheBorder) {
    const GridBox bounds = box_of_metres(5000, 5000);
    const Sites sites = sites_of(bounds, 40'000);
    const double strip = 4.0 * sites.spacing;
    double in_strip = 0;
    for (const GridPoint p : sites.point) {
        const double margin =
            std::min({p.x - bounds.lo.x, bounds.hi.x - p.x, p.y - bounds.lo.y, bounds.hi.y - p.y});
        if (margin < strip) ++in_strip;
    }
    const auto width = static_cast<double>(bounds.width());
    const double strip_area = width * width - (width - 2 * strip) * (width - 2 * strip);
    const double mean = static_cast<double>(sites.point.size()) / (width * width);
    EXPECT_NEAR(in_strip / strip_area, mean, 0.04 * mean);
}

TEST(Sites, FollowSpaceInMemory) {
    const Sites sites = sites_of(box_of_metres(5000, 5000), 40'000);
    double sum = 0;
    for (std::size_t i = 1; i < sites.point.size(); ++i) {
        sum += std::sqrt(static_cast<double>(distance2(sites.point[i - 1], sites.point[i])));
    }
    // Rows of a tile are some twenty spacings wide; a random order would jump across the world.
    EXPECT_LT(sum / static_cast<double>(sites.point.size()), 4.0 * sites.spacing);
}

TEST(Sites, DependOnTheSeedAloneNotOnThreads) {
    const GridBox bounds = box_of_metres(3000, 2000);
    const SiteOptions options{.cells = 20'000};
    const std::uint64_t serial = hash_of(sites_of(bounds, options.cells, 7));
    for (const unsigned threads : {2u, 5u}) {
        ThreadPool pool(threads);
        StageContext context(pool);
        EXPECT_EQ(hash_of(value_or_fail(build_sites(bounds, options, Seed{7}, context))), serial);
    }
    EXPECT_NE(hash_of(sites_of(bounds, options.cells, 8)), serial);
}

TEST(Sites, RefuseWhatCannotBe) {
    SerialExecutor executor;
    StageContext context(executor);
    const auto refused = [&](const GridBox& bounds, std::uint32_t cells) {
        const auto result = build_sites(bounds, {.cells = cells}, Seed{1}, context);
        EXPECT_FALSE(result.ok());
        return result.ok() ? Error{} : result.error();
    };
    const GridBox bounds = box_of_metres(1000, 1000);
    EXPECT_EQ(refused(bounds, 15).subject.text(), "cells");
    EXPECT_EQ(refused(bounds, 4'000'001).code, ErrorCode::invalid_option);
    EXPECT_EQ(refused(box_of_metres(20, 20), 100'000).code, ErrorCode::invalid_option);
    EXPECT_EQ(refused(box_of_metres(100'000, 10), 100).code, ErrorCode::invalid_option);
    EXPECT_EQ(refused(GridBox{}, 100).code, ErrorCode::invalid_input);
    EXPECT_EQ(refused({{0, 0}, {kMaxCoordinate + 1, 5000}}, 100).code, ErrorCode::invalid_input);
    context.memory_limit = 1000;
    EXPECT_EQ(refused(bounds, 1000).code, ErrorCode::too_large);
    context.memory_limit = kNoMemoryLimit;
    CancelFlag cancel;
    cancel.cancel();
    context.cancel = &cancel;
    EXPECT_EQ(refused(bounds, 1000).code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace tw::terrain
