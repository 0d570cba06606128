#pragma once
// A triangle mesh on the grid, and everything that can be wrong with one.

#include "terraway/geometry/triangle.hpp"
#include "terraway/math/grid3.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tw::geometry {

struct Mesh {
    std::vector<GridPoint3> position;  ///< by vertex
    std::vector<Triangle> triangle;    ///< vertices, counter-clockwise seen from the front
};

struct MeshEdge {
    std::uint32_t from, to;  ///< vertices
    friend constexpr auto operator<=>(const MeshEdge&, const MeshEdge&) = default;
};
struct TVertex {
    std::uint32_t vertex;
    MeshEdge edge;  ///< that it lies inside, without being one of its ends
    friend constexpr auto operator<=>(const TVertex&, const TVertex&) = default;
};

/// What validate() found; every list is in ascending order of its ids.
struct MeshReport {
    /// Edges of one triangle alone, as loops that have the mesh on their left, each from its least
    /// vertex; loops in order of these. Where several fans meet in a vertex each fan has its own
    /// loop. A chain that runs into a bad edge ends there.
    std::vector<std::vector<std::uint32_t>> boundary;
    std::vector<MeshEdge> non_manifold;       ///< from < to: used by three triangles or more
    std::vector<MeshEdge> inconsistent;       ///< used twice in the same direction
    std::vector<TVertex> t_vertices;          ///< vertices inside a boundary or bad edge, exact
    std::vector<std::uint32_t> degenerate;    ///< triangles without area, exact
    std::vector<std::uint32_t> duplicate;     ///< triangles on the corners of an earlier one
    std::vector<std::uint32_t> facing_down;   ///< triangles that turn right seen from above
    std::vector<std::uint32_t> out_of_range;  ///< triangles with an index past the vertices
    std::vector<std::uint32_t>
        repeated_position;  ///< vertices at the place of one with a lesser index

    /// True if each edge joins exactly two triangles that agree in direction.
    bool closed() const { return boundary.empty() && non_manifold.empty() && inconsistent.empty(); }
    /// True if nothing is wrong; a boundary is not wrong.
    bool sound() const {
        return non_manifold.empty() && inconsistent.empty() && t_vertices.empty() &&
               degenerate.empty() && duplicate.empty() && facing_down.empty() &&
               out_of_range.empty() && repeated_position.empty();
    }
};

/// Looks at every edge, triangle and vertex. Coordinates within ±kMaxCoordinate, z too.
/// Triangles out of range are named and then left aside. Cost: O(n log n).
MeshReport validate(std::span<const GridPoint3> position, std::span<const Triangle> triangles);
inline MeshReport validate(const Mesh& mesh) {
    return validate(mesh.position, mesh.triangle);
}

}  // namespace tw::geometry
