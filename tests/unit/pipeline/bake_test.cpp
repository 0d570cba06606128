#include "terraway/pipeline/bake.hpp"

#include "terraway/core/thread_pool.hpp"

#include "support/steady_clock.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace tw::pipeline {
namespace {

std::shared_ptr<const world::ImportedLines> crossing_roads() {
    world::ImportedLines lines;
    lines.label = {"a", "b"};
    lines.attributes = IdArray<world::LineTag, world::RoadAttributes>(2, {.width = to_steps(7.0)});
    lines.point_begin = {0, 2, 4};
    const auto at = [](int metres) { return std::int64_t{metres} * kStepsPerMetre; };
    lines.x = {at(-300), at(300), at(0), at(0)};
    lines.y = {at(0), at(0), at(-300), at(300)};
    lines.node = {0, 0, 0, 0};
    return std::make_shared<const world::ImportedLines>(std::move(lines));
}

WorldRecipe small_world() {
    WorldRecipe recipe;
    recipe.seed.value = 7;
    recipe.placement.size = std::array{2000.0, 1500.0};
    recipe.sites.cells = 600;
    recipe.relief.highest = 80.0;
    recipe.rivers.min_flow = 0.005;
    recipe.raster.longest = 64;
    recipe.cost.longest = 48;
    recipe.roads_lines = crossing_roads();
    return recipe;
}

std::vector<std::string> names_of(const BakedWorld& world, std::uint8_t cached) {
    std::vector<std::string> names;
    for (const StageReport& stage : world.stages) {
        if (stage.cached == cached) names.push_back(stage.name);
    }
    return names;
}

BakedWorld must_bake(const WorldRecipe& recipe, const BakeEnvironment& environment = {}) {
    Result<BakedWorld> world = bake(recipe, {}, environment);
    EXPECT_TRUE(world.ok()) << to_string(world.error());
    return std::move(world).value();
}

TEST(Bake, RunsEveryStageInItsOrder) {
    const BakedWorld world = must_bake(small_world());
    const std::vector<std::string> expected{
        "placement",  "sites",   "cells",       "relief",         "climate",    "edits",
        "drainage",   "rivers",  "moisture",    "biomes",         "attributes", "lines",
        "road_edits", "network", "streets",     "street_heights", "obstacles",  "meshes",
        "raster",     "cost",    "integration", "directions"};
    EXPECT_EQ(names_of(world, 0), expected);
    EXPECT_TRUE(world.placement && world.map && world.streets && world.meshes && world.directions);
    EXPECT_TRUE(world::validate(*world.map).ok());
    EXPECT_TRUE(world::validate(*world.map, *world.relief, *world.drainage).ok());
    EXPECT_TRUE(world::validate(*world.streets).ok());
}

TEST(Bake, TheHashIsThatOfNamesAndStageHashes) {
    const BakedWorld world = must_bake(small_world());
    Hasher hasher;
    for (const StageReport& stage : world.stages) hasher.add(stage.name).add(stage.hash);
    EXPECT_EQ(world.hash, hasher.finish());
    for (const StageReport& stage : world.stages) {
        if (stage.name == "cells") {
            EXPECT_EQ(stage.hash, hash_of(*world.map));
        }
        if (stage.name == "directions") {
            EXPECT_EQ(stage.hash, hash_of(*world.directions));
        }
    }
}

TEST(Bake, SlicesAndThreadsNeverChangeTheWorld) {
    const WorldRecipe recipe = small_world();
    const BakedWorld whole = must_bake(recipe);
    for (const std::uint32_t budget : {0u, 1u, 130u}) {
        auto job = BakeJob::create(recipe, {}, {});
        ASSERT_TRUE(job.ok());
        int slices = 0;
        while (!(*job)->finished()) {
            ASSERT_TRUE((*job)->advance(budget).ok());
            ++slices;
        }
        EXPECT_GT(slices, budget == 130u ? 3 : 16);
        EXPECT_EQ((*job)->world().hash, whole.hash) << budget;
    }
    for (const unsigned threads : {2u, 5u}) {
        ThreadPool pool(threads);
        EXPECT_EQ(must_bake(recipe, {.executor = &pool}).hash, whole.hash) << threads;
    }
}

TEST(Bake, AChangedParameterRerunsOnlyWhatDependsOnIt) {
    StageCache cache;
    WorldRecipe recipe = small_world();
    must_bake(recipe, {.cache = &cache});
    EXPECT_TRUE(names_of(must_bake(recipe, {.cache = &cache}), 0).empty());

    recipe.cost.steepest = 0.4;
    const std::vector<std::string> after_cost = names_of(must_bake(recipe, {.cache = &cache}), 0);
    EXPECT_EQ(after_cost.front(), "cost");
    const std::set<std::string> navigation{"cost", "integration", "directions"};
    for (const std::string& name : after_cost) EXPECT_TRUE(navigation.contains(name)) << name;

    recipe.streets.corner_radius = 0.8;
    const std::vector<std::string> after_streets =
        names_of(must_bake(recipe, {.cache = &cache}), 0);
    EXPECT_EQ(after_streets.front(), "streets");
    const std::set<std::string> terrain{"sites", "cells", "relief", "drainage", "rivers", "raster"};
    for (const std::string& name : after_streets) EXPECT_FALSE(terrain.contains(name)) << name;
}

TEST(Bake, AChangeThatChangesNothingStopsAtOnce) {
    StageCache cache;
    WorldRecipe recipe = small_world();
    must_bake(recipe, {.cache = &cache});
    recipe.network.join = 2.5;  // no ends are that near
    EXPECT_EQ(names_of(must_bake(recipe, {.cache = &cache}), 0),
              std::vector<std::string>{"network"});
}

TEST(Bake, ACachedWorldEqualsABuiltOne) {
    MemoryBlobStore store;
    StageCache first({.store = &store});
    const BakedWorld built = must_bake(small_world(), {.cache = &first});
    StageCache second({.store = &store});
    const BakedWorld read = must_bake(small_world(), {.cache = &second});
    EXPECT_TRUE(names_of(read, 0).empty());
    EXPECT_EQ(read.hash, built.hash);
    EXPECT_EQ(hash_of(*read.meshes), hash_of(*built.meshes));
    EXPECT_EQ(hash_of(*read.network), hash_of(*built.network));
}

TEST(Bake, AWorldWithoutRoadsHasStreetStagesWithNothingInThem) {
    WorldRecipe recipe = small_world();
    recipe.roads_lines = nullptr;
    const BakedWorld world = must_bake(recipe);
    EXPECT_EQ(world.stages.size(), stage_infos().size());
    EXPECT_FALSE(world.has_roads());
    ASSERT_NE(world.streets, nullptr);
    EXPECT_EQ(world.streets->piece_count(), 0u);
    EXPECT_TRUE(world.street_heights->height.empty());
    ASSERT_NE(world.meshes, nullptr);
    EXPECT_TRUE(must_bake(small_world()).has_roads());
}

TEST(Bake, EditsRerunWhatTheyAreDoneToAndNothingElse) {
    StageCache cache;
    const WorldRecipe recipe = small_world();
    const BakedWorld before = must_bake(recipe, {.cache = &cache});
    const auto with = [&](world::EditAction action) {
        auto edits = std::make_shared<world::EditList>();
        edits->edit.push_back({0, std::move(action)});
        auto world =
            bake(recipe, {.heights = nullptr, .lines = nullptr, .edits = edits}, {.cache = &cache});
        EXPECT_TRUE(world.ok()) << to_string(world.error());
        return std::move(world).value();
    };
    const GridPoint middle{0, 0};
    const BakedWorld wall =
        with(world::PutObstacle{"wall", {middle, {40'960, 0}, {40'960, 40'960}}});
    const std::vector<std::string> after_wall = names_of(wall, 0);
    const std::set<std::string> navigation{"obstacles", "cost", "integration", "directions"};
    for (const std::string& name : after_wall) EXPECT_TRUE(navigation.contains(name)) << name;
    EXPECT_NE(hash_of(*wall.cost), hash_of(*before.cost));

    const BakedWorld owned = with(world::SetCellAttribute{middle, 0, "owner", std::int64_t{3}});
    EXPECT_EQ(names_of(owned, 0), std::vector<std::string>{"attributes"});
    ASSERT_EQ(owned.attributes->cell.size(), 1u);

    const BakedWorld hill = with(world::RaiseGround{{middle}, {102'400}, 20'480});
    EXPECT_EQ(names_of(hill, 0).front(), "edits");
    EXPECT_NE(hash_of(*hill.drainage), hash_of(*before.drainage));
    EXPECT_EQ(hash_of(*hill.streets), hash_of(*before.streets));
}

TEST(Bake, StreetsAloneNeedNoTerrain) {
    const auto world = bake(small_world(), {}, {}, BakeTargets::streets);
    ASSERT_TRUE(world.ok()) << to_string(world.error());
    EXPECT_EQ(names_of(*world, 0),
              (std::vector<std::string>{"placement", "lines", "road_edits", "network", "streets"}));
    EXPECT_EQ(world->map, nullptr);
    EXPECT_EQ(hash_of(*world->streets), hash_of(*must_bake(small_world()).streets));

    WorldRecipe empty = small_world();
    empty.roads_lines = nullptr;
    const auto refused = bake(empty, {}, {}, BakeTargets::streets);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_option);
}

struct Recorder final : ProgressSink {
    void progress(double fraction, std::string_view what) override {
        EXPECT_GE(fraction, last);
        EXPECT_LE(fraction, 1.0);
        last = fraction;
        if (!what.empty()) names.insert(std::string(what));
    }
    double last = 0.0;
    std::set<std::string> names;
};

TEST(Bake, ProgressNeverFallsAndEndsAtOne) {
    Recorder recorder;
    auto job = BakeJob::create(small_world(), {}, {.progress = &recorder});
    ASSERT_TRUE(job.ok());
    EXPECT_EQ((*job)->progress().stage, "placement");
    double last = 0.0;
    while (!(*job)->finished()) {
        ASSERT_TRUE((*job)->advance(1).ok());
        EXPECT_GE((*job)->progress().fraction, last);
        last = (*job)->progress().fraction;
    }
    EXPECT_DOUBLE_EQ(last, 1.0);
    EXPECT_EQ((*job)->progress().stage, "");
    EXPECT_DOUBLE_EQ(recorder.last, 1.0);
    EXPECT_TRUE(recorder.names.contains("cells") && recorder.names.contains("directions"));
}

TEST(Bake, CancelStopsItForGood) {
    CancelFlag cancel;
    auto job = BakeJob::create(small_world(), {}, {.cancel = &cancel});
    ASSERT_TRUE(job.ok());
    ASSERT_TRUE((*job)->advance(1).ok());
    cancel.cancel();
    for (int i = 0; i < 2; ++i) {
        const auto stopped = (*job)->advance(1000);
        ASSERT_FALSE(stopped.ok());
        EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
    }
    EXPECT_FALSE((*job)->finished());
}

/// Cancels when progress has come to a fraction.
struct CancelAt final : ProgressSink {
    void progress(double fraction, std::string_view) override {
        if (fraction >= limit) flag.cancel();
    }
    double limit = 0.0;
    CancelFlag flag;
};

TEST(Bake, CancelledAnywhereItSaysSo) {
    for (int percent = 0; percent < 99; percent += 7) {
        CancelAt sink;
        sink.limit = percent / 100.0;
        const auto world = bake(small_world(), {}, {.cancel = &sink.flag, .progress = &sink});
        ASSERT_FALSE(world.ok()) << percent << " %";
        EXPECT_EQ(world.error().code, ErrorCode::cancelled) << to_string(world.error());
    }
}

TEST(Bake, MoreThanTheMemoryLimitIsRefusedBeforeWorkStarts) {
    const WorldRecipe recipe = small_world();
    const std::uint64_t needed = total_bytes(estimate_bytes(recipe, {}, BakeTargets::world));
    Recorder recorder;
    const auto refused = bake(recipe, {}, {.progress = &recorder, .memory_limit = needed - 1});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    EXPECT_TRUE(recorder.names.empty());
    EXPECT_TRUE(bake(recipe, {}, {.memory_limit = needed}).ok());
}

TEST(Bake, OutputsStayWithinTheirEstimates) {
    WorldRecipe recipe = small_world();
    recipe.sites.cells = 5000;
    const BakedWorld world = must_bake(recipe);
    const auto estimates = estimate_bytes(recipe, {}, BakeTargets::world);
    const auto within = [&](std::string_view name, std::uint64_t bytes) {
        const auto found = std::ranges::find(estimates, name, &StageEstimate::name);
        ASSERT_NE(found, estimates.end());
        EXPECT_LE(bytes, found->output + 2048) << name;
        if (found->output > 100'000) {
            EXPECT_GE(2 * bytes, found->output)
                << name << ": the estimate is more than twice as much";
        }
    };
    within("cells", memory_bytes(*world.map));
    within("relief", memory_bytes(*world.relief));
    within("drainage", memory_bytes(*world.drainage));
    within("rivers", memory_bytes(*world.rivers));
    within("climate", memory_bytes(*world.climate));
    within("moisture", memory_bytes(*world.moisture));
    within("raster", memory_bytes(*world.raster));
    within("integration", memory_bytes(*world.integration));
    within("meshes", memory_bytes(*world.meshes));
}

TEST(Bake, ABrokenImportIsRefused) {
    world::ImportedLines broken = *crossing_roads();
    broken.point_begin = {0, 2, 400};
    const auto refused =
        bake(small_world(), {.heights = nullptr,
                             .lines = std::make_shared<const world::ImportedLines>(broken),
                             .edits = nullptr});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_input);
}

struct CountingClock final : Clock {
    std::uint64_t nanoseconds() override { return now += 10; }
    std::uint64_t now = 0;
};

TEST(Bake, StagesAreTimedByTheCallersClock) {
    CountingClock clock;
    const BakedWorld world = must_bake(small_world(), {.clock = &clock});
    for (const StageReport& stage : world.stages) EXPECT_EQ(stage.nanoseconds, 10u);
}

TEST(Bake, StagesAtTheSameTimeShareIt) {
    ThreadPool pool(3);
    tw::testing::SteadyClock clock;
    const std::uint64_t start = clock.nanoseconds();
    const BakedWorld world = must_bake(small_world(), {.executor = &pool, .clock = &clock});
    const std::uint64_t whole = clock.nanoseconds() - start;
    std::uint64_t sum = 0;
    for (const StageReport& stage : world.stages) {
        EXPECT_GT(stage.nanoseconds, 0u) << stage.name;
        sum += stage.nanoseconds;
    }
    EXPECT_LE(sum, whole);
}

/// Fails the test when it is told anything on another thread.
class OneThreadSink final : public ProgressSink {
public:
    void progress(double fraction, std::string_view) override {
        EXPECT_EQ(std::this_thread::get_id(), here_);
        EXPECT_GE(fraction, last_);
        last_ = fraction;
    }
    double last() const { return last_; }

private:
    std::thread::id here_ = std::this_thread::get_id();
    double last_ = 0.0;
};

TEST(Bake, ProgressIsToldOnTheCallersThread) {
    ThreadPool pool(4);
    for (int run = 0; run < 5; ++run) {
        OneThreadSink sink;
        must_bake(small_world(), {.executor = &pool, .progress = &sink});
        EXPECT_EQ(sink.last(), 1.0);
    }
}

TEST(Bake, ThreadsShareACache) {
    ThreadPool pool(4);
    StageCache cache;
    const BakedWorld built = must_bake(small_world(), {.executor = &pool, .cache = &cache});
    const BakedWorld again = must_bake(small_world(), {.executor = &pool, .cache = &cache});
    EXPECT_EQ(again.hash, built.hash);
    EXPECT_EQ(names_of(again, 0).size(), 0u);
}

}  // namespace
}  // namespace tw::pipeline
