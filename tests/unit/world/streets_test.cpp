#include "terraway/world/streets.hpp"

#include <gtest/gtest.h>

namespace tw::world {
namespace {

using V = StreetVertexId;

/// A square junction and a corridor of one quad that leaves it to the east.
StreetSurface good_streets() {
    StreetSurface s;
    s.vertex = {GridPoint{0, 0},  GridPoint{10, 0}, GridPoint{10, 10},
                GridPoint{0, 10}, GridPoint{30, 0}, GridPoint{30, 10}};
    s.kind = {PieceKind::junction, PieceKind::corridor};
    s.id = {StableId(1), StableId(2)};
    s.label = {std::string("n1"), std::string("r/0")};
    s.level = {std::int8_t{0}, std::int8_t{0}};
    s.form = {RoadForm::ground, RoadForm::ground};
    s.road_class = {RoadClass::service, RoadClass::service};
    s.road = {RoadId(), RoadId(0)};
    s.ring_begin = {0u, 1u, 2u};
    s.ring_vertex_begin = {0u, 4u, 8u};
    s.ring_vertex = {V(0), V(1), V(2), V(3), V(1), V(4), V(5), V(2)};
    s.triangle_begin = {0u, 2u, 4u};
    s.triangle = {std::array{V(0), V(1), V(2)}, std::array{V(0), V(2), V(3)},
                  std::array{V(1), V(4), V(5)}, std::array{V(1), V(5), V(2)}};
    s.gate_corridor = {PieceId(1), PieceId(1)};
    s.gate_junction = {PieceId(0), PieceId()};
    s.gate_node = {RoadNodeId(0), RoadNodeId(1)};
    s.gate_left = {V(2), V(5)};
    s.gate_right = {V(1), V(4)};
    s.note = {std::string(), std::string()};
    return s;
}

TEST(StreetSurface, AGoodOneIsGood) {
    const Status status = validate(good_streets());
    EXPECT_TRUE(status.ok()) << to_string(status.error());
}

TEST(StreetSurface, EveryBrokenGuaranteeIsNoticed) {
    const auto expect_broken = [](const StreetSurface& s, std::string_view what) {
        const Status status = validate(s);
        ASSERT_FALSE(status.ok()) << what;
        EXPECT_EQ(status.error().code, ErrorCode::check_failed) << what;
        EXPECT_NE(status.error().message.find(what), std::string::npos) << status.error().message;
    };
    StreetSurface s = good_streets();
    s.vertex.edit(V(3)) = {10, 5};
    expect_broken(s, "touches itself");
    s = good_streets();
    s.vertex.edit(V(3)) = {20, 5};
    expect_broken(s, "touches itself");
    s = good_streets();
    std::swap(s.triangle.edit(StreetTriangleId(0))[0], s.triangle.edit(StreetTriangleId(0))[1]);
    expect_broken(s, "face up");
    s = good_streets();
    s.triangle.edit(StreetTriangleId(1)) = {V(0), V(1), V(3)};
    expect_broken(s, "in the same way");
    s = good_streets();
    s.triangle_begin.edit(PieceId(1)) = 1;
    expect_broken(s, "boundary");
    s = good_streets();
    s.gate_left.edit(GateId(0)) = V(3);
    expect_broken(s, "not on the rings");
    s = good_streets();
    std::swap(s.gate_left.edit(GateId(1)), s.gate_right.edit(GateId(1)));
    expect_broken(s, "not on the rings");
    s = good_streets();
    s.gate_corridor.edit(GateId(0)) = PieceId(0);
    expect_broken(s, "not a corridor");
    s = good_streets();
    s.ring_vertex.edit(RingVertexId(0)) = V(17);
    expect_broken(s, "does not exist");
    s = good_streets();
    s.note = {std::string()};
    expect_broken(s, "fit each other");
    s = good_streets();
    for (GridPoint& p : s.vertex.edit_all()) p.x = -p.x;
    expect_broken(s, "wrong way");
}

}  // namespace
}  // namespace tw::world
