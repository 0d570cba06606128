#include "terraway/streets/streets.hpp"

#include "terraway/geometry/polygon.hpp"
#include "terraway/math/predicates.hpp"

#include "support/road_lines.hpp"

#include <cmath>

#include <gtest/gtest.h>

// streets stands beside roads, so that networks are written down here without build_network().
namespace tw::streets {
namespace {

using test::Line;
using test::street;
using world::GateId;
using world::PieceId;
using world::PieceKind;
using world::RoadNetwork;
using world::RoadNodeId;
using world::StreetSurface;

/// Lines whose ends carry node numbers 1, 2, 3, …, as they are.
RoadNetwork network_from(const std::vector<Line>& lines) {
    RoadNetwork n;
    n.point_begin.push_back(0);
    const auto node = [&n](std::uint64_t id, GridPoint at) {
        for (const RoadNodeId known : n.node_id.ids()) {
            if (n.node_id[known] == StableId(id)) return known;
        }
        n.node_id.push_back(StableId(id));
        return n.node_point.push_back(at);
    };
    for (const Line& line : lines) {
        n.id.push_back(StableId(hash_text(line.label)));
        n.label.push_back(line.label);
        n.attributes.push_back(line.attributes);
        n.from.push_back(node(line.from, line.points.front()));
        n.to.push_back(node(line.to, line.points.back()));
        for (const GridPoint p : line.points) n.point.push_back(p);
        n.point_begin.push_back(static_cast<std::uint32_t>(n.point.size()));
    }
    const Status good = world::validate(n);
    EXPECT_TRUE(good.ok()) << to_string(good.error());
    return n;
}
StreetSurface streets_of(const std::vector<Line>& lines, const StreetOptions& options = {}) {
    SerialExecutor executor;
    StageContext ctx(executor);
    auto streets = build_streets(network_from(lines), options, ctx);
    EXPECT_TRUE(streets.ok()) << to_string(streets.error());
    const Status good = world::validate(*streets);
    EXPECT_TRUE(good.ok()) << to_string(good.error());
    return std::move(*streets);
}
std::vector<PieceId> junctions(const StreetSurface& s) {
    std::vector<PieceId> out;
    for (const PieceId piece : s.kind.ids()) {
        if (s.kind[piece] == PieceKind::junction) out.push_back(piece);
    }
    return out;
}
std::vector<Vec2d> outline(const StreetSurface& s, PieceId piece) {
    std::vector<Vec2d> metres;
    for (const auto v : s.ring(*s.rings(piece).begin()))
        metres.push_back(to_vec(s.vertex[v]) * kMetresPerStep);
    return metres;
}
double area(const StreetSurface& s, PieceId piece) {
    double twice = 0.0;
    for (const auto& t : s.triangles(piece)) {
        twice += static_cast<double>(orient2d(s.vertex[t[0]], s.vertex[t[1]], s.vertex[t[2]]));
    }
    return twice / 2 * kMetresPerStep * kMetresPerStep;
}
double whole_area(const StreetSurface& s) {
    double sum = 0.0;
    for (const PieceId piece : s.kind.ids()) sum += area(s, piece);
    return sum;
}
int gates(const StreetSurface& s, PieceId junction) {
    int n = 0;
    for (const PieceId at : s.gate_junction.span()) n += at == junction;
    return n;
}
/// Distance from the middle of a gate to a node at the origin.
double gate_distance(const StreetSurface& s, GateId gate) {
    const Vec2d middle =
        (to_vec(s.vertex[s.gate_left[gate]]) + to_vec(s.vertex[s.gate_right[gate]])) * 0.5;
    return length(middle) * kMetresPerStep;
}

TEST(Streets, ASquareCrossOfEqualRoads) {
    const StreetSurface s = streets_of(
        {street("e", 7, {{0, 0}, {60, 0}}, 1, 2), street("n", 7, {{0, 0}, {0, 60}}, 1, 3),
         street("w", 7, {{0, 0}, {-60, 0}}, 1, 4), street("s", 7, {{0, 0}, {0, -60}}, 1, 5)},
        {.corner_radius = 0.0});
    ASSERT_EQ(junctions(s).size(), 1u);
    EXPECT_EQ(gates(s, junctions(s)[0]), 4);
    // Without fillets the surface is two strips of 120 × 7 that share a square of 7 × 7.
    EXPECT_NEAR(whole_area(s), 2 * 120 * 7 - 49, 0.5);
    for (const GateId gate : s.gate_corridor.ids()) {
        if (!s.gate_junction[gate]) continue;
        // Clear of the crossing road at 3.5 m.
        EXPECT_GE(gate_distance(s, gate), 3.5);
        EXPECT_LE(gate_distance(s, gate), 4.0);
    }
}

TEST(Streets, FilletsAddTheirCornersAndNoMore) {
    const std::vector<Line> cross{
        street("e", 7, {{0, 0}, {60, 0}}, 1, 2), street("n", 7, {{0, 0}, {0, 60}}, 1, 3),
        street("w", 7, {{0, 0}, {-60, 0}}, 1, 4), street("s", 7, {{0, 0}, {0, -60}}, 1, 5)};
    // The parabola that touches both legs at r cuts r²/6 off the corner's square outside the road.
    const double r = 0.35 * 7;
    const double added =
        whole_area(streets_of(cross)) - whole_area(streets_of(cross, {.corner_radius = 0.0}));
    EXPECT_NEAR(added, 4 * r * r / 6, 0.4);
}

TEST(Streets, NearParallelArmsPartWhereTheirSidesDo) {
    // Three degrees: sides 3.5 and 2.5 m from their lines separate at about 6 / sin 3° = 114.6 m.
    const StreetSurface s = streets_of({street("a", 7, {{0, 0}, {200, 0}}, 1, 2),
                                        street("b", 5, {{0, 0}, {199.726, 10.467}}, 1, 3),
                                        street("c", 7, {{0, 0}, {-200, 0}}, 1, 4)});
    ASSERT_EQ(junctions(s).size(), 1u);
    for (const Vec2d p : outline(s, junctions(s)[0])) EXPECT_LE(p.x, 117.0);
    for (const GateId gate : s.gate_corridor.ids()) {
        const bool parts = s.gate_junction[gate] && s.vertex[s.gate_left[gate]].x > 0;
        EXPECT_TRUE(!parts || gate_distance(s, gate) >= 114.0) << gate_distance(s, gate);
    }
}

TEST(Streets, ADoglegIsOneJunction) {
    const StreetSurface s = streets_of(
        {street("w", 7, {{0, 0}, {-60, 0}}, 1, 2), street("ab", 7, {{0, 0}, {3, 0}}, 1, 3),
         street("e", 7, {{3, 0}, {60, 0}}, 3, 4), street("n", 6, {{0, 0}, {0, 60}}, 1, 5),
         street("s", 6, {{3, 0}, {3, -60}}, 3, 6)});
    ASSERT_EQ(junctions(s).size(), 1u);
    EXPECT_EQ(gates(s, junctions(s)[0]), 4);
    EXPECT_EQ(s.note[junctions(s)[0]], "merged: gates would pass each other");
}

TEST(Streets, TwoRoadsBetweenTheSameNodesLeaveAHole) {
    const StreetSurface s = streets_of({street("a", 6, {{0, 0}, {20, 8}, {40, 8}, {60, 0}}, 1, 2),
                                        street("b", 6, {{0, 0}, {20, -8}, {40, -8}, {60, 0}}, 1, 2),
                                        street("w", 6, {{0, 0}, {-40, 0}}, 1, 3),
                                        street("e", 6, {{60, 0}, {100, 0}}, 2, 4)});
    EXPECT_EQ(junctions(s).size(), 2u);
    for (const PieceId piece : s.kind.ids()) {
        std::vector<GridPoint> ring;
        for (const auto v : s.ring(*s.rings(piece).begin())) ring.push_back(s.vertex[v]);
        EXPECT_EQ(geometry::locate(ring, {30 * 1024, 0}), geometry::Side::outside);
    }
}

TEST(Streets, ALoopIsKept) {
    std::vector<Vec2d> ring;
    for (const auto& [x, y] : {std::pair{0.0, 0.0},
                               {10.6, 4.4},
                               {15.0, 15.0},
                               {10.6, 25.6},
                               {0.0, 30.0},
                               {-10.6, 25.6},
                               {-15.0, 15.0},
                               {-10.6, 4.4},
                               {0.0, 0.0}}) {
        ring.push_back({x, y});
    }
    const StreetSurface s =
        streets_of({street("stem", 6, {{0, 0}, {0, -50}}, 1, 2), street("loop", 6, ring, 1, 1)});
    ASSERT_EQ(junctions(s).size(), 1u);
    EXPECT_EQ(gates(s, junctions(s)[0]), 3);
    EXPECT_EQ(s.piece_count(), 3u);
}

TEST(Streets, AShortDeadEndIsAbsorbed) {
    const StreetSurface s = streets_of({street("e", 7, {{0, 0}, {60, 0}}, 1, 2),
                                        street("w", 7, {{0, 0}, {-60, 0}}, 1, 3),
                                        street("s", 4, {{0, 0}, {0, -1}}, 1, 4)});
    ASSERT_EQ(junctions(s).size(), 1u);
    EXPECT_EQ(gates(s, junctions(s)[0]), 2);
    EXPECT_EQ(s.piece_count(), 3u);
}

TEST(Streets, AChangeOfWidthIsATaper) {
    const StreetSurface s = streets_of(
        {street("a", 14, {{0, 0}, {60, 0}}, 1, 2), street("b", 4, {{60, 0}, {120, 10}}, 2, 3)});
    ASSERT_EQ(junctions(s).size(), 1u);
    EXPECT_EQ(gates(s, junctions(s)[0]), 2);
}

TEST(Streets, ASharpBendKeepsItsWidth) {
    // Two legs of 8 m that fold back at 15°: within the fold they cover each other, beyond it not.
    const StreetSurface s = streets_of({street("a", 8, {{0, 0}, {60, 0}, {2, 15.5}}, 1, 2)});
    ASSERT_EQ(s.piece_count(), 1u);
    EXPECT_EQ(s.note[PieceId(0)], "");
    for (const GateId gate : s.gate_corridor.ids()) {
        EXPECT_NEAR(std::sqrt(static_cast<double>(
                        distance2(s.vertex[s.gate_left[gate]], s.vertex[s.gate_right[gate]]))) /
                        1024,
                    8.0, 0.01);
    }
    for (const Vec2d p : outline(s, PieceId(0))) EXPECT_LE(p.x, 66.0) << "the mitre is limited";
}

TEST(Streets, ARoadThatLiesOnItselfIsNarrowed) {
    // A turn of 2 m radius on a road of 8 m: the legs lie 4 m apart.
    const StreetSurface s = streets_of({street("a", 8,
                                               {{-40, 0},
                                                {0, 0},
                                                {1, 0.268},
                                                {1.732, 1},
                                                {2, 2},
                                                {1.732, 3},
                                                {1, 3.732},
                                                {0, 4},
                                                {-40, 4}},
                                               1, 2)});
    ASSERT_EQ(s.piece_count(), 1u);
    EXPECT_EQ(s.note[PieceId(0)], "narrowed: the road lies on itself");
    EXPECT_GT(whole_area(s), 0.75 * 12 * 40);
}

TEST(Streets, ManyArmsStayWithinTheirStrips) {
    std::vector<Line> star;
    double strips = 0.0;
    const double width[7] = {6, 7, 5, 8, 6, 7, 5};
    const Vec2d end[7] = {{60, 0},           {45.963, 38.567},   {-5.229, 59.772},
                          {-45.963, 38.567}, {-56.382, -20.521}, {-20.521, -56.382},
                          {38.567, -45.963}};
    for (std::size_t i = 0; i < 7; ++i) {
        star.push_back(street("r" + std::to_string(i), width[i], {{0, 0}, end[i]}, 1, i + 2));
        strips += width[i] * 60;
    }
    const StreetSurface s = streets_of(star);
    ASSERT_EQ(junctions(s).size(), 1u);
    EXPECT_EQ(gates(s, junctions(s)[0]), 7);
    EXPECT_LE(whole_area(s), 1.35 * strips);
}

TEST(Streets, CorridorsHaveSectionsForTheGround) {
    const StreetSurface s =
        streets_of({street("a", 6, {{0, 0}, {100, 0}}, 1, 2)}, {.section_length = 10.0});
    ASSERT_EQ(s.piece_count(), 1u);
    EXPECT_EQ(s.triangle.size(), 20u);
    EXPECT_DOUBLE_EQ(whole_area(s), 600.0);
}

TEST(Streets, PiecesThatCrossOnOtherLevelsShareNoPlace) {
    // Both strips have vertices every 3.5 m, so that without care some would coincide.
    const StreetSurface s =
        streets_of({street("a", 7, {{-35, 0}, {35, 0}}, 1, 2),
                    test::on_level(street("b", 7, {{0, -35}, {0, 35}}, 3, 4), 1)},
                   {.section_length = 3.5});
    EXPECT_TRUE(junctions(s).empty());
    for (std::uint32_t i = 0; i < s.vertex.size(); ++i) {
        for (std::uint32_t j = i + 1; j < s.vertex.size(); ++j) {
            EXPECT_GE(
                distance2(s.vertex[world::StreetVertexId(i)], s.vertex[world::StreetVertexId(j)]),
                4);
        }
    }
}

TEST(Streets, OptionsOutOfRangeAreRefused) {
    SerialExecutor executor;
    StageContext ctx(executor);
    const RoadNetwork none = network_from({});
    EXPECT_EQ(build_streets(none, {.corner_radius = 2.5}, ctx).error().code,
              ErrorCode::invalid_option);
    EXPECT_EQ(build_streets(none, {.section_length = 0.5}, ctx).error().code,
              ErrorCode::invalid_option);
    ctx.memory_limit = 0;
    EXPECT_EQ(
        build_streets(network_from({street("a", 6, {{0, 0}, {9, 0}}, 1, 2)}), {}, ctx).error().code,
        ErrorCode::too_large);
}

}  // namespace
}  // namespace tw::streets
