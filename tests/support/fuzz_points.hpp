#pragma once
// Bytes of a fuzzer as points.

#include "terraway/math/grid.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tw::testing {

/// The first byte says how: two bytes a point (a small grid: ties, lines, duplicates), four (times
/// a power of two), or eight (any 32-bit coordinates, off the grid too).
inline std::vector<GridPoint> points_from_bytes(std::span<const std::uint8_t> bytes) {
    std::vector<GridPoint> points;
    if (bytes.empty()) return points;
    const unsigned how = bytes[0] % 3u;
    const std::int32_t scale = 1 << (bytes[0] / 3u % 14u);
    bytes = bytes.subspan(1);
    const auto take = [&](auto value) {
        std::memcpy(&value, bytes.data(), sizeof value);
        bytes = bytes.subspan(sizeof value);
        return value;
    };
    const std::size_t size = std::size_t{2} << how;
    while (bytes.size() >= size) {
        GridPoint p;
        if (how == 0) {
            p.x = take(std::int8_t{});
            p.y = take(std::int8_t{});
        } else if (how == 1) {
            p.x = take(std::int16_t{}) * scale;
            p.y = take(std::int16_t{}) * scale;
        } else {
            p.x = take(std::int32_t{});
            p.y = take(std::int32_t{});
        }
        points.push_back(p);
    }
    return points;
}

}  // namespace tw::testing
