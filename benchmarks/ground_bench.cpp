// Surfaces and rasters of a coast with rivers, 25,000 cells, two threads.

#include "terraway/core/thread_pool.hpp"
#include "terraway/ground/height_raster.hpp"
#include "terraway/ground/meshes.hpp"
#include "terraway/navigation/cost_grid.hpp"

#include "support/river_map.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace tw;

const test::RiverMap& coast() {
    static const test::RiverMap world =
        test::river_map({.lattice = {.columns = 200, .rows = 125, .side = 65'536, .jitter = 8000},
                         .river_from = 150});
    return world;
}

void bench_meshes(benchmark::State& state) {
    ThreadPool executor(2);
    StageContext context(executor);
    for (auto _ : state) {
        benchmark::DoNotOptimize(ground::build_meshes(coast().surface(), coast().relief,
                                                      coast().biomes, nullptr, nullptr, context));
    }
}

void bench_height_raster(benchmark::State& state) {
    ThreadPool executor(2);
    StageContext context(executor);
    const ground::RasterOptions options{.longest = static_cast<std::uint32_t>(state.range(0))};
    for (auto _ : state) {
        benchmark::DoNotOptimize(ground::build_height_raster(coast().surface(), options, context));
    }
}

void bench_cost_grid(benchmark::State& state) {
    ThreadPool executor(2);
    StageContext context(executor);
    const navigation::CostOptions options{.longest = static_cast<std::uint32_t>(state.range(0))};
    for (auto _ : state) {
        benchmark::DoNotOptimize(navigation::build_cost_grid(
            coast().surface(), coast().relief, coast().biomes, nullptr, options, context));
    }
}

BENCHMARK(bench_meshes)->Unit(benchmark::kMillisecond);
BENCHMARK(bench_height_raster)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);
BENCHMARK(bench_cost_grid)->Arg(512)->Arg(2048)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
