#include "terraway/geometry/mesh.hpp"

#include "terraway/geometry/rtree.hpp"
#include "terraway/geometry/segment.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tw::geometry {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

/// True if the three points lie on one line of space: so do their shadows on all three planes.
bool collinear(GridPoint3 a, GridPoint3 b, GridPoint3 c) {
    return orient2d({a.x, a.y}, {b.x, b.y}, {c.x, c.y}) == 0 &&
           orient2d({a.y, a.z}, {b.y, b.z}, {c.y, c.z}) == 0 &&
           orient2d({a.z, a.x}, {b.z, b.x}, {c.z, c.x}) == 0;
}
bool inside_edge(GridPoint3 a, GridPoint3 b, GridPoint3 p) {
    const auto between = [](std::int32_t u, std::int32_t v, std::int32_t w) {
        return std::min(u, v) <= w && w <= std::max(u, v);
    };
    return p != a && p != b && between(a.x, b.x, p.x) && between(a.y, b.y, p.y) &&
           between(a.z, b.z, p.z) && collinear(a, b, p);
}

class Validator {
public:
    Validator(std::span<const GridPoint3> position, std::span<const Triangle> triangles)
        : position_(position), triangles_(triangles) {}

    MeshReport run() {
        judge_triangles();
        find_duplicates();
        pair_edges();
        trace_boundary();
        find_t_vertices();
        find_repeated_positions();
        return std::move(report_);
    }

private:
    enum class EdgeState : std::uint8_t { unused, inner, boundary, bad };

    std::uint32_t from(std::uint32_t side) const { return triangles_[side / 3][side % 3]; }
    std::uint32_t to(std::uint32_t side) const { return from(next(side)); }
    static std::uint32_t next(std::uint32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }

    /// Three different vertices that exist.
    bool usable(const Triangle& t) const {
        const std::size_t n = position_.size();
        return t[0] < n && t[1] < n && t[2] < n && t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
    }

    void judge_triangles() {
        for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
            const Triangle& t = triangles_[i];
            if (std::max({t[0], t[1], t[2]}) >= position_.size()) {
                report_.out_of_range.push_back(i);
                continue;
            }
            const GridPoint3 a = position_[t[0]], b = position_[t[1]], c = position_[t[2]];
            if (collinear(a, b, c)) report_.degenerate.push_back(i);
            if (orient2d(a.plan(), b.plan(), c.plan()) < 0) report_.facing_down.push_back(i);
        }
    }

    void find_duplicates() {
        std::vector<std::pair<Triangle, std::uint32_t>> sorted;
        for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
            Triangle t = triangles_[i];
            if (!usable(t)) continue;
            std::sort(t.begin(), t.end());
            sorted.emplace_back(t, i);
        }
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (sorted[i].first == sorted[i - 1].first)
                report_.duplicate.push_back(sorted[i].second);
        }
        std::sort(report_.duplicate.begin(), report_.duplicate.end());
    }

    void pair_edges() {
        struct Use {
            std::uint32_t low, high, side;
            auto operator<=>(const Use&) const = default;
        };
        std::vector<Use> uses;
        for (std::uint32_t side = 0; side < 3 * triangles_.size(); ++side) {
            if (!usable(triangles_[side / 3])) continue;
            const auto [low, high] = std::minmax({from(side), to(side)});
            uses.push_back({low, high, side});
        }
        std::sort(uses.begin(), uses.end());
        state_.assign(3 * triangles_.size(), EdgeState::unused);
        twin_.assign(state_.size(), kNone);
        for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
            const MeshEdge edge{uses[begin].low, uses[begin].high};
            while (end < uses.size() && uses[end].low == edge.from && uses[end].high == edge.to)
                ++end;
            const std::uint32_t first = uses[begin].side, second = uses[end - 1].side;
            EdgeState state = EdgeState::bad;
            if (end - begin == 1) {
                state = EdgeState::boundary;
            } else if (end - begin > 2) {
                report_.non_manifold.push_back(edge);
            } else if (from(first) == from(second)) {
                report_.inconsistent.push_back({from(first), to(first)});
            } else {
                state = EdgeState::inner;
                twin_[first] = second;
                twin_[second] = first;
            }
            for (std::size_t i = begin; i < end; ++i) state_[uses[i].side] = state;
        }
        std::sort(report_.inconsistent.begin(), report_.inconsistent.end());
    }

    /// The boundary side that follows `side`, found by turning about its end within one fan; kNone
    /// at a bad edge. A boundary side has no twin, so the turn cannot come back to where it began.
    std::uint32_t next_boundary(std::uint32_t side) const {
        std::uint32_t at = next(side);
        while (state_[at] == EdgeState::inner) at = next(twin_[at]);
        return state_[at] == EdgeState::boundary ? at : kNone;
    }

    void trace_boundary() {
        std::vector<std::uint32_t> follower(state_.size(), kNone);
        std::vector<std::uint8_t> has_leader(state_.size(), 0), seen(state_.size(), 0);
        for (std::uint32_t side = 0; side < state_.size(); ++side) {
            if (state_[side] != EdgeState::boundary) continue;
            follower[side] = next_boundary(side);
            if (follower[side] != kNone) has_leader[follower[side]] = 1;
        }
        const auto trace = [&](std::uint32_t start) {
            std::vector<std::uint32_t> chain;
            std::uint32_t last = start;
            for (std::uint32_t s = start; s != kNone && !seen[s]; s = follower[s]) {
                seen[s] = 1;
                chain.push_back(from(s));
                last = s;
            }
            if (follower[last] == kNone) {
                chain.push_back(to(last));
            } else {
                std::rotate(chain.begin(), std::min_element(chain.begin(), chain.end()),
                            chain.end());
            }
            report_.boundary.push_back(std::move(chain));
        };
        const auto trace_all = [&](std::uint8_t led) {  // open chains from their heads, then loops
            for (std::uint32_t side = 0; side < state_.size(); ++side) {
                if (state_[side] == EdgeState::boundary && !seen[side] && has_leader[side] == led) {
                    trace(side);
                }
            }
        };
        trace_all(0);
        trace_all(1);
        std::sort(report_.boundary.begin(), report_.boundary.end());
    }

    void find_t_vertices() {
        std::vector<GridBox> boxes;
        std::vector<MeshEdge> edges;
        std::vector<std::uint8_t> used(position_.size(), 0);
        for (std::uint32_t side = 0; side < state_.size(); ++side) {
            if (state_[side] == EdgeState::unused) continue;
            used[from(side)] = 1;
            if (state_[side] == EdgeState::inner) continue;
            const auto [low, high] = std::minmax({from(side), to(side)});
            edges.push_back(state_[side] == EdgeState::bad ? MeshEdge{low, high}
                                                           : MeshEdge{from(side), to(side)});
            boxes.push_back(box_of(position_[low].plan(), position_[high].plan()));
        }
        const RTree tree(boxes);
        for (std::uint32_t v = 0; v < position_.size(); ++v) {
            if (!used[v]) continue;
            const GridPoint at = position_[v].plan();
            tree.for_each({at, at}, [&](std::uint32_t e) {
                const MeshEdge& edge = edges[e];
                if (inside_edge(position_[edge.from], position_[edge.to], position_[v])) {
                    report_.t_vertices.push_back({v, edge});
                }
            });
        }
        auto& found = report_.t_vertices;
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
    }

    void find_repeated_positions() {
        std::vector<std::uint32_t> order(position_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return position_[a] != position_[b] ? position_[a] < position_[b] : a < b;
        });
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (position_[order[i]] == position_[order[i - 1]]) {
                report_.repeated_position.push_back(order[i]);
            }
        }
        std::sort(report_.repeated_position.begin(), report_.repeated_position.end());
    }

    std::span<const GridPoint3> position_;
    std::span<const Triangle> triangles_;
    MeshReport report_;
    std::vector<EdgeState> state_;     ///< by side: 3 · triangle + corner
    std::vector<std::uint32_t> twin_;  ///< by side, kNone unless inner
};

}  // namespace

MeshReport validate(std::span<const GridPoint3> position, std::span<const Triangle> triangles) {
    return Validator(position, triangles).run();
}

}  // namespace tw::geometry
