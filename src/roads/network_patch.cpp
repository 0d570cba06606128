#include "terraway/core/array_delta.hpp"
#include "terraway/roads/network.hpp"

#include "network_trace.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tw::roads {
namespace {

using world::RoadAttributes;
using world::RoadId;
using world::RoadNetwork;
using world::RoadNodeId;

// What is by the same things, together.
template <class Network, class Trace>
auto by_road(Network& n, Trace& t) {
    return std::tie(n.id, n.label, n.from, n.to, n.attributes, t.road);
}
template <class Network, class Trace>
auto by_node(Network& n, Trace& t) {
    return std::tie(n.node_point, n.node_id, t.node_place, t.node_tie, t.node_first);
}
using ByRoad = ArrayDeltas<StableId, std::string, RoadNodeId, RoadNodeId, RoadAttributes, PartName>;
using ByNode = ArrayDeltas<GridPoint, StableId, std::int8_t, std::uint64_t, std::uint32_t>;

/// Front and back of two arrays, up to where the first element differs.
template <class T>
std::vector<Run> runs_of_ends(const std::vector<T>& other, const std::vector<T>& here) {
    const auto size = static_cast<std::uint32_t>(other.size());
    const auto size_here = static_cast<std::uint32_t>(here.size());
    const std::uint32_t least = std::min(size, size_here);
    if (size == size_here) return {{0, size, 0}};
    std::uint32_t front = 0;
    while (front < least && other[front] == here[front]) ++front;
    const std::uint32_t back = least - front;
    return {{0, front, 0}, {size - back, size, size_here - back}};
}

/// Points of roads that stand for each other, from front to front.
std::vector<Run> runs_of_points(const RoadNetwork& other, const RoadNetwork& here,
                                std::span<const Run> roads) {
    std::vector<Run> runs;
    for (const Run& run : roads) {
        for (std::uint32_t i = 0; i < run.end - run.begin; ++i) {
            const RoadId was(run.begin + i), now(run.to + i);
            const std::uint32_t begin = other.point_begin[was], to = here.point_begin[now];
            const auto size = static_cast<std::uint32_t>(
                std::min(other.points(was).size(), here.points(now).size()));
            const bool goes_on = !runs.empty() && runs.back().end == begin &&
                                 runs.back().to + (begin - runs.back().begin) == to;
            if (goes_on) {
                runs.back().end += size;
            } else {
                runs.push_back({begin, begin + size, to});
            }
        }
    }
    return runs;
}

/// One of a snapshot's arrays; null: it is the one that is here.
template <class T>
class ArrayOfSnapshot {
public:
    using Shared = std::shared_ptr<const std::vector<T>>;
    ArrayOfSnapshot(const Shared& other, const Shared& here) {
        if (other == here) return;
        differs_ = true;
        delta_ = ArrayDelta<T>(*other, *here, runs_of_ends(*other, *here));
    }
    void swap(Shared& here) {
        if (!differs_) return;
        std::vector<T> values = *here;
        delta_.swap(values);
        here = std::make_shared<const std::vector<T>>(std::move(values));
    }

private:
    bool differs_ = false;
    ArrayDelta<T> delta_;
};

}  // namespace

class NetworkPatch::Impl {
public:
    Impl(const RoadNetwork& before, const NetworkTrace& old, const RoadNetwork& now,
         const NetworkTrace& trace, const world::NetworkChanges& changes)
        : source_label_(old.source.label, trace.source.label),
          source_attributes_(old.source.attributes, trace.source.attributes),
          source_begin_(old.source.begin, trace.source.begin),
          source_point_(old.source.point, trace.source.point),
          source_node_(old.source.node, trace.source.node) {
        const auto roads = static_cast<std::uint32_t>(before.road_count());
        const auto roads_now = static_cast<std::uint32_t>(now.road_count());
        std::vector<Run> runs = runs_from(std::span<const RoadId>(changes.road), roads);
        by_road_ = ByRoad(by_road(before, old), by_road(now, trace), runs);
        point_ = ArrayDelta<GridPoint>(before.point.span(), now.point.span(),
                                       runs_of_points(before, now, runs));
        runs.push_back({roads, roads + 1, roads_now});
        point_begin_ =
            ArrayDelta<std::uint32_t>(before.point_begin.span(), now.point_begin.span(), runs);
        by_node_ =
            ByNode(by_node(before, old), by_node(now, trace),
                   runs_from(std::span<const RoadNodeId>(changes.node), before.node_count()));
        key_of_source_ =
            ArrayDelta<std::uint32_t>(old.key_of_source, trace.key_of_source,
                                      runs_of_ends(old.key_of_source, trace.key_of_source));
        box_ = ArrayDelta<GridBox>(old.box, trace.box, runs_of_ends(old.box, trace.box));
        rest_ = rest_of(old);
    }

    void swap(RoadNetwork& network, std::shared_ptr<const NetworkTrace>& trace) {
        NetworkTrace arrays;
        for_each_array(*trace, arrays, [](const auto& from, auto& to) { to = from; });
        arrays.source = trace->source;
        by_road_.swap(by_road(network, arrays));
        by_node_.swap(by_node(network, arrays));
        point_.swap(network.point);
        point_begin_.swap(network.point_begin);
        key_of_source_.swap(arrays.key_of_source);
        box_.swap(arrays.box);
        source_label_.swap(arrays.source.label);
        source_attributes_.swap(arrays.source.attributes);
        source_begin_.swap(arrays.source.begin);
        source_point_.swap(arrays.source.point);
        source_node_.swap(arrays.source.node);
        NetworkTrace out = std::exchange(rest_, rest_of(*trace));
        for_each_array(arrays, out, [](auto& from, auto& to) { to = std::move(from); });
        out.source = std::move(arrays.source);
        trace = std::make_shared<const NetworkTrace>(std::move(out));
    }

private:
    template <class From, class Visit>
    static void for_each_array(From& from, NetworkTrace& to, Visit&& visit) {
        visit(from.key_of_source, to.key_of_source);
        visit(from.box, to.box);
        visit(from.road, to.road);
        visit(from.node_place, to.node_place);
        visit(from.node_tie, to.node_tie);
        visit(from.node_first, to.node_first);
    }
    /// All but those arrays and the source.
    static NetworkTrace rest_of(const NetworkTrace& trace) {
        NetworkTrace out;
        out.options = trace.options;
        out.order = trace.order;
        out.line = trace.line;
        out.alias = trace.alias;
        out.unsettled = trace.unsettled;
        out.grown_noded = trace.grown_noded;
        out.grown_final = trace.grown_final;
        out.meetings = trace.meetings;
        out.join = trace.join;
        return out;
    }

    ByRoad by_road_;
    ByNode by_node_;
    ArrayDelta<GridPoint> point_;
    ArrayDelta<std::uint32_t> point_begin_, key_of_source_;
    ArrayDelta<GridBox> box_;
    ArrayOfSnapshot<std::string> source_label_;
    ArrayOfSnapshot<RoadAttributes> source_attributes_;
    ArrayOfSnapshot<std::uint32_t> source_begin_;
    ArrayOfSnapshot<GridPoint> source_point_;
    ArrayOfSnapshot<std::uint64_t> source_node_;
    NetworkTrace rest_;
};

NetworkPatch::NetworkPatch(const RoadNetwork& before, const NetworkTrace& old,
                           const RoadNetwork& now, const NetworkTrace& trace,
                           const world::NetworkChanges& changes)
    : impl_(std::make_unique<Impl>(before, old, now, trace, changes)) {}
NetworkPatch::NetworkPatch(NetworkPatch&&) noexcept = default;
NetworkPatch::~NetworkPatch() = default;

void NetworkPatch::swap(RoadNetwork& network, std::shared_ptr<const NetworkTrace>& trace) {
    impl_->swap(network, trace);
}

}  // namespace tw::roads
