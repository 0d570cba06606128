// A recipe baked to data, over and over: the median of each stage and of the whole, by threads.
//   bake_bench [RECIPE] [RUNS]     default: examples/island.json, 15 runs

#include "terraway/core/thread_pool.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/recipe.hpp"

#include "support/steady_clock.hpp"
#include "value_or_exit.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tw;

double median(std::vector<double> of) {
    std::ranges::sort(of);
    return of[of.size() / 2];
}

/// Milliseconds of each stage, in order, and of the whole.
struct Times {
    std::vector<std::string> name;
    std::vector<double> ms;
};

Times measure(const recipe::Recipe& recipe, unsigned threads, int runs) {
    ThreadPool pool(threads);
    testing::SteadyClock clock;
    std::vector<std::vector<double>> ms;
    Times times;
    for (int run = 0; run < runs; ++run) {
        const std::uint64_t start = clock.nanoseconds();
        const auto world =
            value_or_exit(pipeline::bake(recipe.world, {}, {.executor = &pool, .clock = &clock}));
        const std::uint64_t end = clock.nanoseconds();
        ms.resize(world.stages.size() + 1);
        times.name.clear();
        for (std::size_t i = 0; i < world.stages.size(); ++i) {
            times.name.push_back(world.stages[i].name);
            ms[i].push_back(static_cast<double>(world.stages[i].nanoseconds) * 1e-6);
        }
        times.name.emplace_back("whole bake");
        ms.back().push_back(static_cast<double>(end - start) * 1e-6);
    }
    for (const auto& of_stage : ms) times.ms.push_back(median(of_stage));
    return times;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : TERRAWAY_SOURCE_DIR "/examples/island.json";
    const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 15;
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    const auto recipe = value_or_exit(recipe::parse_recipe(text.str(), path));

    const Times one = measure(recipe, 1, runs), two = measure(recipe, 2, runs);
    std::printf("%s, medians of %d bakes to data [ms]\n", path.c_str(), runs);
    std::printf("%-14s %10s %10s\n", "stage", "1 thread", "2 threads");
    for (std::size_t i = 0; i < one.name.size(); ++i) {
        std::printf("%-14s %10.2f %10.2f\n", one.name[i].c_str(), one.ms[i], two.ms[i]);
    }
}
