#include "assembly.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace tw::streets {
namespace {

using world::GateId;
using world::PieceId;
using world::RingId;
using world::RoadId;
using world::RoadNodeId;
using world::StreetSurface;
using world::StreetVertexId;

/// A piece of the new surface.
struct Source {
    PieceId piece;
    bool fresh = false;  ///< of the window, not of the surface before
};

/// The arrays that a patch holds whole, while they grow.
struct WholeArrays {
    std::vector<RoadId> road;
    std::vector<std::uint32_t> ring_begin{0}, ring_vertex_begin{0}, triangle_begin{0};
    std::vector<PieceId> gate_corridor, gate_junction;
    std::vector<RoadNodeId> gate_node;
    std::vector<StreetVertexId> gate_left, gate_right;

    void reserve(std::size_t pieces) {
        for (auto* begins : {&ring_begin, &ring_vertex_begin, &triangle_begin}) {
            begins->reserve(pieces + 1);
        }
        road.reserve(pieces);
        gate_node.reserve(2 * pieces);
        for (auto* gates : {&gate_corridor, &gate_junction}) gates->reserve(2 * pieces);
        for (auto* gates : {&gate_left, &gate_right}) gates->reserve(2 * pieces);
    }
    void add_begins(const StreetSurface& from, PieceId first, PieceId last) {
        append(from.ring_begin.span(), first.index(), last.index(), ring_begin);
        append(from.ring_vertex_begin.span(), from.ring_begin[first], from.ring_begin[last],
               ring_vertex_begin);
        append(from.triangle_begin.span(), first.index(), last.index(), triangle_begin);
    }
    void give(StreetSurface& to) && {
        to.road = IdArray<world::PieceTag, RoadId>(std::move(road));
        to.ring_begin = IdArray<world::PieceTag, std::uint32_t>(std::move(ring_begin));
        to.ring_vertex_begin = IdArray<world::RingTag, std::uint32_t>(std::move(ring_vertex_begin));
        to.triangle_begin = IdArray<world::PieceTag, std::uint32_t>(std::move(triangle_begin));
        to.gate_corridor = IdArray<world::GateTag, PieceId>(std::move(gate_corridor));
        to.gate_junction = IdArray<world::GateTag, PieceId>(std::move(gate_junction));
        to.gate_node = IdArray<world::GateTag, RoadNodeId>(std::move(gate_node));
        to.gate_left = IdArray<world::GateTag, StreetVertexId>(std::move(gate_left));
        to.gate_right = IdArray<world::GateTag, StreetVertexId>(std::move(gate_right));
    }

private:
    /// The begins after [first, last), moved to where the last one added ends.
    static void append(std::span<const std::uint32_t> from, std::size_t first, std::size_t last,
                       std::vector<std::uint32_t>& to) {
        const std::uint32_t shift = to.back() - from[first];
        for (std::size_t i = first; i < last; ++i) to.push_back(from[i + 1] + shift);
    }
};

class Assembler {
public:
    Assembler(const StreetsBefore& before, const Closure& closure, const WindowPieces& fresh,
              world::StreetChanges& out)
        : before_(before), closure_(closure), fresh_(fresh), out_(out) {}

    StreetPatch run() {
        match_junctions();
        match_corridors();
        const std::size_t most = before_.surface->piece_count() + fresh_.surface.piece_count();
        order_.reserve(most);
        out_.piece.reserve(most);
        order_junctions();
        order_corridors();
        place_vertices();
        whole_.reserve(order_.size());
        for_each_run([&](std::size_t begin, std::size_t end, bool fresh) {
            fresh ? add_fresh(begin, end) : add_stay(begin, end);
            add_roads_and_gates(begin, end, fresh);
        });
        patch_.pieces = static_cast<std::uint32_t>(order_.size());
        patch_.vertices = patch_.trace.vertex_begin.back();
        patch_.ring_vertices = whole_.ring_vertex_begin.back();
        patch_.triangles = whole_.triangle_begin.back();
        std::move(whole_).give(patch_.surface);
        for (const Standing& each : before_.trace->standing) {
            const std::uint32_t now = vertex_now(each.vertex.value());
            if (now == kGone) continue;
            patch_.trace.standing.push_back({StreetVertexId(now), each.point, each.reach});
        }
        out_.vertex = patch_.vertex;
        for (const Source& source : order_) {
            if (source.fresh) cover(fresh_.surface, source.piece);
        }
        for (const PieceId piece : out_.lost) cover(*before_.surface, piece);
        return std::move(patch_);
    }

private:
    static constexpr std::uint32_t kGone = UINT32_MAX;

    /// By triangles: the box of a long corridor holds much that it does not touch.
    void cover(const StreetSurface& surface, PieceId piece) {
        for (const auto& triangle : surface.triangles(piece)) {
            GridBox box;
            for (const StreetVertexId v : triangle) box.include(surface.vertex[v]);
            out_.box.push_back(box);
        }
    }
    /// Where a vertex before stands; kGone: nowhere.
    std::uint32_t vertex_now(std::uint32_t before) const {
        // Gates of a run mostly stand in a run, too.
        if (const Run* run = last_run_; run && before >= run->begin && before < run->end) {
            return run->to + (before - run->begin);
        }
        const auto after = std::upper_bound(
            patch_.vertex.begin(), patch_.vertex.end(), before,
            [](std::uint32_t vertex, const Run& run) { return vertex < run.begin; });
        if (after == patch_.vertex.begin()) return kGone;
        last_run_ = &*(after - 1);
        return before < last_run_->end ? last_run_->to + (before - last_run_->begin) : kGone;
    }

    // ---- Pieces that were made anew and came out as they were: they stay.

    void match_junctions() {
        before_of_fresh_.assign(fresh_.surface.vertex.size(), kGone);
        same_before_.assign(fresh_.surface.piece_count(), PieceId());
        same_fresh_.assign(before_.surface->piece_count(), PieceId());
        for (std::size_t i = 0; i < fresh_.foreign.size(); ++i) {
            before_of_fresh_[i] = fresh_.foreign[i].value();
        }
        const auto gates_before =
            gates_of_junctions(*before_.surface, *before_.trace, [&](PieceId junction) {
                const RoadNodeId now =
                    closure_.node_after(before_.trace->junction[junction.index()]);
                return now && closure_.builds(now);
            });
        const auto gates_now =
            gates_of_junctions(fresh_.surface, fresh_.trace, [](PieceId) { return true; });
        const std::vector<RoadNodeId>& known = before_.trace->junction;
        for (std::size_t i = 0; i < fresh_.trace.junction.size(); ++i) {
            const RoadNodeId now = fresh_.window->node[fresh_.trace.junction[i].index()];
            const RoadNodeId was = closure_.node_before(now);
            const auto found = std::lower_bound(known.begin(), known.end(), was);
            if (!was || closure_.is_touched(now) || found == known.end() || *found != was) continue;
            const auto piece = static_cast<std::size_t>(found - known.begin());
            if (gates_before[piece] != gates_now[i]) continue;
            match(PieceId::from_index(piece), PieceId::from_index(i));
        }
    }
    /// For each junction that is wanted, a hash of where on its ring gates stand.
    template <class Wanted>
    static std::vector<std::uint64_t> gates_of_junctions(const StreetSurface& surface,
                                                         const StreetTrace& trace,
                                                         Wanted&& wanted) {
        std::vector<std::uint64_t> gates(trace.junction.size(), 0);
        for (const GateId gate : surface.gate_junction.ids()) {
            const PieceId junction = surface.gate_junction[gate];
            if (!junction || !wanted(junction)) continue;
            const std::uint32_t begin = trace.vertex_begin[junction.index()];
            Hasher hasher;
            hasher.add(surface.gate_left[gate].value() - begin);
            hasher.add(surface.gate_right[gate].value() - begin);
            gates[junction.index()] += hasher.finish();
        }
        return gates;
    }
    void match_corridors() {
        const std::vector<PieceId>& known = fresh_.corridor_before;
        for (std::size_t i = fresh_.trace.junction.size(); i < fresh_.surface.piece_count(); ++i) {
            const PieceId piece = PieceId::from_index(i);
            const RoadId now = fresh_.window->road[fresh_.surface.road[piece].index()];
            const RoadId was = closure_.road_before(now);
            if (was && known[was.index()]) match(known[was.index()], piece);
        }
    }
    void match(PieceId was, PieceId now) {
        const std::uint32_t begin = fresh_.trace.vertex_begin[now.index()];
        const std::uint32_t end = fresh_.trace.vertex_begin[now.index() + 1];
        const std::uint32_t begin_before = before_.trace->vertex_begin[was.index()];
        if (end - begin != before_.trace->vertex_begin[was.index() + 1] - begin_before) return;
        std::iota(before_of_fresh_.begin() + begin, before_of_fresh_.begin() + end, begin_before);
        if (is_equal(was, now)) {
            same_before_[now.index()] = was;
            same_fresh_[was.index()] = now;
        } else {
            std::fill(before_of_fresh_.begin() + begin, before_of_fresh_.begin() + end, kGone);
        }
    }
    bool is_equal(PieceId was, PieceId now) const {
        const StreetSurface &a = *before_.surface, &b = fresh_.surface;
        const auto equal = [&](auto... field) {
            return (((a.*field)[was] == (b.*field)[now]) && ...);
        };
        if (!equal(&StreetSurface::kind, &StreetSurface::id, &StreetSurface::label,
                   &StreetSurface::level, &StreetSurface::form, &StreetSurface::road_class,
                   &StreetSurface::note)) {
            return false;
        }
        const auto same = [&](StreetVertexId of_before, StreetVertexId of_fresh) {
            return before_of_fresh_[of_fresh.index()] == of_before.value();
        };
        for (std::uint32_t v = fresh_.trace.vertex_begin[now.index()];
             v < fresh_.trace.vertex_begin[now.index() + 1]; ++v) {
            if (a.vertex[StreetVertexId(before_of_fresh_[v])] != b.vertex[StreetVertexId(v)]) {
                return false;
            }
        }
        const std::uint32_t first_a = a.ring_begin[was], first_b = b.ring_begin[now];
        if (a.rings(was).size() != b.rings(now).size()) return false;
        for (std::uint32_t i = 0; i < a.rings(was).size(); ++i) {
            const auto ring_a = a.ring(RingId(first_a + i)), ring_b = b.ring(RingId(first_b + i));
            if (!std::equal(ring_a.begin(), ring_a.end(), ring_b.begin(), ring_b.end(), same)) {
                return false;
            }
        }
        const auto faces_a = a.triangles(was), faces_b = b.triangles(now);
        return std::equal(faces_a.begin(), faces_a.end(), faces_b.begin(), faces_b.end(),
                          [&](const auto& s, const auto& t) {
                              return same(s[0], t[0]) && same(s[1], t[1]) && same(s[2], t[2]);
                          });
    }

    // ---- The order of all pieces.

    /// Two ascending lists by key become one.
    template <class Stay, class Fresh>
    void merge(std::size_t stay_end, std::size_t stay, std::size_t fresh_end, std::size_t fresh,
               Stay&& stay_key, Fresh&& fresh_key) {
        const auto skip = [&] {
            while (stay < stay_end && !stay_key(PieceId::from_index(stay))) {
                out_.lost.push_back(PieceId::from_index(stay++));
            }
        };
        skip();
        const auto skip_fresh = [&] {
            while (fresh < fresh_end && same_before_[fresh]) ++fresh;
        };
        skip_fresh();
        while (stay < stay_end || fresh < fresh_end) {
            const bool take_stay = stay < stay_end && (fresh == fresh_end ||
                                                       stay_key(PieceId::from_index(stay)) <
                                                           fresh_key(PieceId::from_index(fresh)));
            if (take_stay) {
                order_.push_back({PieceId::from_index(stay++), false});
                out_.piece.push_back(order_.back().piece);
                skip();
            } else {
                order_.push_back({PieceId::from_index(fresh++), true});
                out_.piece.emplace_back();
                skip_fresh();
            }
        }
    }
    void order_junctions() {
        merge(
            before_.trace->junction.size(), 0, fresh_.trace.junction.size(), 0,
            [&](PieceId piece) {
                const RoadNodeId now = closure_.node_after(before_.trace->junction[piece.index()]);
                const bool stays = now && (!closure_.builds(now) || same_fresh_[piece.index()]);
                return stays ? now : RoadNodeId();
            },
            [&](PieceId piece) {
                return fresh_.window->node[fresh_.trace.junction[piece.index()].index()];
            });
    }
    void order_corridors() {
        merge(
            before_.surface->piece_count(), before_.trace->junction.size(),
            fresh_.surface.piece_count(), fresh_.trace.junction.size(),
            [&](PieceId piece) {
                const RoadId now = closure_.road_after(before_.surface->road[piece]);
                const bool stays =
                    now && (!closure_.builds_end_of(now) || same_fresh_[piece.index()]);
                return stays ? now : RoadId();
            },
            [&](PieceId piece) { return fresh_.window->road[fresh_.surface.road[piece].index()]; });
    }
    /// visit(begin, end, fresh) for pieces in a row that stood in a row.
    template <class Visit>
    void for_each_run(Visit&& visit) const {
        for (std::size_t begin = 0; begin < order_.size();) {
            std::size_t end = begin + 1;
            while (end < order_.size() && order_[end].fresh == order_[begin].fresh &&
                   order_[end].piece.index() == order_[begin].piece.index() + (end - begin)) {
                ++end;
            }
            visit(begin, end, order_[begin].fresh);
            begin = end;
        }
    }
    void place_vertices() {
        patch_.trace.vertex_begin.reserve(order_.size() + 1);
        patch_.trace.box.reserve(order_.size());
        vertex_of_fresh_.assign(fresh_.surface.vertex.size(), kGone);
        piece_of_before_.assign(before_.surface->piece_count(), PieceId());
        piece_of_fresh_.assign(fresh_.surface.piece_count(), PieceId());
        std::uint32_t next = 0;
        for_each_run([&](std::size_t begin, std::size_t end, bool fresh) {
            const StreetTrace& trace = fresh ? fresh_.trace : *before_.trace;
            const std::size_t piece = order_[begin].piece.index();
            const std::uint32_t from = trace.vertex_begin[piece];
            const std::uint32_t to = trace.vertex_begin[piece + (end - begin)];
            if (fresh) {
                std::iota(vertex_of_fresh_.begin() + from, vertex_of_fresh_.begin() + to, next);
            } else {
                patch_.vertex.push_back({from, to, next});
            }
            auto& pieces = fresh ? piece_of_fresh_ : piece_of_before_;
            for (std::size_t i = begin; i < end; ++i) {
                pieces[order_[i].piece.index()] = PieceId::from_index(i);
                patch_.trace.vertex_begin.push_back(
                    next + (trace.vertex_begin[order_[i].piece.index()] - from));
                patch_.trace.box.push_back(trace.box[order_[i].piece.index()]);
            }
            next += to - from;
        });
        patch_.trace.vertex_begin.push_back(next);
        for (std::size_t i = 0; i < before_of_fresh_.size(); ++i) {
            const std::uint32_t was = before_of_fresh_[i];
            if (was != kGone) vertex_of_fresh_[i] = vertex_now(was);
        }
        for (std::size_t i = 0; i < same_before_.size(); ++i) {
            if (same_before_[i]) piece_of_fresh_[i] = piece_of_before_[same_before_[i].index()];
        }
    }

    void add_stay(std::size_t begin, std::size_t end) {
        const StreetSurface& from = *before_.surface;
        const PieceId first = order_[begin].piece;
        const PieceId last = PieceId::from_index(first.index() + (end - begin));
        const auto ring_vertex = [&](PieceId piece) {
            return from.ring_vertex_begin[RingId(from.ring_begin[piece])];
        };
        patch_.piece.push_back({first.value(), last.value(), static_cast<std::uint32_t>(begin)});
        patch_.ring_vertex.push_back(
            {ring_vertex(first), ring_vertex(last), whole_.ring_vertex_begin.back()});
        patch_.triangle.push_back(
            {from.triangle_begin[first], from.triangle_begin[last], whole_.triangle_begin.back()});
        whole_.add_begins(from, first, last);
    }
    void add_fresh(std::size_t begin, std::size_t end) {
        const StreetSurface& from = fresh_.surface;
        StreetSurface& to = patch_.surface;
        const PieceId first = order_[begin].piece;
        const PieceId last = PieceId::from_index(first.index() + (end - begin));
        const auto vertex = [&](StreetVertexId v) {
            return StreetVertexId(vertex_of_fresh_[v.index()]);
        };
        whole_.add_begins(from, first, last);
        for (std::uint32_t v = fresh_.trace.vertex_begin[first.index()];
             v < fresh_.trace.vertex_begin[last.index()]; ++v) {
            to.vertex.push_back(from.vertex[StreetVertexId(v)]);
        }
        for (const PieceId piece : IdRange<PieceId>(first.index(), last.index())) {
            to.kind.push_back(from.kind[piece]);
            to.id.push_back(from.id[piece]);
            to.label.push_back(from.label[piece]);
            to.level.push_back(from.level[piece]);
            to.form.push_back(from.form[piece]);
            to.road_class.push_back(from.road_class[piece]);
            to.note.push_back(from.note[piece]);
            for (const RingId ring : from.rings(piece)) {
                for (const StreetVertexId v : from.ring(ring)) to.ring_vertex.push_back(vertex(v));
            }
            for (const auto& t : from.triangles(piece)) {
                to.triangle.push_back({vertex(t[0]), vertex(t[1]), vertex(t[2])});
            }
        }
    }
    void add_roads_and_gates(std::size_t begin, std::size_t end, bool fresh) {
        const StreetSurface& from = fresh ? fresh_.surface : *before_.surface;
        const StreetTrace& trace = fresh ? fresh_.trace : *before_.trace;
        const std::size_t junctions = trace.junction.size();
        const auto vertex = [&](StreetVertexId v) {
            return StreetVertexId(fresh ? vertex_of_fresh_[v.index()] : vertex_now(v.value()));
        };
        for (std::size_t i = begin; i < end; ++i) {
            const PieceId piece = order_[i].piece;
            if (piece.index() < junctions) {
                whole_.road.emplace_back();
                patch_.trace.junction.push_back(node_now(trace.junction[piece.index()], fresh));
                continue;
            }
            const RoadId road = fresh ? fresh_.window->road[from.road[piece].index()]
                                      : closure_.road_after(from.road[piece]);
            whole_.road.push_back(road);
            for (const unsigned at : {0u, 1u}) {
                const GateId gate = GateId::from_index(2 * (piece.index() - junctions) + at);
                whole_.gate_corridor.push_back(PieceId::from_index(i));
                whole_.gate_junction.push_back(junction_at(from, gate, fresh));
                // A corridor may stay while a node at its end is another.
                const world::RoadNetwork& network = closure_.network();
                whole_.gate_node.push_back(at == 0 ? network.from[road] : network.to[road]);
                whole_.gate_left.push_back(vertex(from.gate_left[gate]));
                whole_.gate_right.push_back(vertex(from.gate_right[gate]));
            }
        }
    }
    RoadNodeId node_now(RoadNodeId node, bool fresh) const {
        return fresh ? fresh_.window->node[node.index()] : closure_.node_after(node);
    }
    PieceId junction_at(const StreetSurface& from, GateId gate, bool fresh) const {
        const PieceId junction = from.gate_junction[gate];
        if (!fresh) return junction ? piece_of_before_[junction.index()] : PieceId();
        if (junction) return piece_of_fresh_[junction.index()];
        const RoadId road = from.road[from.gate_corridor[gate]];
        const PieceId foreign = fresh_.foreign_junction[half_of(road, gate.index() % 2).index()];
        return foreign ? piece_of_before_[foreign.index()] : PieceId();
    }

    const StreetsBefore& before_;
    const Closure& closure_;
    const WindowPieces& fresh_;
    world::StreetChanges& out_;
    std::vector<std::uint32_t> before_of_fresh_;  ///< by fresh vertex: the same before; kGone: none
    std::vector<PieceId> same_before_, same_fresh_;
    std::vector<Source> order_;
    std::vector<std::uint32_t> vertex_of_fresh_;             ///< now; kGone: nowhere
    std::vector<PieceId> piece_of_before_, piece_of_fresh_;  ///< now
    WholeArrays whole_;
    StreetPatch patch_;
    mutable const Run* last_run_ = nullptr;  ///< of patch_.vertex, once that is whole
};

}  // namespace

StreetPatch assemble(const StreetsBefore& before, const Closure& closure, const WindowPieces& fresh,
                     world::StreetChanges& out) {
    return Assembler(before, closure, fresh, out).run();
}

}  // namespace tw::streets
