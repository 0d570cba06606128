#include "level_lifts.hpp"

#include "terraway/geometry/polyline.hpp"

#include <algorithm>
#include <queue>

namespace tw::ground {
namespace {

using world::RoadId;
using world::RoadNetwork;
using world::RoadNodeId;

constexpr Steps kUnknown = INT32_MAX;

struct Neighbour {
    std::uint32_t node;
    Steps fall;  ///< what a ramp along the road loses
};

/// The roads round each node in compressed rows.
struct Ramps {
    std::vector<std::uint32_t> begin;
    std::vector<Neighbour> neighbour;

    Ramps(const RoadNetwork& network, double grade) : begin(network.node_count() + 1, 0) {
        for (const RoadId road : network.id.ids()) {
            ++begin[network.from[road].index() + 1];
            ++begin[network.to[road].index() + 1];
        }
        for (std::size_t i = 0; i + 1 < begin.size(); ++i) begin[i + 1] += begin[i];
        neighbour.resize(begin.back());
        std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
        for (const RoadId road : network.id.ids()) {
            const double fall = geometry::length(network.points(road)) * grade + 0.5;
            const auto steps = static_cast<Steps>(std::min(fall, 0x1p29));
            const std::uint32_t a = network.from[road].value(), b = network.to[road].value();
            neighbour[next[a]++] = {b, steps};
            neighbour[next[b]++] = {a, steps};
        }
    }
};

/// Dijkstra 1959 from all nodes whose cost is known already.
void relax(const Ramps& ramps, std::vector<Steps>& cost) {
    using Entry = std::pair<Steps, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (std::uint32_t i = 0; i < cost.size(); ++i) {
        if (cost[i] != kUnknown) queue.emplace(cost[i], i);
    }
    while (!queue.empty()) {
        const auto [at, node] = queue.top();
        queue.pop();
        if (at > cost[node]) continue;
        for (std::uint32_t k = ramps.begin[node]; k < ramps.begin[node + 1]; ++k) {
            const Neighbour& to = ramps.neighbour[k];
            if (at > kUnknown - 1 - to.fall || at + to.fall >= cost[to.node]) continue;
            cost[to.node] = at + to.fall;
            queue.emplace(cost[to.node], to.node);
        }
    }
}

}  // namespace

LevelLifts::LevelLifts(const RoadNetwork& network, Steps clearance, double grade)
    : network_(&network), clearance_(clearance), grade_(grade) {
    const Ramps ramps(network, grade);
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
    relax(ramps, below_top);
    relax(ramps, dive_);
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
