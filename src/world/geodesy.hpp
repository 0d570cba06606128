#pragma once
// Local radii of the WGS 84 ellipsoid.

#include "terraway/math/functions.hpp"
#include "terraway/math/vec.hpp"

#include <cmath>

namespace tw::world {

/// [m per degree] along the parallel (x) and the meridian (y) at `latitude` [degrees].
inline Vec2d metres_per_degree(double latitude) {
    constexpr double kEquator = 6378137.0, kEccentricity2 = 6.69437999014e-3;
    const SinCos at = sin_cos(latitude * (kPi / 180));
    const double root2 = 1.0 - kEccentricity2 * at.sin * at.sin;
    const double normal = kEquator / std::sqrt(root2);
    const double meridian = normal * (1.0 - kEccentricity2) / root2;
    return {normal * at.cos * (kPi / 180), meridian * (kPi / 180)};
}

}  // namespace tw::world
