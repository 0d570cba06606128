#pragma once
// Voronoi cells clipped by bisectors to a rectangle, with corners on the grid.

#include <cstdint>
#include <span>
#include <vector>

#include "terraway/core/executor.hpp"
#include "terraway/core/result.hpp"
#include "terraway/geometry/delaunay.hpp"
#include "terraway/math/grid.hpp"

namespace tw::geometry {

/// Cells in compressed rows: the sides of cell c (the cell of vertex c of the triangulation) are
/// side_begin[c] … side_begin[c + 1] − 1, counter-clockwise. Side s goes from corner[s] to the
/// corner of the cell's next side. The cells tile the rectangle exactly: each inner side has a twin
/// that runs the other way, the others lie on the rectangle. Every wedge (site, corner, next corner)
/// turns left. Corners are at least `kMinCornerGap` steps apart along a side.
struct VoronoiCells {
    std::vector<std::uint32_t> side_begin;  ///< cells + 1
    std::vector<std::uint32_t> corner;      ///< by side: index of the corner where it starts
    std::vector<std::uint32_t> twin;        ///< by side: the same side seen from the neighbour, kNoSide at the rectangle
    std::vector<std::uint32_t> cell_of_side;///< by side
    std::vector<GridPoint> corner_point;    ///< by corner, numbered in order of first use by side
    std::uint32_t merged_corners = 0;       ///< corners that were too near, or whose wedge would not turn left
};

inline constexpr std::uint32_t kNoSide = 0xffffffffu;
inline constexpr std::int32_t kMinSpacing = 64;   ///< [steps] between sites
inline constexpr std::int32_t kMinCornerGap = 6;  ///< [steps]: room for a vertex two steps from both ends

/// Cells of the sites `delaunay.point` within `bounds`.
/// Corners are circumcentres (or where a bisector meets the rectangle) rounded exactly to the
/// nearest step, halves up. Corners of one side nearer than max(spacing / 256, kMinCornerGap) merge into the
/// one that is lesser in (x, y); corners of the rectangle and points on its sides stay on it. Merging goes on until every wedge turns left.
/// `spacing` [steps]: the distance that no two sites are nearer than.
/// Errors: invalid_option (spacing under kMinSpacing; bounds off the grid or narrower than spacing),
/// invalid_input (two sites nearer than spacing, or a site nearer than spacing / 2 to the rectangle's outside: sites must be at
/// least kMinSpacing / 2 inside; fewer than 1 site; a cell left with fewer than 3 corners, naming it).
/// Cost: O(n). The result is the same for any order in which the triangulation's triangles are met.
Result<VoronoiCells> build_voronoi(const Delaunay& delaunay, const GridBox& bounds,
                                   std::int32_t spacing, Executor& executor);

}  // namespace tw::geometry
