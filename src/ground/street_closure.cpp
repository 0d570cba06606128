#include "street_closure.hpp"

#include <algorithm>

namespace tw::ground {
namespace {

using world::GateId;
using world::PieceId;
using world::StreetHeights;
using world::StreetSurface;
using world::StreetVertexId;

constexpr std::uint32_t kNone = 0xffffffffu;

/// visit(piece, gate) for the one or two pieces at each gate.
template <class Visit>
void for_each_piece_at_gates(const StreetSurface& streets, Visit&& visit) {
    for (const GateId gate : streets.gate_corridor.ids()) {
        visit(streets.gate_corridor[gate], gate);
        if (const PieceId junction = streets.gate_junction[gate]) visit(junction, gate);
    }
}

void mark_gates(const StreetSurface& streets, const Marks& pieces, Marks& vertices) {
    for_each_piece_at_gates(streets, [&](PieceId piece, GateId gate) {
        if (!pieces[piece.index()]) return;
        vertices.set(streets.gate_left[gate].index());
        vertices.set(streets.gate_right[gate].index());
    });
}

void mark_pieces(const StreetSurface& streets, const Marks& vertices, Marks& pieces) {
    for (const GateId gate : streets.gate_corridor.ids()) {
        if (!vertices[streets.gate_left[gate].index()] &&
            !vertices[streets.gate_right[gate].index()]) {
            continue;
        }
        pieces.set(streets.gate_corridor[gate].index());
        if (const PieceId junction = streets.gate_junction[gate]) pieces.set(junction.index());
    }
}

/// Ascending without duplicates, as most callers have them.
std::vector<StreetVertexId> sorted(std::span<const StreetVertexId> vertices) {
    std::vector<StreetVertexId> out(vertices.begin(), vertices.end());
    if (!std::is_sorted(out.begin(), out.end())) std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

void count_joins(const StreetSurface& streets, std::vector<std::uint32_t>& joins) {
    joins.assign(streets.piece_count(), 0);
    for (const GateId gate : streets.gate_corridor.ids()) {
        const PieceId junction = streets.gate_junction[gate];
        if (!junction) continue;
        ++joins[junction.index()];
        ++joins[streets.gate_corridor[gate].index()];
    }
}

void StreetClosure::begin(const StreetSurface& streets) {
    piece_.reset(streets.piece_count());
    vertex_.reset(streets.vertex.size());
    numbers_.reset(streets.vertex.size());
    local_.resize(streets.vertex.size(), kNone);
}

void StreetClosure::add_raised(const StreetSurface& streets, std::span<const PieceMesh> pieces,
                               std::span<const StreetVertexId> raised) {
    if (raised.empty()) return;
    const std::vector<StreetVertexId> at = sorted(raised);
    auto next = at.begin();
    // Pieces mostly stand in the order of their vertices.
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const StreetVertexId begin(pieces[i].own_begin), end(pieces[i].own_end);
        if (begin == end) continue;
        if (next != at.begin() && *(next - 1) >= begin) {
            next = std::lower_bound(at.begin(), next, begin);
        }
        while (next != at.end() && *next < begin) ++next;
        if (next != at.end() && *next < end) piece_.set(i);
    }
    for (const StreetVertexId vertex : at) vertex_.set(vertex.index());
    mark_pieces(streets, vertex_, piece_);
    vertex_.clear();
}

void StreetClosure::number_pieces(const StreetSurface& streets) {
    out_.piece.clear();
    for (const std::uint32_t piece : piece_.marked()) out_.piece.emplace_back(piece);
    std::sort(out_.piece.begin(), out_.piece.end());
    out_.vertex.clear();
    out_.triangle.clear();
    out_.vertex_begin.assign(1, 0);
    out_.triangle_begin.assign(1, 0);
    for (const PieceId piece : out_.piece) {
        numbers_.add(streets, piece, out_.vertex, out_.triangle);
        out_.vertex_begin.push_back(static_cast<std::uint32_t>(out_.vertex.size()));
        out_.triangle_begin.push_back(static_cast<std::uint32_t>(out_.triangle.size()));
    }
}

/// Marked pieces are all that have a part in them.
void StreetClosure::make_normals(const StreetSurface& streets, const StreetHeights& heights) {
    std::uint32_t count = 0;
    for (const StreetVertexId vertex : out_.vertex) {
        std::uint32_t& local = local_[vertex.index()];
        if (local == kNone) local = count++;
    }
    const std::vector<Vec3f> normals = street_normals(
        streets, heights, count,
        [&](auto&& visit) {
            for (const std::uint32_t piece : piece_.marked()) {
                for (const auto& triangle : streets.triangles(PieceId(piece))) visit(triangle);
            }
        },
        [&](StreetVertexId vertex) { return local_[vertex.index()]; });
    out_.normal.clear();
    for (const StreetVertexId vertex : out_.vertex) {
        out_.normal.push_back(normals[local_[vertex.index()]]);
    }
    for (const StreetVertexId vertex : out_.vertex) local_[vertex.index()] = kNone;
}

const Emission& StreetClosure::emit(const StreetSurface& streets, const StreetHeights& heights) {
    mark_gates(streets, piece_, vertex_);
    mark_pieces(streets, vertex_, piece_);
    number_pieces(streets);
    mark_gates(streets, piece_, vertex_);
    mark_pieces(streets, vertex_, piece_);
    make_normals(streets, heights);
    return out_;
}

PieceMesh StreetClosure::describe(const StreetSurface& streets, std::size_t emitted) const {
    const PieceId piece = out_.piece[emitted];
    const auto vertices = out_.vertices(emitted);
    PieceMesh out;
    out.chunk = {static_cast<std::uint32_t>(surface_of(streets, piece)),
                 square_at(anchor_of(streets, vertices))};
    out.vertices = static_cast<std::uint32_t>(vertices.size());
    out.triangles = out_.triangles(emitted);
    for (const StreetVertexId vertex : vertices) {
        if (vertex_[vertex.index()]) continue;
        const bool first = out.own_begin == out.own_end;
        out.own_begin = first ? vertex.value() : std::min(out.own_begin, vertex.value());
        out.own_end = std::max(out.own_end, vertex.value() + 1);
    }
    return out;
}

std::vector<PieceMesh> StreetClosure::describe_all(const StreetSurface& streets) {
    begin(streets);
    for (const PieceId piece : streets.kind.ids()) add(piece);
    mark_gates(streets, piece_, vertex_);
    number_pieces(streets);
    std::vector<PieceMesh> out;
    out.reserve(streets.piece_count());
    std::vector<std::uint32_t> joins;
    count_joins(streets, joins);
    for (std::size_t i = 0; i < streets.piece_count(); ++i) {
        out.push_back(describe(streets, i));
        out.back().joins = joins[i];
    }
    return out;
}

}  // namespace tw::ground
