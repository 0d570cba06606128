#include "terraway/pipeline/graph.hpp"

#include "terraway/world/roads.hpp"

#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace tw::pipeline {
namespace {

/// (a + 1) and (a · b / 10), each counting its runs.
struct Sum {
    explicit Sum(int first, int second, std::uint32_t version = 1) {
        a = graph.add_input(std::make_shared<const int>(first));
        b = graph.add_input(std::make_shared<const int>(second));
        left = graph.add<int>(
            StageInfo{.name = "left", .version = version},
            [this](const int* x, StageContext&) -> Result<int> {
                ++left_runs;
                return *x / 10;
            },
            a);
        right = graph.add<int>(
            StageInfo{.name = "right"},
            [this](const int* x, StageContext&) -> Result<int> {
                ++right_runs;
                return *x + 1;
            },
            b);
        whole = graph.add<int>(
            StageInfo{.name = "whole"},
            [this](const int* x, const int* y, StageContext&) -> Result<int> {
                ++whole_runs;
                return *x * *y;
            },
            left, right);
    }
    int run(StageCache* cache) {
        SerialExecutor executor;
        StageContext context(executor);
        for (std::size_t stage = 0; stage < graph.stage_count(); ++stage) {
            EXPECT_TRUE(graph.run(stage, cache, context).ok());
        }
        return *graph.get(whole);
    }
    std::array<int, 3> runs() const { return {left_runs, right_runs, whole_runs}; }

    Graph graph;
    Node<int> a, b, left, right, whole;
    int left_runs = 0, right_runs = 0, whole_runs = 0;
};
using Runs = std::array<int, 3>;

TEST(Graph, ChainsGoOnUntilTheyForkOrWait) {
    using Chains = std::vector<std::vector<std::size_t>>;
    Sum sum(1, 2);
    const auto chains = [&](std::vector<std::uint8_t> done) {
        return sum.graph.ready_chains(done);
    };
    EXPECT_EQ(chains({0, 0, 0}), (Chains{{0}, {1}}));  // the whole waits for both
    EXPECT_EQ(chains({1, 0, 0}), (Chains{{1, 2}}));
    EXPECT_EQ(chains({1, 1, 0}), (Chains{{2}}));
    EXPECT_EQ(chains({1, 1, 1}), Chains{});

    Graph graph;  // one stage that two depend on
    const auto run = [](const int* x, StageContext&) -> Result<int> { return *x; };
    const Node<int> input = graph.add_input(std::make_shared<const int>(1));
    const Node<int> root = graph.add<int>(StageInfo{.name = "root"}, run, input);
    graph.add<int>(StageInfo{.name = "one"}, run, root);
    graph.add<int>(StageInfo{.name = "other"}, run, root);
    EXPECT_EQ(graph.ready_chains(std::vector<std::uint8_t>{0, 0, 0}), (Chains{{0}}));
    EXPECT_EQ(graph.ready_chains(std::vector<std::uint8_t>{1, 0, 0}), (Chains{{1}, {2}}));
}

TEST(Graph, RunsEveryStageOnceWithoutACache) {
    Sum sum(70, 5);
    EXPECT_EQ(sum.run(nullptr), 42);
    EXPECT_EQ(sum.runs(), (Runs{1, 1, 1}));
}

TEST(Graph, RerunsOnlyWhatDependsOnAChange) {
    StageCache cache;
    Sum(70, 5).run(&cache);
    Sum same(70, 5);
    EXPECT_EQ(same.run(&cache), 42);
    EXPECT_EQ(same.runs(), (Runs{0, 0, 0}));
    Sum changed(70, 8);
    EXPECT_EQ(changed.run(&cache), 63);
    EXPECT_EQ(changed.runs(), (Runs{0, 1, 1}));
}

TEST(Graph, StopsEarlyWhereAnOutputComesOutEqual) {
    StageCache cache;
    Sum(70, 5).run(&cache);
    Sum changed(79, 5);  // 79 / 10 = 70 / 10
    EXPECT_EQ(changed.run(&cache), 42);
    EXPECT_EQ(changed.runs(), (Runs{1, 0, 0}));
}

TEST(Graph, AnotherAlgorithmVersionIsAnotherKey) {
    StageCache cache;
    Sum(70, 5).run(&cache);
    Sum newer(70, 5, 2);
    newer.run(&cache);
    EXPECT_EQ(newer.runs(), (Runs{1, 0, 0}));
}

TEST(Graph, TheStoreOutlivesTheCache) {
    MemoryBlobStore store;
    StageCache first({.store = &store});
    Sum(70, 5).run(&first);
    EXPECT_EQ(store.entries().size(), 3u);
    StageCache second({.store = &store});
    Sum again(70, 5);
    EXPECT_EQ(again.run(&second), 42);
    EXPECT_EQ(again.runs(), (Runs{0, 0, 0}));
}

TEST(Graph, EveryDamagedByteOfAnEntryIsBuiltAgain) {
    MemoryBlobStore store;
    StageCache first({.store = &store});
    Sum(70, 5).run(&first);
    const auto whole = store.entries();
    const std::size_t bytes = whole.begin()->second.size();
    for (std::size_t at = 0; at < bytes; ++at) {
        auto& damaged = store.entries();
        damaged = whole;
        for (auto& [key, entry] : damaged) entry[at] ^= std::byte{0x10};
        StageCache cache({.store = &store});
        Sum again(70, 5);
        EXPECT_EQ(again.run(&cache), 42) << at;
        EXPECT_EQ(again.runs(), (Runs{1, 1, 1})) << at;
    }
    for (std::size_t size = 0; size < bytes; ++size) {
        store.entries() = whole;
        for (auto& [key, entry] : store.entries()) entry.resize(size);
        StageCache cache({.store = &store});
        Sum again(70, 5);
        EXPECT_EQ(again.run(&cache), 42) << size;
        EXPECT_EQ(again.runs(), (Runs{1, 1, 1})) << size;
    }
}

TEST(Graph, AnEntryUnderAnotherKeyIsNotTaken) {
    MemoryBlobStore store;
    StageCache first({.store = &store});
    Sum(70, 5).run(&first);
    // Every entry under every key but its own.
    const auto whole = store.entries();
    auto from = whole.begin();
    for (auto& [key, entry] : store.entries()) {
        if (++from == whole.end()) from = whole.begin();
        entry = from->second;
    }
    StageCache second({.store = &store});
    Sum again(70, 5);
    EXPECT_EQ(again.run(&second), 42);
    EXPECT_EQ(again.runs(), (Runs{1, 1, 1}));
}

TEST(Graph, AnAbsentInputComesAsNullAndIsPartOfTheKey) {
    Graph graph;
    const auto see = [](const int* x, StageContext&) -> Result<int> { return x ? *x : -1; };
    const Node<int> zero = graph.add_input(std::make_shared<const int>(0));
    const Node<int> absent = graph.add_input(std::shared_ptr<const int>());
    EXPECT_TRUE(absent.is_none());
    const Node<int> with = graph.add<int>(StageInfo{.name = "see"}, see, zero);
    const Node<int> without = graph.add<int>(StageInfo{.name = "see"}, see, absent);
    SerialExecutor executor;
    StageContext context(executor);
    ASSERT_TRUE(graph.run(0, nullptr, context).ok());
    ASSERT_TRUE(graph.run(1, nullptr, context).ok());
    EXPECT_EQ(*graph.get(with), 0);
    EXPECT_EQ(*graph.get(without), -1);
    EXPECT_NE(graph.key(0), graph.key(1));
}

TEST(Graph, AnErrorComesOutAndNothingIsKept) {
    StageCache cache;
    Graph graph;
    graph.add<int>(StageInfo{.name = "broken"}, [](StageContext&) -> Result<int> {
        return Error{
            .code = ErrorCode::invalid_input, .stage = "broken", .subject = {}, .message = "no"};
    });
    SerialExecutor executor;
    StageContext context(executor);
    const auto ran = graph.run(0, &cache, context);
    ASSERT_FALSE(ran.ok());
    EXPECT_EQ(ran.error().message, "no");
    EXPECT_EQ(cache.bytes(), 0u);
}

TEST(Graph, ACancelledContextRunsNothing) {
    Sum sum(70, 5);
    CancelFlag cancel;
    cancel.cancel();
    SerialExecutor executor;
    StageContext context(executor);
    context.cancel = &cancel;
    const auto ran = sum.graph.run(0, nullptr, context);
    ASSERT_FALSE(ran.ok());
    EXPECT_EQ(ran.error().code, ErrorCode::cancelled);
    EXPECT_EQ(sum.left_runs, 0);
}

TEST(StageCache, TheLeastRecentlyUsedLeavesFirst) {
    const ValueCodec codec = codec_of<std::vector<int>>();
    const auto value = [](int n) { return StageValue::of(std::vector<int>(100, n)); };
    const std::uint64_t one = value(0).bytes();
    EXPECT_GE(one, 400u);
    StageCache cache({.memory_budget = 2 * one});
    cache.insert(1, value(1), codec);
    cache.insert(2, value(2), codec);
    EXPECT_TRUE(cache.find(1, codec));  // now 2 is the oldest
    cache.insert(3, value(3), codec);
    EXPECT_TRUE(cache.find(1, codec));
    EXPECT_FALSE(cache.find(2, codec));
    EXPECT_TRUE(cache.find(3, codec));
    EXPECT_LE(cache.bytes(), 2 * one);
    cache.insert(4, StageValue::of(std::vector<int>(1000, 4)),
                 codec);  // more than the whole budget
    EXPECT_FALSE(cache.find(4, codec));
    EXPECT_TRUE(cache.find(3, codec));
}

TEST(StageCache, AValueOfAnotherTypeIsNotTaken) {
    StageCache cache;
    cache.insert(1, StageValue::of(7), codec_of<int>());
    EXPECT_FALSE(cache.find(1, codec_of<unsigned>()));
    EXPECT_EQ(*cache.find(1, codec_of<int>()).get<int>(), 7);
}

TEST(StageValue, CountsTheBytesOfArraysInside) {
    world::RoadLines lines;
    lines.label = {std::string(100, 'x')};
    lines.point = IdArray<world::RoadPointTag, GridPoint>(1000);
    EXPECT_GE(memory_bytes(lines), 100u + 8000u);
    EXPECT_LE(memory_bytes(lines), 100u + 8000u + 1000u);
}

}  // namespace
}  // namespace tw::pipeline
