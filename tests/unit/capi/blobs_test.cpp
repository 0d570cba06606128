// Imports through the C ABI, and the header as C++ sees it.

#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/blob.hpp"
#include "terraway/recipe/recipe.hpp"

#include "terraway.h"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace tw {
namespace {

world::ImportedHeights slope() {
    world::ImportedHeights heights;
    heights.columns = heights.rows = 32;
    for (int row = 0; row < 32; ++row) {
        for (int column = 0; column < 32; ++column) {
            heights.height.push_back(to_steps(10.0 + 3.0 * row + 2.0 * column));
        }
    }
    return heights;
}

constexpr std::string_view kRecipe =
    R"({"terraway": 1, "terrain": {"file": null, "cells": 300, "border": "open"},
    "output": {"raster_longest": 32}, "navigation": {"longest": 32}})";

TEST(CApi, ABlobBakesTheSameWorldAsTheImport) {
    const auto recipe = recipe::parse_recipe(kRecipe, "recipe");
    ASSERT_TRUE(recipe.ok());
    pipeline::Imports imports;
    imports.heights = std::make_shared<const world::ImportedHeights>(slope());
    const auto world = pipeline::bake(recipe->world, imports);
    ASSERT_TRUE(world.ok()) << to_string(world.error());

    const world::Bytes blob = recipe::to_blob(slope());
    tw_bake_options options{};
    options.size = sizeof options;
    options.recipe = kRecipe.data();
    options.recipe_length = kRecipe.size();
    options.heights = blob.data();
    options.heights_length = blob.size();
    tw_bake* bake = nullptr;
    ASSERT_EQ(tw_bake_create(&options, &bake), TW_OK);
    std::uint32_t finished = 0;
    ASSERT_EQ(tw_bake_advance(bake, 1'000'000, &finished), TW_OK);
    ASSERT_EQ(finished, 1u);
    std::uint64_t hash = 0;
    EXPECT_EQ(tw_bake_hash(bake, &hash), TW_OK);
    EXPECT_EQ(hash, world->hash);

    tw_array elevation{};
    elevation.size = sizeof elevation;
    const std::string name = "drainage.elevation";
    ASSERT_EQ(tw_bake_find_array(bake, name.data(), name.size(), &elevation), TW_OK);
    ASSERT_EQ(elevation.count, world->drainage->elevation.size());
    EXPECT_EQ(std::memcmp(elevation.data, world->drainage->elevation.span().data(),
                          elevation.count * sizeof(Steps)),
              0);
    tw_bake_free(bake);
}

}  // namespace
}  // namespace tw
