#pragma once
// Triangles of simple polygons, with or without holes, exact.

#include "terraway/core/result.hpp"
#include "terraway/geometry/triangle.hpp"
#include "terraway/math/grid.hpp"

#include <span>
#include <vector>

namespace tw::geometry {

/// Cuts a simple ring (either direction) into exactly n − 2 counter-clockwise triangles. Vertices
/// on straight angles are corners of triangles too, so no T-vertex arises and no triangle is
/// without area. No point is added. The triangles are the constrained Delaunay triangulation with
/// the one tie rule, least index first and sorted: they depend on the points alone. Errors:
/// invalid_input (a coordinate off the grid; a ring that is not simple: the subject is the first of
/// two edges that touch, "edge 3"). Cost: O(n²); a ring of 16 takes microseconds. Source: Meisters
/// 1975 (ears), O'Rourke 1998 (their upkeep), Lawson 1977 (flips).
Result<std::vector<Triangle>> triangulate(std::span<const GridPoint> ring);

/// The same for a ring with holes: h holes and n vertices in all give n + 2 h − 2 triangles.
/// Indices count the outer ring's vertices, then those of each hole in turn. Directions do not
/// matter. Errors: as above, and for holes that touch each other or the ring, or lie outside it or
/// in another. Cost: O(n²) and O(n h) for the bridges. Source: Eberly 2002 (bridges).
Result<std::vector<Triangle>> triangulate(std::span<const GridPoint> outer,
                                          std::span<const std::vector<GridPoint>> holes);

}  // namespace tw::geometry
