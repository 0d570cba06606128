#pragma once
// Exact questions about bisectors, circumcentres and a rectangle.
//
// The rectangle is pushed outward by infinitesimals (x by far more than y), so that touching counts
// as inside and no corner lies on a bisector: both sides of an edge come to the same answer.

#include "terraway/math/grid.hpp"

#include <array>
#include <cstdint>

namespace tw::geometry::detail {

/// Sides and corners of the rectangle, counter-clockwise: side k runs from corner k to k + 1.
enum RectangleSide : std::uint8_t { kSouth = 0, kEast = 1, kNorth = 2, kWest = 3 };
using SideMask = std::uint8_t;  ///< bit k: side k
constexpr SideMask side_bit(int side) {
    return static_cast<SideMask>(1u << side);
}

constexpr std::array<GridPoint, 4> rectangle_corners(const GridBox& box) {
    return {box.lo, {box.hi.x, box.lo.y}, box.hi, {box.lo.x, box.hi.y}};
}
/// Corner k lies on the sides k − 1 and k.
constexpr SideMask corner_sides(int corner) {
    return static_cast<SideMask>(side_bit(corner) | side_bit((corner + 3) % 4));
}

struct Circumcentre {
    GridPoint point;       ///< nearest step, halves up; meaningful only when inside
    SideMask outside = 0;  ///< the sides beyond which it lies, exactly; 0: inside
};
/// a, b, c turn left.
Circumcentre circumcentre(GridPoint a, GridPoint b, GridPoint c, const GridBox& box);

/// Where the bisector of two sites runs through the rectangle, directed with `near` on its left.
struct Chord {
    bool exists = false;
    RectangleSide entry_side{}, exit_side{};
};
Chord bisector_chord(GridPoint near, GridPoint far, const GridBox& box);

/// The point of the bisector on a side that it crosses, rounded along the side, halves up.
GridPoint bisector_on_side(GridPoint a, GridPoint b, RectangleSide side, const GridBox& box);

/// True if a point of the bisector (directed as in Chord) that lies beyond the sides `outside`
/// comes before the chord; false if after.
bool before_chord(GridPoint near, GridPoint far, SideMask outside);

}  // namespace tw::geometry::detail
