#include "source_diff.hpp"

#include <algorithm>
#include <tuple>

namespace tw::roads {
namespace {

using world::RoadAttributes;
using world::RoadId;
using world::RoadLines;

/// Disjoint sets; the least member stands for its set.
class DisjointSets {
public:
    explicit DisjointSets(std::size_t count) : parent_(count) {
        for (std::size_t i = 0; i < count; ++i) parent_[i] = static_cast<std::uint32_t>(i);
    }
    std::uint32_t find(std::uint32_t a) {
        while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> parent_;
};

auto rank_of(const RoadAttributes& a) {
    return std::tuple{a.width, a.level, a.road_class, a.form, a.oneway};
}

Error bad(Subject subject, std::string message) {
    return Error{ErrorCode::invalid_input, std::string(kStage), std::move(subject),
                 std::move(message)};
}

bool fits(const RoadLines& lines) {
    const std::size_t count = lines.label.size();
    return lines.attributes.size() == count && lines.point_begin.size() == count + 1 &&
           lines.node.size() == lines.point.size() && lines.point_begin[RoadId(0)] == 0 &&
           lines.point_begin[RoadId::from_index(count)] == lines.point.size();
}

Status check(const RoadLines& lines) {
    if (!fits(lines)) {
        return bad({}, "the arrays of the lines do not fit each other; import the file again");
    }
    for (const RoadId line : lines.label.ids()) {
        if (lines.point_begin[RoadId(line.value() + 1)] < lines.point_begin[line]) {
            return bad(lines.label[line], "the points are out of order; import the file again");
        }
        if (lines.attributes[line].width <= 0) {
            return bad(lines.label[line], "the width is not above zero; give one");
        }
    }
    for (const auto p : lines.point.ids()) {
        if (!on_grid(lines.point[p])) return bad(p, "a point is off the grid; move the roads");
    }
    return ok_status();
}

/// Lines by label, then by everything else that tells them apart.
std::vector<RoadId> canonical_order(const RoadLines& lines) {
    std::vector<RoadId> order;
    order.reserve(lines.label.size());
    for (const RoadId line : lines.label.ids()) order.push_back(line);
    const auto less = [](auto a, auto b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::sort(order.begin(), order.end(), [&](RoadId i, RoadId j) {
        if (const int by_label = lines.label[i].compare(lines.label[j])) return by_label < 0;
        const auto a = rank_of(lines.attributes[i]), b = rank_of(lines.attributes[j]);
        if (a != b) return a < b;
        if (less(lines.points(i), lines.points(j))) return true;
        if (less(lines.points(j), lines.points(i))) return false;
        if (less(nodes_of(lines, i), nodes_of(lines, j))) return true;
        if (less(nodes_of(lines, j), nodes_of(lines, i))) return false;
        return i < j;
    });
    return order;
}

class PrepareAll {
public:
    PrepareAll(const RoadLines& lines, Revision& revision, NetworkTrace& trace)
        : lines_(lines), revision_(revision), trace_(trace) {}

    void run() {
        const std::vector<RoadId> canonical = canonical_order(lines_);
        LineOrder order;
        trace_.key_of_source.resize(canonical.size());
        for (std::uint32_t i = 0; i < canonical.size(); ++i) {
            order.key.push_back(i);
            trace_.key_of_source[canonical[i].index()] = i;
        }
        order.position = order.key;
        revision_.set_order(std::move(order));
        find_sources();
        for (std::uint32_t key = 0; key < canonical.size(); ++key) add(key, canonical);
        if (!joins_.empty()) join_ties();
        for (std::uint32_t key = 0; key < chain_.size(); ++key) {
            revision_.add_layer(key, 0, std::move(chain_[key]));
        }
    }

private:
    void find_sources() {
        for (const std::uint64_t node : lines_.node.span()) {
            if (node != kNoTie) sources_.push_back(node);
        }
        std::sort(sources_.begin(), sources_.end());
        sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
        place_.resize(sources_.size());
        placed_.assign(sources_.size(), 0);
    }
    std::uint32_t source(std::uint64_t node) const {
        const auto at = std::lower_bound(sources_.begin(), sources_.end(), node);
        return static_cast<std::uint32_t>(at - sources_.begin());
    }
    void add(std::uint32_t key, const std::vector<RoadId>& canonical) {
        const RoadId line = canonical[key];
        LineTrace& trace = revision_.edit(key, -1);
        trace.label = lines_.label[line];
        trace.attributes = lines_.attributes[line];
        const auto same_label = [&](std::size_t other) {
            return other < canonical.size() && lines_.label[canonical[other]] == trace.label;
        };
        trace.twin = same_label(std::size_t{key} - 1) || same_label(std::size_t{key} + 1);
        const std::span<const std::uint64_t> nodes = nodes_of(lines_, line);
        const std::span<const GridPoint> points = lines_.points(line);
        trace.placed.assign(points.begin(), points.end());
        // The first vertex of a node, in canonical order, says where the node stands.
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i] == kNoTie) continue;
            const std::uint32_t s = source(nodes[i]);
            if (!placed_[s]) {
                placed_[s] = 1;
                place_[s] = points[i];
            }
            trace.placed[i] = place_[s];
        }
        const std::size_t joins = joins_.size();
        chain_.push_back(chain_of(trace.placed, nodes, [&](std::uint64_t a, std::uint64_t b) {
            joins_.emplace_back(a, b);
        }));
        trace.joins_ties = joins_.size() != joins;
    }
    void join_ties() {
        DisjointSets sets(sources_.size());
        for (const auto& [a, b] : joins_) sets.join(source(a), source(b));
        for (std::uint32_t s = 0; s < sources_.size(); ++s) {
            if (sets.find(s) != s) trace_.alias.emplace_back(sources_[s], sources_[sets.find(s)]);
        }
        for (Chain& chain : chain_) {
            for (Vertex& v : chain) {
                if (v.tie != kNoTie) v.tie = sources_[sets.find(source(v.tie))];
            }
        }
    }

    const RoadLines& lines_;
    Revision& revision_;
    NetworkTrace& trace_;
    std::vector<std::uint64_t> sources_;
    std::vector<GridPoint> place_;
    std::vector<std::uint8_t> placed_;
    std::vector<Chain> chain_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> joins_;
};

}  // namespace

Result<bool> prepare_lines(const RoadLines& lines, Revision& revision, NetworkTrace& trace) {
    if (revision.whole()) {
        TW_TRY(check(lines));
        PrepareAll(lines, revision, trace).run();
        trace.source = snapshot_of(lines, {});
    } else {
        if (!fits(lines)) return false;
        const std::span<const std::uint32_t> begin = lines.point_begin.span();
        if (!std::is_sorted(begin.begin(), begin.end())) return false;
        trace.alias = revision.before().alias;
        return prepare_changed(lines, revision, trace);
    }
    return true;
}

}  // namespace tw::roads
