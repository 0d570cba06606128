#pragma once
// The local path: every star by itself, in parallel.

#include "terraway/geometry/delaunay.hpp"

#include <optional>
#include <span>

namespace tw::geometry::detail {

/// The triangulation of evenly spaced points without duplicates; nothing when they are not, or when
/// too many stars cannot be proved. Points must be on the grid.
std::optional<Delaunay> triangulate_by_stars(std::span<const GridPoint> points, Executor& executor);

}  // namespace tw::geometry::detail
