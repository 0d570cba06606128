#include "terraway/ground/drape.hpp"

#include "terraway/world/flat_ground.hpp"

#include "support/road_lines.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tw::ground {
namespace {

using world::PieceId;
using world::RoadId;
using world::RoadNetwork;
using world::StreetSurface;
using world::StreetVertexId;

constexpr std::int32_t kM = kStepsPerMetre;

/// Roads on a line along x, one corridor of squares each, without junctions.
struct Strips {
    RoadNetwork network;
    StreetSurface streets;

    Strips() {
        network.point_begin.push_back(0);
        streets.ring_begin.push_back(0);
        streets.ring_vertex_begin.push_back(0);
        streets.triangle_begin.push_back(0);
    }
    void add(int level, std::int32_t from, std::int32_t to, std::uint32_t a, std::uint32_t b) {
        while (network.node_count() <= std::max(a, b)) {
            network.node_id.push_back(StableId(network.node_count()));
            network.node_point.push_back({});
        }
        network.node_point.edit(world::RoadNodeId(a)) = {from * kM, 0};
        network.node_point.edit(world::RoadNodeId(b)) = {to * kM, 0};
        const RoadId road = network.id.push_back(StableId(network.road_count() + 100));
        network.label.push_back("r");
        network.from.push_back(world::RoadNodeId(a));
        network.to.push_back(world::RoadNodeId(b));
        world::RoadAttributes attributes{.width = 6 * kM, .level = static_cast<std::int8_t>(level)};
        attributes.form = level > 0   ? world::RoadForm::bridge
                          : level < 0 ? world::RoadForm::tunnel
                                      : world::RoadForm::ground;
        network.attributes.push_back(attributes);
        network.point.push_back({from * kM, 0});
        network.point.push_back({to * kM, 0});
        network.point_begin.push_back(static_cast<std::uint32_t>(network.point.size()));

        const PieceId piece = streets.kind.push_back(world::PieceKind::corridor);
        streets.road.push_back(road);
        std::vector<StreetVertexId> right, left;
        for (std::int32_t x = from; x <= to; x += 10)
            right.push_back(streets.vertex.push_back({x * kM, -3 * kM}));
        for (std::int32_t x = to; x >= from; x -= 10)
            left.push_back(streets.vertex.push_back({x * kM, 3 * kM}));
        for (const StreetVertexId v : right) streets.ring_vertex.push_back(v);
        for (const StreetVertexId v : left) streets.ring_vertex.push_back(v);
        streets.ring_vertex_begin.push_back(static_cast<std::uint32_t>(streets.ring_vertex.size()));
        streets.ring_begin.push_back(static_cast<std::uint32_t>(streets.kind.size()));
        streets.triangle_begin.push_back(0);
        for (const bool start : {true, false}) {
            streets.gate_corridor.push_back(piece);
            streets.gate_junction.push_back(PieceId());
            streets.gate_left.push_back(start ? left.back() : left.front());
            streets.gate_right.push_back(start ? right.front() : right.back());
        }
    }
    /// Heights [m] of all vertices at a place along x.
    std::vector<double> heights_at(std::int32_t x, const DrapeOptions& options = {}) const {
        const world::FlatGround ground =
            world::flat_ground({{-1000 * kM, -1000 * kM}, {1000 * kM, 1000 * kM}});
        const world::SurfaceQuery query(ground.surface());
        SerialExecutor executor;
        StageContext ctx(executor);
        const auto heights = drape_streets(query, network, streets, options, ctx);
        EXPECT_TRUE(heights.ok());
        std::vector<double> out;
        for (const StreetVertexId v : streets.vertex.ids()) {
            if (streets.vertex[v].x == x * kM) out.push_back(to_metres(heights->height[v]));
        }
        return out;
    }
};

TEST(Drape, OnLevelGroundStreetsLieTheirLiftAboveIt) {
    Strips strips;
    strips.add(0, 0, 100, 0, 1);
    for (const double z : strips.heights_at(50)) EXPECT_NEAR(z, 0.15, 0.001);
}

TEST(Drape, BridgesStandClearAndRampsFallByTheGrade) {
    Strips strips;
    strips.add(0, -200, 0, 0, 1);
    strips.add(1, 0, 50, 1, 2);
    strips.add(0, 50, 80, 2, 3);
    strips.add(0, 80, 300, 3, 4);
    for (const double z : strips.heights_at(20)) EXPECT_NEAR(z, 6.15, 0.002);
    for (const double z : strips.heights_at(-30)) EXPECT_NEAR(z, 6.15 - 30 * 0.08, 0.003);
    for (const double z : strips.heights_at(-80))
        EXPECT_NEAR(z, 0.15, 0.002) << "6 m at 8 % is 75 m";
    // On through a node: 60 m from the bridge.
    for (const double z : strips.heights_at(110)) EXPECT_NEAR(z, 6.15 - 60 * 0.08, 0.004);
    EXPECT_NEAR(strips.heights_at(20, {.clearance = 4.0})[0], 4.15, 0.002);
}

TEST(Drape, TunnelsDiveFromTheirPortals) {
    Strips strips;
    strips.add(0, -100, 0, 0, 1);
    strips.add(-1, 0, 200, 1, 2);
    strips.add(0, 200, 300, 2, 3);
    for (const double z : strips.heights_at(0)) EXPECT_NEAR(z, 0.15, 0.002);
    for (const double z : strips.heights_at(50)) EXPECT_NEAR(z, 0.15 - 50 * 0.08, 0.003);
    for (const double z : strips.heights_at(100)) EXPECT_NEAR(z, 0.15 - 6, 0.002);
}

TEST(Drape, CrossSectionsAreLevel) {
    Strips strips;
    strips.add(0, -100, 0, 0, 1);
    strips.add(1, 0, 50, 1, 2);
    for (std::int32_t x = -90; x < 50; x += 10) {
        const std::vector<double> z = strips.heights_at(x);
        for (const double other : z) EXPECT_DOUBLE_EQ(other, z[0]) << x;
    }
}

TEST(Drape, KerbsOfAJunctionClimbFromGateToGate) {
    // A triangle between two gates, one on the bridge's level and one below it, and a free corner.
    Strips strips;
    strips.add(1, 0, 50, 0, 1);
    strips.add(0, 90, 140, 2, 3);
    StreetSurface& s = strips.streets;
    const StreetVertexId corner = s.vertex.push_back({70 * kM, 3 * kM});
    s.kind.push_back(world::PieceKind::junction);
    s.road.push_back(RoadId());
    for (const StreetVertexId v :
         {s.gate_right[world::GateId(1)], s.gate_right[world::GateId(2)],
          s.gate_left[world::GateId(2)], corner, s.gate_left[world::GateId(1)]}) {
        s.ring_vertex.push_back(v);
    }
    s.ring_vertex_begin.push_back(static_cast<std::uint32_t>(s.ring_vertex.size()));
    s.ring_begin.push_back(3);
    s.triangle_begin.push_back(0);
    const double high = strips.heights_at(50)[0], low = strips.heights_at(90)[0];
    EXPECT_NEAR(high - low, 6.0, 0.002);
    EXPECT_NEAR(strips.heights_at(70)[0], (high + low) / 2, 0.002);
}

TEST(Drape, OptionsOutOfRangeAreRefused) {
    const world::FlatGround ground = world::flat_ground({{0, 0}, {100 * kM, 100 * kM}});
    const world::SurfaceQuery query(ground.surface());
    SerialExecutor executor;
    StageContext ctx(executor);
    const Strips none;
    for (const DrapeOptions& bad : {DrapeOptions{.lift = -1.0}, DrapeOptions{.clearance = 0.5},
                                    DrapeOptions{.max_grade = 0.0}}) {
        EXPECT_EQ(drape_streets(query, none.network, none.streets, bad, ctx).error().code,
                  ErrorCode::invalid_option);
    }
}

}  // namespace
}  // namespace tw::ground
