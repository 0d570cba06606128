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
#include <span>

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

    friend bool operator==(const Raster&, const Raster&) = default;

    /// The square of a coordinate, also outside the raster.
    std::int32_t column_at(std::int32_t x) const { return detail::square_of(x, origin.x, pixel); }
    std::int32_t row_at(std::int32_t y) const { return detail::square_of(y, origin.y, pixel); }
    GridPoint middle(std::int32_t column, std::int32_t row) const {
        return {origin.x + column * pixel + pixel / 2, origin.y + row * pixel + pixel / 2};
    }
};

/// The raster over `bounds` (not empty) of squares of this side, even and positive. Its middles lie
/// inside; its outer edges may differ from those of the bounds by half a square.
Raster raster_of_pixels(const GridBox& bounds, Steps pixel);

/// The one whose longer side has at most `longest` >= 1 squares.
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

/// Heights of a triangle's plane over its first corner: (b · rise of b + c · rise of c) / area,
/// where the edges that face the corners b and c have these values.
class PlaneRise {
public:
    /// For squares of a box of that many columns and rows.
    PlaneRise(std::int64_t double_area, const EdgeFunction& edge_b, const EdgeFunction& edge_c,
              std::int64_t rise_b, std::int64_t rise_c, std::int32_t columns, std::int32_t rows);

    /// Heights of the tile that begins there, 8 · row + column, rounded to the nearest step, halves
    /// up, where the triangle covers the square. Unsigned, so that they add to any height.
    void of_tile(std::int32_t column, std::int32_t row, std::int32_t rows, std::uint64_t covered,
                 std::span<std::uint32_t, kTile * kTile> rise) const;

private:
    std::uint32_t exact(std::int32_t column, std::int32_t row) const;
    double weighted(std::int64_t b, std::int64_t c) const {
        return static_cast<double>(b) * static_cast<double>(rise_b_) +
               static_cast<double>(c) * static_cast<double>(rise_c_);
    }

    std::int64_t area_;
    EdgeFunction edge_b_, edge_c_;
    std::int64_t rise_b_, rise_c_;
    double inverse_;
    double first_, right_, up_;  ///< of the rise
    bool errs_;                  ///< in doubles, by too much
};

/// Which middles of a tile of 8 × 8 squares a triangle covers, as bits 8 · row + column. The tile
/// begins at that column and row; `columns` and `rows` of it count.
std::uint64_t cover_tile(const EdgeFunction& a, const EdgeFunction& b, const EdgeFunction& c,
                         std::int32_t column, std::int32_t row, std::int32_t columns,
                         std::int32_t rows);

/// The three edges of a triangle that turns left, each named after the corner that it faces, and
/// the squares of its box. Empty where no middle can be covered.
struct TriangleEdges {
    EdgeFunction a{}, b{}, c{};
    std::int64_t double_area = 0;
    std::int32_t column_lo = 0, column_hi = -1, row_lo = 0, row_hi = -1;

    bool empty() const { return column_lo > column_hi || row_lo > row_hi || double_area <= 0; }
    TriangleEdges(const Raster& raster, const std::array<RasterVertex, 3>& t,
                  std::int32_t row_begin, std::int32_t row_end)
        : double_area(orient2d(t[0].point, t[1].point, t[2].point)) {
        if (double_area <= 0) return;
        // Not a square too few; edges decide about those too many. Products with the rounded
        // inverse err by less than kSlack: a corner on a middle is not to fall short of it.
        constexpr double kSlack = 0x1p-20;
        const double inverse = 1.0 / raster.pixel;
        const auto square = [&](std::int32_t at, std::int32_t from, double slack) {
            const double squares = (static_cast<double>(at) - from) * inverse - 0.5 + slack;
            return static_cast<std::int32_t>(std::clamp(squares, -2.0, 0x1p30));
        };
        const GridPoint pa = t[0].point, pb = t[1].point, pc = t[2].point;
        const std::int32_t south = std::min({pa.y, pb.y, pc.y});
        const std::int32_t north = std::max({pa.y, pb.y, pc.y});
        row_lo = std::max(row_begin, square(south, raster.origin.y, 0.0));
        row_hi = std::min(row_end - 1, square(north, raster.origin.y, kSlack));
        const std::int32_t west = std::min({pa.x, pb.x, pc.x});
        const std::int32_t east = std::max({pa.x, pb.x, pc.x});
        column_lo = std::max(0, square(west, raster.origin.x, 0.0));
        column_hi = std::min(raster.columns - 1, square(east, raster.origin.x, kSlack));
        if (empty()) return;
        const GridPoint middle = raster.middle(column_lo, row_lo);
        b = EdgeFunction::of(pc, pa, middle, raster.pixel);
        c = EdgeFunction::of(pa, pb, middle, raster.pixel);
        a = EdgeFunction::third(double_area, b, c);
    }

    /// visit(column, row, squares) for each tile with squares that are covered: as bits
    /// 8 · row + column, counted from the tile's first square, whose place is given from the box's
    /// first.
    template <class Visit>
    void for_each_tile(Visit&& visit) const {
        const std::int32_t columns = column_hi - column_lo + 1, rows = row_hi - row_lo + 1;
        const bool one_tile = columns <= kTile && rows <= kTile;
        for (std::int32_t y = 0; y < rows; y += kTile) {
            for (std::int32_t x = 0; x < columns; x += kTile) {
                if (!one_tile &&
                    (a.misses_tile(x, y) || b.misses_tile(x, y) || c.misses_tile(x, y)))
                    continue;
                const std::uint64_t covered = cover_tile(
                    a, b, c, x, y, std::min(kTile, columns - x), std::min(kTile, rows - y));
                if (covered != 0) visit(x, y, covered);
            }
        }
    }
};

/// visit(column, row) for each bit of a tile's squares.
template <class Visit>
void for_each_square(std::uint64_t squares, Visit&& visit) {
    for (; squares != 0; squares &= squares - 1) {
        const std::int32_t bit = std::countr_zero(squares);
        visit(bit % kTile, bit / kTile);
    }
}

}  // namespace detail

/// Calls visit(column, row) for the squares of rows [row_begin, row_end) whose middles the closed
/// triangle covers, each once; heights don't matter. Triangles that don't turn left cover nothing.
/// Columns are within the raster. Corners of one triangle are at most 2²⁹ steps apart.
/// Cost: O(squares of its box).
template <class Visit>
void cover_triangle(const Raster& raster, const std::array<RasterVertex, 3>& t,
                    std::int32_t row_begin, std::int32_t row_end, Visit&& visit) {
    const detail::TriangleEdges edges(raster, t, row_begin, row_end);
    if (edges.empty()) return;
    edges.for_each_tile([&](std::int32_t x, std::int32_t y, std::uint64_t squares) {
        detail::for_each_square(squares, [&](std::int32_t column, std::int32_t row) {
            visit(edges.column_lo + x + column, edges.row_lo + y + row);
        });
    });
}

/// As cover_triangle, but visit(column, row, height): that of the triangle's plane, exact, rounded
/// to the nearest step (halves up), so that triangles that share an edge agree on it.
template <class Visit>
void scan_triangle(const Raster& raster, const std::array<RasterVertex, 3>& t,
                   std::int32_t row_begin, std::int32_t row_end, Visit&& visit) {
    const detail::TriangleEdges edges(raster, t, row_begin, row_end);
    if (edges.empty()) return;
    const std::int32_t columns = edges.column_hi - edges.column_lo + 1;
    const std::int32_t rows = edges.row_hi - edges.row_lo + 1;
    const detail::PlaneRise plane(edges.double_area, edges.b, edges.c,
                                  std::int64_t{t[1].height} - t[0].height,
                                  std::int64_t{t[2].height} - t[0].height, columns, rows);
    constexpr std::int32_t kTile = detail::kTile;
    alignas(64) std::array<std::uint32_t, kTile * kTile> rise;
    edges.for_each_tile([&](std::int32_t x, std::int32_t y, std::uint64_t squares) {
        plane.of_tile(x, y, std::min(kTile, rows - y), squares, rise);
        detail::for_each_square(squares, [&](std::int32_t column, std::int32_t row) {
            const std::uint32_t height = static_cast<std::uint32_t>(t[0].height) +
                                         rise[static_cast<std::size_t>(kTile * row + column)];
            visit(edges.column_lo + x + column, edges.row_lo + y + row, static_cast<Steps>(height));
        });
    });
}

}  // namespace tw::geometry
