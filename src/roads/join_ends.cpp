#include "terraway/math/vec.hpp"

#include "working_lines.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace tw::roads {
namespace {

/// A vertex in its level's plane, and who uses it.
struct Use {
    GridPoint point;
    std::int32_t level;
    std::uint32_t line, index;
    std::uint32_t tie;
    auto place() const { return std::tuple{point, level}; }
};

struct End {
    std::uint32_t line;
    std::uint8_t at_back;
};

struct Join {
    std::int64_t distance;  ///< squared
    GridPoint from, to;
    End end;
    std::int32_t level;
    auto order() const { return std::tuple{distance, from, to, end.line, end.at_back}; }
};

Vertex& end_vertex(std::vector<WorkingLine>& lines, End end) {
    return end.at_back ? lines[end.line].vertex.back() : lines[end.line].vertex.front();
}

class Joiner {
public:
    Joiner(std::vector<WorkingLine>& lines, std::int64_t reach)
        : lines_(lines), reach_(reach), segments_(segments_of(lines)) {
        collect_uses();
    }

    bool run() {
        const geometry::RTree tree = tree_of(segments_);
        std::vector<Join> joins;
        for (const End end : free_ends_) {
            if (std::optional<Join> join = nearest(tree, end)) joins.push_back(*join);
        }
        std::sort(joins.begin(), joins.end(),
                  [](const Join& a, const Join& b) { return a.order() < b.order(); });
        // Nearest first; what another end has come to stays where it is.
        std::set<std::tuple<GridPoint, std::int32_t>> pinned;
        bool moved = false;
        for (const Join& join : joins) {
            if (pinned.contains({join.from, join.level})) continue;
            pinned.emplace(join.to, join.level);
            end_vertex(lines_, join.end).point = join.to;
            moved = true;
        }
        return moved;
    }

private:
    void collect_uses() {
        std::vector<std::uint32_t> tie_uses;
        for (std::uint32_t l = 0; l < lines_.size(); ++l) {
            const std::vector<Vertex>& v = lines_[l].vertex;
            for (std::uint32_t i = 0; i < v.size(); ++i) {
                uses_.push_back({v[i].point, lines_[l].attributes.level, l, i, v[i].tie});
                if (v[i].tie == kNoTie) continue;
                if (v[i].tie >= tie_uses.size()) tie_uses.resize(v[i].tie + 1, 0);
                ++tie_uses[v[i].tie];
            }
        }
        std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) {
            return std::tuple{a.place(), a.line, a.index} < std::tuple{b.place(), b.line, b.index};
        });
        for (std::size_t begin = 0; begin < uses_.size();) {
            std::size_t end = begin + 1;
            while (end < uses_.size() && uses_[end].place() == uses_[begin].place()) ++end;
            const Use& use = uses_[begin];
            const bool last = use.index + 1 == lines_[use.line].vertex.size();
            const bool alone = end - begin == 1 && (use.tie == kNoTie || tie_uses[use.tie] == 1);
            if (alone && (use.index == 0 || last)) {
                free_ends_.push_back({use.line, static_cast<std::uint8_t>(use.index != 0)});
            }
            begin = end;
        }
    }
    /// An end, or where lines meet: not the inside of a single line.
    bool is_node(GridPoint point, std::int32_t level) const {
        const auto by_place = [](const Use& use, const auto& place) { return use.place() < place; };
        const std::tuple place{point, level};
        const auto at = std::lower_bound(uses_.begin(), uses_.end(), place, by_place);
        if (at == uses_.end() || at->place() != place) return false;
        if (at + 1 != uses_.end() && (at + 1)->place() == place) return true;
        return at->index == 0 || at->index + 1 == lines_[at->line].vertex.size();
    }
    /// True if the segment hangs so close to the end, along its own line, that joining them would
    /// fold the line onto itself.
    bool is_own_tail(End end, const Segment& segment) const {
        if (segment.line != end.line) return false;
        const std::vector<Vertex>& v = lines_[end.line].vertex;
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

    std::optional<Join> nearest(const geometry::RTree& tree, End end) {
        const GridPoint at = end_vertex(lines_, end).point;
        const std::int32_t level = lines_[end.line].attributes.level;
        std::optional<Join> node, inside;
        const auto offer = [&](std::optional<Join>& best, GridPoint to) {
            const Join join{distance2(at, to), at, to, end, level};
            if (join.distance > reach_ * reach_ || to == at) return;
            if (!best || join.order() < best->order()) best = join;
        };
        GridBox box;
        box.include(at);
        tree.for_each(grown(box, static_cast<std::int32_t>(reach_)), [&](std::uint32_t i) {
            const Segment& s = segments_[i];
            if (s.level != level || is_own_tail(end, s)) return;
            if (is_node(s.a, level)) offer(node, s.a);
            if (is_node(s.b, level)) offer(node, s.b);
            offer(inside, closest_on(s, at));
        });
        return node ? node : inside;
    }

    std::vector<WorkingLine>& lines_;
    std::int64_t reach_;
    std::vector<Segment> segments_;
    std::vector<Use> uses_;
    std::vector<End> free_ends_;
};

}  // namespace

bool join_ends(std::vector<WorkingLine>& lines, std::int64_t reach) {
    return reach > 0 && Joiner(lines, reach).run();
}

}  // namespace tw::roads
