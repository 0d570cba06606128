#pragma once
// The plan grid: a coordinate counts steps of 2⁻¹⁰ m, |c| <= 2²⁹ (±524 km), so that predicates
// are exact in integers. Metres appear at public edges only.

#include "terraway/core/fields.hpp"
#include "terraway/core/result.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace tw::inline math {

inline constexpr std::int32_t kStepsPerMetre = 1024;
inline constexpr double kMetresPerStep = 1.0 / kStepsPerMetre;
inline constexpr std::int32_t kMaxCoordinate = 1 << 29;  ///< [steps] of any plan coordinate

/// A height or a length in steps of 2⁻¹⁰ m.
using Steps = std::int32_t;

constexpr double to_metres(std::int64_t steps) {
    return static_cast<double>(steps) * kMetresPerStep;
}
/// Rounds half away from zero. `metres` must be within ±2 million (asserted by callers' range
/// checks).
constexpr Steps to_steps(double metres) {
    const double steps = metres * kStepsPerMetre;
    return static_cast<Steps>(steps < 0 ? steps - 0.5 : steps + 0.5);
}

/// A point in the plane, in steps. Compares by (x, y).
struct GridPoint {
    std::int32_t x = 0, y = 0;  ///< [steps] east, north
    friend constexpr auto operator<=>(const GridPoint&, const GridPoint&) = default;
    friend constexpr GridPoint operator+(GridPoint a, GridPoint b) {
        return {a.x + b.x, a.y + b.y};
    }
    friend constexpr GridPoint operator-(GridPoint a, GridPoint b) {
        return {a.x - b.x, a.y - b.y};
    }
};

/// True if both coordinates are within ±kMaxCoordinate.
constexpr bool on_grid(GridPoint p) {
    return p.x >= -kMaxCoordinate && p.x <= kMaxCoordinate && p.y >= -kMaxCoordinate &&
           p.y <= kMaxCoordinate;
}
/// Squared distance in square steps; exact for any two points on the grid.
constexpr std::int64_t distance2(GridPoint a, GridPoint b) {
    const std::int64_t dx = std::int64_t{a.x} - b.x, dy = std::int64_t{a.y} - b.y;
    return dx * dx + dy * dy;
}

/// A closed axis-parallel box, in steps. Empty when lo > hi.
struct GridBox {
    GridPoint lo{1, 1}, hi{0, 0};
    constexpr bool empty() const { return lo.x > hi.x || lo.y > hi.y; }
    constexpr std::int64_t width() const { return std::int64_t{hi.x} - lo.x; }
    constexpr std::int64_t height() const { return std::int64_t{hi.y} - lo.y; }
    constexpr bool contains(GridPoint p) const {
        return p.x >= lo.x && p.x <= hi.x && p.y >= lo.y && p.y <= hi.y;
    }
    constexpr bool intersects(const GridBox& o) const {
        return lo.x <= o.hi.x && o.lo.x <= hi.x && lo.y <= o.hi.y && o.lo.y <= hi.y;
    }
    constexpr void include(GridPoint p) {
        if (empty()) {
            lo = hi = p;
            return;
        }
        lo = {std::min(lo.x, p.x), std::min(lo.y, p.y)};
        hi = {std::max(hi.x, p.x), std::max(hi.y, p.y)};
    }
    friend constexpr bool operator==(const GridBox&, const GridBox&) = default;
};

}  // namespace tw::inline math
