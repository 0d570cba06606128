#pragma once
// A simple climate: wet near water, drier with distance and height; and what grows there.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <tuple>

namespace tw::terrain {

struct ClimateOptions {
    double reach =
        0.0;  ///< [m] over which moisture from water falls to 1/e; 0: a tenth of the longer side
    double temperature = 12.0;  ///< [°C] mean at the sea, −40 … 45
    double lapse = 0.0065;      ///< [°C/m] cooling with height, 0 … 0.1

    static constexpr auto fields() {
        return std::tuple{Field{"reach", &ClimateOptions::reach},
                          Field{"temperature", &ClimateOptions::temperature},
                          Field{"lapse", &ClimateOptions::lapse}};
    }
};

/// Moisture spreads over the cell graph from ocean, lakes and rivers (more from larger ones) and
/// falls with the way it has come, ascents counted three times; it is shortest ways in whole steps
/// (Dijkstra), so no order of evaluation shows. Water itself is soaked.
/// Errors: invalid_option, too_large, cancelled. Cost: O(cells log cells).
Result<world::Climate> build_climate(const world::PolygonMap&, const world::Relief&,
                                     const world::Drainage&, const world::Rivers&,
                                     const ClimateOptions&, StageContext&);

/// Whittaker's scheme by temperature and moisture, in the zones of Patel's polygon maps (2010), and
/// snow wherever the mean is below freezing; coast cells that lie low are beaches. Errors:
/// invalid_option, cancelled. Cost: O(cells).
Result<world::Biomes> build_biomes(const world::PolygonMap&, const world::Relief&,
                                   const world::Drainage&, const world::Climate&,
                                   const ClimateOptions&, StageContext&);

}  // namespace tw::terrain
