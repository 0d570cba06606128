#pragma once
// From the network to surfaces in the plane: gates, junctions, corridors.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/roads.hpp"
#include "terraway/world/streets.hpp"

#include <tuple>

namespace tw::streets {

struct StreetOptions {
    double corner_radius = 0.35;  ///< of a corner's fillet, in widths of the narrower road, 0 … 2
    double section_length =
        12.0;  ///< [m] longest corridor quad, so that streets follow the ground, 1 … 1,000

    static constexpr auto fields() {
        return std::tuple{Field{"corner_radius", &StreetOptions::corner_radius},
                          Field{"section_length", &StreetOptions::section_length}};
    }
};

/// Gate first: an arm's gate is the first cross-section that is clear of every other arm; nodes
/// whose gates would pass each other become one cluster. Guarantees are those of
/// world::StreetSurface; no input is unsolved: what cannot be shaped well says so in its piece's
/// note. Errors: invalid_option, too_large, cancelled. Cost: about linear in road points.
Result<world::StreetSurface> build_streets(const world::RoadNetwork&, const StreetOptions&,
                                           StageContext&);

}  // namespace tw::streets
