#pragma once
// Delaunay triangulation of points on the grid, exact.

#include "terraway/core/executor.hpp"
#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tw::geometry {

using VertexId = Id<struct VertexTag>;      ///< a distinct point
using HalfEdgeId = Id<struct HalfEdgeTag>;  ///< a directed edge, stored at its origin

/// The triangulation as stars in compressed rows: the half-edges that leave vertex v are
/// star_begin[v] … star_begin[v + 1] − 1, counter-clockwise. A vertex on the hull starts with the
/// half-edge that has the outside on its right (so its last half-edge has the outside on its left);
/// an inner vertex starts with its neighbour of least id.
/// Collinear points make a path without triangles, all of it on the hull, whose inner stars start
/// with the neighbour of least id; one point has an empty star.
struct Delaunay {
    std::vector<GridPoint> point;           ///< by VertexId: distinct, in order of first appearance
    std::vector<std::uint32_t> star_begin;  ///< vertices + 1
    std::vector<VertexId> head;             ///< by HalfEdgeId: where it leads to
    std::vector<HalfEdgeId> twin;           ///< by HalfEdgeId: the same edge from the other end
    std::vector<std::uint8_t> on_hull;      ///< by VertexId: 1 on the hull's boundary, else 0
    std::vector<VertexId> vertex_of_input;  ///< by input index: duplicates share a vertex
    std::uint32_t duplicate_count = 0;      ///< inputs merged into an earlier equal point
    std::uint32_t triangle_count = 0;

    std::size_t vertex_count() const { return point.size(); }
    std::size_t half_edge_count() const { return head.size(); }
};

/// Triangulates any points. Duplicates are merged and counted; no distinct point is dropped.
/// Cocircular points are resolved by one rule: of the lifted points (x, y, x² + y²) the one least
/// in (x, y) order is lowered by an infinitesimal, the next by a smaller one, so that cocircular
/// points make the fan from the least of them. The result depends on the set of points alone, not
/// on their order (numbering aside).
/// Errors: invalid_input (a coordinate off the grid), too_large (2³¹ half-edges or more).
/// Cost: O(n log n). 512 points or more that are evenly spaced (Poisson discs, jittered or regular
/// grids, in a rectangle or another full shape) take the local path, others the general one. Both
/// give the same bytes. Even means that their counts in a grid of buckets vary clearly less than
/// those of independent random points do.
Result<Delaunay> build_delaunay(std::span<const GridPoint> points, Executor& executor);

// The two paths by themselves, for tests and benchmarks.

/// Divide and conquer along a Z curve, on one thread. Any points.
Result<Delaunay> build_delaunay_general(std::span<const GridPoint> points);
/// Each star from the buckets around it, in parallel, with a proof that nothing outside can change
/// it. Stars without proof (at the hull, beside gaps) come from the general path over them and
/// their neighbours. Errors: also unsupported (uneven spacing, duplicates, more than an eighth
/// unproved).
Result<Delaunay> build_delaunay_local(std::span<const GridPoint> points, Executor& executor);

}  // namespace tw::geometry
