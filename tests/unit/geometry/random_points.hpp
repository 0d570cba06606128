#pragma once
// Points and simple rings for tests, the same in every run.

#include "terraway/core/random.hpp"
#include "terraway/math/grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tw::testing {

/// Points in the square −reach … reach.
inline std::vector<GridPoint> random_points(std::size_t count, std::int32_t reach,
                                            std::uint64_t id) {
    RandomStream random(Seed{1}, Purpose("tests.points"), id);
    const auto draw = [&] {
        return static_cast<std::int32_t>(
            std::int64_t{random.below(static_cast<std::uint32_t>(2 * std::int64_t{reach} + 1))} -
            reach);
    };
    std::vector<GridPoint> points(count);
    for (GridPoint& p : points) {
        p.x = draw();
        p.y = draw();
    }
    return points;
}

/// True if p lies on the closed segment or it crosses: written with doubles of 64 bits mantissa on
/// purpose, apart from the library. Exact for coordinates below 2²⁰.
inline bool segments_meet(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    const auto turn = [](GridPoint p, GridPoint q, GridPoint r) {
        const double z = (static_cast<double>(q.x) - p.x) * (static_cast<double>(r.y) - p.y) -
                         (static_cast<double>(q.y) - p.y) * (static_cast<double>(r.x) - p.x);
        return z > 0 ? 1 : z < 0 ? -1 : 0;
    };
    const auto apart = [](std::int32_t p, std::int32_t q, std::int32_t r, std::int32_t s) {
        return std::max(p, q) < std::min(r, s) || std::max(r, s) < std::min(p, q);
    };
    if (apart(a.x, b.x, c.x, d.x) || apart(a.y, b.y, c.y, d.y)) return false;
    return turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0;
}

/// A simple ring through random points: crossings are undone by reversing what lies between them
/// (2-opt), which shortens the ring and so ends. Points on edges are dropped. `reach` < 2²⁰.
inline std::vector<GridPoint> random_ring(std::size_t count, std::int32_t reach, std::uint64_t id) {
    std::vector<GridPoint> ring = random_points(count, reach, id);
    std::sort(ring.begin(), ring.end());
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    std::sort(ring.begin(), ring.end(), [&](GridPoint a, GridPoint b) {
        const auto key = [&](GridPoint p) {
            return std::int64_t{p.x} * 7919 % 1013 + std::int64_t{p.y} * 104729 % 997;
        };
        return key(a) != key(b) ? key(a) < key(b) : a < b;
    });
    const auto length = [](GridPoint p, GridPoint q) {
        return std::sqrt(static_cast<double>(distance2(p, q)));
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            for (std::size_t j = i + 2; j < ring.size(); ++j) {
                if (i == 0 && j == ring.size() - 1) continue;
                const GridPoint a = ring[i], b = ring[i + 1];
                const GridPoint c = ring[j], d = ring[(j + 1) % ring.size()];
                if (!segments_meet(a, b, c, d)) continue;
                if (length(a, c) + length(b, d) + 1e-9 < length(a, b) + length(c, d)) {
                    std::reverse(ring.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                 ring.begin() + static_cast<std::ptrdiff_t>(j) + 1);
                } else {  // one touches the other without crossing: drop a point
                    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(j));
                }
                changed = true;
            }
        }
        for (std::size_t i = 0; i < ring.size();
             ++i) {  // spikes, which go back where they came from
            const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()],
                            c = ring[(i + 2) % ring.size()];
            const std::int64_t ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
            if (ux * vy == uy * vx && ux * vx + uy * vy < 0) {
                ring.erase(ring.begin() + static_cast<std::ptrdiff_t>((i + 1) % ring.size()));
                changed = true;
            }
        }
    }
    return ring;
}

}  // namespace tw::testing
