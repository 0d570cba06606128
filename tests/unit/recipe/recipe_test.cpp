#include "terraway/recipe/recipe.hpp"

#include "terraway/recipe/parameters.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace tw::recipe {
namespace {

using Overrides = std::vector<std::string>;

Recipe must_parse(std::string_view text, const Overrides& overrides = {}) {
    Result<Recipe> recipe = parse_recipe(text, "r.json", overrides);
    EXPECT_TRUE(recipe.ok()) << to_string(recipe.error());
    return recipe.ok() ? std::move(recipe).value() : Recipe{};
}

/// The error as the user sees it.
std::string refusal(std::string_view text, const Overrides& overrides = {}) {
    const Result<Recipe> recipe = parse_recipe(text, "r.json", overrides);
    return recipe.ok() ? "accepted" : to_string(recipe.error());
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(Recipe, ReadsEveryKindOfParameter) {
    const Recipe recipe = must_parse(R"({
        // a comment
        "terraway": 1, "name": "Test", "notes": {"any": [1, "thing"]},
        "seed": 18446744073709551615, "size": [2000, 1000.5], /* and
        another */ "fit": "crop",
        "terrain": {"cells": 2e3, "shape": "plain", "range": [-10, 50], "file": "a/b.png",
                    "encoding": "terrain_rgb"},
        "water": {"depressions": "carve", "rain": 1.5}
    })");
    EXPECT_EQ(recipe.name, "Test");
    EXPECT_EQ(recipe.notes, R"({"any":[1,"thing"]})");
    EXPECT_EQ(recipe.world.seed.value, 18446744073709551615u);
    EXPECT_EQ(*recipe.world.placement.size, (std::array{2000.0, 1000.5}));
    EXPECT_EQ(recipe.world.placement.fit, world::Fit::crop);
    EXPECT_EQ(recipe.world.sites.cells, 2000u);
    EXPECT_EQ(recipe.world.relief.shape, terrain::Shape::plain);
    EXPECT_EQ(recipe.world.terrain_reading.range_low, -10.0);
    EXPECT_EQ(recipe.world.terrain_reading.range_high, 50.0);
    EXPECT_EQ(recipe.world.terrain_reading.encoding, pipeline::HeightEncoding::terrain_rgb);
    EXPECT_EQ(recipe.world.terrain_file, "a/b.png");
    EXPECT_EQ(recipe.terrain_file.path, "a/b.png");
    EXPECT_EQ(recipe.terrain_file.origin, PathOrigin::recipe);
    EXPECT_EQ(recipe.terrain_file.place, "r.json:6");
    EXPECT_EQ(recipe.world.drainage.depressions, terrain::Depressions::carve);
    EXPECT_EQ(recipe.world.drainage.rain, 1.5);
}

TEST(Recipe, WhatIsLeftOutIsTheStagesDefault) {
    const Recipe recipe = must_parse(R"({"terraway": 1})");
    EXPECT_EQ(hash_of(recipe.world.relief), hash_of(terrain::ReliefOptions{}));
    EXPECT_EQ(hash_of(recipe.world.cost), hash_of(navigation::CostOptions{}));
    EXPECT_FALSE(recipe.world.placement.size.has_value());
    EXPECT_EQ(recipe.world.roads_lines, nullptr);
}

TEST(Recipe, ErrorsNameThePlaceAndTheRemedy) {
    EXPECT_TRUE(contains(refusal("{\"terraway\": 1,\n \"seed\" 2}"), "r.json:2:9: expected ':'"));
    EXPECT_TRUE(
        contains(refusal("{\"terraway\": 1,\n\n\"terrain\": {\"cells\": 3}}"),
                 "r.json:3: terrain.cells: no good value: 3; give a whole number, 16 to 4000000"));
    EXPECT_TRUE(contains(refusal(R"({"terraway": 1, "terrain": {"cels": 300}})"),
                         "r.json:1: terrain.cels: no such parameter; did you mean terrain.cells?"));
    EXPECT_TRUE(
        contains(refusal(R"({"terraway": 1, "cells": 300})"), "did you mean terrain.cells?"));
    EXPECT_TRUE(contains(refusal(R"({"terraway": 1, "terain": {}})"), "did you mean terrain?"));
    EXPECT_TRUE(contains(refusal(R"({"terraway": 1, "terrain": {"shape": "islnd"}})"),
                         "one of island, continent or plain; did you mean \"island\"?"));
    EXPECT_TRUE(contains(refusal(R"({"seed": 1})"), "terraway: is missing"));
    EXPECT_TRUE(contains(refusal(R"({"terraway": 2, "new": 1})"), "use a newer program"));
    EXPECT_TRUE(
        contains(refusal(R"({"terraway": 1, "seed": 1, "seed": 2})"), "\"seed\" is there twice"));
    EXPECT_TRUE(
        contains(refusal(R"({"terraway": 1, "terrain": {"range": [5, 5]}})"), "terrain.range"));
    EXPECT_TRUE(contains(refusal(R"({"terraway": 1, "terrain": 5})"), "is no object; give {"));
    EXPECT_TRUE(contains(refusal("[1]"), "a recipe is an object"));
    EXPECT_TRUE(contains(refusal(""), "expected a value, found the end of the text"));
}

TEST(Recipe, WhatIsNoJsonIsRefused) {
    for (const std::string_view text : {"{\"terraway\": 1,}",
                                        "{\"terraway\": 01}",
                                        "{\"terraway\": 1.}",
                                        "{\"terraway\": .5}",
                                        "{\"terraway\": +1}",
                                        "{\"terraway\": 1e}",
                                        "{\"terraway\": nul}",
                                        "{'terraway': 1}",
                                        "{\"terraway\": 1} x",
                                        "{\"terraway\": 1",
                                        "{\"name\": \"a\nb\", \"terraway\": 1}",
                                        "{\"name\": \"\\x\", \"terraway\": 1}",
                                        "{\"name\": \"\\ud800\", \"terraway\": 1}",
                                        "{\"name\": \"\xff\", \"terraway\": 1}",
                                        "{\"name\": \"\xc0\xaf\", \"terraway\": 1}",
                                        "{\"terraway\": 1 /* }",
                                        "{\"terraway\": 1} /",
                                        "{\"terraway\": Infinity}",
                                        "{\"terraway\": NaN}",
                                        "{\"terraway\": 1, \"water\": {\"rain\": 1e999}}"}) {
        EXPECT_NE(refusal(text), "accepted") << text;
        EXPECT_TRUE(contains(refusal(text), "; ")) << "no remedy: " << refusal(text);
    }
}

TEST(Recipe, DepthAndSizeAreBounded) {
    const std::string deep(100'000, '[');
    EXPECT_TRUE(contains(refusal("{\"terraway\": 1, \"notes\": " + deep), "nested deeper than 32"));
    EXPECT_TRUE(contains(refusal(std::string(kMaxRecipeBytes + 1, ' ')), "more than 64 MB"));
}

TEST(Recipe, TextKeepsItsCharacters) {
    EXPECT_EQ(must_parse(R"({"terraway": 1, "name": "\u00e9\t\ud83c\udf0d \"\\/"})").name,
              "\xc3\xa9\t\xf0\x9f\x8c\x8d \"\\/");
    const Recipe recipe = must_parse("\xef\xbb\xbf{\"terraway\": 1, \"name\": \"Z\xc3\xbcrich\"}");
    EXPECT_EQ(recipe.name, "Z\xc3\xbcrich");
    EXPECT_EQ(must_parse(to_text(recipe)).name, recipe.name);
}

TEST(Recipe, OverridesComeLastAndInOrder) {
    const Recipe recipe =
        must_parse(R"({"terraway": 1, "seed": 1, "terrain": {"file": "in/recipe.png"}})",
                   {"seed=5", "seed=6", "size=3000,2000", "origin=[-5,7.5]", "terrain.shape=plain",
                    "name=My world", "terrain.file=out/there.png", "water.rain=0.25"});
    EXPECT_EQ(recipe.world.seed.value, 6u);
    EXPECT_EQ(*recipe.world.placement.size, (std::array{3000.0, 2000.0}));
    EXPECT_EQ(*recipe.world.placement.origin, (std::array{-5.0, 7.5}));
    EXPECT_EQ(recipe.world.relief.shape, terrain::Shape::plain);
    EXPECT_EQ(recipe.name, "My world");
    EXPECT_EQ(recipe.world.terrain_file, "out/there.png");
    EXPECT_EQ(recipe.terrain_file.origin, PathOrigin::override);
    EXPECT_EQ(recipe.world.drainage.rain, 0.25);
    EXPECT_FALSE(must_parse(R"({"terraway": 1, "size": [200, 200]})", {"size=null"})
                     .world.placement.size.has_value());
}

TEST(Recipe, OverriddenRoadsTakeThePlaceOfTheRecipes) {
    const std::string lines = R"([{"id": "x", "points": [[0, 0], [90.5, 0]]}])";
    for (const char* roads : {R"({})", R"({"file": null})", R"({"file": "a.osm"})",
                              R"({"lines": [{"points": [[0, 0], [1, 1]]}]})"}) {
        const std::string text = std::string(R"({"terraway": 1, "roads": )") + roads + "}";
        const Recipe recipe = must_parse(text, {"roads.lines= " + lines});
        ASSERT_NE(recipe.world.roads_lines, nullptr) << roads;
        EXPECT_EQ(recipe.world.roads_lines->label.values(), std::vector<std::string>{"x"});
        EXPECT_TRUE(require_data(recipe, {}).ok()) << roads;
        EXPECT_EQ(to_text(must_parse(to_text(recipe))), to_text(recipe));
        const Recipe file = must_parse(text, {"roads.lines=" + lines, "roads.file=b.osm"});
        EXPECT_EQ(file.world.roads_lines, nullptr);
        EXPECT_EQ(file.world.roads_file, "b.osm");
    }
}

TEST(Recipe, WrongOverridesAreRefused) {
    constexpr std::string_view kEmpty = R"({"terraway": 1})";
    EXPECT_TRUE(contains(refusal(kEmpty, {"terrain.cels=5"}), "did you mean terrain.cells?"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"terrain.cells"}), "write path=value"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"terrain.cells=many"}),
                         "no good value: many; give a whole number"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"terrain.cells=2.5"}),
                         "no good value: 2.5; give a whole number"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"seed=-1"}), "no good value: -1; give a whole number"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"size=1,2,3"}), "each 100 to 1048576 m"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"notes={}"}), "in the recipe only"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"roads.lines=[]"}), "the list is empty"));
    EXPECT_TRUE(contains(refusal(kEmpty, {"roads.lines=[{\"points\": [[0, 0] [1, 1]]}]"}),
                         "--set roads.lines:1:21: expected ',' or ']'"));
    for (const char* value : {"roads.lines=city.json", "roads.lines=", "roads.lines= {}"}) {
        EXPECT_TRUE(contains(refusal(kEmpty, {value}), "--set roads.file=FILE")) << value;
    }
    EXPECT_TRUE(contains(refusal(kEmpty, {"terrain.file="}), "a path in quotes, or null"));
}

TEST(Recipe, ARecipeThatWaitsForDataSaysSo) {
    const Recipe waits = must_parse("{\"terraway\": 1,\n\"terrain\": {\"file\": null}}");
    const Status missing = require_data(waits, {});
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(to_string(missing.error()),
              "recipe: r.json:2: terrain.file: is not set; use --set terrain.file=FILE to give "
              "your data");
    pipeline::Imports imports;
    imports.heights = std::make_shared<const world::ImportedHeights>();
    EXPECT_TRUE(require_data(waits, imports).ok());
    EXPECT_TRUE(require_data(must_parse(R"({"terraway": 1})"), {}).ok());
    EXPECT_FALSE(
        require_data(must_parse(R"({"terraway": 1, "roads": {"file": "x.osm"}})"), {}).ok());
}

TEST(Recipe, EditsStandBesideIt) {
    const Recipe recipe =
        must_parse("{\"terraway\": 1,\n\"edits\": {\"file\": \"island.edits.jsonl\"}}");
    EXPECT_EQ(recipe.world.edits_file, "island.edits.jsonl");
    EXPECT_EQ(recipe.edits_file.path, "island.edits.jsonl");
    EXPECT_EQ(recipe.edits_file.origin, PathOrigin::recipe);
    EXPECT_EQ(recipe.edits_file.place, "r.json:2");
    EXPECT_TRUE(recipe.edits_file.wanted);
    EXPECT_FALSE(recipe.terrain_file.wanted || recipe.roads_file.wanted);
    EXPECT_EQ(to_text(must_parse(to_text(recipe))), to_text(recipe));
    EXPECT_TRUE(contains(to_text(recipe), "island.edits.jsonl"));

    const Status missing = require_data(recipe, {});
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    pipeline::Imports imports;
    imports.edits = std::make_shared<const world::EditList>();
    EXPECT_TRUE(require_data(recipe, imports).ok());

    const Recipe given = must_parse(R"({"terraway": 1})", {"edits.file=mine.jsonl"});
    EXPECT_EQ(given.world.edits_file, "mine.jsonl");
    EXPECT_EQ(given.edits_file.origin, PathOrigin::override);
    EXPECT_TRUE(
        contains(refusal(R"({"terraway": 1, "edits": {"fle": "x"}})"), "did you mean edits.file?"));
}

TEST(Recipe, RangesAreClosedForEveryParameter) {
    for (const Parameter& parameter : parameters()) {
        if (parameter.type != ParameterType::number && parameter.type != ParameterType::integer)
            continue;
        const std::string path(parameter.path);
        const bool top = path == "seed";
        for (const double value : {parameter.low, parameter.high}) {
            if (top && value > 0) continue;
            std::ostringstream text;
            text.precision(17);
            text << path << "=" << value;
            EXPECT_EQ(refusal(R"({"terraway": 1})", {text.str()}), "accepted") << text.str();
        }
        for (const double value :
             {parameter.low - parameter.step, parameter.high + parameter.step}) {
            if (top && value > 0) continue;
            std::ostringstream text;
            text.precision(17);
            text << path << "=" << value;
            EXPECT_NE(refusal(R"({"terraway": 1})", {text.str()}), "accepted") << text.str();
        }
    }
}

TEST(Recipe, CanonicalTextReadsBackEqual) {
    const std::string text =
        R"({"terraway": 1, "name": "x", "notes": {"b": 1, "a": [true, null, -2.5]},
        "seed": 18446744073709551615, "size": [2000, 1000.25], "terrain": {"file": null, "cells": 123},
        "roads": {"lines": [{"id": "r", "from": "n", "points": [[0, 0], [10.5, 1e2, 3]]}], "join": 3},
        "navigation": {"ford_flow": 100000}})";
    const Recipe recipe = must_parse(text);
    const std::string canonical = to_text(recipe);
    const Recipe again = must_parse(canonical);
    EXPECT_EQ(to_text(again), canonical);
    EXPECT_EQ(again.notes, recipe.notes);
    EXPECT_EQ(again.world.seed, recipe.world.seed);
    EXPECT_EQ(again.world.placement.size, recipe.world.placement.size);
    EXPECT_EQ(again.world.network.join, 3.0);
    EXPECT_EQ(again.world.cost.ford_flow, 100000.0);
    EXPECT_TRUE(again.terrain_file.wanted);
    EXPECT_FALSE(again.roads_file.wanted);
    EXPECT_EQ(hash_of(*again.world.roads_lines), hash_of(*recipe.world.roads_lines));
    EXPECT_EQ(to_text(must_parse(R"({"terraway": 1})")), "{\n  \"terraway\": 1\n}\n");
}

TEST(Recipe, EveryStreetCaseIsRead) {
    const char* data = std::getenv("TERRAWAY_DATA");
    const std::filesystem::path folder = std::filesystem::path(data ? data : "") / "street-cases";
    if (!std::filesystem::exists(folder)) {
        GTEST_SKIP() << "no street-cases; TERRAWAY_DATA says where real data is";
    }
    int cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        const Recipe recipe = must_parse(text.str());
        ASSERT_NE(recipe.world.roads_lines, nullptr) << entry.path();
        EXPECT_TRUE(world::validate(*recipe.world.roads_lines).ok()) << entry.path();
        ++cases;
    }
    EXPECT_GE(cases, 20);
}

}  // namespace
}  // namespace tw::recipe
