// Files of every version load for ever: tests/compat holds the first world.tw, recipe and edits of
// each, and beside them what they must say.

#include "terraway/core/hash.hpp"
#include "terraway/io/world_file.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/pipeline/session.hpp"
#include "terraway/recipe/edits.hpp"
#include "terraway/recipe/recipe.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(TERRAWAY_SOURCE_DIR) / "tests/compat";

/// "recipe-1.json": those that begin and end so, by name.
std::vector<fs::path> files(const std::string& begin, const std::string& extension) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(kFolder)) {
        const fs::path& path = entry.path();
        if (path.extension() == extension && path.filename().string().starts_with(begin)) {
            found.push_back(path);
        }
    }
    std::ranges::sort(found);
    return found;
}

/// "version-1.tw" stands beside "version-1.hash", the world's hash when it was written.
std::string hash_on_record(fs::path file) {
    std::ifstream record(file.replace_extension(".hash"));
    std::string hash;
    record >> hash;
    return hash;
}

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// True if stages make today what they made when the file was written.
bool is_of_todays_stages(const recipe::WorldFileInfo& info) {
    return std::ranges::all_of(info.section, [](const recipe::WorldFileSection& section) {
        const auto stages = pipeline::stage_infos();
        const auto stage = std::ranges::find(stages, section.name, &pipeline::StageInfo::name);
        return section.version == (stage == stages.end() ? 0 : stage->version);
    });
}

TEST(Compat, EditsOfEveryVersionReadAsTheyDid) {
    const std::vector<fs::path> all = files("edits-", ".jsonl");
    ASSERT_EQ(all.size(), recipe::kEditsVersion) << "each version has its file";
    for (const fs::path& file : all) {
        const auto edits = recipe::parse_edits(text_of(file), file.string());
        ASSERT_TRUE(edits.ok()) << to_string(edits.error());
        EXPECT_EQ(hash_to_text(recipe::rolling_hash(*edits)), hash_on_record(file)) << file;
    }
}

TEST(Compat, RecipesOfEveryVersionMakeTheWorldThatTheyMade) {
    const std::vector<fs::path> all = files("recipe-", ".json");
    ASSERT_EQ(all.size(), recipe::kRecipeVersion) << "each version has its file";
    // The world of the last file is that of the recipe and its edits; other bits come with other
    // versions of stages only.
    const auto info = io::describe_world(files("version-", ".tw").back());
    ASSERT_TRUE(info.ok()) << to_string(info.error());
    const auto edits = recipe::parse_edits(text_of(kFolder / "edits-1.jsonl"), "edits-1.jsonl");
    ASSERT_TRUE(edits.ok());
    for (const fs::path& file : all) {
        const auto recipe = recipe::parse_recipe(text_of(file), file.string());
        ASSERT_TRUE(recipe.ok()) << to_string(recipe.error());
        pipeline::Imports imports;
        imports.edits = std::make_shared<const world::EditList>(*edits);
        const auto world = pipeline::bake(recipe->world, imports);
        ASSERT_TRUE(world.ok()) << to_string(world.error());
        if (is_of_todays_stages(*info)) {
            EXPECT_EQ(hash_to_text(world->hash), hash_to_text(info->hash)) << file;
        }
    }
}

TEST(Compat, WorldsOfEveryVersionLoadAndCanBeEdited) {
    const std::vector<fs::path> all = files("version-", ".tw");
    ASSERT_EQ(all.size(), recipe::kWorldFileVersion) << "each version has its file";
    for (const fs::path& file : all) {
        SerialExecutor executor;
        StageContext context(executor);
        auto loaded = io::load_world(file, context);
        ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
        EXPECT_EQ(hash_to_text(loaded->world.hash), hash_on_record(file)) << file;
        const auto recipe = recipe::parse_recipe(loaded->recipe, file.string());
        ASSERT_TRUE(recipe.ok()) << to_string(recipe.error());
        auto session = pipeline::Session::create(recipe->world, std::move(loaded->world));
        ASSERT_TRUE(session.ok()) << to_string(session.error());
        const std::uint64_t before = (*session)->hash();
        const world::RaiseGround raise{{{0, 0}}, {100 * kStepsPerMetre}, 5 * kStepsPerMetre};
        ASSERT_TRUE((*session)->apply(world::Edit{1'000'000, raise}).ok()) << file;
        EXPECT_NE((*session)->hash(), before);
        ASSERT_TRUE((*session)->undo().ok());
        EXPECT_EQ((*session)->hash(), before);
    }
}

}  // namespace
}  // namespace tw
