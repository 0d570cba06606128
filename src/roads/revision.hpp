#pragma once
// Lines on the way from one network to the next. A network from nothing is the same way, from a
// trace without lines.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"

#include "box_set.hpp"
#include "network_trace.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace tw::roads {

/// How much of two chains is equal at their fronts and backs; the parts do not overlap.
struct Common {
    std::size_t front = 0, back = 0;
    bool all = false;

    /// Of the second chain's vertex: the first one's where the chains are equal, else kNone.
    std::uint32_t before(std::size_t index, std::size_t size_before, std::size_t size) const {
        if (index < front) return static_cast<std::uint32_t>(index);
        if (index >= size - back) return static_cast<std::uint32_t>(index + size_before - size);
        return kNone;
    }
    /// The same for the segment behind the vertex.
    std::uint32_t segment_before(std::size_t index, std::size_t size_before,
                                 std::size_t size) const {
        if (index + 1 < front) return static_cast<std::uint32_t>(index);
        if (index >= size - back) return static_cast<std::uint32_t>(index + size_before - size);
        return kNone;
    }
};

template <class T>
Common common_of(const std::vector<T>& a, const std::vector<T>& b) {
    const std::size_t least = std::min(a.size(), b.size());
    Common common;
    while (common.front < least && a[common.front] == b[common.front]) ++common.front;
    common.all = common.front == a.size() && common.front == b.size();
    while (common.back < least - common.front &&
           a[a.size() - 1 - common.back] == b[b.size() - 1 - common.back]) {
        ++common.back;
    }
    return common;
}

/// Of a line without points: meets no box.
inline constexpr GridBox kNowhere{{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
inline constexpr GridBox kEverywhere{{-kMaxCoordinate, -kMaxCoordinate},
                                     {kMaxCoordinate, kMaxCoordinate}};

class Revision {
public:
    explicit Revision(const NetworkTrace& before)
        : before_(before),
          slot_(before.line.size(), kNone),
          box_(before.box),
          order_(before.order) {}

    const NetworkTrace& before() const { return before_; }
    /// True if there were no lines: then everything is new.
    bool whole() const { return before_.order->key.empty(); }
    std::size_t key_count() const { return slot_.size(); }
    const LineTrace& was(std::uint32_t key) const {
        static const LineTrace kNoLine;
        if (key >= before_.line.size() || !before_.line[key]) return kNoLine;
        return *before_.line[key];
    }
    const LineTrace& now(std::uint32_t key) const {
        return slot_[key] != kNone ? *line_[slot_[key]] : was(key);
    }
    bool is_edited(std::uint32_t key) const { return slot_[key] != kNone; }
    /// Keys, in the order in which they were first edited.
    std::span<const std::uint32_t> edited() const { return edited_; }
    std::uint32_t position(std::uint32_t key) const { return order_->position[key]; }
    const std::shared_ptr<const LineOrder>& order() const { return order_; }
    void set_order(LineOrder order) {
        slot_.resize(order.position.size(), kNone);
        box_.resize(order.position.size(), kNowhere);
        order_ = std::make_shared<const LineOrder>(std::move(order));
    }

    /// The line, for writing; what it has of layers after `last` is dropped.
    LineTrace& edit(std::uint32_t key, int last) {
        if (slot_[key] != kNone) return *line_[slot_[key]];
        slot_[key] = static_cast<std::uint32_t>(line_.size());
        edited_.push_back(key);
        LineTrace& line = *line_.emplace_back(std::make_shared<LineTrace>(was(key)));
        std::erase_if(line.layer, [&](const Layer& l) { return l.index > last; });
        return line;
    }
    void add_layer(std::uint32_t key, int index, Chain chain) {
        for (const Vertex& v : chain) box_[key].include(v.point);
        line_[slot_[key]]->layer.push_back({index, std::move(chain)});
    }
    /// Of a layer: equal vertices and segments, on an equal level.
    Common common(std::uint32_t key, int layer) const {
        const LineTrace &a = was(key), &b = now(key);
        if (&a == &b) {
            const std::size_t size = a.at(layer).size();
            return {.front = size, .back = 0, .all = true};
        }
        if (a.attributes.level != b.attributes.level) return {};
        return common_of(a.at(layer), b.at(layer));
    }
    /// Lines any layer of which, as it was or is, may touch the boxes, in their order.
    std::vector<std::uint32_t> near(const BoxSet& boxes) const;
    /// The boxes of segments that a layer has and had not, or had and has no longer.
    BoxSet changed_segments(int layer, std::int32_t room) const;
    /// Moves the lines and their boxes into the trace.
    void store(NetworkTrace& trace) &&;

private:
    const NetworkTrace& before_;
    std::vector<std::uint32_t> slot_;               ///< by key: of the edited line
    std::vector<std::shared_ptr<LineTrace>> line_;  ///< edited, as edited_
    std::vector<std::uint32_t> edited_;
    std::vector<GridBox> box_;
    std::shared_ptr<const LineOrder> order_;
    /// What is looked at is mostly in one place: the lines there, found once, are asked again.
    mutable GridBox region_ = kNowhere;
    mutable std::vector<std::uint32_t> in_region_;
};

/// The steps from lines to their last layer, each for what the lines changed. They write the new
/// trace's own data.
/// False: the lines changed in a way that needs a network from nothing (or an error message).
Result<bool> prepare_lines(const world::RoadLines& lines, Revision& revision, NetworkTrace& trace);
/// Splits lines where lines of their level cross them or have a vertex on them, to a fixed point,
/// from the layer `first` on. Errors: too_large (more than 2²³ meetings), cancelled.
Status node_lines(Revision& revision, int first, NetworkTrace& trace, const StageContext& ctx);
/// Moves ends that nothing meets onto the nearest node, else the nearest line, of their level
/// within `reach` steps. True if any end was or is moved.
bool join_ends(Revision& revision, std::int64_t reach, NetworkTrace& trace);

/// What is cut into parts and strung together anew.
struct Touched {
    std::vector<std::uint32_t> line;  ///< keys of lines with another chain, mark or attribute
    std::vector<GridPoint> point;     ///< ascending: where the vertices that meet are others
};
/// Which segments are kept, where parts stop and roads go on.
Touched mark_lines(Revision& revision);

struct NewRoad {
    PartName name;
    GridPoint from, to;
    std::int8_t from_place = 0, to_place = 0;
    std::vector<GridPoint> point;
};
struct NewRoads {
    std::vector<std::uint32_t> dissolved;  ///< ascending: roads before that are made anew
    std::vector<NewRoad> road;             ///< in their order
    bool twins = false;                    ///< a line of theirs shares its label
};
NewRoads string_roads(Revision& revision, const Touched& touched);

/// The network of what stayed and what is new; `road` of the changes.
world::RoadNetwork assemble(const world::RoadNetwork& before, const Revision& revision,
                            const Touched& touched, const NewRoads& roads, NetworkTrace& trace,
                            world::NetworkChanges& changes);

}  // namespace tw::roads
