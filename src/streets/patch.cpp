#include "patch.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

namespace tw::streets {
namespace {

using world::StreetSurface;
using world::StreetVertexId;

/// Says where vertices that stay stand on the other side.
class VertexMap {
public:
    VertexMap(std::span<const Run> runs, std::size_t vertices) : runs_(runs) {
        moves_ = std::any_of(runs.begin(), runs.end(),
                             [](const Run& run) { return run.to != run.begin; });
        if (!moves_) return;
        other_.resize(vertices);
        for (const Run& run : runs) {
            std::iota(other_.begin() + run.begin, other_.begin() + run.end, run.to);
        }
    }
    /// For elements of the run's pieces, which mostly speak of vertices of the same run.
    template <class T, class ForEachVertex>
    void apply(std::size_t run, std::span<T> elements, ForEachVertex&& for_each_vertex) const {
        const std::uint32_t own = runs_[run].begin, own_end = runs_[run].end;
        const std::uint32_t shift = runs_[run].to - own;
        for (T& element : elements) {
            for_each_vertex(element, [&](StreetVertexId& v) {
                const std::uint32_t at = v.value();
                v = StreetVertexId(at >= own && at < own_end ? at + shift : other_[at]);
            });
        }
    }
    bool moves() const { return moves_; }

private:
    std::span<const Run> runs_;
    std::vector<std::uint32_t> other_;
    bool moves_ = false;
};

}  // namespace

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
    const VertexMap map(vertex, here.vertex.size());
    splice(here.vertex, vertex, vertices, surface.vertex);
    splice(here.ring_vertex, ring_vertex, ring_vertices, surface.ring_vertex);
    splice(here.triangle, triangle, triangles, surface.triangle);
    if (map.moves()) {
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const Run &ring = ring_vertex[i], &faces = triangle[i];
            map.apply(i, here.ring_vertex.edit_range(ring.to, ring.to + (ring.end - ring.begin)),
                      [](StreetVertexId& v, auto&& visit) { visit(v); });
            map.apply(i, here.triangle.edit_range(faces.to, faces.to + (faces.end - faces.begin)),
                      [](std::array<StreetVertexId, 3>& t, auto&& visit) {
                          for (StreetVertexId& v : t) visit(v);
                      });
        }
    }
    const std::size_t pieces = surface.road.size();
    const auto splice_pieces = [&](auto... field) {
        (splice(here.*field, piece, pieces, surface.*field), ...);
    };
    splice_pieces(&StreetSurface::kind, &StreetSurface::id, &StreetSurface::label,
                  &StreetSurface::level, &StreetSurface::form, &StreetSurface::road_class,
                  &StreetSurface::note);
    const auto exchange = [&](auto... field) { (std::swap(here.*field, surface.*field), ...); };
    exchange(&StreetSurface::road, &StreetSurface::ring_begin, &StreetSurface::ring_vertex_begin,
             &StreetSurface::triangle_begin, &StreetSurface::gate_corridor,
             &StreetSurface::gate_junction, &StreetSurface::gate_node, &StreetSurface::gate_left,
             &StreetSurface::gate_right);
    std::swap(its, trace);
    for (auto* runs : {&piece, &vertex, &ring_vertex, &triangle}) invert(*runs);
    vertices = vertices_before;
    ring_vertices = ring_vertices_before;
    triangles = triangles_before;
}

void StreetPatch::swap(StreetSurface& here, StreetTrace& its) {
    if (is_done) swap_points(here);
    swap_pieces(here, its);
    if (!is_done) swap_points(here);
    is_done = !is_done;
}

}  // namespace tw::streets
