#include "terraway/geometry/rtree.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tw::geometry {
namespace {

constexpr std::size_t kFanout = 16;

/// Distance along the Hilbert curve through a square of 2¹⁶ × 2¹⁶ places.
std::uint32_t hilbert(std::uint32_t x, std::uint32_t y) {
    std::uint32_t d = 0;
    for (std::uint32_t s = 1u << 15; s > 0; s >>= 1) {
        const std::uint32_t rx = (x & s) != 0, ry = (y & s) != 0;
        d += s * s * ((3 * rx) ^ ry);
        if (ry == 0) {
            if (rx == 1) {
                x = 0xffffu - x;
                y = 0xffffu - y;
            }
            std::swap(x, y);
        }
    }
    return d;
}

GridBox joined(const GridBox& a, const GridBox& b) {
    GridBox both = a;
    if (!b.empty()) {
        both.include(b.lo);
        both.include(b.hi);
    }
    return both;
}

}  // namespace

std::int64_t distance2(const GridBox& box, GridPoint p) {
    const GridPoint nearest{std::clamp(p.x, box.lo.x, box.hi.x),
                            std::clamp(p.y, box.lo.y, box.hi.y)};
    return tw::distance2(p, nearest);
}

RTree::RTree(std::span<const GridBox> boxes) {
    GridBox bounds;
    for (const GridBox& box : boxes) bounds = joined(bounds, box);
    const std::int64_t extent = std::max({bounds.width(), bounds.height(), std::int64_t{1}});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // place on the curve, id
    order.reserve(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].empty()) continue;
        const auto place = [&](std::int64_t lo, std::int64_t hi, std::int64_t origin) {
            return static_cast<std::uint32_t>(((lo + hi) / 2 - origin) * 0xffff / extent);
        };
        const GridBox& box = boxes[i];
        order.emplace_back(
            hilbert(place(box.lo.x, box.hi.x, bounds.lo.x), place(box.lo.y, box.hi.y, bounds.lo.y)),
            static_cast<std::uint32_t>(i));
    }
    if (order.empty()) return;
    std::sort(order.begin(), order.end());
    item_.reserve(order.size());
    box_.reserve(order.size() + order.size() / (kFanout - 1) + 8);
    for (const auto& [place, id] : order) {
        item_.push_back(id);
        box_.push_back(boxes[id]);
    }
    level_ = {0, box_.size()};
    while (level_.back() - level_[level_.size() - 2] > 1) {
        const std::size_t begin = level_[level_.size() - 2], end = level_.back();
        for (std::size_t i = begin; i < end; i += kFanout) {
            GridBox node;
            for (std::size_t k = i; k < std::min(end, i + kFanout); ++k) {
                node = joined(node, box_[k]);
            }
            box_.push_back(node);
        }
        level_.push_back(box_.size());
    }
}

void RTree::for_each(const GridBox& box, FunctionRef<void(std::uint32_t)> visit) const {
    if (item_.empty() || box.empty()) return;
    // Depth first: at most kFanout − 1 siblings wait on each of at most eight levels below 2³².
    std::array<std::pair<std::uint32_t, std::size_t>, 8 * kFanout> stack;  // level, node in box_
    std::size_t top = 0;
    stack[top++] = {static_cast<std::uint32_t>(level_.size() - 2), box_.size() - 1};
    while (top > 0) {
        const auto [level, node] = stack[--top];
        if (!box_[node].intersects(box)) continue;
        if (level == 0) {
            visit(item_[node]);
            continue;
        }
        const std::size_t first = level_[level - 1] + (node - level_[level]) * kFanout;
        const std::size_t last = std::min(level_[level], first + kFanout);
        for (std::size_t k = last; k-- > first;) stack[top++] = {level - 1, k};
    }
}

std::vector<std::uint32_t> RTree::find(const GridBox& box) const {
    std::vector<std::uint32_t> found;
    for_each(box, [&](std::uint32_t id) { found.push_back(id); });
    std::sort(found.begin(), found.end());
    return found;
}

template <class Distance, class Measure>
std::uint32_t RTree::search(GridPoint p, Measure&& measure) const {
    struct Entry {
        Distance distance;
        std::uint32_t level;
        std::size_t node;
    };
    std::uint32_t best = kNone;
    Distance best_distance{};
    if (item_.empty()) return best;
    // Depth first, children from near to far; a node as far as the best may hide a lesser id.
    std::vector<Entry> stack;
    const auto entry = [&](std::uint32_t level, std::size_t node) {
        return Entry{static_cast<Distance>(distance2(box_[node], p)), level, node};
    };
    stack.push_back(entry(static_cast<std::uint32_t>(level_.size() - 2), box_.size() - 1));
    while (!stack.empty()) {
        const Entry at = stack.back();
        stack.pop_back();
        if (best != kNone && at.distance > best_distance) continue;
        if (at.level == 0) {
            const std::uint32_t id = item_[at.node];
            const Distance distance = measure(id, at.distance);
            if (best == kNone || distance < best_distance ||
                (distance == best_distance && id < best)) {
                best = id;
                best_distance = distance;
            }
            continue;
        }
        const std::size_t first = level_[at.level - 1] + (at.node - level_[at.level]) * kFanout;
        const std::size_t last = std::min(level_[at.level], first + kFanout);
        const auto begin = static_cast<std::ptrdiff_t>(stack.size());
        for (std::size_t k = first; k < last; ++k) stack.push_back(entry(at.level - 1, k));
        std::sort(stack.begin() + begin, stack.end(), [](const Entry& a, const Entry& b) {
            return a.distance != b.distance ? a.distance > b.distance : a.node < b.node;
        });
    }
    return best;
}

std::uint32_t RTree::nearest(GridPoint p) const {
    return search<std::int64_t>(p, [](std::uint32_t, std::int64_t of_box) { return of_box; });
}

std::uint32_t RTree::nearest(GridPoint p, FunctionRef<double(std::uint32_t)> distance) const {
    return search<double>(p, [&](std::uint32_t id, double) { return distance(id); });
}

}  // namespace tw::geometry
