#pragma once
// Gates, and which nodes share a junction because their gates would pass each other.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/streets/streets.hpp"

#include "street_graph.hpp"
#include "strips.hpp"

#include <vector>

namespace tw::streets {

/// Nodes that share a junction, and what was done to them.
struct ClusterState {
    std::vector<world::RoadNodeId> nodes;  ///< ascending
    bool merged = false, pushed = false, lost_arm = false;
};

/// What a window may do to a node.
enum class NodeRole : std::uint8_t {
    inner,    ///< it is built
    rim,      ///< has gates, but stays as it is: what lies beyond was built against it
    outside,  ///< stands at the far end of a rim's road
};

class Clusters {
public:
    /// `role` by node; empty: all are inner.
    Clusters(StreetGraph& graph, const StreetOptions& options, std::vector<NodeRole> role);

    /// Gates of all dirty clusters, and mergers until no gates pass each other.
    Status settle(const StageContext& ctx);

    /// False if the rounds ended at their limit.
    bool is_settled() const { return dirty_.empty(); }
    NodeRole role(world::RoadNodeId node) const {
        return role_.empty() ? NodeRole::inner : role_[node.index()];
    }
    /// True if its gates hang on its own roads alone: it never had a part in a cluster, gave no arm
    /// away, wasn't pushed, and none of its roads was narrowed.
    bool is_plain(world::RoadNodeId node) const;
    world::RoadNodeId root(world::RoadNodeId node) const { return root_[node.index()]; }
    const ClusterState& state(world::RoadNodeId root) const { return state_[root.index()]; }
    ClusterState& state(world::RoadNodeId root) { return state_[root.index()]; }
    bool is_inner(world::RoadId road) const { return inner_[road.index()] != 0; }
    /// True if the half's corridor ends at its gate without meeting the junction.
    bool is_detached(HalfId half) const { return detached_[half.index()] != 0; }
    /// True if the road had to give way to one that it leaves at hardly any angle.
    bool is_narrowed(world::RoadId road) const { return narrowed_[road.index()] != 0; }
    /// True if the node is a dead end that no junction covers.
    bool is_dead_end(world::RoadNodeId node) const;
    /// The halves that leave the cluster, ascending.
    std::vector<HalfId> arms(world::RoadNodeId cluster) const;
    std::vector<world::RoadId> inner_roads(world::RoadNodeId cluster) const;
    GridPoint origin(world::RoadNodeId cluster) const;
    /// [steps] from the half's node to its gate.
    double gate(HalfId half) const;

    /// Makes the arm's road, and what lies at its other end, part of the cluster.
    void absorb(HalfId arm);
    /// Leaves an arm out of its junction: what crosses it on another level cannot be joined in a
    /// plane.
    void detach(HalfId arm);
    /// Moves all gates of a cluster outward, as far as their roads allow.
    void push(world::RoadNodeId cluster);
    /// The cluster's gates must be found anew.
    void touch(world::RoadNodeId root) { dirty_.push_back(root); }

private:
    void find_gates(world::RoadNodeId cluster);
    void lay_strips(world::RoadNodeId cluster, std::span<const HalfId> arms,
                    std::span<const world::RoadId> inner, double reach);
    bool find_clear_places(std::span<const HalfId> arms, double reach);
    bool narrow_parallel(std::span<const HalfId> arms);
    void give_room(std::span<const HalfId> arms, bool is_seam);
    double distance_to(std::size_t owner, Vec2d point) const;
    double least_distance(std::size_t arm, std::size_t other, double from, double to) const;
    double beyond_bends(HalfId half, double distance) const;
    void share_room(world::RoadId road);
    double excess(world::RoadId road) const;
    std::vector<world::RoadId> roads_of(std::span<const world::RoadNodeId> roots) const;

    bool leads_outside(world::RoadId road) const;

    StreetGraph& graph_;
    double corner_radius_;
    std::vector<NodeRole> role_;
    std::vector<world::RoadNodeId> root_;
    std::vector<ClusterState> state_;
    std::vector<std::uint8_t> inner_, narrowed_;  ///< per road
    std::vector<std::uint8_t> detached_;          ///< per half
    std::vector<double> clear_, room_, given_;    ///< per half
    std::vector<world::RoadNodeId> dirty_;
    std::vector<std::uint8_t> grew_;  ///< in this round, per root
    std::vector<StripBox> boxes_;
    std::vector<std::uint32_t> box_begin_;
    std::vector<Vec2d> line_;
    struct OwnedStretch {
        Stretch stretch;
        std::uint32_t owner;
    };
    std::vector<OwnedStretch> stretches_;
    std::vector<std::uint32_t> last_owner_;  ///< per arm: whose strip it leaves last
};

}  // namespace tw::streets
