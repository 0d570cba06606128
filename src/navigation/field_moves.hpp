#pragma once
// The moves between cells, for building fields and for repairing them.

#include "terraway/navigation/fields.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tw::navigation {

struct Move {
    std::int32_t dx, dy;
};
/// By direction: 0 east, then counter-clockwise by eighths; odd ones are diagonal.
inline constexpr std::array<Move, 8> kMoves{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

constexpr std::uint64_t weight_of(std::size_t direction) {
    return direction % 2 == 0 ? kStraight : kDiagonal;
}

inline constexpr std::uint32_t kSaturated = world::IntegrationField::kUnreached - 1;
inline std::uint32_t saturated(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, kSaturated));
}

/// The best of the moves that are offered: straight ones come first, each kind in order of
/// direction, and the first of equals wins.
struct BestMove {
    std::uint64_t least = world::IntegrationField::kUnreached;
    std::uint8_t direction = world::DirectionField::kStay;

    void offer(std::size_t d, std::uint32_t value, std::uint8_t cost) {
        if (value == world::IntegrationField::kUnreached) return;
        const std::uint64_t total = value + weight_of(d) * cost;
        if (direction != world::DirectionField::kStay && total >= least) return;
        least = total;
        direction = static_cast<std::uint8_t>(d);
    }
};

}  // namespace tw::navigation
