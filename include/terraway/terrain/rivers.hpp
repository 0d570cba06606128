#pragma once
// Cells that carry enough water become rivers.

#include <tuple>

#include "terraway/core/stage_context.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

namespace tw::terrain {

struct RiverOptions {
    double min_flow = 0.5;  ///< [m³/s] smallest flow that is a river, 0.001 … 100,000

    static constexpr auto fields() { return std::tuple{Field{"min_flow", &RiverOptions::min_flow}}; }
};

/// Reaches between sources, confluences and mouths, by the guarantees of world::Rivers.
/// Errors: invalid_option, cancelled. Cost: O(cells).
Result<world::Rivers> build_rivers(const world::PolygonMap&, const world::Relief&, const world::Drainage&,
                                   const RiverOptions&, StageContext&);

}  // namespace tw::terrain
