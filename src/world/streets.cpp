#include "terraway/world/streets.hpp"

#include "terraway/geometry/polygon.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>

namespace tw::world {
namespace {

using Edge = std::pair<StreetVertexId, StreetVertexId>;

Error broken(Subject subject, std::string message) {
    return {ErrorCode::check_failed, "streets", std::move(subject), std::move(message)};
}

/// `begin` has one entry more than there are things, and cuts [0, size) into their parts.
template <class Tag>
bool is_partition(const IdArray<Tag, std::uint32_t>& begin, std::size_t things, std::size_t size) {
    const std::span<const std::uint32_t> b = begin.span();
    return b.size() == things + 1 && b.front() == 0 && b.back() == size &&
           std::is_sorted(b.begin(), b.end());
}

Status check_sizes(const StreetSurface& s) {
    const std::size_t pieces = s.piece_count(), gates = s.gate_corridor.size();
    const std::size_t rings = s.ring_vertex_begin.empty() ? 0 : s.ring_vertex_begin.size() - 1;
    const bool fits = s.id.size() == pieces && s.label.size() == pieces &&
                      s.level.size() == pieces && s.form.size() == pieces &&
                      s.road_class.size() == pieces && s.road.size() == pieces &&
                      s.note.size() == pieces && is_partition(s.ring_begin, pieces, rings) &&
                      is_partition(s.ring_vertex_begin, rings, s.ring_vertex.size()) &&
                      is_partition(s.triangle_begin, pieces, s.triangle.size()) &&
                      s.gate_junction.size() == gates && s.gate_node.size() == gates &&
                      s.gate_left.size() == gates && s.gate_right.size() == gates;
    if (!fits) return broken({}, "the arrays do not fit each other");
    const auto exists = [&](StreetVertexId v) { return s.vertex.contains(v); };
    bool all = std::all_of(s.ring_vertex.span().begin(), s.ring_vertex.span().end(), exists) &&
               std::all_of(s.gate_left.span().begin(), s.gate_left.span().end(), exists) &&
               std::all_of(s.gate_right.span().begin(), s.gate_right.span().end(), exists);
    for (const auto& t : s.triangle.span()) all = all && std::all_of(t.begin(), t.end(), exists);
    if (!all) return broken({}, "a vertex does not exist");
    return ok_status();
}

std::vector<GridPoint> points_of(const StreetSurface& s, RingId ring) {
    std::vector<GridPoint> points;
    for (const StreetVertexId v : s.ring(ring)) points.push_back(s.vertex[v]);
    return points;
}

Status check_rings(const StreetSurface& s, PieceId piece) {
    const IdRange<RingId> rings = s.rings(piece);
    if (rings.size() == 0) return broken(s.label[piece], "the piece has no outline");
    bool is_outline = true;
    for (const RingId ring : rings) {
        const std::vector<GridPoint> points = points_of(s, ring);
        if (points.size() < 3 || !geometry::is_simple(points)) {
            return broken(s.label[piece], "a ring touches itself");
        }
        if ((geometry::double_area(points) > 0) != is_outline) {
            return broken(s.label[piece], "a ring runs the wrong way");
        }
        is_outline = false;
    }
    return ok_status();
}

/// Every directed edge of a triangle either stands once, its opposite once, or it is of a ring.
Status check_triangles(const StreetSurface& s, PieceId piece) {
    std::vector<Edge> edges, ring_edges;
    for (const auto& t : s.triangles(piece)) {
        if (orient2d(s.vertex[t[0]], s.vertex[t[1]], s.vertex[t[2]]) <= 0) {
            return broken(s.label[piece], "a triangle does not face up");
        }
        for (std::size_t i = 0; i < 3; ++i) edges.emplace_back(t[i], t[(i + 1) % 3]);
    }
    std::sort(edges.begin(), edges.end());
    if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) {
        return broken(s.label[piece], "two triangles use an edge in the same way");
    }
    std::vector<Edge> boundary;
    for (const Edge& edge : edges) {
        if (!std::binary_search(edges.begin(), edges.end(), Edge{edge.second, edge.first})) {
            boundary.push_back(edge);
        }
    }
    for (const RingId ring : s.rings(piece)) {
        const std::span<const StreetVertexId> v = s.ring(ring);
        for (std::size_t i = 0; i < v.size(); ++i)
            ring_edges.emplace_back(v[i], v[(i + 1) % v.size()]);
    }
    std::sort(ring_edges.begin(), ring_edges.end());
    if (boundary != ring_edges) {
        return broken(s.label[piece], "the triangles' boundary is not the rings");
    }
    return ok_status();
}

/// True if a ring of the piece has the edge a b.
bool has_edge(const StreetSurface& s, PieceId piece, StreetVertexId a, StreetVertexId b) {
    for (const RingId ring : s.rings(piece)) {
        const std::span<const StreetVertexId> v = s.ring(ring);
        for (std::size_t i = 0; i < v.size(); ++i) {
            if (v[i] == a && v[(i + 1) % v.size()] == b) return true;
        }
    }
    return false;
}

Status check_gates(const StreetSurface& s) {
    std::vector<std::uint32_t> gates(s.piece_count(), 0);
    for (const GateId gate : s.gate_corridor.ids()) {
        const PieceId corridor = s.gate_corridor[gate], junction = s.gate_junction[gate];
        if (!s.kind.contains(corridor) || s.kind[corridor] != PieceKind::corridor ||
            (junction && (!s.kind.contains(junction) || s.kind[junction] != PieceKind::junction))) {
            return broken(gate, "a gate's pieces are not a corridor and a junction");
        }
        // The interior lies left of a ring: where the road starts, its left side comes first.
        const bool at_start = ++gates[corridor.index()] == 1;
        const StreetVertexId a = at_start ? s.gate_left[gate] : s.gate_right[gate];
        const StreetVertexId b = at_start ? s.gate_right[gate] : s.gate_left[gate];
        if (!has_edge(s, corridor, a, b) || (junction && !has_edge(s, junction, b, a))) {
            return broken(s.label[corridor], "a gate is not on the rings of both its pieces");
        }
    }
    for (const PieceId piece : s.kind.ids()) {
        if (gates[piece.index()] != (s.kind[piece] == PieceKind::corridor ? 2u : 0u)) {
            return broken(s.label[piece], "a corridor does not have two gates");
        }
    }
    return ok_status();
}

}  // namespace

Status validate(const StreetSurface& s) {
    TW_TRY(check_sizes(s));
    for (const PieceId piece : s.kind.ids()) {
        TW_TRY(check_rings(s, piece));
        TW_TRY(check_triangles(s, piece));
    }
    return check_gates(s);
}

}  // namespace tw::world
