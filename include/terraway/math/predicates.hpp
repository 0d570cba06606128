#pragma once
// Exact questions about points on the grid. They never err and need no epsilon.

#include "terraway/math/grid.hpp"
#include "terraway/math/int128.hpp"

#include <algorithm>
#include <cstdint>

namespace tw::inline math {

/// Twice the signed area of the triangle, in square steps: > 0 when a, b, c turn left, 0 when they
/// lie on one line. |result| < 2⁶².
constexpr std::int64_t orient2d(GridPoint a, GridPoint b, GridPoint c) {
    return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
           (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

namespace detail {

/// Differences to one point: at most 2³⁰, so that their squares add up below 2⁶².
struct Offset {
    std::int64_t x, y;
    constexpr Offset(GridPoint from, GridPoint to)
        : x(std::int64_t{to.x} - from.x), y(std::int64_t{to.y} - from.y) {}
    constexpr std::int64_t lift() const { return x * x + y * y; }
    friend constexpr std::int64_t cross(Offset a, Offset b) { return a.x * b.y - a.y * b.x; }
};

}  // namespace detail

/// The sign of the in-circle determinant in 128-bit integers, without a filter.
template <class Wide>
constexpr int incircle_exact(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    const detail::Offset da(d, a), db(d, b), dc(d, c);
    return sign_of(wide_product<Wide>(da.lift(), cross(db, dc)) +
                   wide_product<Wide>(db.lift(), cross(dc, da)) +
                   wide_product<Wide>(dc.lift(), cross(da, db)));
}

/// The sign from doubles where they are sure of it, else 0. Shewchuk 1997, "Adaptive precision
/// floating-point arithmetic and fast robust geometric predicates", bound A of incircle.
constexpr int incircle_filtered(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    const auto ax = static_cast<double>(a.x - d.x), ay = static_cast<double>(a.y - d.y);
    const auto bx = static_cast<double>(b.x - d.x), by = static_cast<double>(b.y - d.y);
    const auto cx = static_cast<double>(c.x - d.x), cy = static_cast<double>(c.y - d.y);
    const double bxcy = bx * cy, cxby = cx * by, cxay = cx * ay;
    const double axcy = ax * cy, axby = ax * by, bxay = bx * ay;
    const double la = ax * ax + ay * ay, lb = bx * bx + by * by, lc = cx * cx + cy * cy;
    const double det = la * (bxcy - cxby) + lb * (cxay - axcy) + lc * (axby - bxay);
    const auto magnitude = [](double v) { return v < 0 ? -v : v; };
    const double permanent = la * (magnitude(bxcy) + magnitude(cxby)) +
                             lb * (magnitude(cxay) + magnitude(axcy)) +
                             lc * (magnitude(axby) + magnitude(bxay));
    constexpr double kUnit = 0x1p-53;
    const double bound = (10.0 + 96.0 * kUnit) * kUnit * permanent;
    return det > bound ? 1 : det < -bound ? -1 : 0;
}

/// > 0 when d lies inside the circle through a, b, c (which turn left), < 0 outside, 0 on it.
/// For a, b, c that turn right the sign is the opposite.
constexpr int incircle(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
#if TW_HAS_INT128 && !defined(__wasm__)
    // Three wide products cost less than the floating filter with its branch.
    return incircle_exact<Int128>(a, b, c, d);
#else
    const int sign = incircle_filtered(a, b, c, d);
    return sign != 0 ? sign : incircle_exact<Int128>(a, b, c, d);
#endif
}

/// The one rule for ties: the point (x, y, x² + y²) that is least in (x, y) order is lowered by
/// an infinitesimal, the next by one infinitely smaller, and so on. So the triangulation of
/// cocircular points is the fan from the least of them.
/// > 0 when d lies inside the circle of a, b, c (which turn left), < 0 outside; 0 only when two of
/// the points are equal or all four lie on one line.
constexpr int incircle_perturbed(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    const int sign = incircle(a, b, c, d);
    if (sign != 0) [[likely]]
        return sign;
    if (d == a || d == b || d == c) return 0;
    // Four distinct points of a circle: no three lie on a line, so the first infinitesimal decides.
    // The determinant is linear in each lift; the lowered point's cofactor is the orientation of
    // the three others.
    const GridPoint least = std::min({a, b, c, d});
    if (least == d) return sign_of(orient2d(a, b, c));
    if (least == a) return -sign_of(orient2d(d, b, c));
    if (least == b) return -sign_of(orient2d(a, d, c));
    return -sign_of(orient2d(a, b, d));
}

}  // namespace tw::inline math
