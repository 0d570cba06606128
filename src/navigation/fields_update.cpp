#include "terraway/navigation/fields.hpp"

#include "field_moves.hpp"

#include <algorithm>

namespace tw::navigation {
namespace {

using world::CostGrid;
using world::DirectionField;
using world::IntegrationField;
using world::NavCellId;

constexpr std::uint32_t kUnreached = IntegrationField::kUnreached;

/// A cost grid as it lies, with checks at its border.
class OpenGrid {
public:
    explicit OpenGrid(const CostGrid& costs)
        : columns_(costs.grid.columns), rows_(costs.grid.rows), cost_(costs.cost.span()) {}

    bool open(NavCellId cell) const { return cost(cell) != CostGrid::kBlocked; }
    std::uint8_t cost(NavCellId cell) const { return cost_[cell.index()]; }
    /// None beyond the border.
    NavCellId neighbour(NavCellId cell, std::size_t direction) const {
        const auto column =
            static_cast<std::int32_t>(cell.value()) % columns_ + kMoves[direction].dx;
        const auto row = static_cast<std::int32_t>(cell.value()) / columns_ + kMoves[direction].dy;
        if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return {};
        return NavCellId(static_cast<std::uint32_t>(row * columns_ + column));
    }
    /// Calls visit(direction, neighbour) for the moves that the corner rule allows, straight ones
    /// first.
    template <class Visit>
    void for_each_move(NavCellId cell, Visit&& visit) const {
        std::array<bool, 8> passable{};
        std::array<NavCellId, 8> next;
        for (std::size_t d = 0; d < 8; ++d) {
            next[d] = neighbour(cell, d);
            passable[d] = next[d] && open(next[d]);
        }
        for (std::size_t d = 0; d < 8; d += 2) {
            if (passable[d]) visit(d, next[d]);
        }
        for (std::size_t d = 1; d < 8; d += 2) {
            if (passable[d] && passable[d - 1] && passable[(d + 1) % 8]) visit(d, next[d]);
        }
    }
    template <class Visit>
    void for_each_around(NavCellId cell, Visit&& visit) const {
        for (std::size_t d = 0; d < 8; ++d) {
            if (const NavCellId next = neighbour(cell, d)) visit(next);
        }
    }

private:
    std::int32_t columns_, rows_;
    std::span<const std::uint8_t> cost_;
};

/// What a cell's value is, given those around it.
std::uint32_t value_for(const OpenGrid& grid, NavCellId goal, NavCellId cell,
                        const IntegrationField& field) {
    if (!grid.open(cell)) return kUnreached;
    if (cell == goal) return 0;
    std::uint32_t least = kUnreached;
    grid.for_each_move(cell, [&](std::size_t d, NavCellId next) {
        const std::uint32_t value = field.value[next];
        if (value == kUnreached) return;
        least = std::min(least, saturated(value + weight_of(d) * grid.cost(next)));
    });
    return least;
}

std::uint8_t direction_for(const OpenGrid& grid, NavCellId cell, const IntegrationField& field) {
    const std::uint32_t here = field.value[cell];
    if (here == 0 || here == kUnreached) return DirectionField::kStay;
    BestMove best;
    grid.for_each_move(cell, [&](std::size_t d, NavCellId next) {
        best.offer(d, field.value[next], grid.cost(next));
    });
    return best.direction;
}

}  // namespace

/// False: better to integrate anew.
Result<bool> FieldUpdate::repair(const CostGrid& costs, std::span<const NavCellId> changed,
                                 NavCellId goal, IntegrationField& field, StageContext& context) {
    constexpr std::size_t kMostShare = 8, kStepsBetweenChecks = 1 << 14;
    const OpenGrid grid(costs);
    bool saturates = false;
    const auto look_at = [&](NavCellId cell) {
        const std::uint32_t is = field.value[cell];
        const std::uint32_t should = value_for(grid, goal, cell, field);
        saturates |= is == kSaturated || should == kSaturated;
        if (is != should) queue_.push({std::min(is, should), cell});
    };
    const auto look_around = [&](NavCellId cell, std::uint32_t from) {
        grid.for_each_around(cell, [&](NavCellId next) {
            // Whom this cell neither carried nor can help does not care.
            if (field.value[next] > from) look_at(next);
        });
    };
    queue_.clear();
    for (const NavCellId cell : changed) {
        look_at(cell);
        grid.for_each_around(cell, look_at);
    }
    std::size_t count = 0;
    while (!queue_.empty()) {
        if (saturates || ++count > costs.cost.size() / kMostShare) return false;
        if (count % kStepsBetweenChecks == 0 && context.cancelled()) {
            return cancelled_error("integration field");
        }
        const auto entry = queue_.pop();
        const NavCellId cell = entry.id;
        const std::uint32_t is = field.value[cell];
        const std::uint32_t should = value_for(grid, goal, cell, field);
        if (is == should) continue;
        if (std::min(is, should) != entry.key) {
            queue_.push({std::min(is, should), cell});
            continue;
        }
        touched_.insert(cell);
        if (is > should) {
            field.value.edit(cell) = should;
            look_around(cell, should);
        } else {
            // What stood on it must not hold it up: first it goes, then it comes back.
            field.value.edit(cell) = kUnreached;
            look_at(cell);
            look_around(cell, is);
        }
    }
    return !saturates;
}

Status FieldUpdate::run(const CostGrid& costs, std::span<const NavCellId> changed, NavCellId goal,
                        IntegrationField& field, DirectionField& directions,
                        StageContext& context) {
    touched_.reset(costs.cost.size());
    TW_ASSIGN(const bool repaired, repair(costs, changed, goal, field, context));
    if (!repaired) return replace(costs, goal, field, directions, context);
    const OpenGrid grid(costs);
    turned_.reset(costs.cost.size());
    const auto turn = [&](NavCellId cell) {
        if (turned_.insert(cell)) {
            directions.direction.set(cell, direction_for(grid, cell, field));
        }
    };
    for (const std::span<const NavCellId> cells : {changed, touched_.ids()}) {
        for (const NavCellId cell : cells) {
            turn(cell);
            grid.for_each_around(cell, turn);
        }
    }
    return ok_status();
}

Status FieldUpdate::replace(const CostGrid& costs, NavCellId goal, IntegrationField& field,
                            DirectionField& directions, StageContext& context) {
    const std::size_t goals = goal.is_none() ? 0 : 1;
    TW_ASSIGN(const IntegrationField fresh, integrate(costs, std::span(&goal, goals), context));
    TW_ASSIGN(const DirectionField turned, build_directions(costs, fresh, context));
    for (const NavCellId cell : fresh.value.ids()) {
        field.value.set(cell, fresh.value[cell]);
        directions.direction.set(cell, turned.direction[cell]);
    }
    return ok_status();
}

}  // namespace tw::navigation
