#include "terraway/navigation/fields.hpp"

#include "field_moves.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

namespace tw::navigation {
namespace {

using world::CostGrid;
using world::DirectionField;
using world::IntegrationField;
using world::NavCellId;
using world::NavGrid;

/// The grid with a blocked frame around it, so that no neighbour needs a bounds check.
class FramedCosts {
public:
    explicit FramedCosts(const CostGrid& costs)
        : columns_(static_cast<std::size_t>(costs.grid.columns)),
          rows_(static_cast<std::size_t>(costs.grid.rows)),
          cost_(stride() * (rows_ + 2), CostGrid::kBlocked) {
        const std::span<const std::uint8_t> from = costs.cost.span();
        for (std::size_t row = 0; row < rows_; ++row) {
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(row * columns_), columns_,
                        cost_.begin() + static_cast<std::ptrdiff_t>((row + 1) * stride() + 1));
        }
        for (std::size_t i = 0; i < kMoves.size(); ++i) {
            offset_[i] = kMoves[i].dy * static_cast<std::ptrdiff_t>(stride()) + kMoves[i].dx;
        }
    }
    std::size_t stride() const { return columns_ + 2; }
    std::size_t size() const { return cost_.size(); }
    std::size_t columns() const { return columns_; }
    std::size_t rows() const { return rows_; }
    std::size_t framed(std::size_t cell) const {
        return (cell / columns_ + 1) * stride() + cell % columns_ + 1;
    }
    std::uint8_t cost(std::size_t framed_cell) const { return cost_[framed_cell]; }
    bool open(std::size_t framed_cell) const { return cost_[framed_cell] != CostGrid::kBlocked; }
    std::size_t neighbour(std::size_t framed_cell, std::size_t direction) const {
        return framed_cell + static_cast<std::size_t>(offset_[direction]);
    }
    /// Calls visit(cell, framed cell) for the cells of the rows [begin, end), in order.
    template <class Visit>
    void for_each_cell(std::size_t begin, std::size_t end, Visit&& visit) const {
        for (std::size_t row = begin; row < end; ++row) {
            const std::size_t cell = row * columns_, framed_cell = (row + 1) * stride() + 1;
            for (std::size_t x = 0; x < columns_; ++x) visit(cell + x, framed_cell + x);
        }
    }
    /// The corner rule: a diagonal move passes between two open cells. It holds both ways.
    bool may_cut(std::size_t cell, std::size_t diagonal) const {
        return open(neighbour(cell, diagonal - 1)) && open(neighbour(cell, (diagonal + 1) % 8));
    }
    /// Calls visit(direction, neighbour) for the moves that the corner rule allows, straight ones
    /// first.
    template <class Visit>
    void for_each_move(std::size_t cell, Visit&& visit) const {
        for (std::size_t d = 0; d < 8; d += 2) {
            const std::size_t next = neighbour(cell, d);
            if (open(next)) visit(d, next);
        }
        for (std::size_t d = 1; d < 8; d += 2) {
            const std::size_t next = neighbour(cell, d);
            if (open(next) && may_cut(cell, d)) visit(d, next);
        }
    }

private:
    std::size_t columns_, rows_;
    std::vector<std::uint8_t> cost_;
    std::array<std::ptrdiff_t, 8> offset_{};
};

/// A bucket queue (Dial 1969) with buckets as wide as the least weight allows: what lies in the
/// lowest bucket that is not empty cannot be improved any more (Denardo & Fox 1979), so the order
/// within it does not matter.
class BucketQueue {
public:
    static constexpr unsigned kShift = 8;  ///< 2⁸ <= kStraight, the least weight
    static_assert((1u << kShift) <= kStraight);

    BucketQueue() : bucket_(kBuckets) {}
    void push(std::uint32_t cell, std::uint32_t value) {
        bucket_[(value >> kShift) % kBuckets].push_back({cell, value});
        ++waiting_;
    }
    bool empty() const { return waiting_ == 0; }
    /// Calls settle(cell, value) for all of the next bucket that is not empty; it may push.
    template <class Settle>
    void settle_next(Settle&& settle) {
        while (bucket_[at_].empty()) at_ = (at_ + 1) % kBuckets;
        std::vector<Entry>& bucket = bucket_[at_];
        // Pushing may lengthen this bucket: only saturated values come to where they came from.
        std::size_t next = 0;
        while (next < bucket.size()) {
            const Entry entry = bucket[next++];
            settle(entry.cell, entry.value);
        }
        waiting_ -= bucket.size();
        bucket.clear();
    }

private:
    /// More than any weight spans; a power of two, so that no push divides.
    static constexpr std::size_t kBuckets = std::bit_ceil((kDiagonal * 254u >> kShift) + 2u);
    struct Entry {
        std::uint32_t cell, value;
    };
    std::vector<std::vector<Entry>> bucket_;
    std::size_t at_ = 0, waiting_ = 0;
};

std::string text_of(const NavGrid& grid) {
    return std::to_string(grid.columns) + " × " + std::to_string(grid.rows);
}

}  // namespace

Result<IntegrationField> integrate(const CostGrid& costs, std::span<const NavCellId> goals,
                                   StageContext& context) {
    constexpr const char* kStage = "integration field";
    for (const NavCellId goal : goals) {
        if (costs.cost.contains(goal)) continue;
        return Error{.code = ErrorCode::invalid_input,
                     .stage = kStage,
                     .subject = goal,
                     .message = "the goal lies outside the grid of " + text_of(costs.grid) +
                                " cells; choose one inside"};
    }
    TW_TRY(require_memory(context, kStage, std::uint64_t{costs.cost.size()} * 20));
    if (costs.cost.empty()) return IntegrationField{.grid = costs.grid, .value = {}};
    const FramedCosts framed(costs);
    // A blocked cell takes no offer: it has the least value of all until the end.
    std::vector<std::uint32_t> value(framed.size());
    for (std::size_t cell = 0; cell < value.size(); ++cell) {
        value[cell] = framed.open(cell) ? IntegrationField::kUnreached : 0;
    }
    BucketQueue queue;
    const auto offer = [&](std::size_t cell, std::uint32_t offered) {
        value[cell] = offered;
        queue.push(static_cast<std::uint32_t>(cell), offered);
    };
    for (const NavCellId goal : goals) {
        const std::size_t cell = framed.framed(goal.index());
        if (value[cell] != 0) offer(cell, 0);
    }
    while (!queue.empty()) {
        if (context.cancelled()) return cancelled_error(kStage);
        queue.settle_next([&](std::uint32_t cell, std::uint32_t at) {
            if (value[cell] != at) return;  // improved since it was pushed
            // Who moves into this cell pays for it, from wherever it comes.
            const std::uint64_t entry = framed.cost(cell);
            const std::uint32_t straight = saturated(at + kStraight * entry);
            const std::uint32_t diagonal = saturated(at + kDiagonal * entry);
            for (std::size_t d = 0; d < 8; d += 2) {
                const std::size_t from = framed.neighbour(cell, d);
                if (straight < value[from]) offer(from, straight);
            }
            for (std::size_t d = 1; d < 8; d += 2) {
                const std::size_t from = framed.neighbour(cell, d);
                if (diagonal < value[from] && framed.may_cut(cell, d)) offer(from, diagonal);
            }
        });
    }
    std::vector<std::uint32_t> out(costs.cost.size());
    framed.for_each_cell(0, framed.rows(), [&](std::size_t cell, std::size_t at) {
        out[cell] = framed.open(at) ? value[at] : IntegrationField::kUnreached;
    });
    return IntegrationField{.grid = costs.grid,
                            .value = IdArray<world::NavCellTag, std::uint32_t>(std::move(out))};
}

Result<DirectionField> build_directions(const CostGrid& costs, const IntegrationField& field,
                                        StageContext& context) {
    constexpr const char* kStage = "direction field";
    constexpr std::size_t kRowsPerTask = 32;
    if (field.grid != costs.grid || field.value.size() != costs.cost.size()) {
        return Error{
            .code = ErrorCode::invalid_input,
            .stage = kStage,
            .subject = {},
            .message = "the integration field is of another grid; integrate this one first"};
    }
    TW_TRY(require_memory(context, kStage, std::uint64_t{costs.cost.size()} * 2));
    DirectionField out{.grid = costs.grid,
                       .direction = IdArray<world::NavCellTag, std::uint8_t>(
                           costs.cost.size(), DirectionField::kStay)};
    if (costs.cost.empty()) return out;
    const FramedCosts framed(costs);
    const std::span<const std::uint32_t> value = field.value.span();
    const std::span<std::uint8_t> direction = out.direction.edit_all();
    const auto best_move = [&](std::size_t cell, std::size_t at) {
        BestMove best;
        framed.for_each_move(at, [&](std::size_t d, std::size_t next) {
            const std::size_t next_cell =
                cell + static_cast<std::size_t>(kMoves[d].dy) * framed.columns() +
                static_cast<std::size_t>(kMoves[d].dx);
            best.offer(d, value[next_cell], framed.cost(next));
        });
        return best.direction;
    };
    parallel_for(*context.executor, framed.rows(), kRowsPerTask,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     if (context.cancelled()) return;
                     framed.for_each_cell(begin, end, [&](std::size_t cell, std::size_t at) {
                         const std::uint32_t here = value[cell];
                         if (here == 0 || here == IntegrationField::kUnreached) return;
                         direction[cell] = best_move(cell, at);
                     });
                 });
    if (context.cancelled()) return cancelled_error(kStage);
    return out;
}

NavCellId default_goal(const CostGrid& costs) {
    // Parts are connected by straight moves alone: a diagonal needs both its straight cells open.
    // A part is its runs of open cells along rows; the first of them in order stands for it.
    struct Run {
        std::uint32_t begin, end;  ///< columns
        std::uint32_t row;
        std::uint32_t part;  ///< a run further up the tree, itself at the root
        std::uint32_t size;  ///< of the part, at the root
    };
    const auto columns = static_cast<std::uint32_t>(costs.grid.columns);
    const auto rows = static_cast<std::uint32_t>(costs.grid.rows);
    const std::span<const std::uint8_t> cost = costs.cost.span();
    std::vector<Run> runs;
    const auto root_of = [&](std::uint32_t run) {
        while (runs[run].part != run) run = runs[run].part = runs[runs[run].part].part;
        return run;
    };
    std::size_t above = 0;  // the row before: its first run that may meet one of this row
    for (std::uint32_t row = 0; row < rows; ++row) {
        const std::span<const std::uint8_t> line =
            cost.subspan(std::size_t{row} * columns, columns);
        const std::size_t begin = runs.size();
        const auto is_open = [](std::uint8_t each) { return each != CostGrid::kBlocked; };
        for (auto at = std::find_if(line.begin(), line.end(), is_open); at != line.end();) {
            const auto end = std::find(at, line.end(), CostGrid::kBlocked);
            const auto index = static_cast<std::uint32_t>(runs.size());
            runs.push_back({static_cast<std::uint32_t>(at - line.begin()),
                            static_cast<std::uint32_t>(end - line.begin()), row, index,
                            static_cast<std::uint32_t>(end - at)});
            while (above < begin && runs[above].end <= runs[index].begin) ++above;
            for (std::size_t i = above; i < begin && runs[i].begin < runs[index].end; ++i) {
                const std::uint32_t a = root_of(static_cast<std::uint32_t>(i)), b = root_of(index);
                if (a == b) continue;
                runs[std::max(a, b)].part = std::min(a, b);
                runs[std::min(a, b)].size += runs[std::max(a, b)].size;
            }
            at = std::find_if(end, line.end(), is_open);
        }
        above = begin;
    }
    if (runs.empty()) return {};
    std::uint32_t largest = 0;
    for (std::uint32_t run = 0; run < runs.size(); ++run) {
        if (root_of(run) == run && runs[run].size > runs[largest].size) largest = run;
    }
    // Distances to the middle in half cells: whole numbers.
    NavCellId nearest;
    std::int64_t nearest_distance = 0;
    for (std::uint32_t run = 0; run < runs.size(); ++run) {
        if (root_of(run) != largest) continue;
        const Run& its = runs[run];
        const std::uint32_t column =
            std::clamp((columns - 1) / 2, its.begin, its.end - 1);  // the lower of two middles
        const std::int64_t dx = 2 * std::int64_t{column} + 1 - columns;
        const std::int64_t dy = 2 * std::int64_t{its.row} + 1 - rows;
        const std::int64_t distance = dx * dx + dy * dy;
        if (nearest && distance >= nearest_distance) continue;
        nearest = NavCellId::from_index(std::size_t{its.row} * columns + column);
        nearest_distance = distance;
    }
    return nearest;
}

}  // namespace tw::navigation
