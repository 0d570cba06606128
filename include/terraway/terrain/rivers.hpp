#pragma once
// Cells that carry enough water become rivers.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <tuple>

namespace tw::terrain {

struct RiverOptions {
    /// [m³/s] smallest flow that is a river, 0.001 … 100,000; 0: a 300th of what leaves all land
    double min_flow = 0.0;

    static constexpr auto fields() {
        return std::tuple{Field{"min_flow", &RiverOptions::min_flow}};
    }
};

/// Reaches between sources, confluences and mouths, by the guarantees of world::Rivers; numbered so
/// that all that flow into a reach come before it. A vertex lies at the rounded middle of its side,
/// half-way between the heights of both sites (0 at the sea).
///
/// Why both parts of a split wedge turn left: the side is at least 6 steps long and at least about
/// spacing / 2 from the site, so its middle is 3 · spacing / (2 · d) steps from the rays to its
/// ends, d the distance of the farther one; rounding moves it by 0.71 at most. That holds for d up
/// to twice the spacing, and sites that leave no gaps have corners within about one. Elsewhere a
/// grid point beside the middle is taken. Errors: invalid_option; invalid_input (no grid point
/// beside a side's middle splits its wedges); too_large; cancelled. Cost: O(cells).
Result<world::Rivers> build_rivers(const world::PolygonMap&, const world::Relief&,
                                   const world::Drainage&, const RiverOptions&, StageContext&);

}  // namespace tw::terrain
