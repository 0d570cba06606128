#pragma once
// Which part of a network must be built anew, and the window on it in which that is done.

#include "terraway/streets/streets.hpp"

#include "clusters.hpp"
#include "trace.hpp"

#include <cstdint>
#include <vector>

namespace tw::streets {

/// A network with the surface that was made of it.
struct StreetsBefore {
    const world::RoadNetwork* network = nullptr;
    const world::StreetSurface* surface = nullptr;
    const StreetTrace* trace = nullptr;
};

/// The closure of some changed roads, as StreetUpdate says it.
class Closure {
public:
    Closure(const StreetsBefore& before, const world::RoadNetwork& network,
            const world::NetworkChanges& changes);

    /// The node, and all that shared its cluster, are built.
    void include(world::RoadNodeId node);
    /// Includes what is not plain within two roads of what is built.
    void grow();

    const world::RoadNetwork& network() const { return network_; }
    std::size_t size() const { return inner_.size() + ring_.size(); }
    /// True if the node's junction is made anew.
    bool builds(world::RoadNodeId node) const { return part_[node.index()] >= Part::ring; }
    /// True if a road came to the node or left it: its dense id may stand in another order.
    bool is_touched(world::RoadNodeId node) const { return touched_[node.index()] != 0; }
    bool is_ring(world::RoadNodeId node) const { return part_[node.index()] == Part::ring; }
    bool builds_end_of(world::RoadId road) const {
        return builds(network_.from[road]) || builds(network_.to[road]);
    }
    world::RoadNodeId node_after(world::RoadNodeId before) const {
        return node_after_[before.index()];
    }
    world::RoadNodeId node_before(world::RoadNodeId now) const {
        return changes_.node[now.index()];
    }
    world::RoadId road_before(world::RoadId now) const { return changes_.road[now.index()]; }
    world::RoadId road_after(world::RoadId before) const { return road_after_[before.index()]; }
    const std::vector<world::RoadNodeId>& inner() const { return inner_; }
    const std::vector<world::RoadNodeId>& ring() const { return ring_; }
    const std::vector<world::RoadNodeId>& rim() const { return rim_; }
    std::span<const world::RoadId> roads_at(world::RoadNodeId node) const {
        return roads_.at(node);
    }

private:
    enum class Part : std::uint8_t { beyond, rim, ring, inner };

    void touch(world::RoadNodeId node);
    void touch_end(world::RoadId road_before, world::RoadNodeId node,
                   world::RoadNodeId node_before);
    void touch_before(world::RoadNodeId node);
    void take_cluster(world::RoadNodeId cluster);
    bool was_plain(world::RoadNodeId node) const;
    bool next_ring(const std::vector<world::RoadNodeId>& from, Part part,
                   std::vector<world::RoadNodeId>& out);

    const StreetsBefore& before_;
    const world::RoadNetwork& network_;
    const world::NetworkChanges& changes_;
    world::RoadsAtNodes roads_;
    std::vector<world::RoadNodeId> node_after_;
    std::vector<world::RoadId> road_after_;
    std::vector<std::uint8_t> taken_;    ///< by cluster before
    std::vector<std::uint8_t> touched_;  ///< by node
    std::vector<Part> part_;             ///< by node
    std::vector<world::RoadNodeId> inner_, ring_, rim_;
};

/// The closure as a network of its own, ids in the same order.
struct Window {
    world::RoadNetwork network;
    std::vector<NodeRole> role;
    std::vector<world::RoadNodeId> node;  ///< of the whole, by node here
    std::vector<world::RoadId> road;      ///< of the whole, by road here

    Window(const world::RoadNetwork& whole, const Closure& closure);
};

}  // namespace tw::streets
