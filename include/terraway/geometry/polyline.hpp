#pragma once
// Polylines on the grid: measuring, walking along, thinning and moving sideways. Lengths and
// distances are doubles in steps; a polyline has at least one point unless a line says otherwise.

#include "terraway/math/grid.hpp"
#include "terraway/math/vec.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tw::geometry {

/// Arc length from the start to each point; the last is the whole length. [steps]
std::vector<double> arc_lengths(std::span<const GridPoint> line);
double length(std::span<const GridPoint> line);

struct PolylinePlace {
    Vec2d point;                ///< [steps]
    Vec2d direction;            ///< of length 1; zero for a line without length
    std::uint32_t segment = 0;  ///< from point `segment` to the next
};
/// The place at arc length s, held within the line. `lengths` is arc_lengths(line). Cost: O(log n).
PolylinePlace place_at(std::span<const GridPoint> line, std::span<const double> lengths, double s);

struct ClosestPlace {
    Vec2d point;                ///< [steps]
    double distance = 0.0;      ///< [steps]
    double along = 0.0;         ///< part of the segment before the point, 0 … 1
    std::uint32_t segment = 0;  ///< the first of equally near ones
};
/// The nearest point of the line. Cost: O(n).
ClosestPlace closest_place(std::span<const GridPoint> line, GridPoint p);

/// The points without those that equal the one before. May be empty.
std::vector<GridPoint> without_repeats(std::span<const GridPoint> line);

/// Points at equal arc lengths, as few as keep them no more than `spacing` >= 1 step apart along
/// the line; both ends stay. Rounded to the grid (0.71 steps at most); a line without length gives
/// one.
std::vector<GridPoint> resample(std::span<const GridPoint> line, double spacing);

/// All points of the line and, in equal parts, as many between as keep neighbours no more than
/// `spacing` >= 1 step apart, rounding aside.
std::vector<GridPoint> subdivide(std::span<const GridPoint> line, double spacing);

/// Ascending indices of the points to keep, both ends among them, such that each point left out is
/// within `tolerance` (0 … 2³⁰ steps) of the segment that replaces it: exactly, in integers.
/// Cost: O(n log n) usually, O(n²) at worst. Source: Ramer 1972, Douglas & Peucker 1973.
std::vector<std::uint32_t> simplify(std::span<const GridPoint> line, Steps tolerance);

struct OffsetOptions {
    double miter_limit = 2.0;  ///< longest corner over the distance, >= 1; beyond it is cut in two
};
/// The line moved to its left by `distance` steps (to its right when negative), rounded to the
/// grid. Corners are mitred, those beyond the limit bevelled. |distance| · limit <= 2³⁰; the result
/// may leave the grid by as much. Loops where the line bends more sharply than `distance` are not
/// removed. A line without length gives no points.
std::vector<GridPoint> offset(std::span<const GridPoint> line, double distance,
                              const OffsetOptions& options = {});

}  // namespace tw::geometry
