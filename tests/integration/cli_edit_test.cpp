// Edits through the program: edit, replay and edits.file make the same world; what is wrong is
// refused with its line, and nothing is written.

#include "support/cli_program.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace tw::test;

constexpr const char* kFirst = "{\"terraway_edits\": 1}\n";
/// One of each kind, and what depends on another.
constexpr std::array<const char*, 9> kEdits{
    R"({"edit": "raise", "path": [[150, 150], [300, 200]], "radius": 250, "amount": 60})",
    R"({"edit": "put_obstacle", "tick": 10, "obstacle": "wall", "ring": [[-300, -300], [-200, -300], [-200, -250]]})",
    R"({"edit": "cell_attribute", "tick": 20, "place": [0, 100], "radius": 200, "column": "owner", "value": "north"})",
    R"({"edit": "road_width", "tick": 20, "road": "main", "width": 14})",
    R"({"edit": "add_road", "tick": 30, "road": "ring", "width": 8, "points": [[-400, -400], [400, -400], [400, 0]]})",
    R"({"edit": "channel", "tick": 30, "path": [[200, 200], [900, 900]], "width": 10, "bed_from": 5, "bed_to": 2})",
    R"({"edit": "move_road_node", "tick": 40, "road": "cross", "from": [0, 500], "to": [60, 520]})",
    R"({"edit": "cell_attribute", "tick": 50, "place": [0, 100], "radius": 200, "column": "owner", "value": "south"})",
    R"({"edit": "take_obstacle", "tick": 60, "obstacle": "wall"})",
};

std::string lines(std::size_t begin, std::size_t end) {
    std::string text = kFirst;
    for (std::size_t i = begin; i < end; ++i) text += std::string(kEdits[i]) + "\n";
    return text;
}

std::size_t count_lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class CliEdit : public Cli {
protected:
    /// The recipe, with `edits.file` if one is named.
    void write_recipe(const std::string& file, const std::string& edits = "") const {
        json recipe = json::parse(R"({"terraway": 1, "seed": 5, "size": [4000, 4000],
            "terrain": {"cells": 700}, "output": {"raster_longest": 64},
            "navigation": {"longest": 64},
            "roads": {"lines": [{"id": "main", "width": 8, "points": [[-500, 0], [500, 0]]},
                                {"id": "cross", "width": 8, "points": [[0, -500], [0, 500]]}]}})");
        if (!edits.empty()) recipe["edits"] = {{"file", edits}};
        write_text(path(file), recipe.dump());
    }
    json said(const Arguments& arguments) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.code == 0 ? json::parse(ran.out) : json();
    }
    json hash(const std::string& recipe) const {
        return said({"hash", recipe, "--json"}).value("hash", json());
    }
    /// The hash of a bake with these lines in `edits.file`.
    json hash_with(const std::string& edits) const {
        std::filesystem::create_directories(path("with"));
        write_text(path("with/it.jsonl"), edits);
        write_recipe("with/recipe.json", "it.jsonl");
        return hash("with/recipe.json");
    }
    void bake() const {
        write_recipe("recipe.json");
        const Ran ran = run({"bake", "recipe.json", "-o", "world", "--quiet"});
        ASSERT_EQ(ran.code, 0) << ran.err;
    }
    json manifest(const std::string& folder) const {
        return json::parse(text_of(path(folder) / "world.json"));
    }
};

TEST_F(CliEdit, EditsMakeTheWorldThatABakeMakes) {
    bake();
    EXPECT_FALSE(fs::exists(path("world/edits.jsonl")));
    write_text(path("all.jsonl"), lines(0, kEdits.size()));
    const json edited = said({"edit", "world", "all.jsonl", "-o", "edited", "--json"});
    const json expected = hash_with(lines(0, kEdits.size()));
    EXPECT_EQ(edited.at("hash"), expected);
    EXPECT_EQ(manifest("edited").at("hash"), expected);
    EXPECT_NE(manifest("world").at("hash"), expected);
    EXPECT_GT(edited.at("ms").get<double>(), 0.0);
    for (const char* stage : {"edits", "drainage", "network", "streets", "meshes", "cost"}) {
        EXPECT_GT(edited.at("rebuilt").value(stage, 0), 0) << stage;
    }
    EXPECT_FALSE(edited.at("rebuilt").contains("relief")) << "it lies before edits";
    EXPECT_EQ(run({"check", "edited"}).code, 0);

    // The list beside it is the whole, and bakes the same world.
    const std::string beside = text_of(path("edited/edits.jsonl"));
    EXPECT_EQ(count_lines(beside), 1 + kEdits.size());
    EXPECT_EQ(hash_with(beside), expected);
    // Files are those of a bake of the same world.
    const Ran baked = run({"bake", "with/recipe.json", "-o", "baked", "--quiet"});
    ASSERT_EQ(baked.code, 0) << baked.err;
    for (const json& file : manifest("baked").at("files")) {
        const auto name = file.at("name").get<std::string>();
        EXPECT_EQ(text_of(path("edited") / name), text_of(path("baked") / name)) << name;
    }
}

TEST_F(CliEdit, WorldsAreEditedAgainAndInPlace) {
    bake();
    write_text(path("a.jsonl"), lines(0, 4));
    write_text(path("b.jsonl"), lines(4, kEdits.size()));
    said({"edit", "world", "a.jsonl", "-o", "world", "--json"});
    const json second = said({"edit", "world", "b.jsonl", "-o", "world", "--json"});
    EXPECT_EQ(second.at("hash"), hash_with(lines(0, kEdits.size())));
    EXPECT_EQ(run({"check", "world"}).code, 0);
    EXPECT_EQ(count_lines(text_of(path("world/edits.jsonl"))), 1 + kEdits.size());

    // Squashed, it is the same world with a shorter list: the wall went, the owner changed.
    write_text(path("none.jsonl"), kFirst);
    const json squashed =
        said({"edit", "world", "none.jsonl", "-o", "world", "--squash", "--json"});
    EXPECT_EQ(squashed.at("hash"), second.at("hash"));
    EXPECT_EQ(squashed.at("rebuilt"), json::object());
    const std::string list = text_of(path("world/edits.jsonl"));
    EXPECT_EQ(count_lines(list), 1 + kEdits.size() - 3);
    EXPECT_EQ(hash_with(list), second.at("hash"));
}

TEST_F(CliEdit, ReplaysToAnyTick) {
    bake();
    write_text(path("all.jsonl"), lines(0, kEdits.size()));
    // How many have happened by then, read off the list.
    const std::map<int, std::size_t> happened{{0, 1},  {9, 1},  {10, 2}, {20, 4},
                                              {35, 6}, {50, 8}, {999, 9}};
    for (const auto& [tick, count] : happened) {
        const std::string t = std::to_string(tick);
        const json replayed = said({"replay", "recipe.json", "all.jsonl", "--tick", t, "--json"});
        EXPECT_EQ(replayed.at("tick"), tick);
        EXPECT_EQ(replayed.at("edits"), count);
        EXPECT_GT(replayed.at("ms").get<double>(), 0.0);
        EXPECT_EQ(replayed.at("hash"), hash_with(lines(0, count))) << tick;
    }
    const json whole = said({"replay", "recipe.json", "all.jsonl", "-o", "played", "--json"});
    EXPECT_EQ(whole.at("tick"), 60);
    EXPECT_EQ(manifest("played").at("hash"), whole.at("hash"));
    EXPECT_EQ(
        said({"edit", "world", "all.jsonl", "--tick", "20", "-o", "edited", "--json"}).at("hash"),
        hash_with(lines(0, 4)));
    EXPECT_EQ(count_lines(text_of(path("edited/edits.jsonl"))), 5u);
    // The list that is given takes the place of the recipe's own, which need not even be there.
    write_recipe("own.json", "gone.jsonl");
    EXPECT_EQ(said({"replay", "own.json", "all.jsonl", "--json"}).at("hash"), whole.at("hash"));
    expect_refused({"hash", "own.json"}, "gone.jsonl");
}

TEST_F(CliEdit, BadEditsAreRefusedWithTheirLine) {
    bake();
    const std::string good = lines(0, 2);
    const std::map<std::string, std::string> bad{
        {"outside",
         R"({"edit": "raise", "tick": 10, "path": [[5000, 0]], "radius": 9, "amount": 1})"},
        {"unknown road", R"({"edit": "road_width", "tick": 10, "road": "mian", "width": 5})"},
        {"unknown owner",
         R"({"edit": "road_attribute", "tick": 10, "road": "mian", "column": "owner", "value": 1})"},
        {"unknown obstacle", R"({"edit": "take_obstacle", "tick": 10, "obstacle": "moat"})"},
        {"second wall",
         R"({"edit": "put_obstacle", "tick": 10, "obstacle": "wall", "ring": [[0, 0], [9, 0], [0, 9]]})"},
        {"not a number",
         R"({"edit": "raise", "tick": 10, "path": [[NaN, 0]], "radius": 9, "amount": 1})"},
        {"a thousand kilometres",
         R"({"edit": "raise", "tick": 10, "path": [[0, 0]], "radius": 1000000, "amount": 1})"},
        {"larger than the world",
         R"({"edit": "raise", "tick": 10, "path": [[0, 0]], "radius": 9000, "amount": 1})"},
        {"falling tick",
         R"({"edit": "raise", "tick": 9, "path": [[0, 0]], "radius": 9, "amount": 1})"},
        {"cut short", R"({"edit": "raise", "tick": 10, "path": [[0, 0)"},
        {"changed",
         R"({"edit": "raise", "tick": 10, "path": [[0, 0]], "radius": 9, "amount": 1, "hash": "0123456789abcdef"})"},
        {"no edit", R"({"edit": "rise", "tick": 10, "path": [[0, 0]], "radius": 9, "amount": 1})"},
    };
    write_recipe("own.json", "bad.jsonl");
    const auto before = files();
    for (const auto& [what, line] : bad) {
        SCOPED_TRACE(what);
        write_text(path("bad.jsonl"), good + line);
        expect_refused({"edit", "world", "bad.jsonl", "-o", "edited"}, "bad.jsonl:4:");
        expect_refused({"replay", "recipe.json", "bad.jsonl", "-o", "edited"}, "bad.jsonl:4:");
        expect_refused({"bake", "own.json", "-o", "edited"}, "bad.jsonl:4:");
        expect_refused({"edit", "world", "bad.jsonl", "-o", "world"}, "bad.jsonl:4:");
        std::filesystem::remove(path("bad.jsonl"));
        EXPECT_EQ(files(), before);
    }
    EXPECT_EQ(run({"check", "world"}).code, 0) << "in place, nothing was written either";

    write_text(path("newer.jsonl"), "{\"terraway_edits\": 2}\n");
    expect_refused({"edit", "world", "newer.jsonl", "-o", "edited"}, "newer.jsonl:1: ");
    write_text(path("empty.jsonl"), "");
    expect_refused({"edit", "world", "empty.jsonl", "-o", "edited"}, "empty.jsonl:1: ");
    expect_refused({"edit", "world", "nowhere.jsonl", "-o", "edited"}, "nowhere.jsonl: ");
    EXPECT_FALSE(fs::exists(path("edited")));
}

TEST_F(CliEdit, DamagedWorldsAreRefused) {
    bake();
    write_text(path("a.jsonl"), lines(0, 1));
    expect_refused({"edit", "nowhere", "a.jsonl", "-o", "edited"}, "nowhere/world.tw: ");
    const std::string good = text_of(path("world/world.tw"));
    write_text(path("world/world.tw"), good.substr(0, good.size() / 2));
    expect_refused({"edit", "world", "a.jsonl", "-o", "edited"}, "world/world.tw");
    std::string bad = good;
    bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
    write_text(path("world/world.tw"), bad);
    expect_refused({"edit", "world", "a.jsonl", "-o", "edited"}, "world/world.tw");
    EXPECT_FALSE(fs::exists(path("edited")));
}

TEST_F(CliEdit, SchemaOfEdits) {
    const Ran ran = run({"schema", "--edits"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, text_of(fs::path(TERRAWAY_SOURCE_DIR) / "docs/edits.schema.json"));
}

}  // namespace
