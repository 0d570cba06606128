// Junctions a second on one thread, beside the network that they stand on.

#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"

#include "support/road_lines.hpp"

#include <benchmark/benchmark.h>

namespace tw {
namespace {

void BM_Network(benchmark::State& state) {
    const world::RoadLines lines = test::lines_from(test::town(static_cast<int>(state.range(0))));
    SerialExecutor executor;
    StageContext ctx(executor);
    for (auto _ : state) benchmark::DoNotOptimize(roads::build_network(lines, {}, ctx));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lines.label.size()));
}
BENCHMARK(BM_Network)->Arg(30)->Arg(120)->Unit(benchmark::kMillisecond);

/// A crossing is dragged to and fro: the network that follows from the one before.
void BM_NetworkUpdate(benchmark::State& state) {
    const int blocks = static_cast<int>(state.range(0));
    const world::RoadLines lines = test::lines_from(test::town(blocks));
    world::RoadLines dragged = lines;
    const auto middle = static_cast<std::uint64_t>(blocks * blocks / 2 + blocks / 2) + 1;
    for (const world::RoadPointId p : lines.point.ids()) {
        if (lines.node[p] == middle) dragged.point.edit(p) = lines.point[p] + GridPoint{2048, 1024};
    }
    SerialExecutor executor;
    StageContext ctx(executor);
    auto now = roads::trace_network(lines, {}, ctx);
    bool away = false;
    for (auto _ : state) {
        away = !away;
        world::NetworkChanges changes;
        now = roads::update_network(now->network, *now->trace, away ? dragged : lines, {}, changes,
                                    ctx);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_NetworkUpdate)->Arg(30)->Arg(120)->Unit(benchmark::kMillisecond);

void BM_Streets(benchmark::State& state) {
    const world::RoadLines lines = test::lines_from(test::town(static_cast<int>(state.range(0))));
    SerialExecutor executor;
    StageContext ctx(executor);
    const auto network = roads::build_network(lines, {}, ctx);
    for (auto _ : state) benchmark::DoNotOptimize(streets::build_streets(*network, {}, ctx));
    state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0));
}
BENCHMARK(BM_Streets)->Arg(30)->Arg(120)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tw

BENCHMARK_MAIN();
