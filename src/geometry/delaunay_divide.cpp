#include "delaunay_divide.hpp"

#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>
#include <utility>

namespace tw::geometry::detail {
namespace {

constexpr std::uint32_t sym(std::uint32_t edge) {
    return edge ^ 1u;
}

/// Edges that a part of the points may take: a planar graph on m vertices has fewer than 3m.
class EdgePool {
public:
    EdgePool() = default;
    EdgePool(std::uint32_t begin, std::uint32_t end) : next_(begin), end_(end) {}

    std::uint32_t take() {
        if (!freed_.empty()) {
            const std::uint32_t edge = freed_.back();
            freed_.pop_back();
            return edge;
        }
        while (next_ == end_) {
            std::tie(next_, end_) = spare_.back();
            spare_.pop_back();
        }
        return std::exchange(next_, next_ + 2);
    }
    void give_back(std::uint32_t edge) { freed_.push_back(edge & ~1u); }
    void absorb(EdgePool&& other) {
        spare_.insert(spare_.end(), other.spare_.begin(), other.spare_.end());
        spare_.emplace_back(other.next_, other.end_);
        freed_.insert(freed_.end(), other.freed_.begin(), other.freed_.end());
    }
    /// Marks what was never taken.
    void close(RingEdge* edges) {
        spare_.emplace_back(next_, end_);
        for (const auto& [begin, end] : spare_) {
            for (std::uint32_t e = begin; e < end; ++e) edges[e].head = kNoEdge;
        }
        for (const std::uint32_t e : freed_) edges[e].head = edges[e + 1].head = kNoEdge;
    }

private:
    std::uint32_t next_ = 0, end_ = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spare_;
    std::vector<std::uint32_t> freed_;
};

/// Ranks begin … end − 1 and how they are cut in two.
struct Cut {
    std::uint32_t begin, middle, end;
    bool horizontal;  ///< the cutting line; else vertical
};

Cut cut(const CurveOrder& order, std::uint32_t begin, std::uint32_t end) {
    const int bit = std::bit_width(order.code[begin] ^ order.code[end - 1]) - 1;
    const std::uint64_t mask = std::uint64_t{1} << bit;
    const auto first = order.code.begin() + begin;
    const auto middle = std::partition_point(
        first, order.code.begin() + end, [mask](std::uint64_t code) { return (code & mask) == 0; });
    return {begin, begin + static_cast<std::uint32_t>(middle - first), end, bit % 2 == 1};
}

class Divider {
public:
    Divider(const CurveOrder& order, RingEdge* edges, EdgePool& pool)
        : order_(order), edges_(edges), pool_(pool) {}

    /// Triangulates the ranks; returns a half-edge with the outside on its right, kNoEdge for one.
    std::uint32_t triangulate(std::uint32_t begin, std::uint32_t end) {
        if (end - begin == 1) return kNoEdge;
        if (end - begin == 2) return make_edge(begin, begin + 1);
        const Cut at = cut(order_, begin, end);
        const std::uint32_t left = triangulate(at.begin, at.middle);
        const std::uint32_t right = triangulate(at.middle, at.end);
        return merge(at, left, right);
    }

    /// "Left" is west of a vertical cut, south of a horizontal one: the picture turned clockwise.
    std::uint32_t merge(const Cut& at, std::uint32_t left, std::uint32_t right) {
        const std::uint32_t base = lower_tangent(at, left, right);
        rise(base);
        return sym(base);
    }

private:
    std::uint32_t head(std::uint32_t e) const { return edges_[e].head; }
    std::uint32_t origin(std::uint32_t e) const { return edges_[sym(e)].head; }
    std::uint32_t next(std::uint32_t e) const { return edges_[e].next; }
    std::uint32_t prev(std::uint32_t e) const { return edges_[e].prev; }
    GridPoint point(std::uint32_t rank) const { return order_.point[rank]; }
    GridPoint head_point(std::uint32_t e) const { return point(head(e)); }
    GridPoint origin_point(std::uint32_t e) const { return point(origin(e)); }

    std::uint32_t make_edge(std::uint32_t from, std::uint32_t to) {
        const std::uint32_t e = pool_.take();
        edges_[e] = {to, e, e};
        edges_[sym(e)] = {from, sym(e), sym(e)};
        return e;
    }
    void insert_after(std::uint32_t e, std::uint32_t before) {
        const std::uint32_t after = next(before);
        edges_[e].next = after;
        edges_[e].prev = before;
        edges_[before].next = e;
        edges_[after].prev = e;
    }
    void unlink(std::uint32_t e) {
        edges_[prev(e)].next = next(e);
        edges_[next(e)].prev = prev(e);
    }
    void remove(std::uint32_t e) {
        unlink(e);
        unlink(sym(e));
        pool_.give_back(e);
    }

    /// The hull half-edge that leaves the vertex that is extreme along the cut's normal. Ties go to
    /// the end that makes it a corner of the hull, which the walk passes once.
    template <class Before>
    std::uint32_t hull_extreme(std::uint32_t hull, Before before) const {
        std::uint32_t best = hull;
        for (std::uint32_t e = next(sym(hull)); e != hull; e = next(sym(e))) {
            if (before(origin_point(e), origin_point(best))) best = e;
        }
        return best;
    }
    std::uint32_t last_of_left(const Cut& at, std::uint32_t hull) const {
        if (!at.horizontal) {
            return hull_extreme(hull, [](GridPoint a, GridPoint b) { return a > b; });
        }
        return hull_extreme(
            hull, [](GridPoint a, GridPoint b) { return a.y != b.y ? a.y > b.y : a.x < b.x; });
    }
    std::uint32_t first_of_right(const Cut& at, std::uint32_t hull) const {
        if (!at.horizontal) {
            return hull_extreme(hull, [](GridPoint a, GridPoint b) { return a < b; });
        }
        return hull_extreme(
            hull, [](GridPoint a, GridPoint b) { return a.y != b.y ? a.y < b.y : a.x > b.x; });
    }

    /// Joins the two hulls by their lower common tangent, directed from right to left.
    std::uint32_t lower_tangent(const Cut& at, std::uint32_t left, std::uint32_t right) {
        // `l` runs clockwise along the left hull, `r` counter-clockwise along the right one; a
        // single point has neither.
        std::uint32_t l = left == kNoEdge ? kNoEdge : prev(last_of_left(at, left));
        std::uint32_t r = right == kNoEdge ? kNoEdge : first_of_right(at, right);
        const auto l_rank = [&] { return l == kNoEdge ? at.begin : origin(l); };
        const auto r_rank = [&] { return r == kNoEdge ? at.middle : origin(r); };
        for (;;) {
            if (l != kNoEdge && orient2d(origin_point(l), head_point(l), point(r_rank())) > 0) {
                l = prev(sym(l));
            } else if (r != kNoEdge &&
                       orient2d(origin_point(r), head_point(r), point(l_rank())) < 0) {
                r = next(sym(r));
            } else {
                break;
            }
        }
        const std::uint32_t base = make_edge(r_rank(), l_rank());
        if (r != kNoEdge) insert_after(base, prev(r));
        if (l != kNoEdge) insert_after(sym(base), l);
        return base;
    }

    /// Zips the halves together above the tangent, removing what the new circles contain.
    void rise(std::uint32_t base) {
        GridPoint l = head_point(base), r = origin_point(base);
        for (;;) {
            std::uint32_t l_edge = next(sym(base));
            GridPoint l_candidate = head_point(l_edge);
            const bool l_valid = orient2d(l, r, l_candidate) > 0;
            if (l_valid) {
                for (;;) {
                    const std::uint32_t after = next(l_edge);
                    const GridPoint rival = head_point(after);
                    if (incircle_perturbed(l, r, l_candidate, rival) <= 0) break;
                    remove(l_edge);
                    l_edge = after;
                    l_candidate = rival;
                }
            }
            std::uint32_t r_edge = prev(base);
            GridPoint r_candidate = head_point(r_edge);
            const bool r_valid = orient2d(l, r, r_candidate) > 0;
            if (r_valid) {
                for (;;) {
                    const std::uint32_t after = prev(r_edge);
                    const GridPoint rival = head_point(after);
                    if (incircle_perturbed(l, r, r_candidate, rival) <= 0) break;
                    remove(r_edge);
                    r_edge = after;
                    r_candidate = rival;
                }
            }
            if (!l_valid && !r_valid) return;
            const bool take_right =
                !l_valid || (r_valid && incircle_perturbed(l, r, l_candidate, r_candidate) > 0);
            if (take_right) {
                const std::uint32_t e = make_edge(head(r_edge), head(base));
                insert_after(e, prev(sym(r_edge)));
                insert_after(sym(e), sym(base));
                base = e;
                r = r_candidate;
            } else {
                const std::uint32_t e = make_edge(origin(base), head(l_edge));
                insert_after(e, prev(base));
                insert_after(sym(e), sym(l_edge));
                base = e;
                l = l_candidate;
            }
        }
    }

    const CurveOrder& order_;
    RingEdge* edges_;
    EdgePool& pool_;
};

/// Work for one task. Small enough to share a hundred thousand points among a few threads.
constexpr std::uint32_t kTaskPoints = 16384;

struct Task {
    std::uint32_t begin, end;
    std::uint32_t hull = kNoEdge;
    EdgePool pool;
};

void collect_tasks(const CurveOrder& order, std::uint32_t begin, std::uint32_t end,
                   std::vector<Task>& tasks) {
    if (end - begin <= kTaskPoints) {
        tasks.push_back({begin, end, kNoEdge, EdgePool(6 * begin, 6 * end)});
        return;
    }
    const Cut at = cut(order, begin, end);
    collect_tasks(order, at.begin, at.middle, tasks);
    collect_tasks(order, at.middle, at.end, tasks);
}

/// Merges the tasks' results the way collect_tasks divided; consumes them from the front.
Task merge_tasks(const CurveOrder& order, RingEdge* edges, std::uint32_t begin, std::uint32_t end,
                 std::span<Task>& tasks) {
    if (end - begin <= kTaskPoints) {
        Task done = std::move(tasks.front());
        tasks = tasks.subspan(1);
        return done;
    }
    const Cut at = cut(order, begin, end);
    Task left = merge_tasks(order, edges, at.begin, at.middle, tasks);
    Task right = merge_tasks(order, edges, at.middle, at.end, tasks);
    left.pool.absorb(std::move(right.pool));
    left.hull = Divider(order, edges, left.pool).merge(at, left.hull, right.hull);
    left.end = right.end;
    return left;
}

}  // namespace

Rings divide_and_conquer(const CurveOrder& order, Executor& executor) {
    const auto count = static_cast<std::uint32_t>(order.point.size());
    Rings rings;
    rings.edge_count = std::size_t{6} * count;
    rings.edge = std::make_unique_for_overwrite<RingEdge[]>(rings.edge_count);
    if (count == 0) return rings;
    std::vector<Task> tasks;
    collect_tasks(order, 0, count, tasks);
    executor.run(tasks.size(), [&](std::size_t i) {
        Task& task = tasks[i];
        task.hull = Divider(order, rings.edge.get(), task.pool).triangulate(task.begin, task.end);
    });
    std::span<Task> rest = tasks;
    Task whole = merge_tasks(order, rings.edge.get(), 0, count, rest);
    whole.pool.close(rings.edge.get());
    rings.hull = whole.hull;
    return rings;
}

}  // namespace tw::geometry::detail
