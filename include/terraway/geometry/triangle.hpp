#pragma once
// Triangles as indices into an array of points.

#include <array>
#include <cstdint>

namespace tw::geometry {

using Triangle = std::array<std::uint32_t, 3>;  ///< counter-clockwise seen from above

/// The same triangle, beginning with its least index.
constexpr Triangle least_first(const Triangle& t) {
    if (t[0] < t[1] && t[0] < t[2]) return t;
    return t[1] < t[2] ? Triangle{t[1], t[2], t[0]} : Triangle{t[2], t[0], t[1]};
}

}  // namespace tw::geometry
