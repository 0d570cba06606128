// Every folder of tests/golden is a case: recipe.json, hashes.json, notes.md, and heights.asc where
// the recipe waits for heights. The hash of each
// stage must be the one on record; the first stage that differs is named, for what comes after it
// differs in consequence. TERRAWAY_UPDATE_GOLDEN=1 writes the records again: say why in
// CHANGELOG.md, under OUTPUT.

#include "terraway/core/thread_pool.hpp"
#include "terraway/io/read_heights.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/recipe.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tw {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const auto& entry :
         fs::directory_iterator(fs::path(TERRAWAY_SOURCE_DIR) / "tests/golden")) {
        if (entry.is_directory()) names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

nlohmann::ordered_json record_of(const pipeline::BakedWorld& world) {
    nlohmann::ordered_json record;
    for (const pipeline::StageReport& stage : world.stages) {
        record["stages"][stage.name] = hash_to_text(stage.hash);
    }
    record["hash"] = hash_to_text(world.hash);
    return record;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, EveryStageIsAsOnRecord) {
    const fs::path folder = fs::path(TERRAWAY_SOURCE_DIR) / "tests/golden" / GetParam();
    ASSERT_TRUE(fs::exists(folder / "notes.md")) << "say in notes.md what the case guards";
    const auto recipe = recipe::parse_recipe(read_file(folder / "recipe.json"), "recipe.json");
    ASSERT_TRUE(recipe.ok()) << to_string(recipe.error());
    ThreadPool pool(2);
    pipeline::Imports imports;
    if (fs::exists(folder / "heights.asc")) {
        auto heights = io::read_heights(folder / "heights.asc");
        ASSERT_TRUE(heights.ok()) << to_string(heights.error());
        imports.heights = std::make_shared<const world::ImportedHeights>(*std::move(heights));
    }
    const auto world = pipeline::bake(recipe->world, imports, {.executor = &pool});
    ASSERT_TRUE(world.ok()) << to_string(world.error());

    const nlohmann::ordered_json found = record_of(*world);
    if (std::getenv("TERRAWAY_UPDATE_GOLDEN")) {
        std::ofstream(folder / "hashes.json") << found.dump(2) << "\n";
    }
    const auto record =
        nlohmann::ordered_json::parse(read_file(folder / "hashes.json"), nullptr, false);
    ASSERT_TRUE(record.is_object()) << "no record; run golden_tests with TERRAWAY_UPDATE_GOLDEN=1";
    for (const auto& [stage, hash] : found["stages"].items()) {
        ASSERT_EQ(hash, record["stages"].value(stage, ""))
            << "the first stage that differs is " << stage;
    }
    EXPECT_EQ(found, record);
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(case_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace tw
