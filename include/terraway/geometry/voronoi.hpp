#pragma once
// Voronoi cells clipped by bisectors to a rectangle, with corners on the grid.

#include "terraway/core/executor.hpp"
#include "terraway/core/result.hpp"
#include "terraway/geometry/delaunay.hpp"
#include "terraway/math/grid.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tw::geometry {

/// Cells in compressed rows: the sides of cell c (the cell of vertex c of the triangulation) are
/// side_begin[c] … side_begin[c + 1] − 1, counter-clockwise. Side s goes from corner[s] to the
/// corner of the cell's next side. The cells tile the rectangle exactly: each inner side has a twin
/// that runs the other way, the others lie on the rectangle. Every wedge (site, corner, next
/// corner) turns left. Corners are at least `kMinCornerGap` steps apart along a side.
struct VoronoiCells {
    std::vector<std::uint32_t> side_begin;  ///< cells + 1
    std::vector<std::uint32_t> corner;      ///< by side: index of the corner where it starts
    std::vector<std::uint32_t> twin;        ///< by side: the neighbour's; kNoSide at the rectangle
    std::vector<std::uint32_t> cell_of_side;  ///< by side
    std::vector<GridPoint> corner_point;      ///< by corner, numbered in order of first use by side
    std::uint32_t merged_corners = 0;         ///< corners that merged into another
    std::int32_t spacing = 0;                 ///< [steps] that was given or found
};

inline constexpr std::uint32_t kNoSide = 0xffffffffu;
inline constexpr std::int32_t kMinSpacing = 64;  ///< [steps] between sites
/// [steps] along a side: room for a vertex two steps from both ends.
inline constexpr std::int32_t kMinCornerGap = 6;

/// Cells of the sites `delaunay.point` within `bounds`.
/// Corners are circumcentres, or where a bisector meets the rectangle, rounded exactly to the
/// nearest step, halves up. The corners of a side shorter than max(spacing / 256, kMinCornerGap)
/// (Euclidean) and those of a wedge that does not turn left merge, in rounds until there are none.
/// Of merged corners one stays where it is: a corner of the rectangle before a point of its sides
/// before an inner one, then the least in (x, y). A site as near to a corner of the rectangle as
/// another one contains it if it lies farther in that corner's direction (in x, then in y).
/// `spacing` [steps]: the distance that no two sites are nearer than, none is nearer than half of
/// it to the rectangle; if none is given, the largest that holds.
/// Errors: invalid_option (spacing under kMinSpacing; bounds off the grid or narrower than
/// spacing), invalid_input (no site; a site less than kMinSpacing / 2 inside the rectangle; two
/// sites nearer than spacing; a cell left with fewer than 3 corners or a rectangle's corner lost in
/// merging, which only sites crowded far below the spacing's scale can cause).
/// Cost: O(n). The result depends on the sites and the bounds alone, numbering aside.
Result<VoronoiCells> build_voronoi(const Delaunay& delaunay, const GridBox& bounds,
                                   std::optional<std::int32_t> spacing, Executor& executor);

/// The true centroids of these cells, each coordinate rounded to the nearest step, halves up: a
/// round of Lloyd's relaxation. Errors and cost: those of build_voronoi.
Result<std::vector<GridPoint>> voronoi_centroids(const Delaunay& delaunay, const GridBox& bounds,
                                                 std::optional<std::int32_t> spacing,
                                                 Executor& executor);

}  // namespace tw::geometry
