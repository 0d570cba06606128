#pragma once
// Circular arcs as chords, and the arc that rounds a corner.

#include "terraway/math/grid.hpp"
#include "terraway/math/vec.hpp"

#include <cstdint>
#include <vector>

namespace tw::geometry {

/// How many equal chords keep an arc of `sweep` radians within `tolerance` of its circle; at least
/// 1, beyond half a turn at least 2. Both lengths in the same unit, tolerance > 0.
std::uint32_t chord_count(double radius, double sweep, double tolerance);

/// Points of the arc about `centre` that begins at `start` and turns by `sweep` radians (counter-
/// clockwise when positive), both ends among them, with chords within `tolerance` of the circle,
/// then rounded to the grid (0.71 steps at most). All lengths in steps.
std::vector<GridPoint> arc_points(Vec2d centre, Vec2d start, double sweep, double tolerance);

struct FilletOptions {
    double radius = 0.0;      ///< [steps] wanted, >= 0
    double tolerance = 32.0;  ///< [steps] of chords from the arc, > 0
    /// [steps] longest piece of either leg that the arc may take; the legs' own lengths bound it
    /// too.
    double max_tangent = 0x1p30;
};
struct Fillet {
    Vec2d centre;          ///< [steps]
    double radius = 0.0;   ///< [steps] as it came out; less than wanted where legs are short
    double sweep = 0.0;    ///< [radians] turn from leg to leg, positive to the left
    double tangent = 0.0;  ///< [steps] that the arc takes of each leg
    std::vector<GridPoint>
        points;  ///< from the first leg to the second; the corner alone if no arc fits
};
/// The arc that touches the legs before → corner and corner → after. A straight line, a full turn
/// and a leg without length get no arc.
Fillet fillet(GridPoint before, GridPoint corner, GridPoint after, const FilletOptions& options);

}  // namespace tw::geometry
