#include "terraway/roads/network.hpp"

#include "support/road_lines.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tw::roads {
namespace {

using test::Line;
using test::on_level;
using test::street;
using world::RoadId;
using world::RoadNetwork;
using world::RoadNodeId;

Result<RoadNetwork> build(const std::vector<Line>& lines, double join = 2.0) {
    SerialExecutor executor;
    StageContext ctx(executor);
    return build_network(test::lines_from(lines), {.join = join}, ctx);
}
RoadNetwork network_of(const std::vector<Line>& lines, double join = 2.0) {
    auto network = build(lines, join);
    EXPECT_TRUE(network.ok()) << to_string(network.error());
    const Status good = world::validate(*network);
    EXPECT_TRUE(good.ok()) << to_string(good.error());
    return std::move(*network);
}
/// How many road ends meet at the node that stands at a place; 0 without one.
int degree_at(const RoadNetwork& network, Vec2d metres) {
    const GridPoint at{to_steps(metres.x), to_steps(metres.y)};
    int degree = 0;
    for (const RoadId road : network.id.ids()) {
        degree += network.node_point[network.from[road]] == at;
        degree += network.node_point[network.to[road]] == at;
    }
    return degree;
}

TEST(Network, CrossingLinesMeetAtTheirCrossing) {
    const RoadNetwork n =
        network_of({street("a", 6, {{-50, 0}, {50, 0}}), street("b", 6, {{10, -50}, {10, 50}})});
    EXPECT_EQ(n.road_count(), 4u);
    EXPECT_EQ(n.node_count(), 5u);
    EXPECT_EQ(degree_at(n, {10, 0}), 4);
}

TEST(Network, LevelsCrossWithoutMeetingButMeetAtSharedNodes) {
    const Line below = street("a", 6, {{-50, 0}, {50, 0}});
    const Line above = on_level(street("b", 6, {{0, -50}, {0, 50}}, 7, 8), 1);
    EXPECT_EQ(network_of({below, above}).road_count(), 2u);
    // The ramp shares the bridge's end.
    const Line ramp = street("c", 6, {{0, 50}, {0, 90}}, 8, 9);
    const RoadNetwork n = network_of({below, above, ramp});
    EXPECT_EQ(n.road_count(), 3u);
    EXPECT_EQ(degree_at(n, {0, 50}), 2);
}

TEST(Network, AnEndNearAnotherRoadsMiddleIsJoinedToIt) {
    const std::vector<Line> lines{street("a", 6, {{-50, 0}, {50, 0}}),
                                  street("b", 6, {{5, 1.5}, {5, 40}})};
    EXPECT_EQ(degree_at(network_of(lines), {5, 0}), 3);
    EXPECT_EQ(network_of(lines, 1.0).road_count(), 2u) << "out of reach";
}

TEST(Network, AnEndPrefersANodeToANearerMiddle) {
    const RoadNetwork n =
        network_of({street("a", 6, {{0, 0}, {50, 0}}), street("b", 5, {{1, 1}, {1, 40}})});
    EXPECT_EQ(n.road_count(), 2u);
    EXPECT_EQ(degree_at(n, {0, 0}) + degree_at(n, {1, 1}), 2);
}

TEST(Network, ALineThatCrossesItselfIsSplitThere) {
    // A figure of eight: two loops and no more.
    const RoadNetwork n =
        network_of({street("a", 5, {{-40, -40}, {40, 40}, {40, -40}, {-40, 40}, {-40, -40}})});
    EXPECT_EQ(degree_at(n, {0, 0}), 4);
    EXPECT_EQ(n.road_count(), 2u);
}

TEST(Network, DoubledPointsAndLinesAreDropped) {
    const RoadNetwork n =
        network_of({street("a", 7, {{0, 0}, {0, 0}, {20, 0}, {20, 0}, {40, 0}}),
                    street("b", 7, {{40, 0}, {0, 0}}), street("c", 7, {{9, 9}, {9, 9}})});
    ASSERT_EQ(n.road_count(), 1u);
    EXPECT_EQ(n.label[RoadId(0)], "a/0");
    EXPECT_EQ(n.points(RoadId(0)).front(), (GridPoint{0, 0}));
    EXPECT_EQ(n.points(RoadId(0)).back(), (GridPoint{40 * 1024, 0}));
}

TEST(Network, OfTwoLinesInOnePlaceTheWiderIsKept) {
    const RoadNetwork n =
        network_of({street("a", 4, {{0, 0}, {40, 0}}), street("b", 9, {{10, 0}, {30, 0}})});
    ASSERT_EQ(n.road_count(), 3u);
    for (const RoadId road : n.id.ids()) {
        const bool middle = n.points(road).front().x == 10 * 1024;
        EXPECT_EQ(n.attributes[road].width, (middle ? 9 : 4) * 1024);
    }
}

TEST(Network, ChainsOfEqualRoadsAreOneRoadAndDirectionsCount) {
    Line a = street("a", 6, {{0, 0}, {30, 0}}, 1, 2), b = street("b", 6, {{60, 0}, {30, 0}}, 3, 2);
    EXPECT_EQ(network_of({a, b}).road_count(), 1u);
    a.attributes.oneway = b.attributes.oneway = world::Oneway::along;
    EXPECT_EQ(network_of({a, b}).road_count(), 2u) << "they run against each other";
    b.attributes.oneway = world::Oneway::against;
    EXPECT_EQ(network_of({a, b}).road_count(), 1u);
}

TEST(Network, NodesKeepTheIdsOfTheirSource) {
    const RoadNetwork n = network_of(
        {street("a", 6, {{0, 0}, {50, 0}}, 41, 42), street("b", 5, {{50, 0}, {50, 50}}, 42, 43)});
    std::vector<std::uint64_t> ids;
    for (const StableId id : n.node_id.span()) ids.push_back(id.value());
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(ids, (std::vector<std::uint64_t>{41, 42, 43}));
}

TEST(Network, NodesOfOneSourceComeToOnePlace) {
    const RoadNetwork n = network_of(
        {street("a", 6, {{0, 0}, {50, 0}}, 1, 2), street("b", 5, {{53, 7}, {53, 60}}, 2, 3)}, 0.0);
    EXPECT_EQ(degree_at(n, {50, 0}), 2);
}

TEST(Network, BadInputIsRefused) {
    Line flat = street("a", 6, {{0, 0}, {9, 0}});
    flat.attributes.width = 0;
    const auto zero = build({flat});
    ASSERT_FALSE(zero.ok());
    EXPECT_EQ(zero.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(zero.error().subject.text(), "a");
    EXPECT_EQ(build({}, 51.0).error().code, ErrorCode::invalid_option);
    EXPECT_EQ(build({}, -1.0).error().code, ErrorCode::invalid_option);
    EXPECT_EQ(network_of({}).road_count(), 0u);
}

TEST(NetworkUpdate, WhatAnEditDoesNotTouchStays) {
    // Two crossings far apart; an arm of the second one is dragged.
    std::vector<Line> lines{
        street("a", 6, {{-50, 0}, {50, 0}}), street("b", 6, {{10, -50}, {10, 50}}),
        street("c", 6, {{950, 0}, {1050, 0}}), street("d", 6, {{1010, -50}, {1010, 50}})};
    SerialExecutor executor;
    StageContext ctx(executor);
    const auto before = trace_network(test::lines_from(lines), {}, ctx);
    ASSERT_TRUE(before.ok());
    lines[3].points.back().x += 20 * kStepsPerMetre;
    world::NetworkChanges changes;
    const auto now =
        update_network(before->network, *before->trace, test::lines_from(lines), {}, changes, ctx);
    ASSERT_TRUE(now.ok());
    const RoadNetwork& n = now->network;
    ASSERT_EQ(n.road_count(), 8u);
    ASSERT_EQ(changes.road.size(), 8u);
    ASSERT_EQ(changes.node.size(), n.node_count());
    for (const RoadId road : n.id.ids()) {
        const bool near = n.label[road][0] == 'a' || n.label[road][0] == 'b';
        EXPECT_EQ(changes.road[road.index()], near ? road : RoadId()) << n.label[road];
    }
    // The crossing moved, and with it the far end of the dragged arm.
    EXPECT_EQ(std::ranges::count(changes.node, RoadNodeId()), 2);
    EXPECT_EQ(degree_at(n, {10, 0}), 4);
    EXPECT_EQ(degree_at(n, {1020, 0}), 4);
}

TEST(NetworkUpdate, ErrorsAreThoseOfABuild) {
    std::vector<Line> lines{street("a", 6, {{-50, 0}, {50, 0}}),
                            street("b", 6, {{10, -50}, {10, 50}})};
    SerialExecutor executor;
    StageContext ctx(executor);
    const auto before = trace_network(test::lines_from(lines), {}, ctx);
    ASSERT_TRUE(before.ok());
    lines[1].attributes.width = 0;
    world::NetworkChanges changes;
    const auto flat =
        update_network(before->network, *before->trace, test::lines_from(lines), {}, changes, ctx);
    ASSERT_FALSE(flat.ok());
    EXPECT_EQ(flat.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(flat.error().subject.text(), "b");
    const auto none =
        update_network(before->network, *before->trace, world::RoadLines::none(), {}, changes, ctx);
    ASSERT_TRUE(none.ok());
    EXPECT_EQ(none->network.road_count(), 0u);
    EXPECT_TRUE(changes.road.empty());
}

TEST(Network, CanBeCancelled) {
    SerialExecutor executor;
    StageContext ctx(executor);
    CancelFlag flag;
    flag.cancel();
    ctx.cancel = &flag;
    const auto network =
        build_network(test::lines_from({street("a", 6, {{0, 0}, {9, 0}})}), {}, ctx);
    ASSERT_FALSE(network.ok());
    EXPECT_EQ(network.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace tw::roads
