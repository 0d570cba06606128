#include "terraway/geometry/delaunay.hpp"

#include "delaunay_divide.hpp"
#include "delaunay_order.hpp"
#include "delaunay_stars.hpp"

#include <algorithm>
#include <limits>

namespace tw::geometry {
namespace {

using detail::CurveOrder;
using detail::kNoEdge;
using detail::RingEdge;
using detail::Rings;

constexpr const char* kStage = "delaunay";
/// A planar graph has fewer than 6 half-edges a vertex; their ids must stay below 2³¹.
constexpr std::size_t kMaxPoints = (std::size_t{1} << 31) / 6;

Status check_points(std::span<const GridPoint> points) {
    if (points.size() > kMaxPoints) {
        return Error{.code = ErrorCode::too_large,
                     .stage = kStage,
                     .subject = {},
                     .message = std::to_string(points.size()) +
                                " points would make 2^31 half-edges or more; divide the region"};
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!on_grid(points[i])) {
            return Error{.code = ErrorCode::invalid_input,
                         .stage = kStage,
                         .subject = Id<struct InputTag>::from_index(i),
                         .message =
                             "the point lies off the grid; move or scale it to within 2^29 "
                             "steps of the origin"};
        }
    }
    return ok_status();
}

/// Where each star begins, and one half-edge of each ring by rank.
std::vector<std::uint32_t> count_stars(const CurveOrder& order, const Rings& rings, Delaunay& out) {
    std::vector<std::uint32_t> any_edge(order.point.size(), kNoEdge);
    std::vector<std::uint32_t> degree(order.point.size(), 0);
    for (std::uint32_t e = 0; e < rings.edge_count; e += 2) {
        const std::uint32_t to = rings.edge[e].head;
        if (to == kNoEdge) continue;
        const std::uint32_t from = rings.edge[e + 1].head;
        any_edge[from] = e;
        any_edge[to] = e + 1;
        ++degree[from];
        ++degree[to];
    }
    out.star_begin.assign(order.point.size() + 1, 0);
    for (std::size_t rank = 0; rank < degree.size(); ++rank) {
        out.star_begin[order.vertex[rank].index() + 1] = degree[rank];
    }
    for (std::size_t v = 0; v < order.point.size(); ++v) out.star_begin[v + 1] += out.star_begin[v];
    return any_edge;
}

/// Marks the vertices of the hull and makes `first_edge` their half-edge with the outside on its
/// right.
void mark_hull(const CurveOrder& order, const Rings& rings, std::vector<std::uint32_t>& first_edge,
               Delaunay& out) {
    out.on_hull.assign(order.point.size(), 0);
    if (rings.hull == kNoEdge) {
        std::fill(out.on_hull.begin(), out.on_hull.end(), std::uint8_t{1});
        return;
    }
    const auto least_head = [&](std::uint32_t a, std::uint32_t b) {
        return order.vertex[rings.edge[a].head] < order.vertex[rings.edge[b].head] ? a : b;
    };
    std::uint32_t e = rings.hull;
    do {
        const std::uint32_t rank = rings.edge[e ^ 1u].head;
        std::uint8_t& marked = out.on_hull[order.vertex[rank].index()];
        // A path passes its inner vertices twice.
        first_edge[rank] = marked ? least_head(first_edge[rank], e) : e;
        marked = 1;
        e = rings.edge[e ^ 1u].next;
    } while (e != rings.hull);
}

/// The vertices come in any order, so their stars are asked for from memory some ranks ahead.
class StarPrefetch {
public:
    StarPrefetch(const CurveOrder& order, const Delaunay& out) : order_(order), out_(out) {}
    void at(std::size_t rank) const {
        constexpr std::size_t kFar = 24, kNear = 12;
        if (rank + kFar < order_.vertex.size()) {
            __builtin_prefetch(&out_.star_begin[order_.vertex[rank + kFar].index()]);
        }
        if (rank + kNear < order_.vertex.size()) {
            const std::uint32_t begin = out_.star_begin[order_.vertex[rank + kNear].index()];
            __builtin_prefetch(out_.head.data() + begin);
            __builtin_prefetch(out_.twin.data() + begin);
        }
    }

private:
    const CurveOrder& order_;
    const Delaunay& out_;
};

/// Writes the stars; the rings' `prev` is used up as the index of the half-edge.
void fill_stars(const CurveOrder& order, Rings& rings, std::span<const std::uint32_t> first_edge,
                Delaunay& out) {
    const std::size_t count = out.star_begin.back();
    out.head.resize(count);
    out.twin.resize(count);
    RingEdge* const edges = rings.edge.get();
    const StarPrefetch prefetch(order, out);
    for (std::size_t rank = 0; rank < first_edge.size(); ++rank) {
        prefetch.at(rank);
        if (first_edge[rank] == kNoEdge) continue;
        std::uint32_t start = first_edge[rank];
        const std::size_t v = order.vertex[rank].index();
        if (!out.on_hull[v]) {
            VertexId least = order.vertex[edges[start].head];
            for (std::uint32_t e = edges[start].next; e != first_edge[rank]; e = edges[e].next) {
                const VertexId to = order.vertex[edges[e].head];
                if (to < least) {
                    least = to;
                    start = e;
                }
            }
        }
        std::uint32_t h = out.star_begin[v], e = start;
        do {
            out.head[h] = order.vertex[edges[e].head];
            out.twin[h] = HalfEdgeId(e);
            edges[e].prev = h++;
            e = edges[e].next;
        } while (e != start);
    }
    for (std::size_t rank = 0; rank < first_edge.size(); ++rank) {
        prefetch.at(rank);
        const std::size_t v = order.vertex[rank].index();
        for (std::uint32_t h = out.star_begin[v]; h < out.star_begin[v + 1]; ++h) {
            out.twin[h] = HalfEdgeId(edges[out.twin[h].value() ^ 1u].prev);
        }
    }
}

/// Euler's formula: every inner face is a triangle and the hull has `h` vertices.
std::uint32_t count_triangles(const Delaunay& d) {
    const auto edges = static_cast<std::uint32_t>(d.half_edge_count() / 2);
    const auto vertices = static_cast<std::uint32_t>(d.vertex_count());
    return vertices == 0 ? 0 : edges + 1 - vertices;
}

Delaunay triangulate_generally(std::span<const GridPoint> points, Executor& executor) {
    Delaunay out;
    const CurveOrder order = detail::order_along_curve(points, out);
    Rings rings = detail::divide_and_conquer(order, executor);
    std::vector<std::uint32_t> first_edge = count_stars(order, rings, out);
    mark_hull(order, rings, first_edge, out);
    fill_stars(order, rings, first_edge, out);
    out.triangle_count = count_triangles(out);
    return out;
}

}  // namespace

Result<Delaunay> build_delaunay_general(std::span<const GridPoint> points) {
    TW_TRY(check_points(points));
    SerialExecutor serial;
    return triangulate_generally(points, serial);
}

Result<Delaunay> build_delaunay_local(std::span<const GridPoint> points, Executor& executor) {
    TW_TRY(check_points(points));
    if (auto by_stars = detail::triangulate_by_stars(points, executor)) return *std::move(by_stars);
    return Error{.code = ErrorCode::unsupported,
                 .stage = kStage,
                 .subject = {},
                 .message =
                     "the points are too few, too unevenly spaced or not distinct for the "
                     "local path; use build_delaunay"};
}

Result<Delaunay> build_delaunay(std::span<const GridPoint> points, Executor& executor) {
    TW_TRY(check_points(points));
    if (auto by_stars = detail::triangulate_by_stars(points, executor)) return *std::move(by_stars);
    return triangulate_generally(points, executor);
}

}  // namespace tw::geometry
