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
    plain_.resize(network.node_count());
    for (std::size_t i = 0; i < plain_.size(); ++i) plain_[i] = rise_[i] == 0 && dive_[i] == 0;
    for (const RoadId road : network.id.ids()) {
        if (network.attributes[road].level == 0) continue;
        plain_[network.from[road].index()] = plain_[network.to[road].index()] = 0;
    }
}

/// Roads of level 0 between plain nodes, and these, come and go without any ramp being another:
/// no rise gets across a plain node, and a dive that starts at one starts at its nearest plain
/// node.
bool LevelLifts::only_plain_changed(const RoadNetwork& before, const RoadNetwork& now,
                                    const world::NetworkChanges& changes) const {
    const auto was_plain = [&](RoadId road) {
        return plain_[before.from[road].index()] && plain_[before.to[road].index()];
    };
    const auto is_plain = [&](RoadNodeId node) {
        const RoadNodeId was = changes.node[node.index()];
        return !was || plain_[was.index()];
    };
    std::size_t next = 0;  // roads before up to here have been looked at
    const auto went_plain = [&](std::size_t end) {
        for (; next < end; ++next) {
            if (!was_plain(RoadId::from_index(next))) return false;
        }
        return true;
    };
    for (const RoadId road : now.id.ids()) {
        const RoadId was = changes.road[road.index()];
        const RoadNodeId from = now.from[road], to = now.to[road];
        if (was) {
            if (was.index() < next || !went_plain(was.index())) return false;
            next = was.index() + 1;
            if (changes.node[from.index()] == before.from[was] &&
                changes.node[to.index()] == before.to[was]) {
                continue;
            }
            if (!was_plain(was)) return false;
        }
        if (now.attributes[road].level != 0 || !is_plain(from) || !is_plain(to)) return false;
    }
    return went_plain(before.road_count());
}

bool LevelLifts::follow(const RoadNetwork& before, const RoadNetwork& now,
                        const world::NetworkChanges& changes) {
    if (!only_plain_changed(before, now, changes)) return false;
    const auto move = [&](auto& values, auto& spare, auto plain) {
        spare.resize(changes.node.size());
        for (std::size_t i = 0; i < spare.size(); ++i) {
            const RoadNodeId was = changes.node[i];
            spare[i] = was ? values[was.index()] : plain;
        }
        std::swap(values, spare);
    };
    move(rise_, spare_steps_, Steps{0});
    move(dive_, spare_steps_, Steps{0});
    move(plain_, spare_plain_, std::uint8_t{1});
    network_ = &now;
    return true;
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
