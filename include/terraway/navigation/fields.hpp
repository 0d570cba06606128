#pragma once
// One field per goal instead of a path per unit.

#include "terraway/core/id_heap.hpp"
#include "terraway/core/id_set.hpp"
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

/// The second form: repairs fields towards one goal after costs changed. Closure: cells whose least
/// cost differs. What got cheaper is offered on; what got dearer loses its value first, and with it
/// what stood on it, and is found again. Where more than an eighth of the grid is touched, or
/// values saturate, it integrates anew: the worst case stays near one integration. It holds scratch
/// memory. Source: Ramalingam & Reps 1996 (dynamic fixed points).
class FieldUpdate {
public:
    /// `changed`: cells whose cost in `costs` differs from the one that `field` was made with; the
    /// goal is the same. Error cancelled: take the fields back by their journal.
    /// Cost: O(c log c) for c cells touched.
    Status run(const world::CostGrid& costs, std::span<const world::NavCellId> changed,
               world::NavCellId goal, world::IntegrationField& field,
               world::DirectionField& directions, StageContext&);
    /// The same for another goal: integrates anew.
    Status replace(const world::CostGrid& costs, world::NavCellId goal,
                   world::IntegrationField& field, world::DirectionField& directions,
                   StageContext&);

private:
    Result<bool> repair(const world::CostGrid& costs, std::span<const world::NavCellId> changed,
                        world::NavCellId goal, world::IntegrationField& field, StageContext&);

    IdHeap<world::NavCellTag> queue_;
    IdSet<world::NavCellTag> touched_, turned_;
};

/// The open cell nearest to the middle of the grid that belongs to the largest connected part.
/// None when everything is blocked. Cost: O(cells) bytes
/// read.
world::NavCellId default_goal(const world::CostGrid&);

}  // namespace tw::navigation
