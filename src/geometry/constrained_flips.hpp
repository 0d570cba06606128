#pragma once
// Lawson flips. Private to geometry.

#include "terraway/geometry/triangle.hpp"
#include "terraway/math/grid.hpp"

#include <span>
#include <vector>

namespace tw::geometry {

/// Turns any triangulation of a polygon (with its holes) into its constrained Delaunay
/// triangulation: edges of one triangle stay, the others are flipped until each is locally Delaunay
/// by the one tie rule. Triangles are counter-clockwise; the result is one and the same for any
/// start.
void flip_to_delaunay(std::span<const GridPoint> point, std::vector<Triangle>& triangles);

}  // namespace tw::geometry
