#pragma once
// The street surface in plan: a junction per cluster of nodes, a corridor per road, gates between.

#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/core/splice.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/world/roads.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace tw::world {

using StreetVertexId = Id<struct StreetVertexTag>;
using PieceId = Id<struct PieceTag>;  ///< a junction or a corridor
using RingId = Id<struct RingTag>;
using RingVertexId = Id<struct RingVertexTag>;
using StreetTriangleId = Id<struct StreetTriangleTag>;
using GateId = Id<struct GateTag>;

enum class PieceKind : std::uint8_t { junction, corridor };

/// Pieces share vertices by index; a gate's two vertices belong to the rings of both its pieces, so
/// seams are equal by construction. Rings: the first of a piece is its outline, counter-clockwise;
/// the others are holes, clockwise. Triangles use ring vertices only, each faces up, and the edges
/// that one triangle alone uses are exactly the rings.
struct StreetSurface {
    IdArray<StreetVertexTag, GridPoint> vertex;

    IdArray<PieceTag, PieceKind> kind;
    IdArray<PieceTag, StableId> id;
    IdArray<PieceTag, std::string> label;  ///< unique; of the road, or of the junction's least node
    IdArray<PieceTag, std::int8_t> level;
    IdArray<PieceTag, RoadForm> form;
    IdArray<PieceTag, RoadClass> road_class;  ///< of a junction: the most important of its arms
    IdArray<PieceTag, RoadId> road;           ///< of a corridor: the road of the network; else none
    IdArray<PieceTag, std::uint32_t> ring_begin;        ///< pieces + 1 entries
    IdArray<RingTag, std::uint32_t> ring_vertex_begin;  ///< rings + 1 entries
    IdArray<RingVertexTag, StreetVertexId> ring_vertex;
    IdArray<PieceTag, std::uint32_t> triangle_begin;  ///< pieces + 1 entries
    IdArray<StreetTriangleTag, std::array<StreetVertexId, 3>> triangle;

    /// Each corridor has two gates: where its road starts, then where it ends.
    IdArray<GateTag, PieceId> gate_corridor;
    IdArray<GateTag, PieceId> gate_junction;                 ///< none at a dead end
    IdArray<GateTag, RoadNodeId> gate_node;                  ///< the node of the road there
    IdArray<GateTag, StreetVertexId> gate_left, gate_right;  ///< seen along the road's direction

    /// What was done to a piece and why ("merged: gates would pass", "fillet shrunk"), for the
    /// report.
    IdArray<PieceTag, std::string> note;

    std::size_t piece_count() const { return kind.size(); }
    IdRange<RingId> rings(PieceId piece) const {
        return {ring_begin[piece], ring_begin[PieceId(piece.value() + 1)]};
    }
    std::span<const StreetVertexId> ring(RingId ring) const {
        const std::uint32_t begin = ring_vertex_begin[ring];
        return ring_vertex.span().subspan(begin,
                                          ring_vertex_begin[RingId(ring.value() + 1)] - begin);
    }
    std::span<const std::array<StreetVertexId, 3>> triangles(PieceId piece) const {
        const std::uint32_t begin = triangle_begin[piece];
        return triangle.span().subspan(begin, triangle_begin[PieceId(piece.value() + 1)] - begin);
    }

    static constexpr auto fields() {
        return std::tuple{Field{"vertex", &StreetSurface::vertex},
                          Field{"kind", &StreetSurface::kind},
                          Field{"id", &StreetSurface::id},
                          Field{"label", &StreetSurface::label},
                          Field{"level", &StreetSurface::level},
                          Field{"form", &StreetSurface::form},
                          Field{"road_class", &StreetSurface::road_class},
                          Field{"road", &StreetSurface::road},
                          Field{"ring_begin", &StreetSurface::ring_begin},
                          Field{"ring_vertex_begin", &StreetSurface::ring_vertex_begin},
                          Field{"ring_vertex", &StreetSurface::ring_vertex},
                          Field{"triangle_begin", &StreetSurface::triangle_begin},
                          Field{"triangle", &StreetSurface::triangle},
                          Field{"gate_corridor", &StreetSurface::gate_corridor},
                          Field{"gate_junction", &StreetSurface::gate_junction},
                          Field{"gate_node", &StreetSurface::gate_node},
                          Field{"gate_left", &StreetSurface::gate_left},
                          Field{"gate_right", &StreetSurface::gate_right},
                          Field{"note", &StreetSurface::note}};
    }
    friend bool operator==(const StreetSurface&, const StreetSurface&) = default;
};

/// How a street surface follows from the one before.
struct StreetChanges {
    /// By piece now: the same piece before, equal in all but its dense ids; none: there was none.
    /// What stayed keeps its order.
    std::vector<PieceId> piece;
    std::vector<PieceId> lost;  ///< pieces before that are no more, ascending
    std::vector<GridBox> box;   ///< cover the pieces that came, and those that went
    std::vector<Run> vertex;    ///< vertices before that stayed
};

/// Rings simple and oriented, triangles up, inner edges used twice in opposite ways, boundary edges
/// equal to the rings, gates on both rings. Error check_failed names the first piece that breaks
/// one.
Status validate(const StreetSurface&);

}  // namespace tw::world
