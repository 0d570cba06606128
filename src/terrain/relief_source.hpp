#pragma once
// The two sources of heights before sea level cuts them.

#include "terraway/terrain/relief.hpp"

#include <vector>

namespace tw::terrain {

/// What noise gives at every site.
struct NoiseRelief {
    std::vector<float> shore;  ///< where it is highest, land comes first; border cells of a closed
                               ///< map at kNeverLand
    std::vector<float> mountain;  ///< 0 … 1: how much of a mountain the place is
};
inline constexpr float kNeverLand = -1e9f;

Result<NoiseRelief> noise_relief(const world::PolygonMap&, const ReliefOptions&, Seed,
                                 StageContext&);

/// Heights of the raster at every site, in steps above `sea_level`.
Result<std::vector<Steps>> raster_relief(const world::PolygonMap&, const ReliefOptions&,
                                         const world::ImportedHeights&, const world::Placement&,
                                         StageContext&);

}  // namespace tw::terrain
