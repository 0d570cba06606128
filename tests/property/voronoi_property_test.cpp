// Cells of random sites tile their rectangle.

#include "terraway/core/executor.hpp"
#include "terraway/geometry/voronoi.hpp"

#include "support/point_sets.hpp"
#include "support/voronoi_check.hpp"

#include <gtest/gtest.h>

namespace tw::geometry {
namespace {

using namespace tw::testing;

/// "" when the cells hold what they promise, else what is wrong.
std::string try_sites(const Points& sites, const GridBox& box, std::int32_t spacing) {
    SerialExecutor executor;
    const auto delaunay = build_delaunay(sites, executor);
    if (!delaunay.ok()) return to_string(delaunay.error());
    const auto cells = build_voronoi(*delaunay, box, spacing, executor);
    if (!cells.ok()) return to_string(cells.error());
    return check_voronoi(*cells, *delaunay, box, spacing);
}

TEST(VoronoiProperty, HoldsOnSpacedSites) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Dice dice(seed);
        const std::int32_t spacing = 64 << dice.below(12);
        const std::int32_t width = spacing * dice.between(1, 20);
        const std::int32_t height = spacing * dice.between(1, 20);
        const std::int32_t misses = dice.between(1, 60);
        const Points sites = spaced_points(width, height, spacing, seed, misses);
        const std::int32_t margin = dice.between(32, 32 << dice.below(12));
        ASSERT_EQ(try_sites(sites, {{-margin, -32}, {width + 32, height + margin}}, spacing), "")
            << "seed " << seed;
    }
}

/// Sites nearly on circles and grids, where circumcentres crowd.
TEST(VoronoiProperty, HoldsOnNearlyCocircularSites) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Dice dice(seed);
        const std::int32_t step = dice.between(80, 5000), jitter = dice.between(0, 7);
        Points sites = seed % 2 == 0
                           ? lattice(12, 12, {0, 0}, {step, 0}, {0, step})
                           : lattice(12, 12, {0, 0}, {3 * step / 4, step}, {-step, 3 * step / 4});
        for (GridPoint& p : sites) p = p + dice.point(-jitter, jitter);
        GridBox box;
        for (const GridPoint p : sites) box.include(p);
        box = {{box.lo.x - 32, box.lo.y - 40}, {box.hi.x + 50, box.hi.y + 32}};
        ASSERT_EQ(try_sites(sites, box, std::max(64, step - 2 * jitter - 2)), "")
            << "seed " << seed;
    }
}

/// Few sites far apart or crowded in a vast rectangle: bisectors meet at thin angles and far
/// outside.
TEST(VoronoiProperty, HoldsInAVastRectangle) {
    constexpr GridBox kWorld{{-kMaxCoordinate, -kMaxCoordinate}, {kMaxCoordinate, kMaxCoordinate}};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Dice dice(seed);
        const std::int32_t extent = 128 << dice.below(20);
        const Points sites = spaced_points(extent, extent, std::max(64, extent / 64), seed, 3);
        const Points some(sites.begin(),
                          sites.begin() + std::min<std::ptrdiff_t>(60, std::ssize(sites)));
        ASSERT_EQ(try_sites(some, kWorld, 64), "") << "seed " << seed;
    }
}

}  // namespace
}  // namespace tw::geometry
