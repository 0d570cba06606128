#include "separate.hpp"

#include "terraway/geometry/segment.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tw::streets {
namespace {

using world::PieceId;
using world::RingId;
using world::StreetSurface;
using world::StreetVertexId;

constexpr std::int32_t kTouch = 2;  ///< [steps] as near as this counts as standing on it
constexpr std::int32_t kLongest = 24;
constexpr std::array<GridPoint, 8> kWays{GridPoint{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                         {1, 1},          {-1, 1}, {-1, -1}, {1, -1}};

/// A side of a ring.
struct Edge {
    StreetVertexId a, b;
    PieceId piece;
};

/// Buckets over the boxes of ring sides, which are short and evenly spread.
class EdgeGrid {
public:
    EdgeGrid() = default;
    explicit EdgeGrid(std::span<const GridBox> boxes) {
        double sides = 0.0;
        for (const GridBox& box : boxes) {
            bounds_.include(box.lo);
            bounds_.include(box.hi);
            sides += static_cast<double>(std::max(box.width(), box.height()));
        }
        if (boxes.empty()) return;
        const double wanted = 1.5 * sides / static_cast<double>(boxes.size());
        while (static_cast<double>(std::int64_t{1} << shift_) < wanted ||
               cells() > most_cells(boxes))
            ++shift_;
        begin_.assign(static_cast<std::size_t>(cells()) + 1, 0);
        for (const GridBox& box : boxes) {
            for_each_cell(box, [&](std::size_t cell) { ++begin_[cell + 1]; });
        }
        for (std::size_t i = 0; i + 1 < begin_.size(); ++i) begin_[i + 1] += begin_[i];
        id_.resize(begin_.back());
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
            for_each_cell(boxes[i], [&](std::size_t cell) { id_[next[cell]++] = i; });
        }
    }
    /// visit(edge) for all whose box comes near `box`, some more than once.
    template <class Visit>
    void for_each(const GridBox& box, Visit&& visit) const {
        for_each_cell(box, [&](std::size_t cell) {
            for (std::uint32_t k = begin_[cell]; k < begin_[cell + 1]; ++k) visit(id_[k]);
        });
    }

private:
    static std::int64_t most_cells(std::span<const GridBox> boxes) {
        return 8 * static_cast<std::int64_t>(boxes.size()) + 64;
    }
    std::int64_t columns() const { return (bounds_.width() >> shift_) + 1; }
    std::int64_t cells() const { return columns() * ((bounds_.height() >> shift_) + 1); }
    template <class Visit>
    void for_each_cell(const GridBox& box, Visit&& visit) const {
        if (!box.intersects(bounds_)) return;
        const auto cell = [this](std::int64_t at, std::int64_t lo, std::int64_t hi) {
            return (std::min(std::max(at, lo), hi) - lo) >> shift_;
        };
        const std::int64_t x1 = cell(box.hi.x, bounds_.lo.x, bounds_.hi.x);
        const std::int64_t y1 = cell(box.hi.y, bounds_.lo.y, bounds_.hi.y);
        for (std::int64_t y = cell(box.lo.y, bounds_.lo.y, bounds_.hi.y); y <= y1; ++y) {
            for (std::int64_t x = cell(box.lo.x, bounds_.lo.x, bounds_.hi.x); x <= x1; ++x) {
                visit(static_cast<std::size_t>(y * columns() + x));
            }
        }
    }
    GridBox bounds_;
    int shift_ = 8;
    std::vector<std::uint32_t> begin_, id_;
};

class Separator {
public:
    /// Knows of nothing but these pieces.
    template <class Pieces>
    Separator(StreetSurface& surface, const Pieces& pieces) : surface_(surface) {
        collect_edges(pieces);
        collect_uses(pieces);
    }

    /// All that stand on something, of vertices that `is_looked_at`.
    template <class IsLookedAt>
    std::vector<Standing> find(IsLookedAt&& is_looked_at) const {
        std::vector<Standing> standing;
        for (const StreetVertexId v : surface_.vertex.ids()) {
            const GridPoint at = surface_.vertex[v];
            if (has_edges(v) && is_looked_at(v, at) && stands_on_something(v, at)) {
                standing.push_back({v, at, reach_of(v)});
            }
        }
        return standing;
    }
    void move_all(std::span<const Standing> standing) {
        for (const auto& [v, at, reach] : standing) {
            // An earlier move may have freed this one.
            if (stands_on_something(v, at)) move(v);
        }
    }

private:
    template <class Pieces>
    void collect_edges(const Pieces& pieces) {
        std::vector<GridBox> boxes;
        for (const PieceId piece : pieces) {
            for (const RingId ring : surface_.rings(piece)) {
                const std::span<const StreetVertexId> v = surface_.ring(ring);
                for (std::size_t i = 0; i < v.size(); ++i) {
                    edges_.push_back({v[i], v[i + 1 == v.size() ? 0 : i + 1], piece});
                    boxes.push_back(geometry::box_of(surface_.vertex[edges_.back().a],
                                                     surface_.vertex[edges_.back().b]));
                }
            }
        }
        grid_ = EdgeGrid(boxes);
    }
    template <class Pieces>
    void collect_uses(const Pieces& pieces) {
        const std::size_t n = surface_.vertex.size();
        edge_begin_.assign(n + 1, 0);
        triangle_begin_.assign(n + 1, 0);
        for (const Edge& e : edges_) {
            ++edge_begin_[e.a.index() + 1];
            ++edge_begin_[e.b.index() + 1];
        }
        for (const PieceId piece : pieces) {
            for (const auto& t : surface_.triangles(piece)) {
                for (const StreetVertexId v : t) ++triangle_begin_[v.index() + 1];
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            edge_begin_[i + 1] += edge_begin_[i];
            triangle_begin_[i + 1] += triangle_begin_[i];
        }
        edge_of_.resize(edge_begin_.back());
        triangle_of_.resize(triangle_begin_.back());
        std::vector<std::uint32_t> next(edge_begin_.begin(), edge_begin_.end() - 1);
        for (std::uint32_t e = 0; e < edges_.size(); ++e) {
            edge_of_[next[edges_[e].a.index()]++] = e;
            edge_of_[next[edges_[e].b.index()]++] = e;
        }
        next.assign(triangle_begin_.begin(), triangle_begin_.end() - 1);
        for (const PieceId piece : pieces) {
            std::uint32_t t = surface_.triangle_begin[piece];
            for (const auto& corners : surface_.triangles(piece)) {
                for (const StreetVertexId v : corners) triangle_of_[next[v.index()]++] = t;
                ++t;
            }
        }
    }
    bool has_edges(StreetVertexId v) const {
        return edge_begin_[v.index()] != edge_begin_[v.index() + 1];
    }
    std::span<const std::uint32_t> edges_of(StreetVertexId v) const {
        const std::uint32_t begin = edge_begin_[v.index()];
        return std::span(edge_of_).subspan(begin, edge_begin_[v.index() + 1] - begin);
    }
    std::span<const std::uint32_t> triangles_of(StreetVertexId v) const {
        const std::uint32_t begin = triangle_begin_[v.index()];
        return std::span(triangle_of_).subspan(begin, triangle_begin_[v.index() + 1] - begin);
    }
    GridBox reach_of(StreetVertexId v) const {
        GridBox box;
        for (const std::uint32_t e : edges_of(v)) {
            box.include(surface_.vertex[edges_[e].a]);
            box.include(surface_.vertex[edges_[e].b]);
        }
        for (const std::uint32_t t : triangles_of(v)) {
            for (const StreetVertexId w : surface_.triangle[world::StreetTriangleId(t)]) {
                box.include(surface_.vertex[w]);
            }
        }
        constexpr GridPoint kRoom{kSeparateReach, kSeparateReach};
        return {box.lo - kRoom, box.hi + kRoom};
    }
    GridPoint place(StreetVertexId v, StreetVertexId moved, GridPoint to) const {
        return v == moved ? to : surface_.vertex[v];
    }

    /// True if v, at `to`, would stand on an edge or a vertex that is not its own.
    bool stands_on_something(StreetVertexId v, GridPoint to) const {
        bool found = false;
        constexpr std::int32_t kRoom = kTouch + kLongest;
        const GridBox box{to - GridPoint{kRoom, kRoom}, to + GridPoint{kRoom, kRoom}};
        grid_.for_each(box, [&](std::uint32_t e) {
            const Edge& edge = edges_[e];
            if (found || edge.a == v || edge.b == v) return;
            found = geometry::within_distance(surface_.vertex[edge.a], surface_.vertex[edge.b], to,
                                              kTouch);
        });
        return found;
    }
    /// True if an edge at v, moved, would have a foreign vertex on it.
    bool edges_carry_something(StreetVertexId v, GridPoint to) const {
        bool found = false;
        for (const std::uint32_t own : edges_of(v)) {
            const Edge& edge = edges_[own];
            const GridPoint a = place(edge.a, v, to), b = place(edge.b, v, to);
            GridBox box = geometry::box_of(a, b);
            constexpr std::int32_t kRoom = kTouch + kLongest;
            box = {box.lo - GridPoint{kRoom, kRoom}, box.hi + GridPoint{kRoom, kRoom}};
            grid_.for_each(box, [&](std::uint32_t e) {
                const StreetVertexId w = edges_[e].a;  // every vertex begins an edge
                if (found || w == edge.a || w == edge.b) return;
                found = geometry::within_distance(a, b, surface_.vertex[w], kTouch);
            });
            if (found) return true;
        }
        return false;
    }
    bool keeps_its_pieces(StreetVertexId v, GridPoint to) const {
        for (const std::uint32_t each : triangles_of(v)) {
            const auto& t = surface_.triangle[world::StreetTriangleId(each)];
            if (orient2d(place(t[0], v, to), place(t[1], v, to), place(t[2], v, to)) <= 0) {
                return false;
            }
        }
        // Upward triangles round v tile the same ground, so a ring can only break against a part of
        // its own piece that the edges at v do not touch.
        bool clean = true;
        for (const std::uint32_t own : edges_of(v)) {
            const Edge& edge = edges_[own];
            const GridPoint a = place(edge.a, v, to), b = place(edge.b, v, to);
            GridBox box = geometry::box_of(a, b);
            box.include(surface_.vertex[v]);
            grid_.for_each(box, [&](std::uint32_t e) {
                const Edge& other = edges_[e];
                if (!clean || other.piece != edge.piece || other.a == edge.a || other.a == edge.b ||
                    other.b == edge.a || other.b == edge.b) {
                    return;
                }
                clean = !geometry::segments_touch(a, b, surface_.vertex[other.a],
                                                  surface_.vertex[other.b]);
            });
        }
        return clean;
    }
    void move(StreetVertexId v) {
        for (std::int32_t step = 4; step <= kLongest; step += 4) {
            for (const GridPoint way : kWays) {
                const GridPoint to = surface_.vertex[v] + GridPoint{way.x * step, way.y * step};
                if (!on_grid(to) || stands_on_something(v, to) || edges_carry_something(v, to) ||
                    !keeps_its_pieces(v, to)) {
                    continue;
                }
                surface_.vertex.edit(v) = to;
                return;
            }
        }
    }

    StreetSurface& surface_;
    std::vector<Edge> edges_;
    EdgeGrid grid_;
    std::vector<std::uint32_t> edge_begin_, edge_of_, triangle_begin_, triangle_of_;
};

GridBox grown(GridBox box, std::int32_t room) {
    return {box.lo - GridPoint{room, room}, box.hi + GridPoint{room, room}};
}

/// Looks again at vertices near what changed, and at all whose places may depend on theirs.
class Again {
public:
    Again(StreetSurface& surface, std::vector<Standing> standing, std::span<const GridBox> changed,
          std::span<const GridBox> box)
        : surface_(surface), box_(box), stay_(std::move(standing)) {
        for (const GridBox& each : changed) {
            near_changed_.push_back(grown(each, kTouch));
            area_.push_back(grown(each, kSeparateReach));
        }
    }

    SeparatedAgain run() {
        take_back();
        std::vector<PieceId> pieces;
        std::vector<Standing> again;
        for (std::size_t known = 0; known != area_.size();) {
            known = area_.size();
            pieces = pieces_there();
            again = Separator(surface_, pieces).find([&](StreetVertexId v, GridPoint at) {
                return is_taken_back(v) || is_near_changed(at);
            });
            // What stands now may reach farther than what stood.
            for (const Standing& each : again) {
                if (!is_covered(each.reach)) area_.push_back(each.reach);
            }
            if (known != area_.size()) take_back();
        }
        for (const Standing& each : again) note(each.vertex);
        Separator(surface_, pieces).move_all(again);

        SeparatedAgain out;
        std::merge(stay_.begin(), stay_.end(), again.begin(), again.end(),
                   std::back_inserter(out.standing),
                   [](const Standing& a, const Standing& b) { return a.vertex < b.vertex; });
        std::sort(stood_.begin(), stood_.end());
        for (const auto& [v, at] : stood_) {
            if (surface_.vertex[v] != at) out.moved.emplace_back(v, at);
        }
        for (const PieceId piece : pieces) {
            if (has_moved(piece, out)) out.piece.push_back(piece);
        }
        return out;
    }

private:
    using Place = std::pair<StreetVertexId, GridPoint>;

    /// Puts vertices that stood on something back to where they were made, if their reach meets the
    /// area, which grows by it.
    void take_back() {
        for (bool grows = true; grows;) {
            grows = false;
            std::erase_if(stay_, [&](const Standing& each) {
                if (!meets_area(each.reach)) return false;
                area_.push_back(each.reach);
                note(each.vertex);
                taken_back_.insert(
                    std::lower_bound(taken_back_.begin(), taken_back_.end(), each.vertex),
                    each.vertex);
                surface_.vertex.set(each.vertex, each.point);
                grows = true;
                return true;
            });
        }
    }
    /// Where a vertex stood at first.
    void note(StreetVertexId v) {
        if (!is_taken_back(v)) stood_.emplace_back(v, surface_.vertex[v]);
    }
    bool is_taken_back(StreetVertexId v) const {
        return std::binary_search(taken_back_.begin(), taken_back_.end(), v);
    }
    bool meets_area(const GridBox& box) const {
        return std::any_of(area_.begin(), area_.end(),
                           [&](const GridBox& each) { return each.intersects(box); });
    }
    bool is_covered(const GridBox& box) const {
        return std::any_of(area_.begin(), area_.end(), [&](const GridBox& each) {
            return each.lo.x <= box.lo.x && each.lo.y <= box.lo.y && each.hi.x >= box.hi.x &&
                   each.hi.y >= box.hi.y;
        });
    }
    bool is_near_changed(GridPoint at) const {
        return std::any_of(near_changed_.begin(), near_changed_.end(),
                           [&](const GridBox& each) { return each.contains(at); });
    }
    std::vector<PieceId> pieces_there() const {
        std::vector<PieceId> out;
        for (std::size_t i = 0; i < box_.size(); ++i) {
            if (meets_area(box_[i])) out.push_back(PieceId::from_index(i));
        }
        return out;
    }
    bool has_moved(PieceId piece, const SeparatedAgain& out) const {
        const auto moved = [&](StreetVertexId v) {
            const auto at =
                std::lower_bound(out.moved.begin(), out.moved.end(), v,
                                 [](const Place& a, StreetVertexId b) { return a.first < b; });
            return at != out.moved.end() && at->first == v;
        };
        for (const RingId ring : surface_.rings(piece)) {
            const std::span<const StreetVertexId> v = surface_.ring(ring);
            if (std::any_of(v.begin(), v.end(), moved)) return true;
        }
        return false;
    }

    StreetSurface& surface_;
    std::span<const GridBox> box_;
    std::vector<Standing> stay_;
    std::vector<GridBox> near_changed_, area_;
    std::vector<StreetVertexId> taken_back_;
    std::vector<Place> stood_;
};

}  // namespace

std::vector<Standing> separate_foreign_vertices(StreetSurface& surface) {
    Separator separator(surface, surface.kind.ids());
    std::vector<Standing> standing = separator.find([](StreetVertexId, GridPoint) { return true; });
    separator.move_all(standing);
    return standing;
}

SeparatedAgain separate_again(StreetSurface& surface, std::vector<Standing> standing,
                              std::span<const GridBox> changed, std::span<const GridBox> box) {
    return Again(surface, std::move(standing), changed, box).run();
}

bool stands_on_foreign(const StreetSurface& surface, std::span<const PieceId> pieces,
                       std::span<const PieceId> fresh) {
    std::vector<Edge> edges;
    std::vector<GridBox> boxes, fresh_boxes;
    std::vector<std::uint32_t> fresh_edge;
    for (const PieceId piece : pieces) {
        const bool is_fresh = std::binary_search(fresh.begin(), fresh.end(), piece);
        for (const RingId ring : surface.rings(piece)) {
            const std::span<const StreetVertexId> v = surface.ring(ring);
            for (std::size_t i = 0; i < v.size(); ++i) {
                const Edge edge{v[i], v[i + 1 == v.size() ? 0 : i + 1], piece};
                boxes.push_back(geometry::box_of(surface.vertex[edge.a], surface.vertex[edge.b]));
                if (is_fresh) {
                    fresh_edge.push_back(static_cast<std::uint32_t>(edges.size()));
                    fresh_boxes.push_back(boxes.back());
                }
                edges.push_back(edge);
            }
        }
    }
    if (fresh_edge.empty()) return false;
    const EdgeGrid all(boxes), of_fresh(fresh_boxes);
    const auto touches = [&](StreetVertexId v, const Edge& edge) {
        return edge.a != v && edge.b != v &&
               geometry::within_distance(surface.vertex[edge.a], surface.vertex[edge.b],
                                         surface.vertex[v], kTouch);
    };
    std::size_t next_fresh = 0;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        const StreetVertexId v = edges[e].a;  // every vertex begins an edge
        GridBox box;
        box.include(surface.vertex[v]);
        constexpr GridPoint kRoom{kTouch, kTouch};
        box = {box.lo - kRoom, box.hi + kRoom};
        bool found = false;
        if (next_fresh < fresh_edge.size() && fresh_edge[next_fresh] == e) {
            ++next_fresh;
            all.for_each(box, [&](std::uint32_t o) { found = found || touches(v, edges[o]); });
        } else {
            of_fresh.for_each(
                box, [&](std::uint32_t o) { found = found || touches(v, edges[fresh_edge[o]]); });
        }
        if (found) return true;
    }
    return false;
}

}  // namespace tw::streets
