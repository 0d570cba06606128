// Each stage of terrain by itself: cells, threads, time a cell.

#include "terraway/core/thread_pool.hpp"
#include "terraway/terrain/climate.hpp"
#include "terraway/terrain/drainage.hpp"
#include "terraway/terrain/relief.hpp"
#include "terraway/terrain/rivers.hpp"
#include "terraway/terrain/sites.hpp"
#include "terraway/world/surface.hpp"

#include "value_or_exit.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

#include <benchmark/benchmark.h>

namespace {

using namespace tw;

constexpr GridBox kBounds{{-10'240'000, -10'240'000}, {10'240'000, 10'240'000}};  // 20 km
constexpr Seed kSeed{1};

struct World {
    terrain::SiteOptions options;
    world::Placement placement;
    terrain::Sites sites;
    world::PolygonMap map;
    world::Relief relief;
    world::Drainage drainage;
    world::Rivers rivers;
    world::Climate climate;
    world::Biomes biomes;

    void build_sites(StageContext& c) {
        sites = value_or_exit(terrain::build_sites(kBounds, options, kSeed, c));
    }
    void build_map(StageContext& c) {
        map = value_or_exit(terrain::build_polygon_map(sites, kBounds, options, c));
    }
    void build_relief(StageContext& c) {
        relief = value_or_exit(terrain::build_relief(map, {}, nullptr, placement, kSeed, c));
    }
    void build_drainage(StageContext& c) {
        drainage =
            value_or_exit(terrain::build_drainage(map, relief, terrain::Border::ocean, {}, c));
    }
    void build_rivers(StageContext& c) {
        rivers = value_or_exit(terrain::build_rivers(map, relief, drainage, {}, c));
    }
    void build_climate(StageContext& c) {
        climate = value_or_exit(terrain::build_climate(map, relief, drainage, rivers, {}, c));
    }
    void build_biomes(StageContext& c) {
        biomes = value_or_exit(terrain::build_biomes(map, relief, drainage, climate, {}, c));
    }
    void build_all(StageContext& c) {
        build_sites(c);
        build_map(c);
        build_relief(c);
        build_drainage(c);
        build_rivers(c);
        build_climate(c);
        build_biomes(c);
    }
};

World& world_of(std::uint32_t cells) {
    static std::map<std::uint32_t, World> worlds;
    World& w = worlds[cells];
    if (w.map.cell_count() == 0) {
        ThreadPool pool;
        StageContext context(pool);
        w.options.cells = cells;
        w.placement.bounds = kBounds;
        w.build_all(context);
    }
    return w;
}

template <class Stage>
void run(benchmark::State& state, Stage stage) {
    World& w = world_of(static_cast<std::uint32_t>(state.range(0)));
    ThreadPool pool(static_cast<unsigned>(state.range(1)));
    StageContext context(pool);
    for (auto _ : state) (w.*stage)(context);
    const auto cells = static_cast<double>(w.map.cell_count());
    state.counters["per_cell"] = benchmark::Counter(
        cells, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void bench_height_at(benchmark::State& state) {
    const World& w = world_of(static_cast<std::uint32_t>(state.range(0)));
    const world::SurfaceQuery query(world::CanonicalSurface{&w.map, &w.drainage, &w.rivers});
    RandomStream random(kSeed, Purpose("bench"), 0);
    for (auto _ : state) {
        const auto x = static_cast<std::int32_t>(random.below(20'480'000)) - 10'240'000;
        const auto y = static_cast<std::int32_t>(random.below(20'480'000)) - 10'240'000;
        benchmark::DoNotOptimize(query.height_at({x, y}));
    }
}

void cells_and_threads(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"cells", "threads"})->ArgsProduct({{25'000, 1'000'000}, {1, 2}});
    bench->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(run, sites, &World::build_sites)->Apply(cells_and_threads);
BENCHMARK_CAPTURE(run, polygon_map, &World::build_map)->Apply(cells_and_threads);
BENCHMARK_CAPTURE(run, relief, &World::build_relief)->Apply(cells_and_threads);
BENCHMARK_CAPTURE(run, drainage, &World::build_drainage)->Apply(cells_and_threads);
BENCHMARK_CAPTURE(run, rivers, &World::build_rivers)->Apply(cells_and_threads);
BENCHMARK_CAPTURE(run, climate, &World::build_climate)->Apply(cells_and_threads);
BENCHMARK_CAPTURE(run, biomes, &World::build_biomes)->Apply(cells_and_threads);
BENCHMARK_CAPTURE(run, all, &World::build_all)->Apply(cells_and_threads);
BENCHMARK(bench_height_at)->Arg(25'000)->Arg(1'000'000);

}  // namespace

BENCHMARK_MAIN();
