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
    /// True if a node stands as the other did in another network, so that ramps do too.
    bool is_same(world::RoadNodeId node, const LevelLifts& before, world::RoadNodeId was) const {
        return rise_[node.index()] == before.rise_[was.index()] &&
               dive_[node.index()] == before.dive_[was.index()];
    }

private:
    const world::RoadNetwork* network_;
    double clearance_, grade_;
    std::vector<Steps> rise_, dive_;  ///< per node
};

}  // namespace tw::ground
