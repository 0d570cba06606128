#pragma once
// Exact drawing on a raster of squares: which squares a segment enters, which middles a triangle
// covers, and the height of its plane there.

#include "terraway/math/grid.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

namespace tw::geometry {

namespace detail {
/// floor((at − from) / pixel)
constexpr std::int32_t square_of(std::int64_t at, std::int64_t from, Steps pixel) {
    const std::int64_t offset = at - from;
    return static_cast<std::int32_t>(offset >= 0 ? offset / pixel
                                                 : -((pixel - 1 - offset) / pixel));
}
}  // namespace detail

/// Squares in the plane, row 0 in the south. A square holds its west and south sides; `pixel` is
/// even, so that middles lie on the grid.
struct Raster {
    GridPoint origin;  ///< south-west corner
    Steps pixel = 2;   ///< [steps] side of a square
    std::int32_t columns = 0, rows = 0;

    /// The square of a coordinate, also outside the raster.
    std::int32_t column_at(std::int32_t x) const { return detail::square_of(x, origin.x, pixel); }
    std::int32_t row_at(std::int32_t y) const { return detail::square_of(y, origin.y, pixel); }
    GridPoint middle(std::int32_t column, std::int32_t row) const {
        return {origin.x + column * pixel + pixel / 2, origin.y + row * pixel + pixel / 2};
    }
};

/// The raster over `bounds` (not empty) whose longer side has at most `longest` >= 1 squares. Its
/// middles lie inside; its outer edges may differ from those of the bounds by half a square.
Raster raster_over(const GridBox& bounds, std::uint32_t longest);

/// Calls visit(column, row) for the squares that the segment enters, in order, the first included.
/// A segment through a corner of squares enters all four, east-west neighbour first, so that the
/// order of any other rule for corners is a part of this one. Squares may lie outside the raster.
/// Source: Amanatides & Woo 1987, in integers.
template <class Visit>
void walk_segment(const Raster& raster, GridPoint a, GridPoint b, Visit&& visit) {
    std::int32_t column = raster.column_at(a.x), row = raster.row_at(a.y);
    const std::int32_t last_column = raster.column_at(b.x), last_row = raster.row_at(b.y);
    const std::int64_t dx = std::abs(std::int64_t{b.x} - a.x);
    const std::int64_t dy = std::abs(std::int64_t{b.y} - a.y);
    const std::int32_t step_x = b.x < a.x ? -1 : 1, step_y = b.y < a.y ? -1 : 1;
    // Distance from the start to the next line of the raster, along each axis.
    const auto to_line = [&](std::int32_t square, std::int32_t step, std::int32_t from,
                             std::int32_t start) {
        const std::int64_t line =
            from + std::int64_t{step > 0 ? square + 1 : square} * raster.pixel;
        return std::abs(line - start);
    };
    std::int64_t next_x = to_line(column, step_x, raster.origin.x, a.x);
    std::int64_t next_y = to_line(row, step_y, raster.origin.y, a.y);
    visit(column, row);
    while (column != last_column || row != last_row) {
        // next_x / dx against next_y / dy; an axis that has arrived is crossed no more.
        const std::int64_t order = column == last_column ? 1
                                   : row == last_row     ? -1
                                                         : next_x * dy - next_y * dx;
        if (order <= 0) {
            column += step_x;
            next_x += raster.pixel;
            visit(column, row);
        }
        if (order == 0) visit(column - step_x, row + step_y);
        if (order >= 0) {
            row += step_y;
            next_y += raster.pixel;
            visit(column, row);
        }
    }
}

/// A corner of a triangle in space.
struct RasterVertex {
    GridPoint point;
    Steps height = 0;
};

namespace detail {

inline constexpr std::int32_t kTile = 8;  ///< squares on the side of a tile

/// Twice the area of (p, corner, next corner) for middles p, counted from a first one. Not negative
/// for all three edges: the triangle covers p.
struct EdgeFunction {
    std::int64_t first;      ///< at the first middle
    std::int64_t right, up;  ///< what a square more adds

    static EdgeFunction of(GridPoint corner, GridPoint next, GridPoint middle, std::int64_t pixel) {
        return {orient2d(corner, next, middle), (std::int64_t{corner.y} - next.y) * pixel,
                (std::int64_t{next.x} - corner.x) * pixel};
    }
    /// The three of a triangle add up to twice its area everywhere.
    static EdgeFunction third(std::int64_t double_area, const EdgeFunction& b,
                              const EdgeFunction& c) {
        return {double_area - b.first - c.first, -(b.right + c.right), -(b.up + c.up)};
    }
    std::int64_t at(std::int32_t column, std::int32_t row) const {
        return first + column * right + row * up;
    }
    /// No square of the tile that begins there is inside of it.
    bool misses_tile(std::int32_t column, std::int32_t row) const {
        constexpr std::int64_t kSteps = kTile - 1;
        return at(column, row) +
                   kSteps * (std::max<std::int64_t>(right, 0) + std::max<std::int64_t>(up, 0)) <
               0;
    }
};

/// Heights of a triangle's plane over its first corner.
class PlaneRise {
public:
    PlaneRise(std::int64_t double_area, std::int64_t rise_b, std::int64_t rise_c)
        : area_(double_area),
          rise_b_(rise_b),
          rise_c_(rise_c),
          inverse_(1.0 / static_cast<double>(double_area)) {}
    /// Where the edges that face b and c have these values, both in [0, area]: a quotient in
    /// doubles is a step off at most, and its remainder tells.
    std::int64_t at(std::int64_t b, std::int64_t c) const {
        constexpr std::int64_t kLift = std::int64_t{1} << 33;  // over any rise: casts are floors
        const double rise = (static_cast<double>(b) * static_cast<double>(rise_b_) +
                             static_cast<double>(c) * static_cast<double>(rise_c_)) *
                            inverse_;
        const std::int64_t steps =
            static_cast<std::int64_t>(rise + (static_cast<double>(kLift) + 0.5)) - kLift;
        // The terms may wrap around; the remainder is small, so it is right all the same.
        const std::uint64_t twice =
            2 * (wrapping(b) * wrapping(rise_b_) + wrapping(c) * wrapping(rise_c_));
        const auto remainder = static_cast<std::int64_t>(twice + wrapping(area_) -
                                                         wrapping(steps) * wrapping(2 * area_));
        return steps + std::int64_t{remainder >= 2 * area_} - std::int64_t{remainder < 0};
    }

private:
    static std::uint64_t wrapping(std::int64_t value) { return static_cast<std::uint64_t>(value); }

    std::int64_t area_, rise_b_, rise_c_;
    double inverse_;
};

/// Which middles of a tile of 8 × 8 squares a triangle covers, as bits 8 · row + column. The tile
/// begins at the square where the edges have these values, and `columns` and `rows` of it count.
inline std::uint64_t cover_tile(const EdgeFunction& a, const EdgeFunction& b, const EdgeFunction& c,
                                std::int32_t column, std::int32_t row, std::int32_t columns,
                                std::int32_t rows) {
    std::int64_t row_a = a.at(column, row), row_b = b.at(column, row), row_c = c.at(column, row);
    // From the east, so that the west ends in the lowest bit.
    const std::int64_t east = columns - 1;
    row_a += east * a.right;
    row_b += east * b.right;
    row_c += east * c.right;
    std::uint64_t inside = 0;
    for (std::int32_t y = 0; y < rows; ++y) {
        std::int64_t at_a = row_a, at_b = row_b, at_c = row_c;
        std::uint64_t outside = 0;
        // Small triangles are all edge: a branch a square would go either way at random.
        for (std::int32_t x = 0; x < columns; ++x) {
            outside = 2 * outside + (static_cast<std::uint64_t>(at_a | at_b | at_c) >> 63);
            at_a -= a.right;
            at_b -= b.right;
            at_c -= c.right;
        }
        inside |= (outside ^ ((std::uint64_t{1} << columns) - 1)) << (kTile * y);
        row_a += a.up;
        row_b += b.up;
        row_c += c.up;
    }
    return inside;
}

}  // namespace detail

/// Calls visit(column, row, height) for the squares of rows [row_begin, row_end) whose middles the
/// closed triangle covers, each once. Height is that of its plane, exact, rounded to the nearest
/// step (halves up), so that triangles that share an edge agree on it. Triangles that don't turn
/// left cover nothing. Columns are within the raster. Corners of one triangle are at most 2²⁹ steps
/// apart. Cost: O(squares of its box).
template <class Visit>
void scan_triangle(const Raster& raster, const std::array<RasterVertex, 3>& t,
                   std::int32_t row_begin, std::int32_t row_end, Visit&& visit) {
    const GridPoint a = t[0].point, b = t[1].point, c = t[2].point;
    const std::int64_t area = orient2d(a, b, c);
    if (area <= 0) return;
    const std::int32_t half = raster.pixel / 2;
    // Squares whose middles lie within the box of the triangle.
    const auto first = [&](std::int32_t low, std::int32_t from) {
        return detail::square_of(std::int64_t{low} + half - 1, from, raster.pixel);
    };
    const auto last = [&](std::int32_t high, std::int32_t from) {
        return detail::square_of(std::int64_t{high} - half, from, raster.pixel);
    };
    const auto [south, north] = std::minmax({a.y, b.y, c.y});
    const std::int32_t row_lo = std::max(row_begin, first(south, raster.origin.y));
    const std::int32_t row_hi = std::min(row_end - 1, last(north, raster.origin.y));
    if (row_lo > row_hi) return;
    const auto [west, east] = std::minmax({a.x, b.x, c.x});
    const std::int32_t column_lo = std::max(0, first(west, raster.origin.x));
    const std::int32_t column_hi = std::min(raster.columns - 1, last(east, raster.origin.x));
    if (column_lo > column_hi) return;

    const GridPoint middle = raster.middle(column_lo, row_lo);
    const std::int64_t pixel = raster.pixel;
    const auto edge_b = detail::EdgeFunction::of(c, a, middle, pixel);
    const auto edge_c = detail::EdgeFunction::of(a, b, middle, pixel);
    const auto edge_a = detail::EdgeFunction::third(area, edge_b, edge_c);
    const detail::PlaneRise plane(area, std::int64_t{t[1].height} - t[0].height,
                                  std::int64_t{t[2].height} - t[0].height);
    constexpr std::int32_t kTile = detail::kTile;
    const std::int32_t columns = column_hi - column_lo + 1, rows = row_hi - row_lo + 1;
    const bool one_tile = columns <= kTile && rows <= kTile;
    for (std::int32_t y = 0; y < rows; y += kTile) {
        for (std::int32_t x = 0; x < columns; x += kTile) {
            if (!one_tile &&
                (edge_a.misses_tile(x, y) || edge_b.misses_tile(x, y) || edge_c.misses_tile(x, y)))
                continue;
            std::uint64_t inside =
                detail::cover_tile(edge_a, edge_b, edge_c, x, y, std::min(kTile, columns - x),
                                   std::min(kTile, rows - y));
            for (; inside != 0; inside &= inside - 1) {
                const std::int32_t bit = std::countr_zero(inside);
                const std::int32_t column = x + bit % kTile, row = y + bit / kTile;
                const std::int64_t rise = plane.at(edge_b.at(column, row), edge_c.at(column, row));
                visit(column_lo + column, row_lo + row, t[0].height + static_cast<Steps>(rise));
            }
        }
    }
}

}  // namespace tw::geometry
