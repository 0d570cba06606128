#pragma once
// What turns one street surface into another in place, and back.

#include "terraway/streets/streets.hpp"

#include "trace.hpp"

#include <utility>
#include <vector>

namespace tw::streets {

class StreetPatch {
public:
    /// The other side. Roads of pieces, gates and begins are whole; of all else it holds only what
    /// is not on this side.
    world::StreetSurface surface;
    StreetTrace trace;
    /// Pieces that stay in runs, and what belongs to each run. Runs keep their order.
    std::vector<Run> piece, vertex, ring_vertex, triangle;
    std::uint32_t vertices = 0, ring_vertices = 0, triangles = 0;  ///< on the other side
    /// Vertices that stand elsewhere on the other side: by their ids on the new one.
    std::vector<std::pair<world::StreetVertexId, GridPoint>> moved;
    bool is_done = false;  ///< the new side is in place

    /// Exchanges the sides. Cost: O(vertices and triangles behind the first that moves).
    void swap(world::StreetSurface& here, StreetTrace& its);

private:
    void swap_points(world::StreetSurface& here);
    void swap_pieces(world::StreetSurface& here, StreetTrace& its);
};

}  // namespace tw::streets
