#pragma once
// Every drop finds a way: depressions are filled or breached, then rain runs downhill.

#include "terraway/core/stage_context.hpp"
#include "terraway/terrain/relief.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <cstdint>
#include <tuple>

namespace tw::terrain {

enum class Depressions : std::uint8_t {
    fill,   ///< raised to the height of their outlet, a step a cell more, so that water still falls
    carve,  ///< the way out of the pit is dug down; it may run level, never up
};

struct DrainageOptions {
    Depressions depressions = Depressions::fill;
    double rain = 0.8;  ///< [m/year] on every land cell, 0 … 20

    static constexpr auto fields() {
        return std::tuple{Field{"depressions", &DrainageOptions::depressions},
                          Field{"rain", &DrainageOptions::rain}};
    }
};

/// Water leaves each land cell to the neighbour that a rising sea comes from first: the one that is
/// lowest after filling, of equals the one of lower id. In pits that are carved, the flood runs
/// down to the bottom before it spreads, so that the bottom's water takes the short way out. With
/// an open border, a cell on the rectangle that has no lower neighbour is an outlet too, over its
/// first side there. A map without any outlet (no ocean, closed border) drains over the lowest
/// border cell. Elevations of ocean cells stay as they are; their discharge is 0. Errors:
/// invalid_option, too_large, cancelled. Cost: O(cells log cells). Source: Barnes et al. 2014
/// (priority flood), Braun & Willett 2013 (ordering).
Result<world::Drainage> build_drainage(const world::PolygonMap&, const world::Relief&, Border,
                                       const DrainageOptions&, StageContext&);

}  // namespace tw::terrain
