#pragma once
// Networks that are updated step by step, each held against one that is built.

#include "terraway/roads/network.hpp"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tw::test {

/// Everything that the contract calls equal, found with tables.
inline world::NetworkChanges compared(const world::RoadNetwork& before,
                                      const world::RoadNetwork& now) {
    world::NetworkChanges changes;
    const auto road_key = [](const world::RoadNetwork& n, world::RoadId r) {
        const auto p = n.points(r);
        const world::RoadAttributes& a = n.attributes[r];
        return std::tuple{n.id[r], n.label[r], std::vector(p.begin(), p.end()),
                          std::tuple{a.width, a.level, a.road_class, a.form, a.oneway}};
    };
    std::map<decltype(road_key(before, world::RoadId(0))), world::RoadId> roads;
    for (const world::RoadId r : before.id.ids()) roads.emplace(road_key(before, r), r);
    for (const world::RoadId r : now.id.ids()) {
        const auto at = roads.find(road_key(now, r));
        changes.road.push_back(at == roads.end() ? world::RoadId() : at->second);
    }
    std::map<std::pair<GridPoint, StableId>, world::RoadNodeId> nodes;
    for (const world::RoadNodeId n : before.node_id.ids()) {
        nodes.emplace(std::pair{before.node_point[n], before.node_id[n]}, n);
    }
    for (const world::RoadNodeId n : now.node_id.ids()) {
        const auto at = nodes.find({now.node_point[n], now.node_id[n]});
        changes.node.push_back(at == nodes.end() ? world::RoadNodeId() : at->second);
    }
    return changes;
}

inline std::string difference(const world::RoadNetwork& a, const world::RoadNetwork& b) {
    std::string text;
    std::apply(
        [&](const auto&... field) {
            ((a.*field.member == b.*field.member ? void()
                                                 : void(text += std::string(field.name) + " ")),
             ...);
        },
        world::RoadNetwork::fields());
    return text;
}

/// Updates and holds each against a build.
class NetworkHistory {
public:
    explicit NetworkHistory(double join) : options_{.join = join}, executor_(), ctx_(executor_) {}

    void start(const world::RoadLines& lines) {
        auto made = roads::trace_network(lines, options_, ctx_);
        ASSERT_TRUE(made.ok()) << to_string(made.error());
        now_ = std::move(*made);
        before_ = now_;
    }
    /// False if they differ.
    bool step(const world::RoadLines& lines) {
        roads::TracedNetwork next;
        if (!update(now_, lines, next)) return false;
        before_ = std::move(now_);
        now_ = std::move(next);
        return true;
    }
    /// What was before the last step is still good.
    bool step_from_before(const world::RoadLines& lines) {
        roads::TracedNetwork next;
        return update(before_, lines, next);
    }
    const world::RoadNetwork& network() const { return now_.network; }

private:
    bool update(const roads::TracedNetwork& from, const world::RoadLines& lines,
                roads::TracedNetwork& to) {
        world::NetworkChanges changes;
        auto made =
            roads::update_network(from.network, *from.trace, lines, options_, changes, ctx_);
        const auto built = roads::build_network(lines, options_, ctx_);
        EXPECT_EQ(made.ok(), built.ok());
        if (!made.ok() || !built.ok()) return false;
        const std::string other = difference(made->network, *built);
        EXPECT_EQ(other, "") << "arrays that differ";
        if (!other.empty()) return false;
        const world::NetworkChanges expected = compared(from.network, *built);
        EXPECT_EQ(changes.road == expected.road, true) << "roads that stayed";
        EXPECT_EQ(changes.node == expected.node, true) << "nodes that stayed";
        if (changes.road != expected.road || changes.node != expected.node) return false;
        to = std::move(*made);
        return true;
    }

    roads::NetworkOptions options_;
    SerialExecutor executor_;
    StageContext ctx_;
    roads::TracedNetwork now_, before_;
};

}  // namespace tw::test
