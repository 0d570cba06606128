#pragma once
// Lines as they are written down, and what is other about them than before.

#include "revision.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tw::roads {

inline std::span<const std::uint64_t> nodes_of(const world::RoadLines& lines, world::RoadId line) {
    const std::uint32_t begin = lines.point_begin[line];
    return lines.node.span().subspan(begin,
                                     lines.point_begin[world::RoadId(line.value() + 1)] - begin);
}

/// The line's points without those that repeat the one before; `join` hears of ties that fall
/// together.
template <class Join>
Chain chain_of(std::span<const GridPoint> points, std::span<const std::uint64_t> nodes,
               Join&& join) {
    Chain chain;
    chain.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (chain.empty() || chain.back().point != points[i]) {
            chain.push_back({points[i], nodes[i]});
        } else if (chain.back().tie == kNoTie) {
            chain.back().tie = nodes[i];
        } else if (nodes[i] != kNoTie && nodes[i] != chain.back().tie) {
            join(chain.back().tie, nodes[i]);
        }
    }
    if (chain.size() < 2) chain.clear();
    return chain;
}

template <class T>
bool same(std::span<const T> a, std::span<const T> b) {
    static_assert(std::has_unique_object_representations_v<T>);
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}
inline bool same(std::span<const std::string> a, std::span<const std::string> b) {
    return std::ranges::equal(a, b);
}

/// The lines for the trace; arrays that are equal are those of `before`.
Snapshot snapshot_of(const world::RoadLines& lines, const Snapshot& before);

/// Which lines are others than in the snapshot. Lines of one label are matched in some order.
class SourceDiff {
public:
    struct Change {
        std::uint32_t before, now;  ///< lines of the snapshot and of today; kNone: none
    };
    SourceDiff(const Snapshot& before, const world::RoadLines& lines);
    const std::vector<Change>& changes() const { return changes_; }
    /// Lines of today that stood elsewhere in the list, and were equal there.
    const std::vector<Change>& moves() const { return moves_; }
    /// Lines at the beginning of the list, and at its end, that stand where they stood; some of
    /// them may have changed.
    std::uint32_t front() const { return front_; }
    std::uint32_t back() const { return back_; }
    /// As snapshot_of() makes it, with less comparing.
    Snapshot snapshot() const;

private:
    bool equal(std::uint32_t a, std::uint32_t b) const;
    void compare_in_place();
    void compare_and_match();
    void match(std::vector<std::uint32_t>& old_lines, std::vector<std::uint32_t>& new_lines);

    const Snapshot& before_;
    const world::RoadLines& lines_;
    std::uint32_t front_ = 0, back_ = 0;
    bool in_place_ = false;                        ///< labels and counts are equal
    bool same_points_ = true, same_nodes_ = true;  ///< in place
    std::vector<Change> changes_, moves_;
};

/// prepare_lines() where there were lines: false where something rare has happened.
bool prepare_changed(const world::RoadLines& lines, Revision& revision, NetworkTrace& trace);

}  // namespace tw::roads
