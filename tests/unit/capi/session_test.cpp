// Sessions through the C ABI are the sessions of the pipeline.

#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/edits.hpp"
#include "terraway/recipe/recipe.hpp"

#include "terraway.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace tw {
namespace {

constexpr std::string_view kRecipe =
    R"({"terraway": 1, "seed": 9, "size": [3000, 3000], "terrain": {"cells": 500},
    "output": {"raster_longest": 32}, "navigation": {"longest": 48},
    "roads": {"lines": [{"id": "a", "points": [[-300, 0], [300, 0]]},
                        {"id": "b", "points": [[0, -300], [0, 300]]}]}})";

constexpr std::string_view kHill =
    R"({"edit": "raise", "tick": 5, "path": [[100, 200]], "radius": 300, "amount": 80})";
constexpr std::string_view kWall =
    R"({"edit": "put_obstacle", "obstacle": "wall", "ring": [[400, 400], [600, 400], [600, 500]]})";
constexpr std::string_view kWide = R"({"edit": "road_width", "road": "a", "width": 20})";

/// A bake to its end.
tw_bake* baked() {
    tw_bake_options options{};
    options.size = sizeof options;
    options.recipe = kRecipe.data();
    options.recipe_length = kRecipe.size();
    tw_bake* bake = nullptr;
    std::uint32_t finished = 0;
    EXPECT_EQ(tw_bake_create(&options, &bake), TW_OK);
    EXPECT_EQ(tw_bake_advance(bake, 1'000'000, &finished), TW_OK);
    EXPECT_EQ(finished, 1u);
    return bake;
}

/// The hash of a bake with these edits, without a session.
std::uint64_t hash_with(const std::string& lines) {
    const auto recipe = recipe::parse_recipe(kRecipe, "recipe");
    const auto edits = recipe::parse_edits(recipe::first_line() + lines, "edits");
    EXPECT_TRUE(recipe.ok() && edits.ok());
    pipeline::Imports imports;
    imports.lines = recipe->world.roads_lines;
    imports.edits = std::make_shared<const world::EditList>(*edits);
    const auto world = pipeline::bake(recipe->world, imports);
    EXPECT_TRUE(world.ok());
    return world->hash;
}

class CApiSession : public ::testing::Test {
protected:
    void SetUp() override {
        tw_bake* bake = baked();
        EXPECT_EQ(tw_bake_hash(bake, &first), TW_OK);
        ASSERT_EQ(tw_session_from_bake(bake, nullptr, &session), TW_OK);
        tw_bake_free(bake);
    }
    void TearDown() override { tw_session_free(session); }

    std::int32_t apply(const std::string& lines) {
        return tw_session_apply(session, lines.data(), lines.size());
    }
    std::uint64_t hash() { return hash_of(session); }
    static std::uint64_t hash_of(tw_session* session) {
        std::uint64_t hash = 0;
        EXPECT_EQ(tw_session_hash(session, &hash), TW_OK);
        return hash;
    }
    std::string error() const {
        std::uint64_t length = 0;
        tw_session_error(session, nullptr, 0, &length);
        std::string text(length, ' ');
        tw_session_error(session, text.data(), text.size(), &length);
        return text;
    }
    std::vector<std::uint32_t> changed_cells() const {
        tw_ids ids{};
        ids.size = sizeof ids;
        EXPECT_EQ(tw_session_changed_cells(session, &ids), TW_OK);
        return {ids.id, ids.id + ids.count};
    }
    /// A copy of an array's bytes.
    std::vector<std::byte> bytes_of(std::string_view name, std::size_t element) {
        tw_array array{};
        array.size = sizeof array;
        EXPECT_EQ(tw_session_find_array(session, name.data(), name.size(), &array), TW_OK);
        const auto* data = static_cast<const std::byte*>(array.data);
        return {data, data + array.count * element};
    }

    tw_session* session = nullptr;
    std::uint64_t first = 0;
};

TEST_F(CApiSession, StepsHaveTheHashesOfBakes) {
    EXPECT_EQ(hash(), first);
    const std::string one = std::string(kHill) + "\n" + std::string(kWall) + "\n";
    ASSERT_EQ(apply(one), TW_OK) << error();
    const std::uint64_t second = hash();
    EXPECT_EQ(second, hash_with(one));
    ASSERT_EQ(apply(std::string(kWide)), TW_OK) << error();  // its tick is that of the last: 5
    const std::uint64_t third = hash();
    EXPECT_EQ(third, hash_with(one + std::string(kWide)));

    EXPECT_EQ(tw_session_undo(session), TW_OK);
    EXPECT_EQ(hash(), second);
    EXPECT_EQ(tw_session_undo(session), TW_OK);
    EXPECT_EQ(hash(), first);
    EXPECT_EQ(tw_session_undo(session), TW_NOT_FOUND);
    EXPECT_EQ(tw_session_redo(session), TW_OK);
    EXPECT_EQ(tw_session_redo(session), TW_OK);
    EXPECT_EQ(hash(), third);
    EXPECT_EQ(tw_session_redo(session), TW_NOT_FOUND);
}

TEST_F(CApiSession, HashesInLinesGoOnWithTheHistory) {
    const auto edits = recipe::parse_edits(
        recipe::first_line() + std::string(kHill) + "\n" + std::string(kWall) + "\n", "edits");
    ASSERT_TRUE(edits.ok());
    std::uint64_t rolling = 0;
    const std::string hill = recipe::to_line(edits->edit[0], rolling);
    const std::string wall = recipe::to_line(edits->edit[1], rolling);
    EXPECT_EQ(apply(wall), TW_INVALID_INPUT) << "something stands before it";
    EXPECT_EQ(apply(hill), TW_OK) << error();
    EXPECT_EQ(apply(wall), TW_OK) << error();
    EXPECT_EQ(tw_session_undo(session), TW_OK);
    EXPECT_EQ(tw_session_undo(session), TW_OK);
    EXPECT_EQ(apply(hill), TW_OK) << error();
}

TEST_F(CApiSession, ChangesAreWhatDiffers) {
    // Against copies of all that readers of cells keep.
    const std::vector<std::pair<std::string_view, std::size_t>> arrays{{"edits.elevation", 4},
                                                                       {"drainage.elevation", 4},
                                                                       {"moisture.moisture", 2},
                                                                       {"biomes.biome", 1}};
    std::vector<std::vector<std::byte>> before;
    before.reserve(arrays.size());
    for (const auto& [name, size] : arrays) before.push_back(bytes_of(name, size));
    ASSERT_EQ(apply(std::string(kHill)), TW_OK) << error();
    const std::vector<std::uint32_t> cells = changed_cells();
    EXPECT_TRUE(std::ranges::is_sorted(cells));
    EXPECT_GT(cells.size(), 3u);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto& [name, size] = arrays[i];
        const std::vector<std::byte> after = bytes_of(name, size);
        ASSERT_EQ(after.size(), before[i].size());
        for (std::size_t cell = 0; cell < after.size() / size; ++cell) {
            if (std::memcmp(&after[cell * size], &before[i][cell * size], size) == 0) continue;
            EXPECT_TRUE(std::ranges::binary_search(cells, cell)) << name << " of " << cell;
        }
    }
    std::uint32_t roads = 7;
    EXPECT_EQ(tw_session_changed_roads(session, &roads), TW_OK);
    EXPECT_LE(roads, 1u);
    ASSERT_EQ(apply(std::string(kWide)), TW_OK) << error();
    EXPECT_EQ(tw_session_changed_roads(session, &roads), TW_OK);
    EXPECT_EQ(roads, 1u);
}

TEST_F(CApiSession, MeshRangesHoldAllThatChanged) {
    struct Copy {
        std::string surface;
        std::vector<std::int32_t> position;
    };
    const auto copies = [this] {
        std::vector<Copy> all;
        std::uint32_t count = 0;
        EXPECT_EQ(tw_session_mesh_count(session, &count), TW_OK);
        for (std::uint32_t i = 0; i < count; ++i) {
            tw_mesh mesh{};
            mesh.size = sizeof mesh;
            EXPECT_EQ(tw_session_mesh(session, i, &mesh), TW_OK);
            all.push_back({std::string(mesh.surface, mesh.surface_length),
                           {mesh.position, mesh.position + 3 * mesh.vertex_count}});
        }
        tw_mesh mesh{};
        mesh.size = sizeof mesh;
        EXPECT_EQ(tw_session_mesh(session, count, &mesh), TW_NOT_FOUND);
        return all;
    };
    std::vector<Copy> kept = copies();
    ASSERT_EQ(apply(std::string(kHill)), TW_OK) << error();
    const std::vector<Copy> now = copies();
    std::uint32_t count = 0;
    ASSERT_EQ(tw_session_mesh_change_count(session, &count), TW_OK);
    EXPECT_GT(count, 0u);
    for (std::uint32_t i = 0; i < count; ++i) {
        tw_mesh_change change{};
        change.size = sizeof change;
        ASSERT_EQ(tw_session_mesh_change(session, i, &change), TW_OK);
        ASSERT_LT(change.mesh, now.size());
        EXPECT_EQ(std::string(change.surface, change.surface_length), now[change.mesh].surface);
        std::vector<std::int32_t>& old = kept[change.mesh].position;
        const std::vector<std::int32_t>& fresh = now[change.mesh].position;
        if (change.resized) old.resize(fresh.size());
        std::copy(fresh.begin() + 3 * change.vertex_begin, fresh.begin() + 3 * change.vertex_end,
                  old.begin() + 3 * change.vertex_begin);
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].surface != "terrain" && now[i].surface != "water") continue;
        EXPECT_EQ(kept[i].position, now[i].position) << now[i].surface << i;
    }
    tw_mesh_change change{};
    change.size = sizeof change;
    EXPECT_EQ(tw_session_mesh_change(session, count, &change), TW_NOT_FOUND);
}

TEST_F(CApiSession, SquaresUnderAnObstacleChange) {
    const std::vector<std::byte> before = bytes_of("cost.cost", 1);
    ASSERT_EQ(apply(std::string(kWall)), TW_OK) << error();
    const std::vector<std::byte> after = bytes_of("cost.cost", 1);
    std::vector<std::uint32_t> different;
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (before[i] != after[i]) different.push_back(static_cast<std::uint32_t>(i));
    }
    tw_ids squares{};
    squares.size = sizeof squares;
    ASSERT_EQ(tw_session_changed_squares(session, &squares), TW_OK);
    EXPECT_GT(squares.count, 0u);
    EXPECT_TRUE(std::ranges::equal(std::span(squares.id, squares.count), different));
}

TEST_F(CApiSession, SavedAndLoadedItGoesOn) {
    ASSERT_EQ(apply(std::string(kHill)), TW_OK) << error();
    std::uint64_t length = 0, again = 0;
    ASSERT_EQ(tw_session_save(session, nullptr, 0, &length), TW_OK) << error();
    std::vector<std::byte> bytes(length);
    EXPECT_EQ(tw_session_save(session, bytes.data(), length - 1, &again), TW_TOO_LARGE);
    EXPECT_EQ(again, length);
    ASSERT_EQ(tw_session_save(session, bytes.data(), length, &again), TW_OK);

    tw_session_options options{};
    options.size = sizeof options;
    options.threads = 2;
    tw_session* loaded = nullptr;
    ASSERT_EQ(tw_session_load(bytes.data(), bytes.size(), &options, &loaded), TW_OK);
    EXPECT_EQ(hash_of(loaded), hash());
    EXPECT_EQ(tw_session_undo(loaded), TW_NOT_FOUND) << "steps are not saved";
    ASSERT_EQ(apply(std::string(kWide)), TW_OK) << error();
    ASSERT_EQ(tw_session_apply(loaded, kWide.data(), kWide.size()), TW_OK);
    EXPECT_EQ(hash_of(loaded), hash());
    EXPECT_EQ(hash(), hash_with(std::string(kHill) + "\n" + std::string(kWide)));
    tw_session_free(loaded);

    for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{3}}) {
        tw_session* cut = nullptr;
        const std::int32_t code = tw_session_load(bytes.data(), size, nullptr, &cut);
        EXPECT_EQ(code, TW_INVALID_INPUT) << size;
        ASSERT_NE(cut, nullptr);
        std::uint64_t words = 0, hash = 0;
        EXPECT_EQ(tw_session_error(cut, nullptr, 0, &words), code);
        EXPECT_GT(words, 0u);
        EXPECT_EQ(tw_session_hash(cut, &hash), TW_MISUSE);
        tw_session_free(cut);
    }
    options.memory_limit = 1000;
    EXPECT_EQ(tw_session_load(bytes.data(), bytes.size(), &options, &loaded), TW_TOO_LARGE);
    tw_session_free(loaded);
}

TEST_F(CApiSession, RefusedEditsChangeNothing) {
    const std::string good = std::string(kHill) + "\n";
    EXPECT_EQ(apply(good + R"({"edit": "road_width", "road": "z", "width": 5})"), TW_NOT_FOUND);
    EXPECT_NE(error().find("edit 2"), std::string::npos) << error();
    EXPECT_EQ(apply(good + R"({"edit": "raise", "path": [[0, )"), TW_INVALID_INPUT);
    EXPECT_NE(error().find("edits:2: "), std::string::npos) << error();
    EXPECT_EQ(apply(R"({"edit": "raise", "path": [[9000, 0]], "radius": 9, "amount": 1})"),
              TW_INVALID_INPUT);
    EXPECT_NE(error().find("edit 1"), std::string::npos) << error();
    EXPECT_EQ(hash(), first);
    EXPECT_TRUE(changed_cells().empty());
    EXPECT_EQ(tw_session_undo(session), TW_NOT_FOUND);
    EXPECT_EQ(apply(good), TW_OK) << error();
    EXPECT_EQ(apply(R"({"edit": "raise", "tick": 4, "path": [[0, 0]], "radius": 9, "amount": 1})"),
              TW_INVALID_INPUT)
        << "time runs forward";
}

TEST(CApiSessions, BeginWithFinishedWorldsOnly) {
    tw_session* session = nullptr;
    EXPECT_EQ(tw_session_from_bake(nullptr, nullptr, &session), TW_MISUSE);
    EXPECT_EQ(session, nullptr);
    tw_bake_options options{};
    options.size = sizeof options;
    options.recipe = kRecipe.data();
    options.recipe_length = kRecipe.size();
    tw_bake* bake = nullptr;
    ASSERT_EQ(tw_bake_create(&options, &bake), TW_OK);
    EXPECT_EQ(tw_session_from_bake(bake, nullptr, &session), TW_MISUSE);
    tw_bake_free(bake);
    options.target = TW_TARGET_STREETS;
    ASSERT_EQ(tw_bake_create(&options, &bake), TW_OK);
    std::uint32_t finished = 0;
    ASSERT_EQ(tw_bake_advance(bake, 1'000'000, &finished), TW_OK);
    EXPECT_EQ(tw_session_from_bake(bake, nullptr, &session), TW_MISUSE);
    tw_session_options wrong{};
    EXPECT_EQ(tw_session_load("", 0, &wrong, &session), TW_MISUSE);
    EXPECT_EQ(session, nullptr);
    tw_bake_free(bake);
}

}  // namespace
}  // namespace tw
