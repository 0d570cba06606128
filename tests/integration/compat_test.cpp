// Files of every version load for ever: tests/compat holds the first world.tw of each, and beside
// it what it must say.

#include "terraway/core/hash.hpp"
#include "terraway/io/world_file.hpp"
#include "terraway/pipeline/session.hpp"
#include "terraway/recipe/recipe.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files() {
    std::vector<fs::path> found;
    for (const auto& entry :
         fs::directory_iterator(fs::path(TERRAWAY_SOURCE_DIR) / "tests/compat")) {
        if (entry.path().extension() == ".tw") found.push_back(entry.path());
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

TEST(Compat, WorldsOfEveryVersionLoadAndCanBeEdited) {
    const std::vector<fs::path> all = files();
    ASSERT_FALSE(all.empty());
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
