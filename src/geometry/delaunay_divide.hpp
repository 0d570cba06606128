#pragma once
// Divide and conquer over points in curve order: exact for any set, O(n log n) at worst.

#include "delaunay_order.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tw::geometry::detail {

/// One end of an edge, in the ring of half-edges around the rank where it starts. The two ends of
/// an edge are neighbours in the array: the other end of e is e ^ 1.
struct RingEdge {
    std::uint32_t head;  ///< rank where it leads to; kNoEdge: not in use
    std::uint32_t next;  ///< next around its origin, counter-clockwise
    std::uint32_t prev;
};
inline constexpr std::uint32_t kNoEdge = 0xffffffffu;

/// The triangulation as rings, in an array with gaps.
struct Rings {
    std::unique_ptr<RingEdge[]> edge;
    std::size_t edge_count = 0;    ///< elements of the array, gaps included
    std::uint32_t hull = kNoEdge;  ///< a half-edge with the outside on its right
};

/// Source: Guibas and Stolfi 1985, "Primitives for the manipulation of general subdivisions"; cuts
/// alternate as in Dwyer 1987, "A faster divide-and-conquer algorithm for Delaunay triangulations".
Rings divide_and_conquer(const CurveOrder& order, Executor& executor);

}  // namespace tw::geometry::detail
