#pragma once
// How far roads stand above or below the ground so that levels clear each other.

#include "terraway/math/grid.hpp"
#include "terraway/world/roads.hpp"

#include <vector>

namespace tw::ground {

/// Roads above level 0 stand level × clearance over the ground, and ramps fall from their ends
/// along every road that meets them. Roads below level 0 dive from where they meet the ground.
class LevelLifts {
public:
    /// `clearance` [steps] between levels, `grade` rise over run. Cost: O(n log n) for n roads.
    LevelLifts(const world::RoadNetwork& network, Steps clearance, double grade);

    /// [steps] over the ground at `along` of a road that is `length` long; negative below it.
    double at(world::RoadId road, double along, double length) const;
    /// Brings them from the network before to what it became. False: roads came or went, or meet
    /// others, where a ramp or another level is; then they are to be made anew. Cost: O(roads).
    bool follow(const world::RoadNetwork& before, const world::RoadNetwork& now,
                const world::NetworkChanges& changes);
    /// True if a node stands as the other did in another network, so that ramps do too.
    bool is_same(world::RoadNodeId node, const LevelLifts& before, world::RoadNodeId was) const {
        return rise_[node.index()] == before.rise_[was.index()] &&
               dive_[node.index()] == before.dive_[was.index()];
    }

private:
    bool only_plain_changed(const world::RoadNetwork& before, const world::RoadNetwork& now,
                            const world::NetworkChanges& changes) const;

    const world::RoadNetwork* network_;
    double clearance_, grade_;
    std::vector<Steps> rise_, dive_;  ///< per node
    std::vector<std::uint8_t>
        plain_;                       ///< per node: 1 where all roads are of level 0, on the ground
    std::vector<Steps> spare_steps_;  ///< memory for the next network
    std::vector<std::uint8_t> spare_plain_;
};

}  // namespace tw::ground
