#pragma once
// The right-hand side of a walk along centre lines, trimmed where it would cross itself.

#include "terraway/math/vec.hpp"

#include <span>
#include <vector>

namespace tw::streets {

/// A vertex of a walk; its half width holds up to the next vertex.
struct WalkPoint {
    Vec2d point;
    double half_width = 0.0;
};

struct CurvePoint {
    Vec2d point;
    double room = 0.0;  ///< > 0: a corner that may be rounded with this radius
};

/// Offsets a walk of two points or more to its right. Bends away from that side get a mitre while
/// it is short, else a bevel. May cross itself.
std::vector<CurvePoint> offset_right(std::span<const WalkPoint> walk);

enum class Loops : std::uint8_t {
    all,
    clockwise,          ///< what a left-hand side folds into inside of a bend
    counter_clockwise,  ///< the same on the right
};
/// Cuts loops of a curve away; where, `room` is the greatest of the loop. From each stretch on, the
/// last of the next few hundred stretches that it crosses goes on. Cost: O(n) for straight curves.
/// `stand_in`, if given, gets for each point of the curve the one of the result that stands for it.
std::vector<CurvePoint> without_loops(std::span<const CurvePoint> curve, Loops loops,
                                      std::vector<std::uint32_t>* stand_in = nullptr);

/// Rounds the marked corners as far as their neighbours leave room.
std::vector<CurvePoint> rounded(std::span<const CurvePoint> curve);

}  // namespace tw::streets
