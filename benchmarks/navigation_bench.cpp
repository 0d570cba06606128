// Fields on grids: time a cell, open ground beside rough and walled ground. One thread, but for
// directions.

#include "terraway/core/random.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/navigation/fields.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace tw;
using world::CostGrid;

constexpr std::int32_t kSide = 1024;

/// `walls` in 100 cells block; the others cost 1 … `dearest`.
CostGrid grid_of(std::uint32_t walls, std::uint32_t dearest) {
    RandomStream random(Seed{1}, Purpose("navigation bench"), 0);
    CostGrid costs;
    costs.grid = {{0, 0}, 2, kSide, kSide};
    for (std::int32_t i = 0; i < kSide * kSide; ++i) {
        const bool wall = random.below(100) < walls;
        const auto cost = static_cast<std::uint8_t>(random.below(dearest) + 1);
        costs.cost.push_back(wall ? CostGrid::kBlocked : cost);
    }
    return costs;
}

CostGrid of_case(const benchmark::State& state) {
    return grid_of(static_cast<std::uint32_t>(state.range(0)),
                   static_cast<std::uint32_t>(state.range(1)));
}

void per_cell(benchmark::State& state) {
    state.counters["per_cell"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * kSide * kSide,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void bench_integrate(benchmark::State& state) {
    const CostGrid costs = of_case(state);
    const world::NavCellId goal = navigation::default_goal(costs);
    SerialExecutor executor;
    StageContext context(executor);
    for (auto _ : state) {
        benchmark::DoNotOptimize(navigation::integrate(costs, std::span(&goal, 1), context));
    }
    per_cell(state);
}

void bench_directions(benchmark::State& state) {
    const CostGrid costs = of_case(state);
    const world::NavCellId goal = navigation::default_goal(costs);
    ThreadPool executor(2);
    StageContext context(executor);
    const auto field = navigation::integrate(costs, std::span(&goal, 1), context);
    for (auto _ : state) {
        benchmark::DoNotOptimize(navigation::build_directions(costs, *field, context));
    }
    per_cell(state);
}

void bench_default_goal(benchmark::State& state) {
    const CostGrid costs = of_case(state);
    for (auto _ : state) benchmark::DoNotOptimize(navigation::default_goal(costs));
    per_cell(state);
}

void cases(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"walls", "dearest"})->Unit(benchmark::kMillisecond);
    bench->Args({0, 1})->Args({0, 20})->Args({0, 254})->Args({25, 1})->Args({25, 20});
}

BENCHMARK(bench_integrate)->Apply(cases);
BENCHMARK(bench_directions)->Apply(cases);
BENCHMARK(bench_default_goal)->Apply(cases);

}  // namespace

BENCHMARK_MAIN();
