#include "source_diff.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace tw::roads {
namespace {

using world::RoadAttributes;
using world::RoadId;
using world::RoadLines;
using world::RoadPointId;

/// A set of nodes that is asked for every point of all lines.
class NodeSet {
public:
    static constexpr std::size_t kBlock = 32;
    void add(std::uint64_t node) {
        if (node != kNoTie) node_.push_back(node);
    }
    void seal() {
        std::sort(node_.begin(), node_.end());
        node_.erase(std::unique(node_.begin(), node_.end()), node_.end());
        for (const std::uint64_t node : node_) bit_[slot(node) / 64] |= mask(node);
    }
    const std::vector<std::uint64_t>& ids() const { return node_; }
    /// False if none of the kBlock nodes is in the set.
    bool may_meet(const std::uint64_t* nodes) const {
        if (node_.size() > kFew) return true;
        bool any = false;
        for (const std::uint64_t node : node_) {
            for (std::size_t i = 0; i < kBlock; ++i) any |= nodes[i] == node;
        }
        return any;
    }
    std::uint32_t find(std::uint64_t node) const {
        if ((bit_[slot(node) / 64] & mask(node)) == 0) return kNone;
        const auto at = std::lower_bound(node_.begin(), node_.end(), node);
        if (at == node_.end() || *at != node) return kNone;
        return static_cast<std::uint32_t>(at - node_.begin());
    }

private:
    static constexpr std::size_t kFew = 4;  ///< comparing with each is faster than looking one up
    static constexpr std::size_t slot(std::uint64_t node) {
        return (node * 0x9E3779B97F4A7C15u) >> 52;
    }
    static constexpr std::uint64_t mask(std::uint64_t node) {
        return std::uint64_t{1} << (slot(node) % 64);
    }
    std::vector<std::uint64_t> node_;
    std::array<std::uint64_t, 64> bit_{};
};

class PrepareChanged {
public:
    PrepareChanged(const RoadLines& lines, Revision& revision, NetworkTrace& trace)
        : lines_(lines),
          revision_(revision),
          trace_(trace),
          before_(revision.before()),
          diff_(before_.source, lines) {}

    /// False where something rare has happened.
    bool run() {
        if (!check_changes() || !reorder()) return false;
        find_nodes();
        find_lines();
        for (const LineToDo& todo : todo_) {
            if (!prepare(todo)) return false;
        }
        trace_.source = diff_.snapshot();
        return true;
    }

private:
    struct LineToDo {
        std::uint32_t key, before, now;  ///< lines of the snapshot and of today
    };
    /// How the points of a line were written down, and are.
    struct Written {
        std::span<const GridPoint> old_point, point;
        std::span<const std::uint64_t> old_node, node;
        Common common;
    };

    bool check_changes() const {
        for (const SourceDiff::Change& change : diff_.changes()) {
            if (change.before != kNone) {
                const LineTrace& line = revision_.was(before_.key_of_source[change.before]);
                if (line.twin || line.joins_ties) return false;
            }
            if (change.now == kNone) continue;
            const RoadId line(change.now);
            if (lines_.attributes[line].width <= 0) return false;
            for (const GridPoint p : lines_.points(line)) {
                if (!on_grid(p)) return false;
            }
        }
        return true;
    }
    const std::string& label_of(std::uint32_t key) const { return revision_.now(key).label; }

    /// Gives keys to new lines, takes them from old ones. False for a second line of a label.
    bool reorder() {
        const auto old_count = static_cast<std::uint32_t>(before_.key_of_source.size());
        const auto count = static_cast<std::uint32_t>(lines_.label.size());
        std::vector<std::uint32_t>& keys = trace_.key_of_source;
        keys.resize(count);
        const auto old_key = before_.key_of_source.begin();
        if (old_count == count) {
            keys = before_.key_of_source;
        } else {
            std::copy_n(old_key, diff_.front(), keys.begin());
            std::copy_n(old_key + (old_count - diff_.back()), diff_.back(),
                        keys.begin() + (count - diff_.back()));
        }
        for (const auto& [before, now] : diff_.moves()) keys[now] = before_.key_of_source[before];
        LineOrder order = *before_.order;
        bool moved = false;
        std::vector<std::uint32_t> gone;
        for (const auto& [before, now] : diff_.changes()) {
            if (before == kNone) {
                keys[now] = static_cast<std::uint32_t>(order.position.size());
                order.position.push_back(kNone);
                added_.push_back({keys[now], kNone, now});
                moved = true;
            } else if (now == kNone) {
                const std::uint32_t key = before_.key_of_source[before];
                todo_.push_back({key, before, kNone});
                gone.push_back(order.position[key]);
                order.position[key] = kNone;
                moved = true;
            } else {
                keys[now] = before_.key_of_source[before];
                todo_.push_back({keys[now], before, now});
            }
        }
        if (!moved) return true;
        std::sort(gone.begin(), gone.end());
        for (std::size_t i = gone.size(); i-- > 0;) order.key.erase(order.key.begin() + gone[i]);
        for (const LineToDo& line : added_) {
            const std::string& label = lines_.label[RoadId(line.now)];
            const auto at = std::lower_bound(
                order.key.begin(), order.key.end(), label,
                [&](std::uint32_t key, const std::string& l) { return label_in_order(key) < l; });
            if (at != order.key.end() && label_in_order(*at) == label) return false;
            order.key.insert(at, line.key);
        }
        for (std::uint32_t i = 0; i < order.key.size(); ++i) order.position[order.key[i]] = i;
        revision_.set_order(std::move(order));
        todo_.insert(todo_.end(), added_.begin(), added_.end());
        return true;
    }
    const std::string& label_in_order(std::uint32_t key) const {
        if (key < before_.order->position.size()) return revision_.was(key).label;
        const std::size_t nth = key - before_.order->position.size();
        return lines_.label[RoadId(added_[nth].now)];
    }

    Written written(const LineToDo& line) const {
        Written w;
        if (line.before != kNone) {
            const std::vector<std::uint32_t>& begins = *before_.source.begin;
            const std::uint32_t begin = begins[line.before],
                                count = begins[line.before + 1] - begin;
            w.old_point = std::span(*before_.source.point).subspan(begin, count);
            w.old_node = std::span(*before_.source.node).subspan(begin, count);
        }
        if (line.now != kNone) {
            w.point = lines_.points(RoadId(line.now));
            w.node = nodes_of(lines_, RoadId(line.now));
        }
        const auto same = [&](std::size_t i, std::size_t j) {
            return w.old_point[i] == w.point[j] && w.old_node[i] == w.node[j];
        };
        const std::size_t least = std::min(w.old_point.size(), w.point.size());
        std::size_t &front = w.common.front, &back = w.common.back;
        while (front < least && same(front, front)) ++front;
        while (back < least - front &&
               same(w.old_point.size() - 1 - back, w.point.size() - 1 - back)) {
            ++back;
        }
        return w;
    }
    /// Nodes a point of which came, went or moved.
    void find_nodes() {
        for (const LineToDo& line : todo_) {
            const Written w = written(line);
            const auto add = [&](std::span<const std::uint64_t> nodes) {
                for (std::size_t i = w.common.front; i + w.common.back < nodes.size(); ++i) {
                    nodes_.add(nodes[i]);
                }
            };
            add(w.old_node);
            add(w.node);
        }
        nodes_.seal();
        first_.resize(nodes_.ids().size());
    }
    /// Other lines with these nodes, and where each node stands first.
    void find_lines() {
        if (nodes_.ids().empty()) return;
        const std::span<const std::uint64_t> nodes = lines_.node.span();
        const std::span<const std::uint32_t> begin = lines_.point_begin.span();
        std::vector<std::uint32_t> keys;
        for (const LineToDo& line : todo_) keys.push_back(line.key);
        std::sort(keys.begin(), keys.end());
        std::vector<LineToDo> more;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (i % NodeSet::kBlock == 0) {
                while (i + NodeSet::kBlock <= nodes.size() && !nodes_.may_meet(&nodes[i])) {
                    i += NodeSet::kBlock;
                }
                if (i == nodes.size()) break;
            }
            if (nodes[i] == kNoTie) continue;
            const std::uint32_t n = nodes_.find(nodes[i]);
            if (n == kNone) continue;
            const auto after = std::upper_bound(begin.begin(), begin.end(), i);
            const auto line = static_cast<std::uint32_t>(after - begin.begin() - 1);
            const std::uint32_t key = trace_.key_of_source[line];
            const std::pair at{revision_.position(key), i};
            if (!first_[n] || at < *first_[n]) first_[n] = at;
            if (std::binary_search(keys.begin(), keys.end(), key)) continue;
            if (more.empty() || more.back().key != key) {
                more.push_back({key, source_before(line), line});
            }
        }
        todo_.insert(todo_.end(), more.begin(), more.end());
    }
    /// Of a line of today that did not change: its place in the snapshot.
    std::uint32_t source_before(std::uint32_t line) const {
        const auto old_count = static_cast<std::uint32_t>(before_.key_of_source.size());
        const auto count = static_cast<std::uint32_t>(lines_.label.size());
        if (line < diff_.front()) return line;
        if (line >= count - diff_.back()) return line + old_count - count;
        for (const auto& [before, now] : diff_.moves()) {
            if (now == line) return before;
        }
        return line;
    }
    bool prepare(const LineToDo& line) {
        const LineTrace& was = revision_.was(line.key);
        if (was.joins_ties) return false;
        const Written w = written(line);
        std::vector<GridPoint> placed(w.point.begin(), w.point.end());
        for (std::size_t i = 0; i < placed.size(); ++i) {
            if (w.node[i] == kNoTie) continue;
            const std::uint32_t n = nodes_.find(w.node[i]);
            placed[i] = n != kNone
                            ? lines_.point[RoadPointId(first_[n]->second)]
                            : was.placed[w.common.before(i, w.old_point.size(), w.point.size())];
        }
        bool joined = false;
        Chain chain =
            chain_of(placed, w.node, [&](std::uint64_t, std::uint64_t) { joined = true; });
        if (joined) return false;
        for (Vertex& v : chain) v.tie = alias(v.tie);
        const RoadAttributes attributes =
            line.now == kNone ? was.attributes : lines_.attributes[RoadId(line.now)];
        if (line.now != kNone && line.before != kNone && placed == was.placed &&
            chain == was.at(0) && attributes == was.attributes) {
            return true;
        }
        LineTrace& trace = revision_.edit(line.key, -1);
        trace.attributes = attributes;
        if (line.now != kNone) trace.label = lines_.label[RoadId(line.now)];
        trace.placed = std::move(placed);
        revision_.add_layer(line.key, 0, std::move(chain));
        return true;
    }
    std::uint64_t alias(std::uint64_t node) const {
        const auto at = std::lower_bound(before_.alias.begin(), before_.alias.end(),
                                         std::pair{node, std::uint64_t{0}});
        return at != before_.alias.end() && at->first == node ? at->second : node;
    }

    const RoadLines& lines_;
    Revision& revision_;
    NetworkTrace& trace_;
    const NetworkTrace& before_;
    SourceDiff diff_;
    std::vector<LineToDo> todo_, added_;
    NodeSet nodes_;
    /// By node: position of the line, and point, of the first in canonical order.
    std::vector<std::optional<std::pair<std::uint32_t, std::uint32_t>>> first_;
};

}  // namespace

bool prepare_changed(const RoadLines& lines, Revision& revision, NetworkTrace& trace) {
    return PrepareChanged(lines, revision, trace).run();
}

}  // namespace tw::roads
