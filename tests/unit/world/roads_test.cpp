#include "terraway/world/roads.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tw::world {
namespace {

RoadNetwork good_network() {
    RoadNetwork n;
    n.node_point = {GridPoint{0, 0}, GridPoint{10, 0}};
    n.node_id = {StableId(1), StableId(2)};
    n.id = {StableId(3)};
    n.label = {std::string("a/0")};
    n.from = {RoadNodeId(0)};
    n.to = {RoadNodeId(1)};
    n.attributes = {RoadAttributes{.width = 4096}};
    n.point_begin = {0u, 3u};
    n.point = {GridPoint{0, 0}, GridPoint{5, 5}, GridPoint{10, 0}};
    return n;
}

TEST(Roads, ClassNamesGoThereAndBack) {
    for (std::size_t i = 0; i < kRoadClassCount; ++i) {
        const auto road_class = static_cast<RoadClass>(i);
        const auto back = road_class_from(to_string(road_class));
        ASSERT_TRUE(back.ok());
        EXPECT_EQ(*back, road_class);
    }
    EXPECT_EQ(to_string(RoadClass::motorway), "motorway");
    EXPECT_EQ(road_class_from("canal").error().code, ErrorCode::not_found);
}

TEST(Roads, EveryBrokenPartOfANetworkIsNoticed) {
    EXPECT_TRUE(validate(good_network()).ok());
    RoadNetwork n = good_network();
    n.point.edit(RoadPointId(2)) = {11, 0};
    EXPECT_FALSE(validate(n).ok()) << "not at its node";
    n = good_network();
    n.point.edit(RoadPointId(1)) = {0, 0};
    EXPECT_FALSE(validate(n).ok()) << "equal points in a row";
    n = good_network();
    n.to.edit(RoadId(0)) = RoadNodeId(2);
    EXPECT_FALSE(validate(n).ok()) << "no such node";
    n = good_network();
    n.attributes.edit(RoadId(0)).width = 0;
    EXPECT_FALSE(validate(n).ok()) << "no width";
    n = good_network();
    n.point_begin.edit(RoadId(1)) = 2;
    EXPECT_FALSE(validate(n).ok()) << "points left over";
    n = good_network();
    n.to.edit(RoadId(0)) = RoadNodeId(0);
    n.point.edit(RoadPointId(2)) = {0, 0};
    EXPECT_FALSE(validate(n).ok()) << "a loop of two points";
    EXPECT_FALSE(validate(RoadNetwork{}).ok()) << "not even the end of the points";
}

TEST(Roads, StandRoundTheirNodes) {
    RoadNetwork n;
    n.node_point = {GridPoint{0, 0}, GridPoint{10, 0}, GridPoint{20, 0}};
    n.id = {StableId(1), StableId(2), StableId(3)};
    n.from = {RoadNodeId(1), RoadNodeId(0), RoadNodeId(1)};
    n.to = {RoadNodeId(0), RoadNodeId(0), RoadNodeId(2)};
    const RoadsAtNodes roads(n);
    const auto at = [&](std::uint32_t node) {
        const auto span = roads.at(RoadNodeId(node));
        return std::vector<RoadId>(span.begin(), span.end());
    };
    EXPECT_EQ(at(0), (std::vector{RoadId(0), RoadId(1), RoadId(1)}));
    EXPECT_EQ(at(1), (std::vector{RoadId(0), RoadId(2)}));
    EXPECT_EQ(at(2), std::vector{RoadId(2)});
    EXPECT_EQ(across(n, RoadId(2), RoadNodeId(2)), RoadNodeId(1));
    EXPECT_EQ(across(n, RoadId(2), RoadNodeId(1)), RoadNodeId(2));
    EXPECT_EQ(across(n, RoadId(1), RoadNodeId(0)), RoadNodeId(0));
}

}  // namespace
}  // namespace tw::world
