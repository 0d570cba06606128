#include "delaunay_star.hpp"

#include "terraway/math/predicates.hpp"

#include <algorithm>

namespace tw::geometry::detail {
namespace {

/// Angles are good to a few units of 2⁻²²; what is nearer than this is compared exactly.
constexpr std::int32_t kNearAngle = 8;

}  // namespace

/// The points of the buckets up to `ring` rows away, and the disc that they surely cover.
bool StarBuilder::gather(std::int32_t column, std::int32_t row, std::int32_t ring) {
    constexpr double kMargin = 1.0 - 0x1p-20;  // bucket borders are rounded
    const double reach = kMargin * grid_.side * ring;
    lanes_.reach2 = reach * reach;
    const std::int32_t first = std::max(0, column - ring);
    const std::int32_t last = std::min(grid_.columns - 1, column + ring);
    std::size_t used = 0;
    for (std::int32_t r = std::max(0, row - ring); r <= std::min(grid_.rows - 1, row + ring); ++r) {
        const auto row_begin =
            static_cast<std::size_t>(r) * static_cast<std::size_t>(grid_.columns);
        const std::uint32_t begin = grid_.begin[row_begin + static_cast<std::size_t>(first)];
        const std::uint32_t end = grid_.begin[row_begin + static_cast<std::size_t>(last) + 1];
        if (used + (end - begin) > kMaxLanes) return false;
        for (std::uint32_t rank = begin; rank < end; rank += StarLanes::kOverrun) {
            const std::size_t to = used + (rank - begin);
            for (std::uint32_t i = 0; i < StarLanes::kOverrun; ++i) {
                lanes_.x[to + i] = grid_.x[rank + i] - centre_.x;
                lanes_.y[to + i] = grid_.y[rank + i] - centre_.y;
                lanes_.rank[to + i] = rank + i;
            }
        }
        used += end - begin;
    }
    // What the last blocks hold beyond that is measured too, and must be numbers.
    for (std::size_t i = used; i % kLaneBlock != 0; ++i) lanes_.x[i] = lanes_.y[i] = 1;
    lanes_.used = used;
    return true;
}

void StarBuilder::sort_by_angle() {
    if (lanes_.used <= kLaneBlock) {
        functions_.order(lanes_);
        for (std::uint32_t i = 0; i < lanes_.used; ++i) {
            order_[static_cast<std::size_t>(lanes_.position[i])] = i;
        }
    } else {
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < lanes_.used; ++i) {
            if (lanes_.key[i] != kNoKey) order_[at++] = i;
        }
        std::sort(order_, order_ + at, [this](std::uint32_t a, std::uint32_t b) {
            return lanes_.key[a] < lanes_.key[b];
        });
    }
}

/// Exact: lane a comes before b, less than half a turn.
bool StarBuilder::precedes(std::uint32_t a, std::uint32_t b) const {
    return std::int64_t{lanes_.x[a]} * lanes_.y[b] - std::int64_t{lanes_.y[a]} * lanes_.x[b] > 0;
}

/// Orders by exact angle what the keys cannot tell apart; of points in one direction only the
/// nearest can be a neighbour.
void StarBuilder::settle_near_angles() {
    const auto near = [this](std::uint32_t a, std::uint32_t b) {
        return (lanes_.key[b] >> kLaneBits) - (lanes_.key[a] >> kLaneBits) <= kNearAngle;
    };
    bool any = false;
    for (std::size_t i = 1; i < count_; ++i) any |= near(order_[i - 1], order_[i]);
    if (!any) [[likely]]
        return;
    for (std::size_t i = 1; i < count_; ++i) {
        const std::uint32_t moved = order_[i];
        std::size_t at = i;
        while (at > 0 && near(order_[at - 1], moved) && precedes(moved, order_[at - 1])) {
            order_[at] = order_[at - 1];
            --at;
        }
        order_[at] = moved;
    }
    std::size_t kept = 1;
    for (std::size_t i = 1; i < count_; ++i) {
        const std::uint32_t last = order_[kept - 1], next = order_[i];
        const bool one_direction = near(last, next) && !precedes(last, next);
        if (!one_direction) {
            order_[kept++] = next;
        } else if (lanes_.inverse_lift[next] > lanes_.inverse_lift[last]) {
            order_[kept - 1] = next;
        }
    }
    count_ = kept;
}

/// Does the middle one stay on the hull? The turn's double decides unless it is too near zero.
inline bool StarBuilder::keeps(const Inverted& before, const Inverted& middle,
                               const Inverted& after) const {
    const double turn =
        (middle.u - before.u) * (after.v - before.v) - (middle.v - before.v) * (after.u - before.u);
    if (turn > doubt_) return true;
    if (turn < -doubt_) return false;
    const auto point = [this](const Inverted& i) { return grid_.point(lanes_.rank[i.lane]); };
    return incircle_perturbed(centre_, point(before), point(after), point(middle)) > 0;
}

/// Inverted about the centre, circles through it become lines and the star a convex hull: Graham's
/// scan around the centre, from the nearest candidate, which always is a neighbour.
void StarBuilder::wrap() {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < count_; ++i) {
        nearest =
            lanes_.inverse_lift[order_[i]] > lanes_.inverse_lift[order_[nearest]] ? i : nearest;
    }
    const auto inverted = [this](std::size_t i) {
        const std::uint32_t c = order_[i];
        return Inverted{lanes_.x[c] * lanes_.inverse_lift[c], lanes_.y[c] * lanes_.inverse_lift[c],
                        c};
    };
    // Inverted coordinates err by less than 2⁻⁵⁰ of the longest.
    doubt_ = 0x1p-45 * lanes_.inverse_lift[order_[nearest]];
    star_[0] = inverted(nearest);
    star_size_ = 1;
    std::size_t at = nearest;
    for (std::size_t step = 1; step <= count_; ++step) {
        at = at + 1 < count_ ? at + 1 : 0;
        const Inverted next = inverted(at);
        while (star_size_ >= 2 && !keeps(star_[star_size_ - 2], star_[star_size_ - 1], next)) {
            --star_size_;
        }
        star_[star_size_++] = next;
    }
    --star_size_;  // the first one again
}

/// A line at distance h from the centre is a circle of diameter 1 / h.
bool StarBuilder::is_proved() const {
    constexpr double kMargin = 1.0 + 0x1p-20;
    const double least_area = doubt_ * 0x1p21;
    bool proved = true;
    for (std::size_t i = 0; i < star_size_; ++i) {
        const Inverted &a = star_[i], &b = star_[i + 1];
        const double area = a.u * b.v - a.v * b.u;
        const double du = b.u - a.u, dv = b.v - a.v;
        proved &=
            (area > least_area) & (area * area * lanes_.reach2 > kMargin * (du * du + dv * dv));
    }
    return proved;
}

std::span<const std::uint32_t> StarBuilder::build(std::uint32_t rank, std::int32_t column,
                                                  std::int32_t row) {
    centre_ = grid_.point(rank);
    for (std::int32_t ring = kFirstRing; ring <= kLastRing; ++ring) {
        if (!gather(column, row, ring)) return {};
        const LaneCounts counts = functions_.measure(lanes_);
        if (counts.equal != 1) return {};  // a duplicate
        count_ = static_cast<std::size_t>(counts.near);
        if (count_ < 3) continue;
        sort_by_angle();
        settle_near_angles();
        wrap();
        if (!is_proved()) continue;
        for (std::size_t i = 0; i < star_size_; ++i) star_rank_[i] = lanes_.rank[star_[i].lane];
        return {star_rank_, star_size_};
    }
    return {};
}

}  // namespace tw::geometry::detail
