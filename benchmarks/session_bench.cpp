// A session at work: brush strokes and channels on a large world, beside the whole bake that they
// spare.
//   session_bench [CELLS] [STROKES] [KEY=VALUE]...
// By default 1,000,000 cells and 200 strokes of each kind; the rest are settings of the recipe,
// such as water.depressions=carve.

#include "terraway/core/random.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/pipeline/session.hpp"
#include "terraway/recipe/recipe.hpp"

#include "support/steady_clock.hpp"
#include "value_or_exit.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tw;

struct Times {
    std::vector<double> ms;
    std::uint64_t cells = 0;  ///< changed, of all strokes

    double at(double share) {
        std::ranges::sort(ms);
        return ms[std::min(ms.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(ms.size())))];
    }
};

class Bench {
public:
    Bench(pipeline::Session& session, std::size_t strokes)
        : session_(session), strokes_(strokes), random_(Seed{3}, Purpose("bench"), 0) {
        const pipeline::BakedWorld& world = session.world();
        map_ = world.map;
        for (const world::CellId cell : map_->site.ids()) {
            if (world.drainage->water[cell] == world::Water::land) land_.push_back(cell);
        }
    }
    /// Edits that `make(place)` gives, done and timed one by one; then all are taken back.
    template <class Make>
    void run(const char* what, Make&& make) {
        Times apply, undo;
        for (std::size_t i = 0; i < strokes_; ++i) {
            const world::CellId cell =
                land_[random_.below(static_cast<std::uint32_t>(land_.size()))];
            const world::Edit edit{0, make(cell)};
            const std::uint64_t start = clock_.nanoseconds();
            const Status done = session_.apply(edit);
            const std::uint64_t end = clock_.nanoseconds();
            if (!done) continue;  // out of the map
            apply.ms.push_back(static_cast<double>(end - start) * 1e-6);
            apply.cells += session_.changes().cells.size();
        }
        const std::size_t steps = apply.ms.size();
        for (std::size_t i = 0; i < steps; ++i) {
            const std::uint64_t start = clock_.nanoseconds();
            value_or_exit(session_.undo());
            undo.ms.push_back(static_cast<double>(clock_.nanoseconds() - start) * 1e-6);
        }
        std::printf("%-34s %8.2f %8.2f %8.2f %10.0f %10.2f\n", what, apply.at(0.5), apply.at(0.99),
                    apply.at(1.0), static_cast<double>(apply.cells) / static_cast<double>(steps),
                    undo.at(0.99));
    }
    GridPoint site(world::CellId cell) const { return map_->site[cell]; }
    Steps spacing() const { return map_->spacing; }

    /// The way of water from a cell, some cells long.
    std::vector<GridPoint> way_down(world::CellId cell, std::size_t cells) const {
        const world::Drainage& drainage = *session_.world().drainage;
        std::vector<GridPoint> way;
        for (std::size_t i = 0; i < cells && cell && drainage.downhill[cell]; ++i) {
            way.push_back(site(cell));
            cell = map_->neighbour(drainage.downhill[cell]);
        }
        return way;
    }

private:
    pipeline::Session& session_;
    std::size_t strokes_;
    RandomStream random_;
    testing::SteadyClock clock_;
    std::shared_ptr<const world::PolygonMap> map_;
    std::vector<world::CellId> land_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string cells = argc > 1 ? argv[1] : "1000000";
    const auto strokes = static_cast<std::size_t>(argc > 2 ? std::max(1, std::atoi(argv[2])) : 200);
    const std::string path = TERRAWAY_SOURCE_DIR "/examples/island.json";
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    std::vector<std::string> overrides{"terrain.cells=" + cells};
    for (int i = 3; i < argc; ++i) overrides.emplace_back(argv[i]);
    const auto recipe = value_or_exit(recipe::parse_recipe(text.str(), path, overrides));

    ThreadPool pool(2);
    testing::SteadyClock clock;
    const std::uint64_t start = clock.nanoseconds();
    auto world = value_or_exit(pipeline::bake(recipe.world, {}, {.executor = &pool}));
    const std::uint64_t baked = clock.nanoseconds();
    const auto session = value_or_exit(pipeline::Session::create(
        recipe.world, std::move(world), {.executor = &pool, .undo_steps = strokes}));
    const std::uint64_t opened = clock.nanoseconds();
    std::printf("%s cells, 2 threads: bake to data %.0f ms, session %.0f ms\n", cells.c_str(),
                static_cast<double>(baked - start) * 1e-6,
                static_cast<double>(opened - baked) * 1e-6);
    std::printf("%-34s %8s %8s %8s %10s %10s\n", "[ms]", "median", "p99", "worst", "cells",
                "undo p99");
    Bench bench(*session, strokes);
    const Steps metre = kStepsPerMetre;
    bench.run("raise 3 m, radius 12 cells", [&](world::CellId cell) {
        return world::RaiseGround{{bench.site(cell)}, {12 * bench.spacing()}, 3 * metre};
    });
    bench.run("lower 3 m, radius 12 cells", [&](world::CellId cell) {
        return world::RaiseGround{{bench.site(cell)}, {12 * bench.spacing()}, -3 * metre};
    });
    bench.run("flatten to 50 m, radius 18 cells", [&](world::CellId cell) {
        return world::FlattenGround{{bench.site(cell)}, {18 * bench.spacing()}, 50 * metre};
    });
    bench.run("channel, 30 cells of a valley", [&](world::CellId cell) {
        world::DigChannel channel;
        channel.path = bench.way_down(cell, 30);
        if (channel.path.size() < 2)
            channel.path = {bench.site(cell), bench.site(cell) + GridPoint{9, 9}};
        channel.bed_from = 2 * metre;
        channel.bed_to = metre;
        return channel;
    });
    bench.run("obstacle of 4 squares", [&](world::CellId cell) {
        static int number = 0;
        const GridPoint at = bench.site(cell);
        return world::PutObstacle{
            "o" + std::to_string(number++),
            {at, at + GridPoint{60 * metre, 0}, at + GridPoint{0, 60 * metre}}};
    });
    const std::uint64_t before = clock.nanoseconds();
    const std::uint64_t hash = session->hash();
    std::printf("hash %016llx after all were taken back, %.1f ms\n",
                static_cast<unsigned long long>(hash),
                static_cast<double>(clock.nanoseconds() - before) * 1e-6);
}
