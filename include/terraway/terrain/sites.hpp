#pragma once
// Where the cells' sites lie: maximal Poisson-disc sets on a fixed lattice.

#include "terraway/core/random.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/world/polygon_map.hpp"

#include <cstdint>
#include <tuple>
#include <vector>

namespace tw::terrain {

inline constexpr std::uint32_t kMinCells = 16, kMaxCells = 4'000'000;

struct SiteOptions {
    std::uint32_t cells = 25'000;  ///< wanted; kMinCells … kMaxCells. What comes is within 3 % (for
                                   ///< 1,000 cells and more)
    std::uint32_t lloyd_rounds =
        1;  ///< 0 … 16: each moves sites to their cells' centroids (Lloyd 1982)

    static constexpr auto fields() {
        return std::tuple{Field{"cells", &SiteOptions::cells},
                          Field{"lloyd_rounds", &SiteOptions::lloyd_rounds}};
    }
};

struct Sites {
    Steps spacing = 0;             ///< [steps] no two sites are nearer
    std::vector<GridPoint> point;  ///< in memory order that follows space

    static constexpr auto fields() {
        return std::tuple{Field{"spacing", &Sites::spacing}, Field{"point", &Sites::point}};
    }
};

/// Poisson-disc sites, at least spacing / 2 inside `bounds`. Maximal: no place there is farther
/// than the spacing from all of them, places being multiples of a power of two of steps, at most
/// spacing / 2048. Independent of threads: the lattice is anchored at the world's origin, random
/// numbers are keyed by its cells, and only tiles of cells that cannot see each other run at once.
/// Errors: invalid_option (cells out of range, so many that spacing falls under 64 steps, or too
/// few for a long and narrow world), invalid_input (bounds empty or off the grid), too_large,
/// cancelled. Cost: O(cells). Source: Ebeida et al. 2011 (maximal Poisson-disc), Wei 2008 (phases).
Result<Sites> build_sites(const GridBox& bounds, const SiteOptions&, Seed, StageContext&);

/// The polygon map of the sites after `lloyd_rounds` rounds with true centroids, exact and rounded
/// once. The map's spacing is measured: the largest that holds between sites and, halved, to the
/// border. A centroid lies at least a third of a convex cell's width inside it, so a round keeps
/// two thirds of the spacing at the very worst; as a rule it widens. Errors: invalid_option,
/// invalid_input (no sites, or two that are equal), those of build_voronoi, too_large, cancelled.
/// Cost: O(cells) a round.
Result<world::PolygonMap> build_polygon_map(const Sites&, const GridBox& bounds, const SiteOptions&,
                                            StageContext&);

}  // namespace tw::terrain
