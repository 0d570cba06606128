#include "terraway/core/hash.hpp"
#include "terraway/core/random.hpp"
#include "terraway/recipe/edits.hpp"
#include "terraway/roads/edit_lines.hpp"
#include "terraway/world/attributes.hpp"
#include "terraway/world/obstacles.hpp"

#include "support/road_lines.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace tw::recipe {
namespace {

using world::AttributeValue;
using world::CellId;
using world::Edit;
using world::EditAction;
using world::EditList;

constexpr GridPoint at(std::int32_t x, std::int32_t y) {
    return {x * kStepsPerMetre, y * kStepsPerMetre};
}

/// What edits change, the ground aside: 16 square cells of 10 m, roads and obstacles.
struct SmallWorld {
    static constexpr std::size_t kCells = 16;
    world::Attributes attributes;
    world::RoadLines lines;
    world::Obstacles obstacles;
    std::vector<std::uint64_t> ground;  ///< the edits of the ground, in order

    SmallWorld() {
        lines = test::lines_from({test::street("a", 5, {{0, 0}, {10, 0}, {20, 0}}),
                                  test::street("b", 5, {{10, 0}, {10, 20}}, 7, 8),
                                  test::street("c", 5, {{10, 20}, {30, 20}}, 8, 9)});
        EXPECT_TRUE(
            world::apply_edit(world::PutObstacle{"o0", {at(0, 0), at(1, 0), at(0, 1)}}, obstacles)
                .ok());
    }
    static std::vector<CellId> cells_of(const world::SetCellAttribute& edit) {
        std::vector<CellId> cells;
        for (std::int32_t i = 0; i < 16; ++i) {
            const GridPoint site = at(i % 4 * 10 + 5, i / 4 * 10 + 5);
            const bool near = edit.radius == 0 ? edit.place.x / (10 * kStepsPerMetre) == i % 4 &&
                                                     edit.place.y / (10 * kStepsPerMetre) == i / 4
                                               : distance2(site, edit.place) <=
                                                     std::int64_t{edit.radius} * edit.radius;
            if (near) cells.emplace_back(static_cast<std::uint32_t>(i));
        }
        return cells;
    }
    bool has_road(const std::string& road) const {
        const auto labels = lines.label.span();
        return std::ranges::find(labels, road) != labels.end();
    }
    bool apply(const EditAction& action) {
        if (const auto* cell = std::get_if<world::SetCellAttribute>(&action))
            return world::apply_edit(*cell, cells_of(*cell), kCells, attributes).ok();
        if (const auto* road = std::get_if<world::SetRoadAttribute>(&action))
            return has_road(road->road) && world::apply_edit(*road, attributes).ok();
        if (const auto* put = std::get_if<world::PutObstacle>(&action))
            return world::apply_edit(*put, obstacles).ok();
        if (const auto* take = std::get_if<world::TakeObstacle>(&action))
            return world::apply_edit(*take, obstacles).ok();
        if (action.index() < 4) ground.push_back(hash_of(action));
        return roads::apply_edit(action, lines).ok();
    }
    std::uint64_t hash() const {
        Hasher hasher;
        hasher.add(attributes).add(lines).add(obstacles).add(ground);
        return hasher.finish();
    }
};

std::uint64_t world_of(const EditList& list) {
    SmallWorld world;
    for (std::size_t i = 0; i < list.edit.size(); ++i) {
        EXPECT_TRUE(world.apply(list.edit[i].action))
            << i << ": " << world::name_of(list.edit[i].action);
    }
    return world.hash();
}

EditList list_of(const std::vector<EditAction>& actions) {
    EditList list;
    for (const EditAction& action : actions) list.edit.push_back({list.edit.size(), action});
    return list;
}
/// Which of the actions are left, by their ticks: "0 2 ".
std::string left_of(const std::vector<EditAction>& actions) {
    const EditList list = list_of(actions);
    const EditList squashed = squash(list);
    EXPECT_EQ(world_of(squashed), world_of(list));
    std::string left;
    for (const Edit& edit : squashed.edit) left += std::to_string(edit.tick) + " ";
    return left;
}

world::SetCellAttribute cell(GridPoint place, Steps radius, AttributeValue value) {
    return {place, radius, "owner", std::move(value)};
}
world::SetRoadAttribute road(std::string name, AttributeValue value) {
    return {std::move(name), "lanes", std::move(value)};
}
world::PutObstacle put(std::string name) {
    return {std::move(name), {at(0, 0), at(9, 0), at(0, 9)}};
}
world::AddRoad add(std::string name) {
    return {std::move(name), {.width = 5000}, {at(0, 30), at(30, 30), at(30, 0)}};
}

TEST(Squash, ObstaclesThatCameAndWent) {
    using world::TakeObstacle;
    EXPECT_EQ(left_of({put("x"), put("y"), TakeObstacle{"x"}}), "1 ");
    EXPECT_EQ(left_of({put("x"), TakeObstacle{"x"}, put("x")}), "2 ");
    EXPECT_EQ(left_of({TakeObstacle{"o0"}, put("o0")}), "0 1 ") << "another outline";
    EXPECT_EQ(left_of({TakeObstacle{"o0"}, put("o0"), TakeObstacle{"o0"}}), "0 ");
}

TEST(Squash, ValuesOfCellsThatAreReplaced) {
    const AttributeValue one = std::int64_t{1}, two = std::int64_t{2}, none;
    EXPECT_EQ(left_of({cell(at(1, 1), 0, one), cell(at(1, 1), 0, two)}), "1 ");
    EXPECT_EQ(left_of({cell(at(1, 1), 0, one), cell(at(2, 1), 0, two)}), "0 1 ")
        << "whether it is the same cell, the list does not tell";
    EXPECT_EQ(left_of({cell(at(1, 1), 0, one), cell(at(1, 1), 9999, two)}), "0 1 ");
    EXPECT_EQ(left_of({cell(at(1, 1), 20'000, one), cell(at(5, 1), 0, two),
                       cell(at(1, 1), 20'000, none), cell(at(1, 1), 20'000, two)}),
              "1 3 ");
    EXPECT_EQ(left_of({cell(at(1, 1), 0, one), cell(at(1, 1), 0, none)}), "0 1 ")
        << "the column stays";
    EXPECT_EQ(left_of({cell(at(1, 1), 0, one), cell(at(1, 1), 0, none), cell(at(1, 1), 0, none)}),
              "0 2 ");
}

TEST(Squash, ValuesOfRoadsThatAreReplaced) {
    const AttributeValue one = std::int64_t{1}, two = std::int64_t{2};
    EXPECT_EQ(left_of({road("a", one), road("b", one), road("a", two)}), "1 2 ");
    EXPECT_EQ(left_of({road("a", one), world::DeleteRoad{"a"}, add("a"), road("a", two)}),
              "0 1 2 3 ");
    EXPECT_EQ(
        left_of({road("b", one), world::DeleteRoadNode{"b", at(10, 20)}, add("b"), road("b", two)}),
        "0 1 2 3 ")
        << "a road of two points goes with one of them";
}

TEST(Squash, WidthsThatAreReplaced) {
    using world::DeleteRoad;
    using world::SetRoadWidth;
    EXPECT_EQ(left_of({SetRoadWidth{"a", 10}, SetRoadWidth{"b", 11}, SetRoadWidth{"a", 12}}),
              "1 2 ");
    EXPECT_EQ(left_of({SetRoadWidth{"a", 10}, DeleteRoad{"a"}}), "1 ");
    EXPECT_EQ(left_of({SetRoadWidth{"a", 10}, DeleteRoad{"a"}, add("a"), SetRoadWidth{"a", 9}}),
              "1 2 3 ");
    EXPECT_EQ(left_of({SetRoadWidth{"b", 10}, world::DeleteRoadNode{"b", at(10, 20)}, add("b"),
                       SetRoadWidth{"b", 9}}),
              "0 1 2 3 ");
}

TEST(Squash, RoadsThatCameAndWent) {
    using world::AddRoadNode;
    using world::DeleteRoad;
    using world::DeleteRoadNode;
    using world::MoveRoadNode;
    const AttributeValue one = std::int64_t{1};
    EXPECT_EQ(left_of({add("n"), add("m"), world::SetRoadWidth{"n", 99},
                       AddRoadNode{"n", at(15, 31)}, DeleteRoadNode{"n", at(30, 0)},
                       MoveRoadNode{"a", at(0, 0), at(0, 30)}, DeleteRoad{"n"}}),
              "1 5 ");
    EXPECT_EQ(left_of({add("n"), MoveRoadNode{"n", at(30, 0), at(40, 0)}, DeleteRoad{"n"}}),
              "0 1 2 ")
        << "others may have moved along";
    EXPECT_EQ(left_of({add("n"), road("n", one), DeleteRoad{"n"}}), "0 1 2 ");
    EXPECT_EQ(left_of({DeleteRoad{"a"}, add("a"), DeleteRoad{"a"}}), "0 ");
    EXPECT_EQ(left_of({add("n"), DeleteRoadNode{"n", at(30, 0)}, DeleteRoadNode{"n", at(0, 30)},
                       add("n"), DeleteRoad{"n"}}),
              "0 1 2 ");
}

TEST(Squash, TheGroundAndMovesStay) {
    const world::Brush brush{.radius = 1024};
    EXPECT_EQ(left_of({world::RaiseGround{{at(1, 1)}, brush, 100},
                       world::RaiseGround{{at(1, 1)}, brush, -100},
                       world::FlattenGround{{at(1, 1)}, brush, 0},
                       world::FlattenGround{{at(1, 1)}, brush, 0}}),
              "0 1 2 3 ");
    using world::MoveRoadNode;
    // On its way the end of b meets a's first point and takes it along.
    EXPECT_EQ(
        left_of({MoveRoadNode{"c", at(30, 20), at(0, 0)}, MoveRoadNode{"c", at(0, 0), at(5, 9)}}),
        "0 1 ");
}

class Draws {
public:
    explicit Draws(std::uint64_t seed) : stream_(Seed{seed}, Purpose("squash.test"), 0) {}

    std::int32_t below(std::uint32_t n) { return static_cast<std::int32_t>(stream_.below(n)); }
    std::string road() { return std::array{"a", "b", "c", "n", "m"}[stream_.below(5)]; }
    GridPoint place() {
        const std::int32_t x = below(4) * 10;
        const std::int32_t y = below(4) * 10;
        return at(x, y);
    }
    AttributeValue value() {
        const std::int32_t number = below(4);
        return number == 0 ? AttributeValue() : AttributeValue(std::int64_t{number});
    }
    std::string column() { return below(2) == 0 ? "owner" : "lanes"; }
    EditAction action() {
        const GridPoint p = place();
        const GridPoint q = place();
        switch (below(10)) {
            case 0:
                return world::RaiseGround{{p}, {.radius = 1024}, below(99)};
            case 1: {
                const Steps radius = below(2) * 12'000;
                return world::SetCellAttribute{p, radius, column(), value()};
            }
            case 2:
                return world::SetRoadAttribute{road(), column(), value()};
            case 3:
                return world::AddRoad{road(), {.width = 1 + below(99)}, {p, q, p + at(3, 4)}};
            case 4:
                return world::DeleteRoad{road()};
            case 5:
                return world::SetRoadWidth{road(), 1 + below(99)};
            case 6:
                return world::AddRoadNode{road(), p + at(1, 2)};
            case 7:
                return world::MoveRoadNode{road(), p, q};
            case 8:
                return world::DeleteRoadNode{road(), p};
            default: {
                const std::string name = "o" + std::to_string(below(3));
                if (below(2) == 0) return world::TakeObstacle{name};
                return world::PutObstacle{name, {p, p + at(1, 0), p + at(0, 1)}};
            }
        }
    }

private:
    RandomStream stream_;
};

TEST(Squash, GivesTheSameWorldBitForBit) {
    std::size_t whole = 0, left = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        SCOPED_TRACE(seed);
        Draws draws(seed);
        SmallWorld world;
        EditList list;
        while (list.edit.size() < 40) {
            const EditAction action = draws.action();
            const auto* added = std::get_if<world::AddRoad>(&action);
            if (added && added->path[0] == added->path[1]) continue;
            if (world.apply(action)) list.edit.push_back({list.edit.size() / 3, action});
        }
        const EditList squashed = squash(list);
        ASSERT_EQ(world_of(squashed), world.hash());
        ASSERT_EQ(to_text(squash(squashed)), to_text(squashed));
        ASSERT_TRUE(parse_edits(to_text(squashed), "squashed").ok()) << "ticks in order";
        whole += list.edit.size();
        left += squashed.edit.size();
    }
    EXPECT_LT(left * 10, whole * 9) << "nothing much was left out";
}

}  // namespace
}  // namespace tw::recipe
