#include "surface_writer.hpp"

#include "terraway/geometry/ear_clipping.hpp"

#include <algorithm>

namespace tw::streets {

using world::PieceId;
using world::PieceKind;
using world::RoadAttributes;
using world::RoadId;
using world::RoadNodeId;
using world::StreetVertexId;

SurfaceWriter::SurfaceWriter(const StreetGraph& graph) : graph_(graph), gate_(graph.half_count()) {
    surface_.ring_begin.push_back(0);
    surface_.ring_vertex_begin.push_back(0);
    surface_.triangle_begin.push_back(0);
}

void SurfaceWriter::add_foreign_gate(HalfId half, const GatePoints& gate) {
    const StreetVertexId left = surface_.vertex.push_back(gate.left);
    const StreetVertexId right = surface_.vertex.push_back(gate.right);
    gate_[half.index()] = {PieceId(), left, right};
}

void SurfaceWriter::add_piece(PieceKind kind, StableId id, std::string label,
                              const RoadAttributes& attributes, RoadId road, std::string note) {
    vertex_begin_.push_back(static_cast<std::uint32_t>(surface_.vertex.size()));
    surface_.kind.push_back(kind);
    surface_.id.push_back(id);
    surface_.label.push_back(std::move(label));
    surface_.level.push_back(attributes.level);
    surface_.form.push_back(attributes.form);
    surface_.road_class.push_back(attributes.road_class);
    surface_.road.push_back(road);
    surface_.note.push_back(std::move(note));
}

void SurfaceWriter::add_ring(std::span<const StreetVertexId> ring,
                             std::span<const geometry::Triangle> triangles) {
    for (const StreetVertexId v : ring) surface_.ring_vertex.push_back(v);
    surface_.ring_vertex_begin.push_back(static_cast<std::uint32_t>(surface_.ring_vertex.size()));
    surface_.ring_begin.push_back(
        static_cast<std::uint32_t>(surface_.ring_vertex_begin.size() - 1));
    for (const geometry::Triangle& t : triangles) {
        surface_.triangle.push_back({ring[t[0]], ring[t[1]], ring[t[2]]});
    }
    surface_.triangle_begin.push_back(static_cast<std::uint32_t>(surface_.triangle.size()));
}

Status SurfaceWriter::add_junction(std::span<const RoadNodeId> nodes, std::span<const RoadId> inner,
                                   const Outline& outline, std::string note) {
    const world::RoadNetwork& network = graph_.network();
    // Level and form of the arm nearest to the ground, class of the most important.
    RoadAttributes shown;
    bool first = true;
    const auto include = [&](RoadId road) {
        const RoadAttributes& a = network.attributes[road];
        const auto height = [](const RoadAttributes& r) {
            return r.level < 0 ? -r.level : r.level;
        };
        const world::RoadClass best =
            first ? a.road_class : std::min(shown.road_class, a.road_class);
        if (first || std::tuple{height(a), a.level, a.form} <
                         std::tuple{height(shown), shown.level, shown.form}) {
            shown = a;
        }
        shown.road_class = best;
        first = false;
    };
    for (const GateEdge& gate : outline.gates) include(road_of(gate.half));
    for (const RoadId road : inner) include(road);

    const PieceId piece = PieceId::from_index(surface_.piece_count());
    const StableId id = network.node_id[nodes.front()];
    add_piece(PieceKind::junction, id, "n" + std::to_string(id.value()), shown, RoadId(),
              std::move(note));
    junction_.push_back(nodes.front());
    std::vector<StreetVertexId> ring;
    ring.reserve(outline.ring.size());
    for (const GridPoint p : outline.ring) ring.push_back(surface_.vertex.push_back(p));
    for (const GateEdge& gate : outline.gates) {
        gate_[gate.half.index()] = {piece, ring[gate.right + 1], ring[gate.right]};
    }
    TW_ASSIGN(const std::vector<geometry::Triangle> triangles, geometry::triangulate(outline.ring));
    add_ring(ring, triangles);
    return ok_status();
}

void SurfaceWriter::add_corridor(RoadId road, const Corridor& corridor, std::string note) {
    const world::RoadNetwork& network = graph_.network();
    const PieceId piece = PieceId::from_index(surface_.piece_count());
    add_piece(PieceKind::corridor, network.id[road], network.label[road], network.attributes[road],
              road, std::move(note));
    std::vector<StreetVertexId> ring(corridor.ring.size());
    const Gate &start = gate_[half_of(road, 0).index()], &end = gate_[half_of(road, 1).index()];
    // At the end, left and right change places: the half looks back along the road.
    ring.front() = start.right;
    ring.back() = start.left;
    ring[corridor.left_end - 1] = end.left;
    ring[corridor.left_end] = end.right;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        if (ring[i].is_none()) ring[i] = surface_.vertex.push_back(corridor.ring[i]);
    }
    for (const unsigned at : {0u, 1u}) {
        surface_.gate_corridor.push_back(piece);
        surface_.gate_junction.push_back(at == 0 ? start.junction : end.junction);
        surface_.gate_node.push_back(graph_.node_of(half_of(road, at)));
        surface_.gate_left.push_back(at == 0 ? ring.back() : ring[corridor.left_end]);
        surface_.gate_right.push_back(at == 0 ? ring.front() : ring[corridor.left_end - 1]);
    }
    add_ring(ring, corridor.triangles);
}

void SurfaceWriter::trace(StreetTrace& trace) const {
    trace.junction = junction_;
    trace.vertex_begin = vertex_begin_;
    trace.vertex_begin.push_back(static_cast<std::uint32_t>(surface_.vertex.size()));
    for (const PieceId piece : surface_.kind.ids()) {
        GridBox box;
        for (const StreetVertexId v : surface_.ring(*surface_.rings(piece).begin())) {
            box.include(surface_.vertex[v]);
        }
        trace.box.push_back(box);
    }
}

world::StreetSurface SurfaceWriter::take() && {
    return std::move(surface_);
}

}  // namespace tw::streets
