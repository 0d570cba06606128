#include "terraway/geometry/ear_clipping.hpp"

#include "terraway/geometry/polygon.hpp"
#include "terraway/geometry/rtree.hpp"
#include "terraway/geometry/segment.hpp"
#include "terraway/math/predicates.hpp"

#include "constrained_flips.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string>

namespace tw::geometry {
namespace {

Error bad_ring(std::string subject, std::string message) {
    return {.code = ErrorCode::invalid_input,
            .stage = "triangulate",
            .subject = Subject(std::move(subject)),
            .message = std::move(message)};
}

/// True if the direction from `at` to p lies strictly inside the ring's angle there. The angle is
/// neither 0 nor a full turn.
bool in_angle(GridPoint before, GridPoint at, GridPoint after, GridPoint p) {
    if (orient2d(before, at, after) > 0) {
        return orient2d(before, at, p) > 0 && orient2d(at, after, p) > 0;
    }
    return orient2d(before, at, p) > 0 || orient2d(at, after, p) > 0;
}

/// The whole polygon: points of all rings, and where each ring begins.
struct Rings {
    std::vector<GridPoint> point;
    std::vector<std::size_t> begin;  ///< rings + 1

    std::size_t count() const { return begin.size() - 1; }
    std::span<const GridPoint> ring(std::size_t r) const {
        return std::span(point).subspan(begin[r], begin[r + 1] - begin[r]);
    }
    void add(std::span<const GridPoint> ring) {
        if (begin.empty()) begin.push_back(0);
        point.insert(point.end(), ring.begin(), ring.end());
        begin.push_back(point.size());
    }
    std::string name(std::size_t r) const {
        return r == 0 ? std::string() : "hole " + std::to_string(r - 1) + ", ";
    }
};

Status check_each_ring(const Rings& rings) {
    for (std::size_t r = 0; r < rings.count(); ++r) {
        for (GridPoint p : rings.ring(r)) {
            if (!on_grid(p))
                return bad_ring(rings.name(r) + "a vertex", "lies off the grid; move it");
        }
        if (const auto contact = find_self_contact(rings.ring(r))) {
            return bad_ring(rings.name(r) + "edge " + std::to_string(contact->first),
                            "the ring is not simple: it touches edge " +
                                std::to_string(contact->second) + "; node and split it first");
        }
    }
    return ok_status();
}

Status check_rings_apart(const Rings& rings) {
    std::vector<GridBox> boxes;
    std::vector<std::size_t> ring_of, next;
    for (std::size_t r = 0; r < rings.count(); ++r) {
        for (std::size_t i = rings.begin[r]; i < rings.begin[r + 1]; ++i) {
            next.push_back(i + 1 == rings.begin[r + 1] ? rings.begin[r] : i + 1);
            boxes.push_back(box_of(rings.point[i], rings.point[next.back()]));
            ring_of.push_back(r);
        }
    }
    const RTree tree(boxes);
    const auto& point = rings.point;
    for (std::size_t i = rings.begin[1]; i < point.size(); ++i) {
        bool touches = false;
        tree.for_each(boxes[i], [&](std::uint32_t j) {
            touches =
                touches || (ring_of[j] < ring_of[i] &&
                            segments_touch(point[i], point[next[i]], point[j], point[next[j]]));
        });
        if (touches) {
            return bad_ring(
                rings.name(ring_of[i]) + "edge " + std::to_string(i - rings.begin[ring_of[i]]),
                "touches another ring; merge holes that touch");
        }
    }
    for (std::size_t h = 1; h < rings.count(); ++h) {
        for (std::size_t r = 0; r < rings.count(); ++r) {
            if (r == h) continue;
            const Side side = locate(rings.ring(r), point[rings.begin[h]]);
            if ((side == Side::inside) != (r == 0)) {
                return bad_ring("hole " + std::to_string(h - 1),
                                r == 0 ? "lies outside the ring; drop it"
                                       : "lies within another hole; drop it");
            }
        }
    }
    return ok_status();
}

/// Vertices of one closed loop, as indices into the points; a bridge's ends stand in it twice.
using Loop = std::vector<std::uint32_t>;

/// The ring's indices, turned to the wanted direction.
Loop loop_of(const Rings& rings, std::size_t r) {
    Loop loop;
    for (std::size_t i = rings.begin[r]; i < rings.begin[r + 1]; ++i) {
        loop.push_back(static_cast<std::uint32_t>(i));
    }
    const bool left = double_area(rings.ring(r)) > 0;
    if (left != (r == 0)) std::reverse(loop.begin(), loop.end());
    return loop;
}

/// True if the open segment from the loop's place `at` to p runs inside it and meets nothing.
bool sees(std::span<const GridPoint> point, const Loop& loop, std::size_t at, GridPoint p) {
    const std::size_t n = loop.size();
    const GridPoint from = point[loop[at]];
    if (!in_angle(point[loop[(at + n - 1) % n]], from, point[loop[(at + 1) % n]], p)) return false;
    for (std::size_t i = 0; i < n; ++i) {
        const GridPoint a = point[loop[i]], b = point[loop[i + 1 == n ? 0 : i + 1]];
        if (inside_segment(from, p, a) || segments_cross(from, p, a, b)) return false;
    }
    return true;
}

/// Joins a hole to the loop by a bridge that is walked twice, from the hole's least vertex to the
/// nearest vertex that it sees among the lesser ones. Holes come in the order of their least
/// vertices, so what lies to the left is in the loop already and such a vertex exists.
void add_bridge(std::span<const GridPoint> point, Loop& loop, const Loop& hole) {
    const auto least = std::min_element(hole.begin(), hole.end(),
                                        [&](auto a, auto b) { return point[a] < point[b]; });
    const GridPoint tip = point[*least];
    std::vector<std::pair<std::int64_t, std::size_t>> candidates;  // squared distance, place
    for (std::size_t i = 0; i < loop.size(); ++i) {
        if (point[loop[i]] < tip) candidates.emplace_back(distance2(point[loop[i]], tip), i);
    }
    std::sort(candidates.begin(), candidates.end());
    const auto seen = std::find_if(
        candidates.begin(), candidates.end(),
        [&](const auto& candidate) { return sees(point, loop, candidate.second, tip); });
    assert(seen != candidates.end());
    const std::size_t at = seen->second;
    Loop detour{loop[at]};
    detour.insert(detour.end(), least, hole.end());
    detour.insert(detour.end(), hole.begin(), least + 1);
    loop.insert(loop.begin() + static_cast<std::ptrdiff_t>(at), detour.begin(), detour.end());
}

/// Clips ears off a loop until a triangle is left.
class EarClipper {
public:
    EarClipper(std::span<const GridPoint> point, const Loop& loop)
        : point_(point), loop_(loop), before_(loop.size()), after_(loop.size()), ear_(loop.size()) {
        const std::size_t n = loop.size();
        for (std::size_t i = 0; i < n; ++i) {
            before_[i] = static_cast<std::uint32_t>(i == 0 ? n - 1 : i - 1);
            after_[i] = static_cast<std::uint32_t>(i + 1 == n ? 0 : i + 1);
        }
    }

    std::vector<Triangle> run() {
        const auto n = static_cast<std::uint32_t>(loop_.size());
        std::vector<Triangle> triangles;
        triangles.reserve(n - 2);
        for (std::uint32_t i = 0; i < n; ++i) ear_[i] = is_ear(i);
        // A vertex keeps its state until a neighbour goes; a simple loop always has two ears.
        std::uint32_t left = n;
        for (std::uint32_t i = 0, misses = 0; left > 3 && misses < left;) {
            if (!ear_[i]) {
                i = after_[i];
                ++misses;
                continue;
            }
            misses = 0;
            const std::uint32_t u = before_[i], w = after_[i];
            triangles.push_back({loop_[u], loop_[i], loop_[w]});
            after_[u] = w;
            before_[w] = u;
            --left;
            ear_[u] = is_ear(u);
            ear_[w] = is_ear(w);
            i = after_[w];
            last_ = w;
        }
        assert(left == 3);
        triangles.push_back({loop_[before_[last_]], loop_[last_], loop_[after_[last_]]});
        return triangles;
    }

private:
    GridPoint at(std::uint32_t i) const { return point_[loop_[i]]; }

    bool is_ear(std::uint32_t i) const {
        const std::uint32_t u = before_[i], w = after_[i];
        const GridPoint a = at(u), b = at(i), c = at(w);
        if (orient2d(a, b, c) <= 0) return false;
        if (!in_angle(at(before_[u]), a, b, c) || !in_angle(b, c, at(after_[w]), a)) return false;
        const GridBox box{{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})},
                          {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})}};
        for (std::uint32_t k = after_[w]; k != u; k = after_[k]) {
            const GridPoint p = at(k);
            // Copies of the corners, left by bridges, have their own angle beside this one.
            if (!box.contains(p) || p == a || p == b || p == c) continue;
            if (orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0) {
                return false;
            }
        }
        return true;
    }

    std::span<const GridPoint> point_;
    const Loop& loop_;
    std::vector<std::uint32_t> before_, after_;
    std::vector<std::uint8_t> ear_;
    std::uint32_t last_ = 0;
};

Result<std::vector<Triangle>> triangulate_rings(const Rings& rings) {
    TW_TRY(check_each_ring(rings));
    if (rings.count() > 1) TW_TRY(check_rings_apart(rings));
    Loop loop = loop_of(rings, 0);
    std::vector<Loop> holes;
    for (std::size_t r = 1; r < rings.count(); ++r) holes.push_back(loop_of(rings, r));
    const auto least = [&](const Loop& hole) {
        GridPoint p = rings.point[hole.front()];
        for (std::uint32_t i : hole) p = std::min(p, rings.point[i]);
        return p;
    };
    std::sort(holes.begin(), holes.end(),
              [&](const Loop& a, const Loop& b) { return least(a) < least(b); });
    for (const Loop& hole : holes) add_bridge(rings.point, loop, hole);
    std::vector<Triangle> triangles = EarClipper(rings.point, loop).run();
    flip_to_delaunay(rings.point, triangles);
    for (Triangle& t : triangles) t = least_first(t);
    std::sort(triangles.begin(), triangles.end());
    return triangles;
}

}  // namespace

Result<std::vector<Triangle>> triangulate(std::span<const GridPoint> ring) {
    return triangulate(ring, {});
}

Result<std::vector<Triangle>> triangulate(std::span<const GridPoint> outer,
                                          std::span<const std::vector<GridPoint>> holes) {
    Rings rings;
    rings.add(outer);
    for (const std::vector<GridPoint>& hole : holes) rings.add(hole);
    return triangulate_rings(rings);
}

}  // namespace tw::geometry
