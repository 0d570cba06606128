#pragma once
// Exact questions about rings: closed polygons given by their vertices in order, the last joined to
// the first and not repeated. All points on the grid.

#include "terraway/math/grid.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tw::geometry {

/// Twice the signed area in square steps, positive for counter-clockwise rings. Exact in 64 bits
/// for every simple ring, and for any other that winds about no point more than three times.
std::int64_t double_area(std::span<const GridPoint> ring);

enum class Side : std::uint8_t { outside, boundary, inside };
/// How often the ring turns counter-clockwise about p, which is not on the boundary; 0 outside.
int winding_number(std::span<const GridPoint> ring, GridPoint p);
/// Inside means a winding number other than 0. Cost: O(n).
Side locate(std::span<const GridPoint> ring, GridPoint p);

/// Two edges of a ring that meet where they should not: edge i goes from vertex i to the next.
struct EdgePair {
    std::uint32_t first, second;  ///< first <= second; equal for an edge without length
    friend bool operator==(const EdgePair&, const EdgePair&) = default;
};
/// The first edge without length, else the least pair of edges that touch, other than neighbours in
/// their common vertex; none if the ring is simple. A ring of fewer than three vertices reports
/// {0, 0}. Straight angles are fine.
/// Cost: O(n²) up to 64 vertices, above that O(n log n) while edges' boxes overlap little.
std::optional<EdgePair> find_self_contact(std::span<const GridPoint> ring);
inline bool is_simple(std::span<const GridPoint> ring) {
    return !find_self_contact(ring);
}

/// The corners of the convex hull, counter-clockwise from the least in (x, y); points on its sides
/// are left out. One or two corners when all points are equal or on one line. Cost: O(n log n).
/// Source: Andrew 1979 (monotone chain).
std::vector<GridPoint> convex_hull(std::span<const GridPoint> points);

}  // namespace tw::geometry
