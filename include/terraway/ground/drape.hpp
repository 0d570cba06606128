#pragma once
// Streets come to lie on the terrain; bridges rise over what they cross, tunnels dive.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/roads.hpp"
#include "terraway/world/streets.hpp"
#include "terraway/world/surface.hpp"

#include <tuple>

namespace tw::ground {

struct DrapeOptions {
    double lift = 0.15;       ///< [m] of the surface over the terrain, 0 … 10
    double clearance = 6.0;   ///< [m] between levels, 1 … 100
    double max_grade = 0.08;  ///< rise over run of ramps up to bridges, 0.01 … 1

    static constexpr auto fields() {
        return std::tuple{Field{"lift", &DrapeOptions::lift},
                          Field{"clearance", &DrapeOptions::clearance},
                          Field{"max_grade", &DrapeOptions::max_grade}};
    }
};

/// A cross-section is level; ramps fall from bridges along the network by `max_grade`.
/// Errors: invalid_option, cancelled. Cost: O(street vertices).
Result<world::StreetHeights> drape_streets(const world::SurfaceQuery&, const world::RoadNetwork&,
                                           const world::StreetSurface&, const DrapeOptions&,
                                           StageContext&);

}  // namespace tw::ground
