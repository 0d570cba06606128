#include "level_lifts.hpp"

#include "terraway/geometry/polyline.hpp"

#include <algorithm>
#include <queue>
#include <span>
#include <utility>

namespace tw::ground {
namespace {

using world::RoadId;
using world::RoadNetwork;
using world::RoadNodeId;

constexpr Steps kUnknown = INT32_MAX;

struct Ramps {
    const RoadNetwork& network;
    double grade;  ///< rise over run
    world::RoadsAtNodes roads;

    std::span<const RoadId> at(std::size_t node) const {
        return roads.at(RoadNodeId::from_index(node));
    }
    std::size_t across(RoadId road, std::size_t node) const {
        return world::across(network, road, RoadNodeId::from_index(node)).index();
    }
    /// What a ramp along the road loses.
    Steps fall(RoadId road) const {
        const double steps = geometry::length(network.points(road)) * grade + 0.5;
        return static_cast<Steps>(std::min(steps, 0x1p29));
    }
};

/// Dijkstra 1959 from all nodes whose cost is known already; what would cost `limit` or more is not
/// looked at.
void relax(const Ramps& ramps, Steps limit, std::vector<Steps>& cost) {
    using Entry = std::pair<Steps, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto leads_on = [&](std::uint32_t node) {
        const auto roads = ramps.at(node);
        return std::any_of(roads.begin(), roads.end(), [&](RoadId road) {
            return cost[ramps.across(road, node)] > cost[node];
        });
    };
    for (std::uint32_t i = 0; i < cost.size(); ++i) {
        if (cost[i] != kUnknown && leads_on(i)) queue.emplace(cost[i], i);
    }
    while (!queue.empty()) {
        const auto [at, node] = queue.top();
        queue.pop();
        if (at > cost[node]) continue;
        for (const RoadId road : ramps.at(node)) {
            Steps& there = cost[ramps.across(road, node)];
            if (at >= there) continue;
            const Steps fall = ramps.fall(road);
            if (at > limit - 1 - fall || at + fall >= there) continue;
            there = at + fall;
            queue.emplace(there, static_cast<std::uint32_t>(ramps.across(road, node)));
        }
    }
}

}  // namespace

LevelLifts::LevelLifts(const RoadNetwork& network, Steps clearance, double grade)
    : network_(&network), clearance_(clearance), grade_(grade) {
    const Ramps ramps{network, grade, world::RoadsAtNodes(network)};
    // Rises are costs counted down from the highest.
    int highest = 0;
    for (const auto& attributes : network.attributes.span()) {
        highest = std::max<int>(highest, attributes.level);
    }
    const Steps top = highest * clearance;
    std::vector<Steps> below_top(network.node_count(), kUnknown);
    dive_.assign(network.node_count(), kUnknown);
    for (const RoadId road : network.id.ids()) {
        const int level = network.attributes[road].level;
        for (const RoadNodeId node : {network.from[road], network.to[road]}) {
            if (level > 0) {
                below_top[node.index()] =
                    std::min(below_top[node.index()], top - level * clearance);
            }
            if (level >= 0) dive_[node.index()] = 0;
        }
    }
    // From `top` down the rise has ended.
    relax(ramps, std::max(top, 1), below_top);
    relax(ramps, kUnknown, dive_);
    for (const Steps below : below_top) {
        rise_.push_back(below == kUnknown ? 0 : std::max(0, top - below));
    }
}

double LevelLifts::at(RoadId road, double along, double length) const {
    const std::size_t from = network_->from[road].index(), to = network_->to[road].index();
    const int level = network_->attributes[road].level;
    const double run = along * grade_, rest = (length - along) * grade_;
    const double rise =
        std::max({level > 0 ? level * clearance_ : 0.0, rise_[from] - run, rise_[to] - rest});
    if (level >= 0) return rise;
    return rise - std::min({-level * clearance_, dive_[from] + run, dive_[to] + rest});
}

}  // namespace tw::ground
