#include "terraway/recipe/recipe.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tw::recipe {
namespace {

Result<Recipe> with_lines(const std::string& lines) {
    return parse_recipe(R"({"terraway": 1, "roads": {"lines": )" + lines + "}}", "r.json");
}

world::ImportedLines lines_of(const std::string& lines) {
    const Result<Recipe> recipe = with_lines(lines);
    EXPECT_TRUE(recipe.ok()) << to_string(recipe.error());
    return recipe.ok() ? *recipe->world.roads_lines : world::ImportedLines{};
}

/// The message that refuses one road made of `members`.
std::string refusal(const std::string& members) {
    const Result<Recipe> recipe = with_lines("[{\"id\": \"r7\", " + members + "}]");
    return recipe.ok() ? "accepted" : recipe.error().message;
}

TEST(RoadLines, AttributesAndPointsInSteps) {
    const auto lines = lines_of(R"([
        {"id": "a", "from": "n", "to": "m", "width": 7.5, "level": 1, "class": "primary", "oneway": true,
         "points": [[0, 0], [1.5, -2.25]]},
        {"id": 12, "level": -1, "oneway": "against", "points": [[10000000.0, 0, 5], [0, 0.0004]]},
        {"level": 2, "form": "ground", "points": [[0, 0], [1, 1], [2, 2]]}])");
    ASSERT_EQ(lines.label.size(), 3u);
    EXPECT_EQ(lines.label.values(), (std::vector<std::string>{"a", "12", "r2"}));
    const auto& roads = lines.attributes.values();
    EXPECT_EQ(roads[0], (world::RoadAttributes{.width = 7680,
                                               .level = 1,
                                               .road_class = world::RoadClass::primary,
                                               .form = world::RoadForm::bridge,
                                               .oneway = world::Oneway::along}));
    EXPECT_EQ(roads[1].form, world::RoadForm::tunnel);
    EXPECT_EQ(roads[1].oneway, world::Oneway::against);
    EXPECT_EQ(roads[2].form, world::RoadForm::ground);
    EXPECT_EQ(roads[2].width, 7 * 1024);
    EXPECT_EQ(lines.x.values(),
              (std::vector<std::int64_t>{0, 1536, 10240000000, 0, 0, 1024, 2048}));
    EXPECT_EQ(lines.y.values(), (std::vector<std::int64_t>{0, -2304, 0, 0, 0, 1024, 2048}));
    EXPECT_EQ(lines.point_begin.values(), (std::vector<std::uint32_t>{0, 2, 4, 7}));
}

TEST(RoadLines, EqualNamesAreOneNode) {
    const auto lines = lines_of(R"([
        {"from": "c", "to": "e", "points": [[0, 0], [1, 1], [9, 9]]},
        {"from": "w", "to": "c", "points": [[5, 5], [0, 0]]}])");
    const auto& node = lines.node.values();
    EXPECT_NE(node[0], world::ImportedLines::kNoNode);
    EXPECT_EQ(node[1], world::ImportedLines::kNoNode);
    EXPECT_EQ(node[0], node[4]);
    EXPECT_NE(node[2], node[0]);
    EXPECT_NE(node[3], node[2]);
}

TEST(RoadLines, InnerPointsMayBeNodes) {
    const auto lines = lines_of(R"([
        {"from": "c", "via": [[2, "d"], [1, 7]], "points": [[0, 0], [1, 1], [2, 2], [3, 3]]},
        {"from": "d", "to": "7", "points": [[2, 2], [1, 1]]}])");
    const auto& node = lines.node.values();
    EXPECT_EQ(node[2], node[4]);
    EXPECT_EQ(node[1], node[5]);
    EXPECT_NE(node[1], node[2]);
    EXPECT_EQ(node[3], world::ImportedLines::kNoNode);
    const std::string points = R"("points": [[0, 0], [5, 0], [9, 0]])";
    EXPECT_EQ(refusal(R"("via": [[1, "a"]], )" + points), "accepted");
    for (const char* index : {"0", "2", "3", "-1", "1.5", "\"1\""}) {
        EXPECT_NE(refusal(std::string("\"via\": [[") + index + ", \"a\"]], " + points)
                      .find("give an inner one"),
                  std::string::npos)
            << index;
    }
    for (const char* via : {"5", "[1]", "[[1]]", "[[1, \"a\", 2]]", "[[1, null]]"}) {
        EXPECT_NE(refusal(std::string("\"via\": ") + via + ", " + points), "accepted") << via;
    }
}

// The names that streets.lines.json gives to the nodes of a map.
TEST(RoadLines, ANameOfANumberIsThatNode) {
    const auto node_of = [](const std::string& name) {
        return lines_of("[{\"from\": \"" + name + "\", \"points\": [[0, 0], [1, 1]]}]")
            .node[world::LinePointId(0)];
    };
    EXPECT_EQ(node_of("n25178088"), 25178088u);
    EXPECT_EQ(node_of("n18446744073709551615"), UINT64_MAX);
    for (const char* name : {"n", "n0", "n01", "n1x", "n-1", "n18446744073709551616", "1", "m1"}) {
        EXPECT_GT(node_of(name), 1u << 20) << name << ": a hash";
    }
}

TEST(RoadLines, WrongRoadsAreNamed) {
    const std::string points = R"("points": [[0, 0], [9, 0]])";
    EXPECT_EQ(refusal(points), "accepted");
    EXPECT_EQ(refusal(R"("width": 0, )" + points),
              "roads.lines \"r7\": a width of 0 m; give 0.1 ... 200");
    EXPECT_NE(refusal(R"("width": -3, )" + points).find("\"r7\": a width of -3 m"),
              std::string::npos);
    EXPECT_EQ(refusal(R"("points": [[0, 0]])"),
              "roads.lines \"r7\": has 1 points; give two or more");
    EXPECT_EQ(refusal(R"("width": 5)"), "roads.lines \"r7\": has no points; give two or more");
    EXPECT_NE(refusal(R"("points": [[0, 0], [1e12, 0]])").find("too far out"), std::string::npos);
    EXPECT_NE(refusal(R"("points": [[0, 0], [1]])").find("this is no point; give [x, y]"),
              std::string::npos);
    EXPECT_NE(refusal(R"("points": [[0, 0], [1, null]])").find("is no number; give metres"),
              std::string::npos);
    EXPECT_NE(refusal(R"("class": "residental", )" + points).find("did you mean \"residential\"?"),
              std::string::npos);
    EXPECT_NE(refusal(R"("widht": 3, )" + points).find("did you mean \"width\"?"),
              std::string::npos);
    EXPECT_NE(refusal(R"("level": 1.5, )" + points).find("whole number"), std::string::npos);
    EXPECT_NE(refusal(R"("oneway": 1, )" + points).find("give no, along or against"),
              std::string::npos);
    EXPECT_FALSE(with_lines("[]").ok());
    EXPECT_FALSE(with_lines("{}").ok());
    EXPECT_FALSE(with_lines("[1]").ok());
}

TEST(RoadLines, TwoRoadsOfOneIdAreRefused) {
    const auto twice = with_lines(
        R"([{"id": "a", "points": [[0, 0], [1, 0]]}, {"id": "a", "points": [[0, 5], [1, 5]]}])");
    ASSERT_FALSE(twice.ok());
    EXPECT_NE(twice.error().message.find("\"a\": two roads have this id"), std::string::npos);
}

TEST(RoadLines, LinesAndAFileContradictEachOther) {
    const auto both = parse_recipe(
        R"({"terraway": 1, "roads": {"file": "x.osm", "lines": [{"points": [[0, 0], [1, 0]]}]}})",
        "r.json");
    ASSERT_FALSE(both.ok());
    EXPECT_EQ(both.error().code, ErrorCode::invalid_option);
}

}  // namespace
}  // namespace tw::recipe
