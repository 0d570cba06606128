#pragma once
// Distinct points along a Z curve: the order in which the general path divides them.

#include "terraway/geometry/delaunay.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tw::geometry::detail {

/// Ranks along the curve. The codes rise strictly; where two neighbouring ranges first differ in
/// bit 2k they are parted by a vertical line, in bit 2k + 1 by a horizontal one.
struct CurveOrder {
    std::vector<GridPoint> point;     ///< by rank
    std::vector<std::uint64_t> code;  ///< by rank
    std::vector<VertexId> vertex;     ///< by rank
};

/// Merges duplicates, numbers the distinct points by first appearance in `out` (point,
/// vertex_of_input, duplicate_count) and returns their order. Cost: O(n) for spread points,
/// O(n log n) at worst.
CurveOrder order_along_curve(std::span<const GridPoint> points, Delaunay& out);

}  // namespace tw::geometry::detail
