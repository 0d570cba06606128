// kill -9 at any moment of saving leaves a whole file: the old one or the new one.

#include "terraway/io/files.hpp"
#include "terraway/io/world_file.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/recipe.hpp"

#include "unit/io/test_data.hpp"

#include <array>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

namespace tw::io {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;

recipe::WorldFile baked(std::uint64_t seed) {
    const std::string text = R"({"terraway": 1, "size": [4000, 4000], "seed": )" +
                             std::to_string(seed) +
                             R"(, "terrain": {"cells": 3000, "shape": "island", "highest": 300}})";
    const auto recipe = recipe::parse_recipe(text, "test.json");
    EXPECT_TRUE(recipe.ok()) << to_string(recipe.error());
    auto world = pipeline::bake(recipe->world, {});
    EXPECT_TRUE(world.ok());
    return {.recipe = text, .world = std::move(world).value()};
}

Bytes bytes_of_file(const fs::path& path) {
    auto bytes = read_file(path);
    EXPECT_TRUE(bytes.ok()) << "there is a file at every moment";
    return bytes ? std::move(bytes).value() : Bytes();
}

TEST(WorldFileOnDisk, SavesLoadsAndTellsWhatItIs) {
    const ScratchFolder scratch;
    const fs::path path = scratch.path() / "world.tw";
    SerialExecutor serial;
    StageContext context(serial);
    const recipe::WorldFile file = baked(1);
    ASSERT_TRUE(save_world(file, path, context).ok());
    const auto again = load_world(path, context);
    ASSERT_TRUE(again.ok()) << to_string(again.error());
    EXPECT_EQ(again->world.hash, file.world.hash);
    EXPECT_EQ(describe_world(path)->hash, file.world.hash);
    EXPECT_EQ(test::files_in(scratch.path()).size(), 1u) << "nothing beside the file is left";
}

TEST(WorldFileOnDisk, ErrorsNameTheFile) {
    const ScratchFolder scratch;
    const fs::path path = scratch.path() / "world.tw";
    SerialExecutor serial;
    StageContext context(serial);
    EXPECT_EQ(load_world(path, context).error().code, ErrorCode::not_found);
    EXPECT_EQ(load_world(scratch.path(), context).error().code, ErrorCode::io);
    ASSERT_TRUE(write_file(path, "no world").ok());
    const auto wrong = load_world(path, context);
    ASSERT_FALSE(wrong.ok());
    EXPECT_NE(wrong.error().subject.text().find("world.tw"), std::string::npos);
}

TEST(WorldFileOnDisk, ACancelledSaveLeavesTheOldFile) {
    const ScratchFolder scratch;
    const fs::path path = scratch.path() / "world.tw";
    ASSERT_TRUE(write_file(path, "old").ok());
    SerialExecutor serial;
    StageContext context(serial);
    CancelFlag cancel;
    cancel.cancel();
    context.cancel = &cancel;
    EXPECT_EQ(save_world(baked(1), path, context).error().code, ErrorCode::cancelled);
    EXPECT_EQ(bytes_of_file(path).size(), 3u);
    EXPECT_EQ(test::files_in(scratch.path()).size(), 1u);
}

/// Saves one world over the other until it is killed, `first` first.
[[noreturn]] void save_for_ever(const std::array<recipe::WorldFile, 2>& worlds, std::size_t first,
                                const fs::path& path) {
    SerialExecutor serial;
    StageContext context(serial);
    for (std::size_t i = first;; ++i) {
        if (!save_world(worlds[i % 2], path, context)) _exit(1);
    }
}

TEST(WorldFileOnDisk, KilledAtAnyMomentTheFileIsWhole) {
    const ScratchFolder scratch;
    const fs::path path = scratch.path() / "world.tw";
    const std::array worlds{baked(1), baked(2)};
    SerialExecutor serial;
    StageContext context(serial);
    std::array<Bytes, 2> whole;
    for (std::size_t i = 0; i < 2; ++i) {
        ASSERT_TRUE(save_world(worlds[i], path, context).ok());
        whole[i] = bytes_of_file(path);
    }
    ASSERT_NE(whole[0], whole[1]);

    // How long a save takes here, so that kills fall on all of its parts.
    const auto start = std::chrono::steady_clock::now();
    ASSERT_TRUE(save_world(worlds[0], path, context).ok());
    const auto save = std::chrono::steady_clock::now() - start;

    constexpr int kKills = 60;
    int first = 0, in_the_middle = 0;
    for (int kill_number = 0; kill_number < kKills; ++kill_number) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) save_for_ever(worlds, static_cast<std::size_t>(kill_number % 2), path);
        // Moments spread over four saves; what the scheduler adds makes them random.
        std::this_thread::sleep_for(save * 4 * (kill_number + 1) / kKills);
        ASSERT_EQ(kill(child, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it saved until it was killed";

        const Bytes left = bytes_of_file(path);
        ASSERT_TRUE(left == whole[0] || left == whole[1]) << "kill " << kill_number;
        first += left == whole[0] ? 1 : 0;
        for (const fs::path& file : test::files_in(scratch.path())) {
            if (file == path) continue;
            ++in_the_middle;  // a save that never ended leaves its unfinished file beside
            fs::remove(file);
        }
    }
    EXPECT_GT(first, 0);
    EXPECT_LT(first, kKills) << "both worlds were met";
    EXPECT_GT(in_the_middle, 0) << "kills met saves in the middle";
}

}  // namespace
}  // namespace tw::io
