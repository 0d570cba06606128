#include "terraway/roads/edit_lines.hpp"

#include "terraway/core/hash.hpp"
#include "terraway/roads/network.hpp"

#include "support/road_lines.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace tw::roads {
namespace {

using test::Line;
using test::lines_from;
using test::on_level;
using test::street;
using world::AddRoad;
using world::AddRoadNode;
using world::DeleteRoad;
using world::DeleteRoadNode;
using world::MoveRoadNode;
using world::RoadId;
using world::RoadLines;
using world::RoadNetwork;
using world::SetRoadWidth;

constexpr GridPoint at(std::int32_t x, std::int32_t y) {
    return {x * kStepsPerMetre, y * kStepsPerMetre};
}
/// The points of a line in whole metres.
std::string points_of(const RoadLines& lines, std::uint32_t line) {
    std::string text;
    for (const GridPoint p : lines.points(RoadId(line))) {
        text +=
            std::to_string(p.x / kStepsPerMetre) + "," + std::to_string(p.y / kStepsPerMetre) + " ";
    }
    return text;
}
void must(const world::EditAction& action, RoadLines& lines) {
    const Status status = apply_edit(action, lines);
    ASSERT_TRUE(status.ok()) << to_string(status.error());
}
/// Expects a refusal that names the road and leaves the lines alone.
void expect_refused(const world::EditAction& action, RoadLines& lines, std::string_view road,
                    std::string_view part, ErrorCode code) {
    const std::uint64_t before = hash_of(lines);
    const Status status = apply_edit(action, lines);
    ASSERT_FALSE(status.ok()) << part;
    EXPECT_EQ(status.error().code, code);
    EXPECT_EQ(status.error().subject.text(), road);
    EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("; "), std::string::npos) << "no remedy";
    EXPECT_EQ(hash_of(lines), before);
}
RoadNetwork network_of(const RoadLines& lines) {
    SerialExecutor executor;
    StageContext ctx(executor);
    auto network = build_network(lines, {}, ctx);
    EXPECT_TRUE(network.ok());
    return std::move(*network);
}

TEST(EditLines, RoadsComeAndGo) {
    RoadLines lines = lines_from({street("a", 6, {{0, 0}, {9, 0}}),
                                  street("b", 7, {{0, 5}, {5, 5}, {9, 5}}, 11, 12),
                                  street("c", 8, {{0, 9}, {9, 9}})});
    must(DeleteRoad{"b"}, lines);
    const std::vector<Line> left{street("a", 6, {{0, 0}, {9, 0}}),
                                 street("c", 8, {{0, 9}, {9, 9}})};
    EXPECT_EQ(hash_of(lines), hash_of(lines_from(left)));
    const Line added = street("d", 9, {{1, 1}, {2, 2}, {1, 4}});
    must(AddRoad{"d", added.attributes, added.points}, lines);
    EXPECT_EQ(hash_of(lines), hash_of(lines_from({left[0], left[1], added})));
    must(DeleteRoad{"a"}, lines);
    must(DeleteRoad{"d"}, lines);
    must(DeleteRoad{"c"}, lines);
    EXPECT_EQ(hash_of(lines), hash_of(lines_from({})));
}

TEST(EditLines, ARoadAgainstItsDirectionIsTurned) {
    RoadLines lines;
    world::RoadAttributes attributes{.width = 4 * kStepsPerMetre};
    attributes.oneway = world::Oneway::against;
    must(AddRoad{"a", attributes, {at(0, 0), at(5, 0), at(9, 9)}}, lines);
    EXPECT_EQ(points_of(lines, 0), "9,9 5,0 0,0 ");
    EXPECT_EQ(lines.attributes[RoadId(0)].oneway, world::Oneway::along);
}

TEST(EditLines, WidthIsSet) {
    RoadLines lines = lines_from({street("a", 6, {{0, 0}, {9, 0}})});
    must(SetRoadWidth{"a", 4096}, lines);
    EXPECT_EQ(lines.attributes[RoadId(0)].width, 4096);
}

TEST(EditLines, APointComesIntoTheNearestSegment) {
    RoadLines lines = lines_from({street("a", 6, {{0, 90}, {9, 90}}),
                                  street("b", 6, {{0, 0}, {10, 0}, {10, 10}}, 11, 12),
                                  street("c", 6, {{0, 50}, {9, 50}})});
    must(AddRoadNode{"b", at(12, 6)}, lines);
    EXPECT_EQ(points_of(lines, 1), "0,0 10,0 12,6 10,10 ");
    must(AddRoadNode{"b", at(4, -1)}, lines);
    EXPECT_EQ(points_of(lines, 1), "0,0 4,-1 10,0 12,6 10,10 ");
    EXPECT_EQ(points_of(lines, 2), "0,50 9,50 ");
    EXPECT_EQ(lines.node[world::RoadPointId(2)], 11u);
    EXPECT_EQ(lines.node[world::RoadPointId(3)], 0u);
    EXPECT_EQ(lines.node[world::RoadPointId(6)], 12u);
    expect_refused(AddRoadNode{"b", at(10, 0)}, lines, "b", "(10, 0)", ErrorCode::invalid_input);
}

TEST(EditLines, WhatMeetsInANodeMovesWithIt) {
    // At (10, 0): two of level 0, one on a bridge with the node of one of them, and one on a bridge
    // that has nothing to do with them; the last of the first line's node stands elsewhere.
    RoadLines lines =
        lines_from({street("a", 6, {{0, 0}, {10, 0}}, 0, 7), street("b", 6, {{10, 0}, {20, 0}}),
                    on_level(street("c", 6, {{10, 0}, {10, 20}}, 7), 1),
                    on_level(street("d", 6, {{0, -9}, {10, 0}, {20, 9}}), 2),
                    street("e", 6, {{50, 50}, {60, 60}}, 7)});
    // Within a metre of the point.
    must(MoveRoadNode{"b", {10 * kStepsPerMetre + 700, 700}, at(11, 3)}, lines);
    EXPECT_EQ(points_of(lines, 0), "0,0 11,3 ");
    EXPECT_EQ(points_of(lines, 1), "11,3 20,0 ");
    EXPECT_EQ(points_of(lines, 2), "11,3 10,20 ");
    EXPECT_EQ(points_of(lines, 3), "0,-9 10,0 20,9 ");
    EXPECT_EQ(points_of(lines, 4), "11,3 60,60 ");
}

TEST(EditLines, ALoopStaysClosed) {
    RoadLines lines = lines_from({street("a", 6, {{0, 0}, {10, 0}, {10, 10}, {0, 0}})});
    must(MoveRoadNode{"a", at(0, 0), at(-3, -3)}, lines);
    EXPECT_EQ(points_of(lines, 0), "-3,-3 10,0 10,10 -3,-3 ");
}

TEST(EditLines, PointsDoNotFallTogether) {
    RoadLines lines =
        lines_from({street("a", 6, {{0, 0}, {10, 0}, {20, 0}}), street("b", 6, {{10, 0}, {10, 10}}),
                    street("c", 6, {{0, 50}, {9, 50}, {9, 50}, {20, 50}})});
    expect_refused(MoveRoadNode{"a", at(10, 0), at(20, 0)}, lines, "a", "(20, 0)",
                   ErrorCode::invalid_input);
    expect_refused(MoveRoadNode{"a", at(10, 0), at(10, 10)}, lines, "b", "(10, 10)",
                   ErrorCode::invalid_input);
    must(MoveRoadNode{"c", at(9, 50), at(9, 55)}, lines);
    EXPECT_EQ(points_of(lines, 2), "0,50 9,55 9,55 20,50 ") << "they stood together before";
    RoadLines back = lines_from({street("a", 6, {{0, 0}, {10, 0}, {0, 0}})});
    expect_refused(DeleteRoadNode{"a", at(10, 0)}, back, "a", "two equal points",
                   ErrorCode::invalid_input);
}

TEST(EditLines, TheLastSegmentGoesWithItsPoint) {
    RoadLines lines = lines_from(
        {street("a", 6, {{0, 0}, {10, 0}, {20, 0}}, 1, 2), street("b", 6, {{0, 9}, {10, 9}})});
    must(DeleteRoadNode{"a", at(0, 0)}, lines);
    EXPECT_EQ(hash_of(lines), hash_of(lines_from({street("a", 6, {{10, 0}, {20, 0}}, 0, 2),
                                                  street("b", 6, {{0, 9}, {10, 9}})})));
    must(DeleteRoadNode{"a", at(20, 0)}, lines);
    EXPECT_EQ(hash_of(lines), hash_of(lines_from({street("b", 6, {{0, 9}, {10, 9}})})));
}

TEST(EditLines, WhatIsNotThereIsRefused) {
    RoadLines lines =
        lines_from({street("w1", 6, {{0, 0}, {10, 0}}), street("w2", 6, {{0, 9}, {10, 9}}),
                    street("w2", 6, {{0, 19}, {10, 19}})});
    constexpr ErrorCode kNone = ErrorCode::not_found;
    const world::RoadAttributes attributes = lines.attributes[RoadId(0)];
    expect_refused(DeleteRoad{"w3"}, lines, "w3", "no such road", kNone);
    expect_refused(SetRoadWidth{"w1/0", 99}, lines, "w1/0", "edit the road \"w1\"", kNone);
    expect_refused(AddRoadNode{"", at(1, 1)}, lines, "", "no such road", kNone);
    expect_refused(MoveRoadNode{"w1", at(5, 0), at(5, 5)}, lines, "w1", "within 1 m of (5, 0)",
                   kNone);
    expect_refused(MoveRoadNode{"w1", {1025, 0}, at(5, 5)}, lines, "w1", "within 1 m", kNone);
    expect_refused(DeleteRoadNode{"w1", at(5, 0)}, lines, "w1", "within 1 m", kNone);
    expect_refused(DeleteRoad{"w2"}, lines, "w2", "two roads", ErrorCode::invalid_input);
    expect_refused(AddRoad{"w1", attributes, {at(0, 0), at(1, 1)}}, lines, "w1", "already",
                   ErrorCode::invalid_input);
    must(MoveRoadNode{"w1", {1024, 0}, at(-5, 5)}, lines);  // a metre is within a metre
    EXPECT_EQ(points_of(lines, 0), "-5,5 10,0 ");
}

TEST(EditLines, EditsOfOtherThingsChangeNothing) {
    RoadLines lines = lines_from(test::town(2));
    const std::uint64_t before = hash_of(lines);
    must(world::TakeObstacle{"x"}, lines);
    must(world::SetRoadAttribute{"r0", "lanes", std::int64_t{2}}, lines);
    EXPECT_EQ(hash_of(lines), before);
}

TEST(EditLines, MovingKeepsStableIds) {
    RoadLines lines = lines_from(test::town(3));
    const RoadNetwork before = network_of(lines);
    const GridPoint node = lines.points(RoadId(0)).back();
    must(MoveRoadNode{lines.label[RoadId(0)], node, node + at(3, 2)}, lines);
    const RoadNetwork after = network_of(lines);
    EXPECT_EQ(after.id, before.id);
    EXPECT_EQ(after.node_id, before.node_id);
    EXPECT_NE(hash_of(after.point), hash_of(before.point));
}

/// Lines as a list of lists: what edits do, said once more in the plainest way.
struct Model {
    struct Vertex {
        GridPoint point;
        std::uint64_t node;
    };
    struct Road {
        std::string label;
        world::RoadAttributes attributes;
        std::vector<Vertex> vertex;
    };
    std::vector<Road> road;

    explicit Model(const std::vector<Line>& lines) {
        for (const Line& line : lines) {
            Road& added = road.emplace_back(Road{line.label, line.attributes, {}});
            for (const GridPoint p : line.points) added.vertex.push_back({p, 0});
            added.vertex.front().node = line.from;
            added.vertex.back().node = line.to;
        }
    }
    Road& find(const std::string& label) { return *std::ranges::find(road, label, &Road::label); }

    /// Everything that meets, by the closure over all pairs; false if points would fall together.
    bool move(const std::string& label, GridPoint from, GridPoint to) {
        std::set<std::uint64_t> nodes;
        std::set<int> levels;
        for (const Vertex& v : find(label).vertex) {
            if (v.point != from) continue;
            levels.insert(find(label).attributes.level);
            if (v.node != 0) nodes.insert(v.node);
            break;
        }
        const auto meets = [&](const Road& r, const Vertex& v) {
            return nodes.contains(v.node) ||
                   (v.point == from && levels.contains(r.attributes.level));
        };
        for (int round = 0; round < 100; ++round) {
            for (const Road& r : road) {
                for (const Vertex& v : r.vertex) {
                    if (v.point != from || !meets(r, v)) continue;
                    levels.insert(r.attributes.level);
                    if (v.node != 0) nodes.insert(v.node);
                }
            }
        }
        const std::vector<Road> before = road;
        for (Road& r : road) {
            for (std::size_t i = 0; i < r.vertex.size(); ++i) {
                if (meets(r, before[static_cast<std::size_t>(&r - road.data())].vertex[i]))
                    r.vertex[i].point = to;
            }
        }
        if (!falls_together()) return true;
        road = before;
        return false;
    }
    bool falls_together() const {
        return std::ranges::any_of(road, [](const Road& r) {
            return std::ranges::adjacent_find(r.vertex, {}, &Vertex::point) != r.vertex.end();
        });
    }
    RoadLines lines(bool backwards) const {
        RoadLines out;
        out.point_begin.push_back(0);
        std::vector<Road> order = road;
        if (backwards) std::ranges::reverse(order);
        for (const Road& r : order) {
            out.label.push_back(r.label);
            out.attributes.push_back(r.attributes);
            for (const Vertex& v : r.vertex) {
                out.point.push_back(v.point);
                out.node.push_back(v.node);
            }
            out.point_begin.push_back(static_cast<std::uint32_t>(out.point.size()));
        }
        return out;
    }
};

TEST(EditLines, EditedLinesEqualLinesWrittenThatWay) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        test::Draw draw(seed);
        std::vector<Line> town = test::town(3);
        // Some meet by place and level, some by node alone, some by both.
        for (Line& line : town) {
            if (draw.between(0, 2) == 0) line.from = 0;
            if (draw.between(0, 2) == 0) line.to = 0;
            line.attributes.level = static_cast<std::int8_t>(draw.between(0, 1));
        }
        RoadLines lines = lines_from(town);
        Model model(town);
        for (int step = 0; step < 25; ++step) {
            if (model.road.empty()) break;
            const auto pick = static_cast<std::size_t>(
                draw.between(0, static_cast<std::int32_t>(model.road.size()) - 1));
            Model::Road& road = model.road[pick];
            const std::string label = road.label;
            const auto vertex = static_cast<std::size_t>(
                draw.between(0, static_cast<std::int32_t>(road.vertex.size()) - 1));
            const GridPoint from = road.vertex[vertex].point;
            switch (draw.between(0, 6)) {
                case 0: {
                    const Line added = street("n" + std::to_string(step), 5, {});
                    const std::vector<GridPoint> path{from, from + at(draw.between(1, 50), 7),
                                                      from + at(3, 60)};
                    must(AddRoad{added.label, added.attributes, path}, lines);
                    Model::Road& made =
                        model.road.emplace_back(Model::Road{added.label, added.attributes, {}});
                    for (const GridPoint p : path) made.vertex.push_back({p, 0});
                    break;
                }
                case 1:
                    must(DeleteRoad{label}, lines);
                    model.road.erase(model.road.begin() + static_cast<std::ptrdiff_t>(pick));
                    break;
                case 2:
                    road.attributes.width = draw.between(2000, 9000);
                    must(SetRoadWidth{label, road.attributes.width}, lines);
                    break;
                case 3: {
                    // Near the middle of a segment of a road whose segments are far apart.
                    if (road.vertex.size() > 2) break;
                    const GridPoint a = road.vertex[0].point, b = road.vertex[1].point;
                    const GridPoint middle{(a.x + b.x) / 2 + 9, (a.y + b.y) / 2};
                    must(AddRoadNode{label, middle}, lines);
                    road.vertex.insert(road.vertex.begin() + 1, {middle, 0});
                    break;
                }
                case 4:
                    if (road.vertex.size() == 2) break;
                    must(DeleteRoadNode{label, from}, lines);
                    road.vertex.erase(road.vertex.begin() + static_cast<std::ptrdiff_t>(vertex));
                    break;
                default: {
                    // Sometimes onto another point of the town.
                    const GridPoint to = draw.between(0, 3) == 0
                                             ? model.road.front().vertex.front().point
                                             : from + draw.point(20 * kStepsPerMetre);
                    const bool moved = model.move(label, from, to);
                    EXPECT_EQ(apply_edit(MoveRoadNode{label, from, to}, lines).ok(), moved);
                }
            }
        }
        ASSERT_EQ(hash_of(lines), hash_of(model.lines(false)));
        ASSERT_EQ(lines.point, model.lines(false).point);
        ASSERT_EQ(hash_of(network_of(lines)), hash_of(network_of(model.lines(true))))
            << "whatever the order of lines";
    }
}

}  // namespace
}  // namespace tw::roads
