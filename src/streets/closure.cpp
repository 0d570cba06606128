#include "closure.hpp"

#include <algorithm>

namespace tw::streets {

using world::RoadId;
using world::RoadNetwork;
using world::RoadNodeId;

Closure::Closure(const StreetsBefore& before, const RoadNetwork& network,
                 const world::NetworkChanges& changes)
    : before_(before),
      network_(network),
      changes_(changes),
      roads_(network),
      node_after_(before.network->node_count()),
      road_after_(before.network->road_count()),
      taken_(before.network->node_count(), 0),
      touched_(network.node_count(), 0),
      part_(network.node_count(), Part::beyond) {
    for (const RoadNodeId node : network.node_point.ids()) {
        if (const RoadNodeId was = changes.node[node.index()]) node_after_[was.index()] = node;
    }
    for (const RoadId road : network.id.ids()) {
        if (const RoadId was = changes.road[road.index()]) road_after_[was.index()] = road;
    }
    for (const RoadId road : network.id.ids()) {
        const RoadId was = changes.road[road.index()];
        touch_end(was, network.from[road], was ? before.network->from[was] : RoadNodeId());
        touch_end(was, network.to[road], was ? before.network->to[was] : RoadNodeId());
    }
    for (const RoadId road : before.network->id.ids()) {
        if (road_after_[road.index()]) continue;
        touch_before(before.network->from[road]);
        touch_before(before.network->to[road]);
    }
    for (const RoadNodeId node : network.node_point.ids()) {
        if (!changes.node[node.index()]) touch(node);
    }
}

void Closure::include(RoadNodeId node) {
    if (part_[node.index()] == Part::inner) return;
    part_[node.index()] = Part::inner;
    inner_.push_back(node);
    if (const RoadNodeId was = changes_.node[node.index()]) {
        take_cluster(before_.trace->cluster[was.index()]);
    }
}

void Closure::touch(RoadNodeId node) {
    touched_[node.index()] = 1;
    include(node);
}

/// Where a road is new, or ends at another node than it did.
void Closure::touch_end(RoadId road_before, RoadNodeId node, RoadNodeId node_before) {
    if (road_before && changes_.node[node.index()] == node_before) return;
    touch(node);
    if (road_before) touch_before(node_before);
}

void Closure::touch_before(RoadNodeId node) {
    take_cluster(before_.trace->cluster[node.index()]);
    if (const RoadNodeId now = node_after_[node.index()]) touch(now);
}

void Closure::take_cluster(RoadNodeId cluster) {
    if (taken_[cluster.index()]) return;
    taken_[cluster.index()] = 1;
    if (before_.trace->plain[cluster.index()]) return;
    for (const RoadNodeId node : before_.network->node_point.ids()) {
        if (before_.trace->cluster[node.index()] != cluster) continue;
        if (const RoadNodeId now = node_after_[node.index()]) include(now);
    }
}

bool Closure::was_plain(RoadNodeId node) const {
    const RoadNodeId was = changes_.node[node.index()];
    return was && before_.trace->plain[was.index()];
}

/// The nodes next to some, one part lower. False if one of them had to be included.
bool Closure::next_ring(const std::vector<RoadNodeId>& from, Part part,
                        std::vector<RoadNodeId>& out) {
    for (const RoadNodeId node : out) {
        if (part_[node.index()] == part) part_[node.index()] = Part::beyond;
    }
    out.clear();
    bool all_plain = true;
    // Including one adds to `inner`, which may be what this walks over.
    for (std::size_t i = 0; i < from.size(); ++i) {
        const RoadNodeId node = from[i];
        for (const RoadId road : roads_at(node)) {
            const RoadNodeId other = world::across(network_, road, node);
            if (part_[other.index()] >= part) continue;
            if (!was_plain(other)) {
                include(other);
                all_plain = false;
                continue;
            }
            part_[other.index()] = part;
            out.push_back(other);
        }
    }
    return all_plain;
}

void Closure::grow() {
    while (!next_ring(inner_, Part::ring, ring_) || !next_ring(ring_, Part::rim, rim_)) {
    }
}

Window::Window(const RoadNetwork& whole, const Closure& closure) {
    std::vector<NodeRole> role_of(whole.node_count(), NodeRole::outside);
    for (const auto* part : {&closure.inner(), &closure.ring(), &closure.rim()}) {
        for (const RoadNodeId at : *part) {
            role_of[at.index()] = closure.builds(at) ? NodeRole::inner : NodeRole::rim;
            node.push_back(at);
            for (const RoadId each : closure.roads_at(at)) {
                road.push_back(each);
                node.push_back(world::across(whole, each, at));
            }
        }
    }
    std::sort(node.begin(), node.end());
    node.erase(std::unique(node.begin(), node.end()), node.end());
    std::sort(road.begin(), road.end());
    road.erase(std::unique(road.begin(), road.end()), road.end());

    std::vector<RoadNodeId> here(whole.node_count());
    for (const RoadNodeId at : node) {
        here[at.index()] = network.node_point.push_back(whole.node_point[at]);
        network.node_id.push_back(whole.node_id[at]);
        role.push_back(role_of[at.index()]);
    }
    network.point_begin.push_back(0);
    for (const RoadId each : road) {
        network.id.push_back(whole.id[each]);
        network.label.push_back(whole.label[each]);
        network.from.push_back(here[whole.from[each].index()]);
        network.to.push_back(here[whole.to[each].index()]);
        network.attributes.push_back(whole.attributes[each]);
        for (const GridPoint point : whole.points(each)) network.point.push_back(point);
        network.point_begin.push_back(static_cast<std::uint32_t>(network.point.size()));
    }
}

}  // namespace tw::streets
