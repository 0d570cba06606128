#pragma once
// Where strips of constant width lie on each other, segment by segment.

#include "terraway/math/vec.hpp"

#include <span>
#include <vector>

namespace tw::streets {

/// The rectangle of one segment of a strip, longer at bends by what a mitre adds.
struct StripBox {
    Vec2d start, direction;  ///< direction of unit length
    double length = 0.0;
    double before = 0.0, after = 0.0;  ///< mitres
    double half_width = 0.0;
    double along = 0.0;  ///< of `start`, from the strip's start
    std::uint32_t owner = 0;

    Vec2d middle() const { return start + direction * (length / 2); }
    double radius() const { return length / 2 + std::max(before, after) + half_width; }
};

struct Stretch {
    double begin, end;
};

/// Tangent of half the angle between two unit vectors; at most `limit`.
inline double half_tangent(Vec2d a, Vec2d b, double limit) {
    const double turn = cross(a, b) < 0 ? -cross(a, b) : cross(a, b);
    const double open = 1.0 + dot(a, b);
    return turn >= limit * open ? limit : turn / open;
}

/// Appends the boxes of a polyline.
void append_strip(std::span<const Vec2d> line, double half_width, std::uint32_t owner,
                  std::vector<StripBox>& out);

/// The part of `a`, from `along` of its strip, where `b` widened by `margin` lies on it; empty
/// (begin > end) where nothing does.
Stretch covered(const StripBox& a, const StripBox& b, double margin);

}  // namespace tw::streets
