#include "terraway/recipe/parameters.hpp"

#include "terraway/pipeline/bake.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tw::recipe {
namespace {

std::filesystem::path root() {
    return TERRAWAY_SOURCE_DIR;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Parameters, PathsAreUniqueAndDocumented) {
    std::set<std::string_view> paths;
    for (const Parameter& parameter : parameters()) {
        EXPECT_TRUE(paths.insert(parameter.path).second) << parameter.path;
        EXPECT_TRUE(parameter.doc.ends_with(".")) << parameter.path;
        EXPECT_EQ(find_parameter(parameter.path), &parameter);
        EXPECT_LE(parameter.low, parameter.high) << parameter.path;
    }
    EXPECT_EQ(find_parameter("terrain"), nullptr);
}

TEST(Parameters, SectionsStandTogether) {
    std::set<std::string_view> closed;
    std::string_view open;
    for (const Parameter& parameter : parameters()) {
        const std::size_t dot = parameter.path.find('.');
        const std::string_view section =
            dot == std::string_view::npos ? "" : parameter.path.substr(0, dot);
        if (section == open) continue;
        EXPECT_TRUE(closed.insert(section).second) << section;
        open = section;
    }
}

/// Another value than the default that the parameter may take.
ParameterValue another(const Parameter& parameter) {
    const ParameterValue fallback = parameter.default_value();
    switch (parameter.type) {
        case ParameterType::number:
            return fallback == ParameterValue(parameter.low) ? parameter.high : parameter.low;
        case ParameterType::integer: {
            const auto low = static_cast<std::uint64_t>(parameter.low);
            return fallback == ParameterValue(low) ? low + 1 : low;
        }
        case ParameterType::pair:
            return std::array{parameter.low, parameter.high};
        case ParameterType::choice:
            return fallback == ParameterValue(std::uint64_t{0}) ? std::uint64_t{1}
                                                                : std::uint64_t{0};
        case ParameterType::text:
        case ParameterType::file:
            return std::string("other");
    }
    return {};
}

TEST(Parameters, EachSetsItsOwnOptionAndNoOther) {
    for (const Parameter& parameter : parameters()) {
        Recipe recipe;
        parameter.set(recipe, another(parameter));
        for (const Parameter& other : parameters()) {
            const ParameterValue expected =
                &other == &parameter ? another(parameter) : other.default_value();
            EXPECT_EQ(other.get(recipe), expected) << parameter.path << " changed " << other.path;
        }
    }
}

TEST(Parameters, DefaultsLieInTheirRanges) {
    for (const Parameter& parameter : parameters()) {
        const ParameterValue fallback = parameter.default_value();
        if (const auto* number = std::get_if<double>(&fallback)) {
            EXPECT_GE(*number, parameter.low) << parameter.path;
            EXPECT_LE(*number, parameter.high) << parameter.path;
        }
    }
}

TEST(Parameters, TheNearestNameIsFound) {
    EXPECT_EQ(nearest_path("terrain.cels"), "terrain.cells");
    EXPECT_EQ(nearest_path("terrain.ocatves"), "terrain.octaves");
    EXPECT_EQ(nearest_path("sed"), "seed");
    EXPECT_EQ(nearest_path("rain"), "water.rain");
    EXPECT_EQ(nearest_path("roads.line"), "roads.lines");
    EXPECT_EQ(nearest_path("navigaton"), "navigation");
    EXPECT_EQ(nearest_path("somethingelse.entirely"), "");
    EXPECT_EQ(nearest_path(std::string(100'000, 'x')), "");
}

TEST(Schema, TheFileInDocsIsUpToDate) {
    const std::filesystem::path path = root() / "docs" / "recipe.schema.json";
    if (std::getenv("TERRAWAY_UPDATE_SCHEMA")) std::ofstream(path) << schema_text();
    EXPECT_EQ(read_file(path), schema_text())
        << "run recipe_tests with TERRAWAY_UPDATE_SCHEMA=1 to write it again";
}

TEST(Schema, SaysWhatTheTableSays) {
    const auto schema = nlohmann::json::parse(schema_text());
    for (const Parameter& parameter : parameters()) {
        std::string pointer = "/properties/" + std::string(parameter.path);
        const std::size_t dot = pointer.find('.');
        if (dot != std::string::npos) pointer.replace(dot, 1, "/properties/");
        const nlohmann::json::json_pointer at(pointer);
        ASSERT_TRUE(schema.contains(at)) << pointer;
        EXPECT_EQ(schema.at(at).at("description"), parameter.doc);
        if (parameter.type == ParameterType::number) {
            EXPECT_EQ(schema.at(at).at("minimum").get<double>(), parameter.low);
            EXPECT_EQ(schema.at(at).at("maximum").get<double>(), parameter.high);
            EXPECT_EQ(schema.at(at).at("default").get<double>(),
                      std::get<double>(parameter.default_value()));
        }
    }
    EXPECT_TRUE(schema.at("properties").at("roads").at("properties").contains("lines"));
    EXPECT_EQ(schema.at("additionalProperties"), false);
}

TEST(Presets, EachIsReadAndHoldsEveryParameter) {
    ASSERT_EQ(preset_names().size(), 5u);
    for (const std::string_view name : preset_names()) {
        const Result<std::string> text = preset_text(name);
        ASSERT_TRUE(text.ok());
        const Result<Recipe> recipe = parse_recipe(*text, name);
        ASSERT_TRUE(recipe.ok()) << to_string(recipe.error());
        EXPECT_EQ(recipe->name, name);
        EXPECT_TRUE(require_data(*recipe, {}).ok());
        for (const Parameter& parameter : parameters()) {
            if (parameter.type == ParameterType::file) continue;
            EXPECT_NE(text->find("// " + std::string(parameter.doc)), std::string::npos)
                << parameter.path;
        }
    }
    const Result<std::string> none = preset_text("islnd");
    ASSERT_FALSE(none.ok());
    EXPECT_NE(none.error().message.find("island continent city track arena"), std::string::npos);
}

TEST(Presets, EachBakes) {
    for (const std::string_view name : preset_names()) {
        const std::vector<std::string> smaller{"terrain.cells=1500", "output.raster_longest=64",
                                               "navigation.longest=64"};
        const Result<Recipe> recipe = parse_recipe(*preset_text(name), name, smaller);
        ASSERT_TRUE(recipe.ok()) << to_string(recipe.error());
        const auto world = pipeline::bake(recipe->world, {});
        ASSERT_TRUE(world.ok()) << name << ": " << to_string(world.error());
        EXPECT_EQ(world->has_roads(), name == "city" || name == "track") << name;
    }
}

TEST(Examples, EachIsReadAndWaitsForWhatItSays) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(root() / "examples")) {
        if (entry.path().extension() != ".json") continue;
        const std::string name = entry.path().stem().string();
        const Result<Recipe> recipe = parse_recipe(read_file(entry.path()), name);
        ASSERT_TRUE(recipe.ok()) << to_string(recipe.error());
        EXPECT_EQ(recipe->roads_file.wanted, name == "town") << name;
        EXPECT_EQ(recipe->terrain_file.wanted, name == "mountains") << name;
        ++count;
    }
    EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace tw::recipe
