#pragma once
// Point sets that geometry is tried on. Random ones come from our own generator: same everywhere.

#include "terraway/core/random.hpp"
#include "terraway/math/grid.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tw::testing {

using Points = std::vector<GridPoint>;

class Dice {
public:
    explicit Dice(std::uint64_t seed) : stream_(Seed{seed}, Purpose("test"), 0) {}
    std::uint32_t below(std::uint32_t n) { return stream_.below(n); }
    /// low … high, both reached.
    std::int32_t between(std::int32_t low, std::int32_t high) {
        return low +
               static_cast<std::int32_t>(stream_.below(static_cast<std::uint32_t>(high - low) + 1));
    }
    GridPoint point(std::int32_t low, std::int32_t high) {
        const std::int32_t x = between(low, high);
        const std::int32_t y = between(low, high);
        return {x, y};
    }

private:
    RandomStream stream_;
};

inline Points uniform_points(std::size_t count, std::int32_t low, std::int32_t high,
                             std::uint64_t seed) {
    Dice dice(seed);
    Points points(count);
    for (GridPoint& p : points) p = dice.point(low, high);
    return points;
}

inline Points shuffled(Points points, std::uint64_t seed) {
    Dice dice(seed);
    for (std::size_t i = points.size(); i > 1; --i) {
        std::swap(points[i - 1], points[dice.below(static_cast<std::uint32_t>(i))]);
    }
    return points;
}

/// columns × rows points at origin + i·u + j·v.
inline Points lattice(int columns, int rows, GridPoint origin, GridPoint u, GridPoint v) {
    Points points;
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            points.push_back({origin.x + i * u.x + j * v.x, origin.y + i * u.y + j * v.y});
        }
    }
    return points;
}

/// All integer points of the circle x² + y² = (5 · 13 · 17 · scale)², moved.
inline Points circle_points(std::int32_t scale, GridPoint centre) {
    const std::int32_t radius = 5 * 13 * 17;
    Points points;
    for (std::int32_t x = -radius; x <= radius; ++x) {
        for (std::int32_t y = -radius; y <= radius; ++y) {
            if (x * x + y * y == radius * radius) {
                points.push_back({centre.x + x * scale, centre.y + y * scale});
            }
        }
    }
    return points;
}

/// No two nearer than `spacing`, by throwing darts at a grid of buckets until `misses` in a row
/// fail.
inline Points spaced_points(std::int32_t width, std::int32_t height, std::int32_t spacing,
                            std::uint64_t seed, int misses = 300) {
    Dice dice(seed);
    const int columns = width / spacing + 1, rows = height / spacing + 1;
    std::vector<std::vector<GridPoint>> bucket(static_cast<std::size_t>(columns) *
                                               static_cast<std::size_t>(rows));
    const auto at = [&](int column, int row) -> auto& {
        return bucket[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(column)];
    };
    Points points;
    for (int missed = 0; missed < misses;) {
        const std::int32_t x = dice.between(0, width);
        const std::int32_t y = dice.between(0, height);
        const GridPoint p{x, y};
        bool free = true;
        for (int row = std::max(0, y / spacing - 1); row <= std::min(rows - 1, y / spacing + 1);
             ++row) {
            for (int column = std::max(0, x / spacing - 1);
                 column <= std::min(columns - 1, x / spacing + 1); ++column) {
                for (const GridPoint q : at(column, row)) {
                    free = free && distance2(p, q) >= std::int64_t{spacing} * spacing;
                }
            }
        }
        if (free) {
            at(x / spacing, y / spacing).push_back(p);
            points.push_back(p);
            missed = 0;
        } else {
            ++missed;
        }
    }
    return points;
}

inline Points translated(Points points, GridPoint by) {
    for (GridPoint& p : points) p = p + by;
    return points;
}

/// Pairs of numbers scaled and moved onto the grid, filling `half_extent` around the origin.
inline Points scaled_to_grid(const std::vector<double>& numbers, double half_extent) {
    if (numbers.size() < 4) return {};
    double low[2], high[2];
    for (std::size_t axis = 0; axis < 2; ++axis) {
        low[axis] = high[axis] = numbers[axis];
        for (std::size_t i = axis; i < numbers.size(); i += 2) {
            low[axis] = std::min(low[axis], numbers[i]);
            high[axis] = std::max(high[axis], numbers[i]);
        }
    }
    const double scale = 2 * half_extent / std::max(high[0] - low[0], high[1] - low[1]);
    Points points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        points.push_back(
            {static_cast<std::int32_t>((numbers[i] - low[0]) * scale - half_extent),
             static_cast<std::int32_t>((numbers[i + 1] - low[1]) * scale - half_extent)});
    }
    return points;
}

}  // namespace tw::testing
