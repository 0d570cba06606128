#pragma once
// Points in space on the grid: plan and height in steps.

#include "terraway/math/grid.hpp"

namespace tw::inline math {

/// A point in space, in steps. Compares by (x, y, z).
struct GridPoint3 {
    std::int32_t x = 0, y = 0;  ///< [steps] east, north
    Steps z = 0;                ///< [steps] above the sea
    friend constexpr auto operator<=>(const GridPoint3&, const GridPoint3&) = default;
    constexpr GridPoint plan() const { return {x, y}; }
};

}  // namespace tw::inline math
