#pragma once
// The integer square root.

#include <cmath>
#include <cstdint>

namespace tw::inline math {

/// Rounded down. 0 <= square < 2⁶³.
inline std::int64_t floor_sqrt(std::int64_t square) {
    // The double is off by one at most, and below 3.04e9, so that the squares fit.
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
    if (root * root > square) --root;
    return root;
}

}  // namespace tw::inline math
