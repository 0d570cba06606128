#include "terraway/math/vec.hpp"

#include "revision.hpp"
#include "segments.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tw::roads {
namespace {

/// A vertex in its level's plane, and who uses it.
struct Use {
    std::uint64_t point;  ///< as order_key() has it
    std::uint64_t tie;
    std::int32_t level;
    std::uint32_t line;
    bool is_front, is_back;  ///< of its line
    bool is_end() const { return is_front || is_back; }
    friend bool operator<(const Use& a, const Use& b) {
        return a.point != b.point ? a.point < b.point : a.level < b.level;
    }
    bool same_place(const Use& other) const { return point == other.point && level == other.level; }
};

struct End {
    std::uint32_t line;
    std::uint8_t at_back;
    friend auto operator<=>(const End&, const End&) = default;
};
End end_of(const Join& join) {
    return {join.line, join.at_back};
}

/// Looks for what the ends are joined to that may be joined otherwise than before.
class Joiner {
public:
    Joiner(const Revision& revision, std::int64_t reach) : revision_(revision), reach_(reach) {
        if (!revision.whole()) find_ends();
        gather();
    }
    /// Ascending by line, the front first. Without lines before, where all are meant: none.
    const std::vector<End>& ends() const { return ends_; }

    std::vector<Join> joins() const {
        std::vector<Join> joins;
        const std::vector<End> free = free_ends();
        if (free.empty()) return joins;
        const geometry::RTree tree = tree_of(segments_);
        for (const End end : free) {
            if (const std::optional<Join> join = nearest(tree, end)) joins.push_back(*join);
        }
        return joins;
    }

private:
    const Chain& chain(std::uint32_t line) const { return revision_.now(line).at(kNoded); }
    GridPoint point(End end) const {
        return end.at_back ? chain(end.line).back().point : chain(end.line).front().point;
    }
    GridBox reach_box(End end) const {
        return grown(box_at(point(end)), static_cast<std::int32_t>(reach_));
    }
    /// Ends of other lines, and ends that have other segments in reach.
    void find_ends() {
        const BoxSet changed =
            revision_.changed_segments(kNoded, static_cast<std::int32_t>(reach_));
        for (const std::uint32_t key : revision_.near(changed)) {
            if (chain(key).empty()) continue;
            const bool is_new = !revision_.common(key, kNoded).all;
            for (const std::uint8_t at_back : {std::uint8_t{0}, std::uint8_t{1}}) {
                const End end{key, at_back};
                if (is_new || changed.touches(box_at(point(end)))) ends_.push_back(end);
            }
        }
        std::sort(ends_.begin(), ends_.end());
    }
    void gather() {
        BoxSet boxes;
        if (revision_.whole()) {
            boxes = BoxSet::everything();
        } else {
            for (const End end : ends_) boxes.add(reach_box(end));
        }
        boxes.seal();
        for (const std::uint32_t key : revision_.near(boxes)) {
            const Chain& v = chain(key);
            const std::int32_t level = revision_.now(key).attributes.level;
            for (std::uint32_t i = 0; i < v.size(); ++i) {
                if (boxes.touches(box_at(v[i].point))) {
                    uses_.push_back(
                        {order_key(v[i].point), v[i].tie, level, key, i == 0, i + 1 == v.size()});
                }
                if (i + 1 == v.size()) break;
                const Segment s{v[i].point, v[i + 1].point, key, i, level};
                if (boxes.touches(s.box())) segments_.push_back(s);
            }
        }
        std::sort(uses_.begin(), uses_.end());
    }
    /// Of the ends, those that nothing meets: no vertex of their place, no other one of their node.
    std::vector<End> free_ends() const {
        std::vector<End> free;
        for (std::size_t begin = 0; begin < uses_.size();) {
            std::size_t end = begin + 1;
            while (end < uses_.size() && uses_[end].point == uses_[begin].point) ++end;
            const std::span at = std::span(uses_).subspan(begin, end - begin);
            begin = end;
            for (std::size_t i = 0; i < at.size(); ++i) {
                if (!at[i].is_end() || !is_alone(at, i)) continue;
                const End candidate{at[i].line, at[i].is_back};
                if (revision_.whole() ||
                    std::binary_search(ends_.begin(), ends_.end(), candidate)) {
                    free.push_back(candidate);
                }
            }
        }
        return free;
    }
    /// Of uses of one point, by level.
    static bool is_alone(std::span<const Use> at, std::size_t i) {
        if (i > 0 && at[i - 1].level == at[i].level) return false;
        if (i + 1 < at.size() && at[i + 1].level == at[i].level) return false;
        if (at[i].tie == kNoTie) return true;
        return std::ranges::count(at, at[i].tie, &Use::tie) == 1;
    }
    /// An end, or where lines meet: not the inside of a single line.
    bool is_node(GridPoint point, std::int32_t level) const {
        const Use wanted{order_key(point), kNoTie, level, 0, false, false};
        const auto at = std::lower_bound(uses_.begin(), uses_.end(), wanted);
        if (at == uses_.end() || !at->same_place(wanted)) return false;
        if (at + 1 != uses_.end() && (at + 1)->same_place(wanted)) return true;
        return at->is_end();
    }
    /// True if the segment hangs so close to the end, along its own line, that joining them would
    /// fold the line onto itself.
    bool is_own_tail(End end, const Segment& segment) const {
        if (segment.line != end.line) return false;
        const Chain& v = chain(end.line);
        const std::size_t last = v.size() - 1;
        double along = 0.0;
        const std::size_t from = end.at_back ? segment.index + 1 : 0;
        const std::size_t to = end.at_back ? last : segment.index;
        for (std::size_t i = from; i < to; ++i) {
            along += length(to_vec(v[i + 1].point) - to_vec(v[i].point));
            if (along > 4.0 * static_cast<double>(reach_)) return false;
        }
        return true;
    }
    static GridPoint closest_on(const Segment& s, GridPoint p) {
        const Vec2d d = to_vec(s.b) - to_vec(s.a), w = to_vec(p) - to_vec(s.a);
        const double t = std::min(std::max(dot(w, d) / dot(d, d), 0.0), 1.0);
        return s.a + to_grid(d * t);
    }
    std::optional<Join> nearest(const geometry::RTree& tree, End end) const {
        const GridPoint at = point(end);
        const std::int32_t level = revision_.now(end.line).attributes.level;
        std::optional<Join> node, inside;
        const auto offer = [&](std::optional<Join>& best, GridPoint to) {
            const std::int64_t distance = distance2(at, to);
            if (distance > reach_ * reach_ || to == at) return;
            if (best && std::tuple{best->distance, best->to} <= std::tuple{distance, to}) return;
            best = Join{.distance = distance,
                        .from = at,
                        .to = to,
                        .line = end.line,
                        .at_back = end.at_back,
                        .level = level};
        };
        tree.for_each(reach_box(end), [&](std::uint32_t i) {
            const Segment& s = segments_[i];
            if (s.level != level || is_own_tail(end, s)) return;
            if (is_node(s.a, level)) offer(node, s.a);
            if (is_node(s.b, level)) offer(node, s.b);
            offer(inside, closest_on(s, at));
        });
        return node ? node : inside;
    }

    const Revision& revision_;
    std::int64_t reach_;
    std::vector<End> ends_;
    std::vector<Use> uses_;
    std::vector<Segment> segments_;
};

struct Target {
    GridPoint point;
    std::int32_t level;
    friend auto operator<=>(const Target&, const Target&) = default;
};

/// Decides which joins are done: nearest first; what another end has come to stays where it is.
void settle(std::vector<Join>& joins, const Revision& revision) {
    const auto order = [&](const Join& j) {
        return std::tuple{j.distance, j.from, j.to, revision.position(j.line), j.at_back};
    };
    std::sort(joins.begin(), joins.end(),
              [&](const Join& a, const Join& b) { return order(a) < order(b); });
    std::vector<Target> target;
    target.reserve(joins.size());
    for (const Join& join : joins) target.push_back({join.to, join.level});
    std::sort(target.begin(), target.end());
    std::vector<std::uint8_t> pinned(target.size(), 0);
    const auto find = [&](GridPoint point, std::int32_t level) {
        const Target wanted{point, level};
        const auto at = std::lower_bound(target.begin(), target.end(), wanted);
        const bool found = at != target.end() && *at == wanted;
        return found ? static_cast<std::size_t>(at - target.begin()) : target.size();
    };
    for (Join& join : joins) {
        const std::size_t own = find(join.from, join.level);
        join.done = own == target.size() || !pinned[own];
        if (join.done) pinned[find(join.to, join.level)] = 1;
    }
}

struct Move {
    End end;
    GridPoint to;
    friend auto operator<=>(const Move&, const Move&) = default;
};
std::vector<Move> moves_of(const std::vector<Join>& joins) {
    std::vector<Move> moves;
    for (const Join& join : joins) {
        if (join.done) moves.push_back({end_of(join), join.to});
    }
    std::sort(moves.begin(), moves.end());
    return moves;
}

/// The chain with its ends moved; points that fall together are one.
Chain moved_chain(Chain chain, std::span<const Move> moves) {
    for (const Move& move : moves) {
        (move.end.at_back ? chain.back() : chain.front()).point = move.to;
    }
    std::size_t kept = 0;
    for (const Vertex& v : chain) {
        if (kept == 0 || chain[kept - 1].point != v.point) {
            chain[kept++] = v;
        } else if (chain[kept - 1].tie == kNoTie) {
            chain[kept - 1].tie = v.tie;
        }
    }
    chain.resize(kept < 2 ? 0 : kept);
    return chain;
}

}  // namespace

bool join_ends(Revision& revision, std::int64_t reach, NetworkTrace& trace) {
    if (reach <= 0) return false;
    const Joiner joiner(revision, reach);
    const std::vector<End>& ends = joiner.ends();
    trace.join = joiner.joins();
    for (const Join& join : revision.before().join) {
        const bool stays =
            revision.position(join.line) != kNone && !revision.now(join.line).at(kNoded).empty();
        if (stays && !std::binary_search(ends.begin(), ends.end(), end_of(join))) {
            trace.join.push_back(join);
        }
    }
    settle(trace.join, revision);

    const std::vector<Move> before = moves_of(revision.before().join), now = moves_of(trace.join);
    std::vector<Move> other;
    std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                  std::back_inserter(other));
    std::vector<std::uint32_t> lines(revision.edited().begin(), revision.edited().end());
    for (const Move& move : other) lines.push_back(move.end.line);
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    for (const std::uint32_t line : lines) {
        const auto moves =
            std::equal_range(now.begin(), now.end(), Move{{line, 0}, {}},
                             [](const Move& a, const Move& b) { return a.end.line < b.end.line; });
        if (moves.first == moves.second) {
            revision.edit(line, kNoded);
            continue;
        }
        Chain chain = moved_chain(revision.now(line).at(kNoded), {moves.first, moves.second});
        revision.edit(line, kNoded);
        revision.add_layer(line, kJoined, std::move(chain));
    }
    return !before.empty() || !now.empty();
}

}  // namespace tw::roads
