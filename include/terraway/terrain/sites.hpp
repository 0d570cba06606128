#pragma once
// Where the cells' sites lie: maximal Poisson-disc sets on a fixed lattice.

#include <cstdint>
#include <tuple>
#include <vector>

#include "terraway/core/random.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/world/polygon_map.hpp"

namespace tw::terrain {

inline constexpr std::uint32_t kMinCells = 16, kMaxCells = 4'000'000;

struct SiteOptions {
    std::uint32_t cells = 25'000;   ///< wanted; kMinCells … kMaxCells. What comes is within 3 % (for 1,000 cells and more)
    std::uint32_t lloyd_rounds = 1; ///< 0 … 16: each moves sites to their cells' centroids

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

/// Poisson-disc sites, at least spacing / 2 inside `bounds`. Independent of threads: random numbers
/// are keyed by lattice cell, phases of cells that cannot see each other run in parallel.
/// Errors: invalid_option (cells out of range, or so many that spacing falls under 64 steps), too_large, cancelled.
/// Cost: O(cells). Source: Ebeida et al. 2011 (maximal Poisson-disc), White et al. 2007 (phases).
Result<Sites> build_sites(const GridBox& bounds, const SiteOptions&, Seed, StageContext&);

/// The polygon map of the sites after `lloyd_rounds` rounds with true centroids.
/// Errors: those of build_voronoi; cancelled; too_large. Cost: O(cells) a round.
Result<world::PolygonMap> build_polygon_map(const Sites&, const GridBox& bounds, const SiteOptions&,
                                            StageContext&);

}  // namespace tw::terrain
