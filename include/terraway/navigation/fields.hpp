#pragma once
// One field per goal instead of a path per unit.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/navigation.hpp"

#include <span>

namespace tw::navigation {

inline constexpr std::uint32_t kStraight = 408, kDiagonal = 577;  ///< 577 / 408 ≈ √2 to 2·10⁻⁶

/// Least cost to the nearest goal: 8 neighbours, weight times the cost of the entered cell, no
/// cutting of corners (a diagonal needs both its straight cells open). Saturates below kUnreached.
/// Goals on blocked cells are ignored. Errors: invalid_input (a goal outside the grid), too_large,
/// cancelled.
/// Cost: O(cells + largest weight) with a bucket queue (Dial 1969).
Result<world::IntegrationField> integrate(const world::CostGrid&,
                                          std::span<const world::NavCellId> goals, StageContext&);

/// The move that minimises step plus value under the same corner rule; ties to the straight move,
/// then to the lower direction. Cost: O(cells).
Result<world::DirectionField> build_directions(const world::CostGrid&,
                                               const world::IntegrationField&, StageContext&);

/// The open cell nearest to the middle of the grid that belongs to the largest connected part.
/// None when everything is blocked.
world::NavCellId default_goal(const world::CostGrid&);

}  // namespace tw::navigation
