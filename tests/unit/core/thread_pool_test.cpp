#include "terraway/core/thread_pool.hpp"

#include "terraway/core/executor.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tw::Executor;
using tw::SerialExecutor;
using tw::ThreadPool;

void expect_each_index_once(Executor& executor, std::size_t count) {
    std::vector<std::atomic<int>> calls(count);
    executor.run(count, [&](std::size_t i) { ++calls[i]; });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(calls[i].load(), 1) << i << " of " << count;
}

TEST(Executor, EachIndexRunsOnce) {
    SerialExecutor serial;
    EXPECT_EQ(serial.concurrency(), 1u);
    for (std::size_t count : {0u, 1u, 2u, 1000u}) expect_each_index_once(serial, count);
    for (unsigned threads : {1u, 2u, 5u}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.concurrency(), threads);
        for (std::size_t count : {0u, 1u, 2u, 3u, 1000u}) expect_each_index_once(pool, count);
    }
    EXPECT_GE(ThreadPool().concurrency(), 1u);
}

TEST(ThreadPool, ManySmallRunsAllFinish) {
    ThreadPool pool(4);
    std::uint64_t sum = 0;
    for (std::size_t round = 0; round < 20'000; ++round) {
        std::atomic<std::uint64_t> part{0};
        pool.run(round % 7, [&](std::size_t i) { part += i + 1; });
        const std::uint64_t n = round % 7;
        ASSERT_EQ(part.load(), n * (n + 1) / 2);  // all done when run() returns
        sum += part;
    }
    EXPECT_GT(sum, 0u);
}

TEST(ThreadPool, NestedRunsAllFinish) {
    ThreadPool pool(4);
    std::vector<std::atomic<int>> calls(50 * 20 * 3);
    std::atomic<int> early{0};
    pool.run(50, [&](std::size_t a) {
        pool.run(20, [&](std::size_t b) {
            std::atomic<int> done{0};
            pool.run(3, [&](std::size_t c) {
                ++calls[(a * 20 + b) * 3 + c];
                ++done;
            });
            early += done.load() != 3;  // run() returned before its tasks were done
        });
    });
    EXPECT_EQ(early.load(), 0);
    for (const auto& count : calls) ASSERT_EQ(count.load(), 1);
}

TEST(ThreadPool, IdleThreadsHelpNestedRuns) {
    ThreadPool pool(2);
    // One outer task has nothing to do; the other one's two inner tasks wait for each other.
    std::atomic<int> arrived{0};
    pool.run(2, [&](std::size_t outer) {
        if (outer == 1) return;
        pool.run(2, [&](std::size_t) {
            ++arrived;
            while (arrived.load() < 2) std::this_thread::yield();
        });
    });
    EXPECT_EQ(arrived.load(), 2);
}

TEST(ThreadPool, NestingThroughASecondPoolFinishes) {
    ThreadPool outer(3), inner(3);
    std::atomic<int> calls{0};
    outer.run(10, [&](std::size_t) { inner.run(10, [&](std::size_t) { ++calls; }); });
    inner.run(10, [&](std::size_t) { outer.run(10, [&](std::size_t) { ++calls; }); });
    EXPECT_EQ(calls.load(), 200);
}

TEST(ThreadPool, CallersFromSeveralThreadsShareIt) {
    ThreadPool pool(3);
    std::array<std::atomic<int>, 3> calls{};
    std::atomic<int> early{0};
    const auto call = [&](std::size_t me) {
        for (int round = 1; round <= 300; ++round) {
            pool.run(4, [&](std::size_t) { ++calls[me]; });
            early += calls[me].load() != 4 * round;
        }
    };
    std::thread second([&] { call(1); }), third([&] { call(2); });
    call(0);
    second.join();
    third.join();
    EXPECT_EQ(early.load(), 0);
    for (const auto& count : calls) EXPECT_EQ(count.load(), 300 * 4);
}

TEST(ThreadPool, WorkIsShared) {
    ThreadPool pool(2);
    // Both tasks wait for the other: only two threads at once can finish them.
    std::atomic<int> arrived{0};
    pool.run(2, [&](std::size_t) {
        ++arrived;
        while (arrived.load() < 2) std::this_thread::yield();
    });
    EXPECT_EQ(arrived.load(), 2);
}

TEST(ThreadPool, UnevenWorkLeavesNothingBehind) {
    ThreadPool pool(3);
    for (int round = 0; round < 100; ++round) {
        std::vector<std::uint64_t> results(64, 0);
        pool.run(results.size(), [&](std::size_t i) {
            std::uint64_t x = i + 1;
            for (std::size_t k = 0; k < (i % 8) * 1000; ++k) x = x * 6364136223846793005u + 1;
            results[i] = x | 1;
        });
        for (std::uint64_t r : results) ASSERT_NE(r, 0u);
    }
}

TEST(ThreadPool, PoolsComeAndGo) {
    for (int i = 0; i < 200; ++i) {
        ThreadPool pool(3);
        if (i % 2 == 0) expect_each_index_once(pool, 10);
    }
}

TEST(ParallelFor, ChunksCoverTheRangeAndDependOnSizeAlone) {
    using Chunk = std::pair<std::size_t, std::size_t>;
    const auto chunks = [](Executor& executor, std::size_t count, std::size_t size) {
        std::vector<Chunk> seen((count + size - 1) / size, Chunk{1, 0});
        parallel_for(executor, count, size,
                     [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                         seen.at(chunk) = {begin, end};
                     });
        return seen;
    };
    SerialExecutor serial;
    ThreadPool two(2), five(5);
    for (std::size_t count : {0u, 1u, 9u, 10u, 11u, 1000u}) {
        for (std::size_t size : {1u, 10u, 64u, 5000u}) {
            const auto expected = chunks(serial, count, size);
            std::size_t next = 0;
            for (const auto& [begin, end] : expected) {
                EXPECT_EQ(begin, next);
                EXPECT_GT(end, begin);
                EXPECT_LE(end - begin, size);
                next = end;
            }
            EXPECT_EQ(next, count);
            EXPECT_EQ(chunks(two, count, size), expected);
            EXPECT_EQ(chunks(five, count, size), expected);
        }
    }
}

TEST(FunctionRef, BorrowsAnyCallable) {
    int calls = 0;
    const auto count = [&calls](int by) { return calls += by; };
    auto grow = [n = 0](int by) mutable { return n += by; };
    tw::FunctionRef<int(int)> f = count;
    EXPECT_EQ(f(3), 3);
    EXPECT_EQ(calls, 3);
    tw::FunctionRef<int(int)> g = grow;
    g(2);
    EXPECT_EQ(g(2), 4);  // the callable itself, not a copy
    EXPECT_EQ(grow(1), 5);
    const tw::FunctionRef<int(int)> h = g;  // a copy refers to the same callable
    EXPECT_EQ(h(1), 6);
    std::vector<int> moved;
    const auto keep = [&](std::vector<int> v) { moved = std::move(v); };
    const tw::FunctionRef<void(std::vector<int>)> take = keep;
    take({1, 2, 3});
    EXPECT_EQ(moved.size(), 3u);
}

}  // namespace
