#pragma once
// What a step costs, from slope, water, biome and roads.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/navigation.hpp"
#include "terraway/world/streets.hpp"
#include "terraway/world/surface.hpp"

#include <cstdint>
#include <tuple>

namespace tw::navigation {

struct CostOptions {
    std::uint32_t longest = 512;  ///< cells along the longer side, 8 … 8,192
    double steepest = 1.0;        ///< rise over run that blocks, 0.05 … 10
    double ford_flow = 20.0;      ///< [m³/s] rivers that carry more block, 0 … 1,000,000

    static constexpr auto fields() {
        return std::tuple{Field{"longest", &CostOptions::longest},
                          Field{"steepest", &CostOptions::steepest},
                          Field{"ford_flow", &CostOptions::ford_flow}};
    }
};

/// Roads cost 1 and cross rivers; land by biome, dearer with slope; sea, lakes and large rivers
/// block.
/// Streets may be null. Errors: invalid_option, too_large, cancelled. Cost: O(grid cells + street
/// triangles).
Result<world::CostGrid> build_cost_grid(const world::CanonicalSurface&, const world::Relief&,
                                        const world::Biomes&, const world::StreetSurface*,
                                        const CostOptions&, StageContext&);

}  // namespace tw::navigation
