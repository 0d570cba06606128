#include "patch.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <utility>

namespace tw::streets {
namespace {

using world::StreetSurface;
using world::StreetVertexId;

/// Where vertices that stay stand on the other side. Few runs move, many elements speak of them: so
/// steps are added up, block by block, and nothing is looked up.
class VertexMap {
public:
    explicit VertexMap(std::span<const Run> runs) {
        std::uint32_t shift = 0;
        for (const Run& run : runs) {
            const std::uint32_t own = run.to - run.begin;
            if (own != shift) steps_.push_back({run.begin, own - shift});
            shift = own;
        }
    }
    bool moves() const { return !steps_.empty(); }
    /// Elements are vertices, or arrays of some.
    template <class T>
    void apply(std::span<T> elements) const {
        constexpr std::size_t kBlock = 256, kMost = kBlock * sizeof(T) / sizeof(StreetVertexId);
        // Ids that exist lie below 2³¹; signed ones are compared many at a time.
        std::array<std::int32_t, kMost> before;
        std::array<std::uint32_t, kMost> now;
        for (std::size_t begin = 0; begin < elements.size(); begin += kBlock) {
            const auto block = elements.subspan(begin, std::min(kBlock, elements.size() - begin));
            std::size_t count = 0;
            for (const T& element : block) {
                for_each_vertex(element, [&](StreetVertexId v) {
                    now[count] = v.value();
                    before[count++] = static_cast<std::int32_t>(v.value());
                });
            }
            for (const Step& step : steps_) {
                const auto from = static_cast<std::int32_t>(step.from);
                for (std::size_t i = 0; i < count; ++i) {
                    now[i] += before[i] >= from ? step.shift : 0;
                }
            }
            count = 0;
            for (T& element : block) {
                for_each_vertex(element,
                                [&](StreetVertexId& v) { v = StreetVertexId(now[count++]); });
            }
        }
    }

private:
    struct Step {
        std::uint32_t from, shift;  ///< vertices from there on move by so much more
    };
    template <class Visit>
    static void for_each_vertex(StreetVertexId& v, Visit&& visit) {
        visit(v);
    }
    template <class Visit>
    static void for_each_vertex(const StreetVertexId& v, Visit&& visit) {
        visit(v);
    }
    template <class T, class Visit>
    static void for_each_vertex(T& several, Visit&& visit) {
        for (auto& v : several) visit(v);
    }

    std::vector<Step> steps_;
};

/// The elements of a run where they are now.
template <class Tag, class T>
std::span<T> placed(IdArray<Tag, T>& array, const Run& run) {
    return array.edit_range(run.to, run.to + (run.end - run.begin));
}

template <class Surface, class Trace>
auto by_piece(Surface& s, Trace& t) {
    return std::tie(s.road, t.box);
}
template <class Surface, class Trace>
auto begin_by_piece(Surface& s, Trace& t) {
    return std::tie(s.ring_begin, s.triangle_begin, t.vertex_begin);
}
template <class Surface>
auto by_gate(Surface& s) {
    return std::tie(s.gate_corridor, s.gate_junction, s.gate_node, s.gate_left, s.gate_right);
}
template <class Trace>
auto by_node(Trace& t) {
    return std::tie(t.cluster, t.plain);
}

/// Begins have one entry more than there are things.
void add_end(std::vector<Run>& runs, std::size_t size, std::size_t size_here) {
    const auto last = static_cast<std::uint32_t>(size);
    runs.push_back({last, last + 1, static_cast<std::uint32_t>(size_here)});
}

/// Runs of what follows from pieces. A piece that stays is as it was: as many rings and gates.
struct RunsByPiece {
    std::vector<Run> begin, ring_begin, junction, gate;

    RunsByPiece(const StreetSurface& other, const StreetTrace& its, const StreetSurface& here,
                const StreetTrace& trace, std::span<const Run> pieces)
        : begin(pieces.begin(), pieces.end()) {
        const auto junctions = static_cast<std::uint32_t>(its.junction.size());
        const auto junctions_here = static_cast<std::uint32_t>(trace.junction.size());
        for (const Run& run : pieces) {
            using world::PieceId;
            ring_begin.push_back({other.ring_begin[PieceId(run.begin)],
                                  other.ring_begin[PieceId(run.end)],
                                  here.ring_begin[PieceId(run.to)]});
            // Junctions come first.
            const std::uint32_t middle = std::clamp(junctions, run.begin, run.end);
            if (run.begin < middle) junction.push_back({run.begin, middle, run.to});
            if (middle == run.end) continue;
            const std::uint32_t to = run.to + (middle - run.begin) - junctions_here;
            gate.push_back({2 * (middle - junctions), 2 * (run.end - junctions), 2 * to});
        }
        add_end(begin, other.road.size(), here.road.size());
        add_end(ring_begin, other.ring_vertex_begin.size() - 1, here.ring_vertex_begin.size() - 1);
    }
};

}  // namespace

StreetArrays::StreetArrays(const StreetSurface& other, const StreetTrace& its,
                           const StreetSurface& here, const StreetTrace& trace,
                           std::span<const Run> pieces, std::span<const Run> nodes) {
    const RunsByPiece runs(other, its, here, trace, pieces);
    by_piece_ = {by_piece(other, its), by_piece(here, trace), pieces};
    begin_by_piece_ = {begin_by_piece(other, its), begin_by_piece(here, trace), runs.begin};
    begin_by_ring_ = {std::tie(other.ring_vertex_begin), std::tie(here.ring_vertex_begin),
                      runs.ring_begin};
    by_junction_ = {std::tie(its.junction), std::tie(trace.junction), runs.junction};
    by_gate_ = {by_gate(other), by_gate(here), runs.gate};
    by_node_ = {by_node(its), by_node(trace), nodes};
}

void StreetArrays::swap(StreetSurface& here, StreetTrace& its) {
    by_piece_.swap(by_piece(here, its));
    begin_by_piece_.swap(begin_by_piece(here, its));
    begin_by_ring_.swap(std::tie(here.ring_vertex_begin));
    by_junction_.swap(std::tie(its.junction));
    by_gate_.swap(by_gate(here));
    by_node_.swap(by_node(its));
}

void StreetPatch::swap_points(StreetSurface& here) {
    for (auto& [vertex_id, point] : moved) {
        const GridPoint now = here.vertex[vertex_id];
        here.vertex.edit(vertex_id) = std::exchange(point, now);
    }
}

void StreetPatch::swap_pieces(StreetSurface& here, StreetTrace& its) {
    const auto vertices_before = static_cast<std::uint32_t>(here.vertex.size());
    const auto ring_vertices_before = static_cast<std::uint32_t>(here.ring_vertex.size());
    const auto triangles_before = static_cast<std::uint32_t>(here.triangle.size());
    splice(here.vertex, vertex, vertices, surface.vertex);
    splice(here.ring_vertex, ring_vertex, ring_vertices, surface.ring_vertex);
    splice(here.triangle, triangle, triangles, surface.triangle);
    if (const VertexMap map(vertex); map.moves()) {
        for (const Run& run : ring_vertex) map.apply(placed(here.ring_vertex, run));
        for (const Run& run : triangle) map.apply(placed(here.triangle, run));
    }
    const auto pieces_before = static_cast<std::uint32_t>(here.piece_count());
    const auto splice_pieces = [&](auto... field) {
        (splice(here.*field, piece, pieces, surface.*field), ...);
    };
    splice_pieces(&StreetSurface::kind, &StreetSurface::id, &StreetSurface::label,
                  &StreetSurface::level, &StreetSurface::form, &StreetSurface::road_class,
                  &StreetSurface::note);
    swap_whole(here, its);
    for (auto* runs : {&piece, &vertex, &ring_vertex, &triangle}) invert(*runs);
    pieces = pieces_before;
    vertices = vertices_before;
    ring_vertices = ring_vertices_before;
    triangles = triangles_before;
}

void StreetPatch::swap_whole(StreetSurface& here, StreetTrace& its) {
    if (packed_) {
        packed_->swap(here, its);
        std::swap(its.standing, trace.standing);
        std::swap(its.settled, trace.settled);
        return;
    }
    const auto exchange = [&](auto... field) { (std::swap(here.*field, surface.*field), ...); };
    exchange(&StreetSurface::road, &StreetSurface::ring_begin, &StreetSurface::ring_vertex_begin,
             &StreetSurface::triangle_begin, &StreetSurface::gate_corridor,
             &StreetSurface::gate_junction, &StreetSurface::gate_node, &StreetSurface::gate_left,
             &StreetSurface::gate_right);
    std::swap(its, trace);
}

void StreetPatch::pack(const StreetSurface& here, const StreetTrace& its,
                       std::span<const Run> nodes) {
    std::vector<Run> stay = piece;
    invert(stay);
    packed_.emplace(surface, trace, here, its, stay, nodes);
    StreetSurface between;
    const auto keep = [&](auto... field) { ((between.*field = std::move(surface.*field)), ...); };
    keep(&StreetSurface::vertex, &StreetSurface::ring_vertex, &StreetSurface::triangle,
         &StreetSurface::kind, &StreetSurface::id, &StreetSurface::label, &StreetSurface::level,
         &StreetSurface::form, &StreetSurface::road_class, &StreetSurface::note);
    surface = std::move(between);
    StreetTrace rest;
    rest.standing = std::move(trace.standing);
    rest.settled = trace.settled;
    trace = std::move(rest);
}

void StreetPatch::swap(StreetSurface& here, StreetTrace& its) {
    if (is_done) swap_points(here);
    swap_pieces(here, its);
    if (!is_done) swap_points(here);
    is_done = !is_done;
}

}  // namespace tw::streets
