#pragma once
// Every drop finds a way: depressions are filled or breached, then rain runs downhill.

#include <cstdint>
#include <tuple>

#include "terraway/core/stage_context.hpp"
#include "terraway/terrain/relief.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

namespace tw::terrain {

enum class Depressions : std::uint8_t {
    fill,   ///< raised to the height of their outlet, a step per cell more so that water still runs
    carve,  ///< the way out of the pit is dug down
};

struct DrainageOptions {
    Depressions depressions = Depressions::fill;
    double rain = 0.8;  ///< [m/year] on every land cell, 0 … 20

    static constexpr auto fields() {
        return std::tuple{Field{"depressions", &DrainageOptions::depressions},
                          Field{"rain", &DrainageOptions::rain}};
    }
};

/// Water leaves over sides, to lower cells; ties by (height, lower id, higher id). With an open
/// border, cells on the rectangle may be outlets too. A map without any outlet (no ocean, closed
/// border) drains over the lowest border cell.
/// Errors: invalid_option, too_large, cancelled.
/// Cost: O(cells log cells). Source: Barnes et al. 2014 (priority flood), Braun & Willett 2013 (ordering).
Result<world::Drainage> build_drainage(const world::PolygonMap&, const world::Relief&, Border,
                                       const DrainageOptions&, StageContext&);

}  // namespace tw::terrain
