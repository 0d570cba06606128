#include "terraway/geometry/polygon.hpp"

#include "terraway/geometry/rtree.hpp"
#include "terraway/geometry/segment.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>

namespace tw::geometry {
namespace {

constexpr std::size_t kSmallRing = 64;

/// True if edges i < j of the ring meet in more than the vertex that neighbours share.
bool edges_conflict(std::span<const GridPoint> ring, std::size_t i, std::size_t j) {
    const std::size_t n = ring.size();
    const GridPoint a = ring[i], b = ring[i + 1], c = ring[j], d = ring[(j + 1) % n];
    if (j == i + 1) return on_segment(a, b, d) || on_segment(c, d, a);
    if (i == 0 && j == n - 1) return on_segment(a, b, c) || on_segment(c, d, b);
    return segments_touch(a, b, c, d);
}

}  // namespace

std::int64_t double_area(std::span<const GridPoint> ring) {
    // Partial sums may leave 64 bits, the whole does not: unsigned sums wrap and come back.
    std::uint64_t sum = 0;
    for (std::size_t i = 2; i < ring.size(); ++i) {
        sum += static_cast<std::uint64_t>(orient2d(ring[0], ring[i - 1], ring[i]));
    }
    return static_cast<std::int64_t>(sum);
}

int winding_number(std::span<const GridPoint> ring, GridPoint p) {
    int winding = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const GridPoint a = ring[i], b = ring[i + 1 == ring.size() ? 0 : i + 1];
        if (a.y <= p.y && b.y > p.y) {
            winding += orient2d(a, b, p) > 0;
        } else if (a.y > p.y && b.y <= p.y) {
            winding -= orient2d(a, b, p) < 0;
        }
    }
    return winding;
}

Side locate(std::span<const GridPoint> ring, GridPoint p) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const GridPoint b = ring[i + 1 == ring.size() ? 0 : i + 1];
        if (on_segment(ring[i], b, p)) return Side::boundary;
    }
    return winding_number(ring, p) != 0 ? Side::inside : Side::outside;
}

std::optional<EdgePair> find_self_contact(std::span<const GridPoint> ring) {
    const std::size_t n = ring.size();
    if (n < 3) return EdgePair{0, 0};
    const auto pair = [](std::size_t i, std::size_t j) {
        return EdgePair{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)};
    };
    const auto next = [n](std::size_t i) { return i + 1 == n ? 0 : i + 1; };
    for (std::size_t i = 0; i < n; ++i) {
        if (ring[i] == ring[next(i)]) return pair(i, i);
    }
    if (n <= kSmallRing) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j) {
                if (edges_conflict(ring, i, j)) return pair(i, j);
            }
        }
        return std::nullopt;
    }
    std::vector<GridBox> boxes(n);
    for (std::size_t i = 0; i < n; ++i) boxes[i] = box_of(ring[i], ring[next(i)]);
    const RTree tree(boxes);
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t least = n;
        tree.for_each(boxes[i], [&](std::uint32_t j) {
            if (j > i && j < least && edges_conflict(ring, i, j)) least = j;
        });
        if (least < n) return pair(i, least);
    }
    return std::nullopt;
}

std::vector<GridPoint> convex_hull(std::span<const GridPoint> points) {
    std::vector<GridPoint> sorted(points.begin(), points.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted.size() < 3) return sorted;
    std::vector<GridPoint> hull;
    const auto extend = [&hull](GridPoint p, std::size_t fixed) {
        while (hull.size() > fixed && orient2d(hull[hull.size() - 2], hull.back(), p) <= 0) {
            hull.pop_back();
        }
        hull.push_back(p);
    };
    for (GridPoint p : sorted) extend(p, 1);
    const std::size_t lower = hull.size();
    for (std::size_t i = sorted.size() - 1; i-- > 0;) extend(sorted[i], lower);
    hull.pop_back();  // the first again
    return hull;
}

}  // namespace tw::geometry
