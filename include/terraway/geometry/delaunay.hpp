#pragma once
// Delaunay triangulation of points on the grid, exact.

#include <cstdint>
#include <span>
#include <vector>

#include "terraway/core/executor.hpp"
#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"

namespace tw::geometry {

using VertexId = Id<struct VertexTag>;      ///< a distinct point
using HalfEdgeId = Id<struct HalfEdgeTag>;  ///< a directed edge, stored at its origin

/// The triangulation as stars in compressed rows: the half-edges that leave vertex v are
/// star_begin[v] … star_begin[v + 1] − 1, counter-clockwise. A vertex on the hull starts with the
/// half-edge that has the outside on its right (so its last half-edge has the outside on its left);
/// an inner vertex starts with its neighbour of least id.
/// Collinear points make a path without triangles; one point has an empty star.
struct Delaunay {
    std::vector<GridPoint> point;          ///< by VertexId: distinct, in order of first appearance
    std::vector<std::uint32_t> star_begin; ///< vertices + 1
    std::vector<VertexId> head;            ///< by HalfEdgeId: where it leads to
    std::vector<HalfEdgeId> twin;          ///< by HalfEdgeId: the same edge from the other end
    std::vector<std::uint8_t> on_hull;     ///< by VertexId: 1 on the convex hull (collinear points on it too)
    std::vector<VertexId> vertex_of_input; ///< by input index: duplicates share a vertex
    std::uint32_t duplicate_count = 0;     ///< inputs merged into an earlier equal point
    std::uint32_t triangle_count = 0;

    std::size_t vertex_count() const { return point.size(); }
    std::size_t half_edge_count() const { return head.size(); }
};

/// Triangulates any points. Duplicates are merged and counted; no distinct point is dropped.
/// Cocircular points are resolved by one rule: the lifted point (x, y, x² + y²) is perturbed in
/// (x, y) order, so the result depends on the set of points alone, not on their order (numbering aside).
/// Errors: invalid_input (a coordinate off the grid), too_large (2³¹ half-edges or more).
/// Cost: O(n log n), exact integer predicates behind a floating filter. Points that are evenly
/// spaced (Poisson, jittered or regular grids) take the local path: each star from a grid of
/// buckets, its security radius proved, in parallel; a star that cannot be proved takes the general
/// path. Both give the same bytes.
Result<Delaunay> build_delaunay(std::span<const GridPoint> points, Executor& executor);

/// The two paths by themselves, for tests and benchmarks.
Result<Delaunay> build_delaunay_general(std::span<const GridPoint> points);

}  // namespace tw::geometry
