#include "terraway/recipe/edits.hpp"

#include "terraway/core/hash.hpp"

#include "support/random_edits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tw::recipe {
namespace {

using world::Edit;
using world::EditAction;
using world::EditList;

const char* const kFirst = "{\"terraway_edits\": 1}\n";

EditList must_parse(const std::string& text) {
    Result<EditList> list = parse_edits(text, "e.jsonl");
    EXPECT_TRUE(list.ok()) << to_string(list.error());
    return list.ok() ? std::move(*list) : EditList{};
}
/// The action of a list of one line.
template <class Action>
Action must_read(const std::string& line) {
    const EditList list = must_parse(kFirst + line);
    const Action* action = list.edit.empty() ? nullptr : std::get_if<Action>(&list.edit[0].action);
    EXPECT_NE(action, nullptr) << line;
    return action ? *action : Action{};
}
std::string refusal(const std::string& text) {
    const Result<EditList> list = parse_edits(text, "e.jsonl");
    return list.ok() ? "accepted" : to_string(list.error());
}
/// Expects that a third line is refused where it stands, with a remedy.
void expect_refused(const std::string& line, std::string_view part) {
    const std::string good = "{\"edit\": \"take_obstacle\", \"tick\": 5, \"obstacle\": \"x\"}\n";
    const std::string error = refusal(kFirst + good + line + "\n" + good);
    EXPECT_NE(error.find("edits: e.jsonl:3:"), std::string::npos) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_NE(error.find("; "), std::string::npos) << "no remedy: " << error;
}
bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}
constexpr GridPoint at(double x, double y) {
    return {to_steps(x), to_steps(y)};
}

TEST(EditsFile, EditsOfTheGroundAreRead) {
    const auto raise = must_read<world::RaiseGround>(
        R"({"edit": "raise", "path": [[120, -40.5], [0, 1e2]], "radius": 35, "falloff": "linear", "amount": -12.5})");
    EXPECT_EQ(raise.path, (std::vector{at(120, -40.5), at(0, 100)}));
    EXPECT_EQ(raise.brush.radius, 35 * 1024);
    EXPECT_EQ(raise.brush.falloff, world::Falloff::linear);
    EXPECT_EQ(raise.amount, -12800);
    const auto flatten = must_read<world::FlattenGround>(
        R"({"edit": "flatten", "path": [[1, 2]], "radius": 0.5, "height": 7})");
    EXPECT_EQ(flatten.brush.falloff, world::Falloff::smooth) << "when it is left out";
    EXPECT_EQ(flatten.brush.radius, 512);
    EXPECT_EQ(flatten.height, 7168);
    const auto line = must_read<world::SetLineHeight>(
        R"({"edit": "line_height", "path": [[0, 0], [9, 0]], "heights": [-1, 2.25], "radius": 4, "falloff": "constant"})");
    EXPECT_EQ(line.height, (std::vector<Steps>{-1024, 2304}));
    EXPECT_EQ(line.brush.falloff, world::Falloff::constant);
    const auto channel = must_read<world::DigChannel>(
        R"({"edit": "channel", "path": [[0, 0], [9, 0]], "width": 3, "bed_from": 2, "bed_to": -1})");
    EXPECT_EQ(channel.width, 3072);
    EXPECT_EQ(channel.bed_from, 2048);
    EXPECT_EQ(channel.bed_to, -1024);
}

TEST(EditsFile, EditsOfRoadsAreRead) {
    const auto add = must_read<world::AddRoad>(
        R"({"edit": "add_road", "road": "new", "class": "primary", "width": 8, "level": -2, "oneway": "against", "points": [[0, 0], [9, 0]]})");
    EXPECT_EQ(add.road, "new");
    EXPECT_EQ(add.attributes.road_class, world::RoadClass::primary);
    EXPECT_EQ(add.attributes.width, 8192);
    EXPECT_EQ(add.attributes.level, -2);
    EXPECT_EQ(add.attributes.form, world::RoadForm::tunnel) << "below the ground";
    EXPECT_EQ(add.attributes.oneway, world::Oneway::against);
    EXPECT_EQ(add.path.size(), 2u);
    const auto plain =
        must_read<world::AddRoad>(R"({"edit": "add_road", "road": 7, "points": [[0, 0], [9, 0]]})");
    EXPECT_EQ(plain.road, "7");
    EXPECT_EQ(plain.attributes, (world::RoadAttributes{.width = 7168}));
    EXPECT_EQ(must_read<world::DeleteRoad>(R"({"edit": "delete_road", "road": "a"})").road, "a");
    EXPECT_EQ(must_read<world::SetRoadWidth>(R"({"edit": "road_width", "road": "a", "width": 5.5})")
                  .width,
              5632);
    EXPECT_EQ(
        must_read<world::AddRoadNode>(R"({"edit": "add_road_node", "road": "a", "place": [1, 2]})")
            .place,
        at(1, 2));
    const auto move = must_read<world::MoveRoadNode>(
        R"({"edit": "move_road_node", "road": "a", "from": [1, 2], "to": [3, 4]})");
    EXPECT_EQ(move.from, at(1, 2));
    EXPECT_EQ(move.to, at(3, 4));
    EXPECT_EQ(must_read<world::DeleteRoadNode>(
                  R"({"edit": "delete_road_node", "road": "a", "place": [1, 2]})")
                  .place,
              at(1, 2));
}

TEST(EditsFile, AttributesAndObstaclesAreRead) {
    const auto value = [](const std::string& json) {
        return must_read<world::SetCellAttribute>(
                   R"({"edit": "cell_attribute", "place": [1, 2], "column": "c", "value": )" +
                   json + "}")
            .value;
    };
    EXPECT_EQ(value("null"), world::AttributeValue());
    EXPECT_EQ(value("3"), world::AttributeValue(std::int64_t{3}));
    EXPECT_EQ(value("-3"), world::AttributeValue(std::int64_t{-3}));
    EXPECT_EQ(value("-9223372036854775808"),
              world::AttributeValue(std::numeric_limits<std::int64_t>::min()));
    EXPECT_EQ(value("9223372036854775807"),
              world::AttributeValue(std::numeric_limits<std::int64_t>::max()));
    EXPECT_EQ(value("3.0"), world::AttributeValue(3.0));
    EXPECT_EQ(value("3e0"), world::AttributeValue(3.0));
    EXPECT_EQ(value(R"("three\n")"), world::AttributeValue(std::string("three\n")));
    const auto road = must_read<world::SetRoadAttribute>(
        R"({"edit": "road_attribute", "road": "a", "column": "lanes", "value": 2})");
    EXPECT_EQ(road.road, "a");
    EXPECT_EQ(road.column, "lanes");
    const auto put = must_read<world::PutObstacle>(
        R"({"edit": "put_obstacle", "obstacle": "wall", "ring": [[0, 0], [5, 0], [0, 5]]})");
    EXPECT_EQ(put.ring, (std::vector{at(0, 0), at(5, 0), at(0, 5)}));
    EXPECT_EQ(
        must_read<world::TakeObstacle>(R"({"edit": "take_obstacle", "obstacle": "wall"})").obstacle,
        "wall");
}

TEST(EditsFile, ALineWithoutTickIsOfTheTickBefore) {
    const EditList list = must_parse(std::string(kFirst) +
                                     R"({"edit": "delete_road", "road": "a"}
{"edit": "delete_road", "road": "b", "tick": 18446744073709551615}
{"edit": "delete_road", "road": "c"})");
    ASSERT_EQ(list.edit.size(), 3u);
    EXPECT_EQ(list.edit[0].tick, 0u);
    EXPECT_EQ(list.edit[1].tick, 18446744073709551615u);
    EXPECT_EQ(list.edit[2].tick, 18446744073709551615u);
}

TEST(EditsFile, WindowsLineEndsAndComments) {
    const EditList list = must_parse(
        "\xef\xbb\xbf{\"terraway_edits\": 1}\r\n"
        "{\"edit\": \"delete_road\", \"road\": \"a\"} // gone\r\n");
    EXPECT_EQ(list.edit.size(), 1u);
}

TEST(EditsFile, BadLinesAreRefusedWithTheirNumber) {
    expect_refused(R"({"edit": "raise", "path": [[0, 0]], "raduis": 5, "amount": 1})",
                   R"(raise: no such key: "raduis"; did you mean "radius"?)");
    expect_refused(R"({"edit": "raise", "path": [[0, 0]], "amount": 1})",
                   R"(raise: "radius" is missing; give metres)");
    expect_refused(R"({"edit": "rise"})", R"(there is no edit "rise"; did you mean "raise"?)");
    expect_refused(R"({"edit": 5})", "which edit");
    expect_refused("{}", "which edit");
    expect_refused("[1]", "no object");
    expect_refused("", "the line is empty");
    expect_refused("{\"edit\": \"delete_road\", \"road\": \"a\"", "expected ',' or '}'");
    expect_refused(R"({"edit": "delete_road", "road": "a", "road": "b"})", "is there twice");
    expect_refused(R"({"edit": "delete_road", "road": ["a"]})", "is no name");
    expect_refused(R"({"edit": "delete_road", "road": -5})", "is no name");
    expect_refused(R"({"edit": "delete_road", "road": ""})", "a name of 0 bytes");
    expect_refused(R"({"edit": "delete_road", "road": "a\u0007"})", "control characters");
    expect_refused(R"({"edit": "delete_road", "road": "a", "tick": 4})",
                   "the tick 4 comes after the tick 5");
    expect_refused(R"({"edit": "delete_road", "road": "a", "tick": -1})", "\"tick\" is no whole");
    expect_refused(R"({"edit": "delete_road", "road": "a", "tick": 7.5})", "\"tick\" is no whole");
    expect_refused(R"({"edit": "raise", "path": [[0, 0]], "radius": NaN, "amount": 1})", "e.jsonl");
    expect_refused(R"({"edit": "raise", "path": [[0, 0]], "radius": "5", "amount": 1})",
                   R"("radius" has what is no number: "5"; give metres)");
    expect_refused(R"({"edit": "raise", "path": [[0, 0]], "radius": 1e7, "amount": 1})",
                   "\"radius\" has 1e+07 m; keep within a million");
    expect_refused(R"({"edit": "raise", "path": [[0, 0]], "radius": 0, "amount": 1})",
                   "raise: radius: 0 m is out of range");
    expect_refused(R"({"edit": "raise", "path": [[0, 0]], "radius": 1, "amount": 9001})",
                   "-9000 to 9000 m");
    expect_refused(R"({"edit": "raise", "path": [], "radius": 1, "amount": 1})", "has 0 points");
    expect_refused(R"({"edit": "raise", "path": [[0]], "radius": 1, "amount": 1})", "no point");
    expect_refused(R"({"edit": "raise", "path": [[0, 0, 0]], "radius": 1, "amount": 1})",
                   "no point: [0,0,0]; give [x, y]");
    expect_refused(R"({"edit": "raise", "path": 5, "radius": 1, "amount": 1})", "is no list");
    expect_refused(R"({"edit": "raise", "path": [[600000, 0]], "radius": 1, "amount": 1})",
                   "outside the world");
    expect_refused(
        R"({"edit": "raise", "path": [[0, 0]], "radius": 1, "amount": 1, "falloff": "smoth"})",
        R"(did you mean "smooth"?)");
    expect_refused(
        R"({"edit": "line_height", "path": [[0, 0], [1, 0]], "heights": [1], "radius": 1})",
        "heights: 1 for 2 points");
    expect_refused(R"({"edit": "road_width", "road": "a", "width": 1001})", "width: 1001 m");
    expect_refused(R"({"edit": "add_road", "road": "a", "points": [[0, 0], [0, 0]]})", "twice");
    expect_refused(R"({"edit": "add_road", "road": "a", "level": 0.5, "points": [[0, 0], [1, 0]]})",
                   "level");
    expect_refused(
        R"({"edit": "road_attribute", "road": "a", "column": "c", "value": 9223372036854775808})",
        "too large for a whole number");
    expect_refused(R"({"edit": "road_attribute", "road": "a", "column": "c", "value": true})",
                   "is no value");
    expect_refused(R"({"edit": "road_attribute", "road": "a", "column": "c"})",
                   R"("value" is missing)");
    expect_refused(
        R"({"edit": "put_obstacle", "obstacle": "a", "ring": [[0, 0], [9, 9], [9, 0], [0, 9]]})",
        "touch");
    expect_refused(R"({"terraway_edits": 1})", "which edit");
}

TEST(EditsFile, TheFirstLineSaysTheVersion) {
    EXPECT_TRUE(must_parse("{\"terraway_edits\": 1}").edit.empty());
    const std::string newer = refusal("{\"terraway_edits\": 2, \"zip\": true}\n{\"edit\": 1}\n");
    EXPECT_TRUE(contains(newer,
                         "e.jsonl:1: the edits are of version 2, this program reads up to "
                         "1; use a newer program"))
        << newer;
    EXPECT_EQ(parse_edits("{\"terraway_edits\": 2}", "e").error().code, ErrorCode::unsupported);
    for (const char* text : {"", "{}", "{\"terraway_edits\": 0}", "{\"terraway_edits\": \"1\"}",
                             "{\"terraway_edits\": 1.0}", "{\"terraway_edits\": 1, \"more\": 2}",
                             "{\"edit\": \"delete_road\", \"road\": \"a\"}", "{\"terraway_ed"}) {
        const std::string error = refusal(text);
        EXPECT_TRUE(contains(error, "e.jsonl:1: ")) << text << ": " << error;
        EXPECT_TRUE(contains(error, "; ")) << error;
    }
}

TEST(EditsFile, SizesAreBounded) {
    EXPECT_TRUE(contains(refusal(std::string(kMaxEditsBytes + 1, ' ')), "more than 256 MB"));
    EXPECT_TRUE(contains(refusal(kFirst + std::string(kMaxEditBytes + 1, ' ')),
                         "e.jsonl:2: the line is longer than 8 MB"));
    std::string path = "[0,0]";
    for (std::size_t i = 0; i < world::kMaxPathPoints; ++i) path += ",[0,0]";
    expect_refused(R"({"edit": "raise", "radius": 1, "amount": 1, "path": [)" + path + "]}",
                   "more than 100000 points");
    expect_refused(R"({"edit": "raise", "radius": )" + std::string(200, '['), "nested deeper");
}

/// The bits of a list: hashes alone would take −0 for 0.
std::string bits_of(const EditList& list) {
    std::string bits = hash_to_text(hash_of(list));
    for (const Edit& edit : list.edit) {
        const auto* cell = std::get_if<world::SetCellAttribute>(&edit.action);
        const auto* number = cell ? std::get_if<double>(&cell->value) : nullptr;
        if (number) bits += " " + std::to_string(std::bit_cast<std::uint64_t>(*number));
    }
    return bits;
}

TEST(EditsFile, WhatIsWrittenIsReadBackBitForBit) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const EditList list = test::random_edits(seed, 60);
        const std::string text = to_text(list);
        const EditList again = must_parse(text);
        ASSERT_EQ(bits_of(again), bits_of(list)) << "seed " << seed;
        ASSERT_EQ(to_text(again), text);
        // Without its hashes it says the same.
        std::string plain = text;
        for (std::size_t hash; (hash = plain.find(",\"hash\":")) != std::string::npos;) {
            plain.erase(hash, plain.find('}', hash) - hash);
        }
        ASSERT_EQ(bits_of(must_parse(plain)), bits_of(list));
    }
}

TEST(EditsFile, ExtremeNumbersSurvive) {
    EditList list;
    for (const double value :
         {-0.0, 1e300, -1e-300, 0.1, 3.0, 1e15, 123456789012345680.0,
          std::numeric_limits<double>::max(), std::numeric_limits<double>::min(), -1.0}) {
        list.edit.push_back({7, world::SetCellAttribute{{}, 0, "c", value}});
    }
    for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1},
                                     std::numeric_limits<std::int64_t>::max()}) {
        list.edit.push_back({7, world::SetCellAttribute{{}, 0, "c", value}});
    }
    for (const Steps steps : {kMaxCoordinate, -kMaxCoordinate, 1, -1, 1023, kMaxCoordinate - 1}) {
        list.edit.push_back({std::numeric_limits<std::uint64_t>::max(),
                             world::AddRoadNode{"\"\\/\xf0\x9f\x8c\x8d", {steps, -steps}}});
    }
    const EditList again = must_parse(to_text(list));
    EXPECT_EQ(bits_of(again), bits_of(list));
    EXPECT_TRUE(contains(to_text(list), "[0.0009765625,-0.0009765625]"));
    EXPECT_TRUE(contains(to_text(list), "[524288,-524288]"));
}

TEST(EditsFile, TheRollingHashIsThatOfTheBytes) {
    const EditList list =
        must_parse(std::string(kFirst) +
                   "{\"edit\": \"take_obstacle\", \"tick\": 258, \"obstacle\": \"wall\"}\n"
                   "{\"edit\": \"delete_road\", \"tick\": 259, \"road\": \"a\"}\n");
    // The hash before, the tick, the kind's index, then the name after its length.
    const unsigned char first[] = {0, 0,  0, 0, 0, 0, 0, 0, 2, 1, 0,   0,   0,   0,  0,
                                   0, 13, 4, 0, 0, 0, 0, 0, 0, 0, 'w', 'a', 'l', 'l'};
    const std::uint64_t one = hash_bytes(std::as_bytes(std::span(first)));
    std::vector<unsigned char> second(8);
    for (int i = 0; i < 8; ++i)
        second[static_cast<std::size_t>(i)] = static_cast<unsigned char>(one >> 8 * i);
    second.insert(second.end(), {3, 1, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 'a'});
    EXPECT_EQ(rolling_hash(list), hash_bytes(std::as_bytes(std::span(second))));
    EXPECT_TRUE(contains(to_text(list), "\"hash\":\"" + hash_to_text(one) + "\""));
    EXPECT_EQ(rolling_hash({}), 0u);
}

TEST(EditsFile, AppendedLinesMakeTheSameText) {
    const EditList list = test::random_edits(3, 40);
    std::string text = first_line();
    std::uint64_t rolling = 0;
    for (const Edit& edit : list.edit) text += to_line(edit, rolling);
    EXPECT_EQ(text, to_text(list));
    EXPECT_EQ(rolling, rolling_hash(list));
}

TEST(EditsFile, LinesGoOnWithAList) {
    const EditList list = test::random_edits(5, 20);
    const EditList begun{{list.edit.begin(), list.edit.begin() + 12}};
    std::uint64_t rolling = rolling_hash(begun);
    const EditsBefore before{.tick = begun.edit.back().tick, .rolling = rolling};
    std::string rest;
    for (std::size_t i = 12; i < list.edit.size(); ++i) rest += to_line(list.edit[i], rolling);
    const auto read = parse_edit_lines(rest, "more", before);
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    EXPECT_EQ(hash_of(*read), hash_of(EditList{{list.edit.begin() + 12, list.edit.end()}}));
    EXPECT_TRUE(parse_edit_lines("", "more", before)->edit.empty());

    // Hashes and ticks are those of the whole list; lines count from 1.
    const auto elsewhere = parse_edit_lines(rest, "more", {.tick = before.tick});
    EXPECT_TRUE(contains(to_string(elsewhere.error()), "more:1: ")) << to_string(elsewhere.error());
    const std::string line = "{\"edit\": \"delete_road\", \"road\": \"a\"}\n";
    EXPECT_EQ(parse_edit_lines(line, "more", {.tick = 70})->edit[0].tick, 70u);
    const auto early = parse_edit_lines(
        line + R"({"edit": "delete_road", "tick": 69, "road": "b"})", "more", {.tick = 70});
    EXPECT_TRUE(contains(to_string(early.error()), "more:2: ")) << to_string(early.error());
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}
std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

TEST(EditsFile, AChangedLineIsFound) {
    const std::vector<std::string> lines = lines_of(to_text(test::random_edits(4, 12)));
    const auto expect_found = [](const std::vector<std::string>& changed, std::size_t line) {
        const std::string error = refusal(joined(changed));
        EXPECT_TRUE(contains(error, "e.jsonl:" + std::to_string(line) + ": ")) << error;
        EXPECT_TRUE(contains(error, "was changed since its hash")) << error;
    };
    std::vector<std::string> without = lines;
    without.erase(without.begin() + 4);
    expect_found(without, 5);
    std::vector<std::string> swapped = lines;
    std::swap(swapped[4], swapped[5]);
    expect_found(swapped, 5);
    std::vector<std::string> twice = lines;
    twice.insert(twice.begin() + 4, twice[4]);
    expect_found(twice, 6);
    std::vector<std::string> changed = lines;
    changed.insert(changed.begin() + 2, R"({"edit": "delete_road", "road": "a"})");
    expect_found(changed, 4);
}

TEST(EditsFile, AFileCutShortIsRefusedOrAWholeBeginning) {
    const EditList list = test::random_edits(5, 6);
    const std::string text = to_text(list);
    for (std::size_t size = 0; size < text.size(); ++size) {
        const Result<EditList> cut = parse_edits(text.substr(0, size), "e.jsonl");
        if (text[size] == '\n' || (size > 0 && text[size - 1] == '\n')) {
            ASSERT_TRUE(cut.ok()) << size;
            ASSERT_LE(cut->edit.size(), list.edit.size());
            for (std::size_t i = 0; i < cut->edit.size(); ++i) {
                ASSERT_EQ(hash_of(cut->edit[i]), hash_of(list.edit[i]));
            }
        } else {
            ASSERT_FALSE(cut.ok()) << size;
            const auto line =
                1 +
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), '\n');
            ASSERT_TRUE(contains(to_string(cut.error()), "e.jsonl:" + std::to_string(line) + ": "))
                << to_string(cut.error());
        }
    }
}

std::filesystem::path schema_path() {
    return std::filesystem::path(TERRAWAY_SOURCE_DIR) / "docs" / "edits.schema.json";
}

TEST(EditsSchema, TheFileInDocsIsUpToDate) {
    if (std::getenv("TERRAWAY_UPDATE_SCHEMA")) {
        std::ofstream(schema_path()) << edits_schema_text();
    }
    std::ifstream file(schema_path());
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), edits_schema_text())
        << "run recipe_tests with TERRAWAY_UPDATE_SCHEMA=1 to write it again";
}

TEST(EditsSchema, KnowsTheKeysOfEveryLine) {
    const auto schema = nlohmann::json::parse(edits_schema_text());
    std::map<std::string, nlohmann::json> kinds;
    for (const auto& kind : schema.at("oneOf")) {
        const auto& properties = kind.at("properties");
        EXPECT_EQ(kind.at("additionalProperties"), false);
        if (properties.contains("edit")) kinds[properties.at("edit").at("const")] = kind;
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<EditAction>);
    std::map<std::string, int> seen;
    for (const std::string& line : lines_of(to_text(test::random_edits(6, 300)))) {
        const auto edit = nlohmann::json::parse(line);
        if (!edit.contains("edit")) continue;
        const nlohmann::json& kind = kinds.at(edit.at("edit"));
        ++seen[edit.at("edit")];
        EXPECT_EQ(edit.size(), kind.at("properties").size()) << line;
        for (const auto& [key, value] : edit.items()) {
            EXPECT_TRUE(kind.at("properties").contains(key)) << key;
        }
        // Each key that must be there is missed when it is not.
        for (const auto& key : kind.at("required")) {
            auto less = edit;
            less.erase(key.get<std::string>());
            less.erase("hash");
            EXPECT_NE(refusal(kFirst + less.dump()), "accepted") << key;
        }
        for (const auto& [key, value] : edit.items()) {
            const auto& required = kind.at("required");
            if (std::find(required.begin(), required.end(), key) != required.end()) continue;
            auto less = edit;
            less.erase(key);
            less.erase("hash");
            EXPECT_EQ(refusal(kFirst + less.dump()), "accepted") << key;
        }
    }
    EXPECT_EQ(seen.size(), kinds.size());
}

}  // namespace
}  // namespace tw::recipe
