#pragma once
// What turns one street surface into another in place, and back.

#include "terraway/core/array_delta.hpp"
#include "terraway/streets/streets.hpp"

#include "trace.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tw::streets {

/// Arrays of a surface and its trace that change throughout, kept by what they are on this side.
class StreetArrays {
public:
    StreetArrays() = default;
    /// Keeps those of `other`, of which pieces stay in runs, and nodes.
    StreetArrays(const world::StreetSurface& other, const StreetTrace& its,
                 const world::StreetSurface& here, const StreetTrace& trace,
                 std::span<const Run> pieces, std::span<const Run> nodes);
    void swap(world::StreetSurface& here, StreetTrace& its);

private:
    ArrayDeltas<world::RoadId, GridBox> by_piece_;
    ArrayDeltas<std::uint32_t, std::uint32_t, std::uint32_t> begin_by_piece_;
    ArrayDeltas<std::uint32_t> begin_by_ring_;
    ArrayDeltas<world::RoadNodeId> by_junction_;
    ArrayDeltas<world::PieceId, world::PieceId, world::RoadNodeId, world::StreetVertexId,
                world::StreetVertexId>
        by_gate_;
    ArrayDeltas<world::RoadNodeId, std::uint8_t> by_node_;
};

class StreetPatch {
public:
    /// The other side: of most arrays only what is not on this side. Roads of pieces, gates and
    /// begins are whole, and so is the trace, until they are packed.
    world::StreetSurface surface;
    StreetTrace trace;
    /// Pieces that stay in runs, and what belongs to each run. Runs keep their order.
    std::vector<Run> piece, vertex, ring_vertex, triangle;
    std::uint32_t pieces = 0, vertices = 0, ring_vertices = 0, triangles = 0;  ///< there
    /// Vertices that stand elsewhere on the other side: by their ids on the new one.
    std::vector<std::pair<world::StreetVertexId, GridPoint>> moved;
    bool is_done = false;  ///< the new side is in place

    /// Exchanges the sides. Cost: O(vertices and triangles behind the first that moves).
    void swap(world::StreetSurface& here, StreetTrace& its);
    /// Once it is done, so that it takes less memory; then a swap is O(pieces). `nodes`: from those
    /// before to those now.
    void pack(const world::StreetSurface& here, const StreetTrace& its, std::span<const Run> nodes);

private:
    void swap_points(world::StreetSurface& here);
    void swap_pieces(world::StreetSurface& here, StreetTrace& its);
    void swap_whole(world::StreetSurface& here, StreetTrace& its);

    std::optional<StreetArrays> packed_;
};

}  // namespace tw::streets
