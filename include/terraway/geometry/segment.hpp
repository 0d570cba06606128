#pragma once
// Exact questions about line segments between grid points.

#include "terraway/math/grid.hpp"
#include "terraway/math/int128.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>

namespace tw::geometry {

/// True if p lies on the closed segment a b.
constexpr bool on_segment(GridPoint a, GridPoint b, GridPoint p) {
    return p.x >= std::min(a.x, b.x) && p.x <= std::max(a.x, b.x) && p.y >= std::min(a.y, b.y) &&
           p.y <= std::max(a.y, b.y) && orient2d(a, b, p) == 0;
}

/// True if p lies on the segment a b and is neither end.
constexpr bool inside_segment(GridPoint a, GridPoint b, GridPoint p) {
    return p != a && p != b && on_segment(a, b, p);
}

/// True if the segments cross in one point that is inside both.
constexpr bool segments_cross(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    const int c_side = sign_of(orient2d(a, b, c)), d_side = sign_of(orient2d(a, b, d));
    if (c_side * d_side >= 0) return false;
    return sign_of(orient2d(c, d, a)) * sign_of(orient2d(c, d, b)) < 0;
}

/// True if the closed segments have a point in common.
constexpr bool segments_touch(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    return segments_cross(a, b, c, d) || on_segment(a, b, c) || on_segment(a, b, d) ||
           on_segment(c, d, a) || on_segment(c, d, b);
}

/// True if p is at most `distance` steps (0 <= distance < 2³¹) from the closed segment a b.
constexpr bool within_distance(GridPoint a, GridPoint b, GridPoint p, std::int64_t distance) {
    const std::int64_t limit = distance * distance;
    const std::int64_t whole = distance2(a, b);
    const std::int64_t along = (std::int64_t{b.x} - a.x) * (std::int64_t{p.x} - a.x) +
                               (std::int64_t{b.y} - a.y) * (std::int64_t{p.y} - a.y);
    if (along <= 0) return distance2(a, p) <= limit;
    if (along >= whole) return distance2(b, p) <= limit;
    const std::int64_t area = orient2d(a, b, p);
    return wide_product<Int128>(area, area) <= wide_product<Int128>(limit, whole);
}

constexpr GridBox box_of(GridPoint a, GridPoint b) {
    return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

}  // namespace tw::geometry
