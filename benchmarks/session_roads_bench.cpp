// A road node dragged in a town's streets, beside the whole bake that it spares.
//   session_roads_bench [FILE] [NODES]
//   default: the largest extract of the real data, where it is at hand, and 100 nodes, ten moves
//   each

#include "terraway/core/random.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/io/read_roads.hpp"
#include "terraway/pipeline/session.hpp"
#include "terraway/recipe/recipe.hpp"

#include "support/real_data.hpp"
#include "support/steady_clock.hpp"
#include "value_or_exit.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace tw;

constexpr const char* kRecipe = R"({
  "terraway": 1, "name": "town", "seed": 3,
  "terrain": { "cells": 20000, "shape": "plain", "border": "open", "highest": 40 },
  "navigation": { "longest": 768 }
})";

double milliseconds(std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) * 1e-6;
}

void print(const char* what, std::vector<double> ms) {
    if (ms.empty()) return;
    std::sort(ms.begin(), ms.end());
    const auto at = [&](double share) {
        return ms[std::min(ms.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(ms.size())))];
    };
    std::printf("%-24s %8.2f %8.2f %8.2f  of %zu\n", what, at(0.5), at(0.99), ms.back(), ms.size());
}

/// Moves some nodes step by step, as a mouse does, and takes all back.
class Drags {
public:
    Drags(pipeline::Session& session, testing::SteadyClock& clock)
        : session_(session), clock_(clock), random_(Seed{3}, Purpose("bench"), 0) {}

    void run(std::size_t nodes) {
        const world::RoadLines lines = *session_.world().edited_lines;
        // The first edit finds out what the streets are made of.
        move(lines, 0, 1);
        std::printf("first move %.0f ms\n", apply_.empty() ? 0.0 : apply_.front());
        apply_.clear();
        for (std::size_t i = 0; i < nodes; ++i) {
            move(lines, random_.below(static_cast<std::uint32_t>(lines.label.size())), 10);
        }
        std::printf("%-24s %8s %8s %8s\n", "[ms]", "median", "p99", "worst");
        print("node moved", apply_);
        while (session_.undo_count() > 0) {
            const std::uint64_t start = clock_.nanoseconds();
            value_or_exit(session_.undo());
            undo_.push_back(milliseconds(clock_.nanoseconds() - start));
        }
        print("taken back", undo_);
    }

private:
    void move(const world::RoadLines& lines, std::uint32_t line, int steps) {
        const world::RoadId road(line);
        const auto points = lines.points(road);
        GridPoint at = points[points.size() / 2];
        for (int i = 0; i < steps; ++i) {
            const GridPoint to = at + GridPoint{kStepsPerMetre, kStepsPerMetre / 2};
            const world::Edit edit{0, world::MoveRoadNode{lines.label[road], at, to}};
            const std::uint64_t start = clock_.nanoseconds();
            const Status done = session_.apply(edit);
            const std::uint64_t end = clock_.nanoseconds();
            if (!done) return;  // the label is another's too, or a neighbour stands there
            apply_.push_back(milliseconds(end - start));
            at = to;
        }
    }

    pipeline::Session& session_;
    testing::SteadyClock& clock_;
    RandomStream random_;
    std::vector<double> apply_, undo_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string path =
        argc > 1 ? argv[1] : testing::data_path("osm/liechtenstein-latest.osm.pbf");
    if (!std::filesystem::exists(path)) {
        std::printf("skipped: there is no %s\n", path.c_str());
        return 0;
    }
    const auto drags = static_cast<std::size_t>(argc > 2 ? std::max(1, std::atoi(argv[2])) : 100);
    const auto recipe = value_or_exit(recipe::parse_recipe(kRecipe, "town"));
    pipeline::Imports imports;
    imports.lines =
        std::make_shared<const world::ImportedLines>(value_or_exit(io::read_roads(path)));
    ThreadPool pool(2);
    testing::SteadyClock clock;
    const std::uint64_t start = clock.nanoseconds();
    auto world = value_or_exit(pipeline::bake(recipe.world, imports, {.executor = &pool}));
    const std::uint64_t baked = clock.nanoseconds();
    std::printf("%zu lines of %zu points, %zu roads, %zu street pieces; bake to data %.0f ms\n",
                world.edited_lines->label.size(), world.edited_lines->point.size(),
                world.network->road_count(), world.streets->piece_count(),
                milliseconds(baked - start));
    const auto session = value_or_exit(pipeline::Session::create(
        recipe.world, std::move(world), {.executor = &pool, .undo_steps = 11 * drags}));
    Drags(*session, clock).run(drags);
    std::printf("hash %016llx after all were taken back\n",
                static_cast<unsigned long long>(session->hash()));
    return 0;
}
