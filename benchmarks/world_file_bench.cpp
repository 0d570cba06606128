// A world saved to world.tw and loaded again, beside the bake that it saves; medians, by threads.
//   world_file_bench [RECIPE] [CELLS] [RUNS]     default: examples/island.json, 1,000,000, 9 runs

#include "terraway/core/thread_pool.hpp"
#include "terraway/io/world_file.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/recipe.hpp"

#include "support/steady_clock.hpp"
#include "value_or_exit.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tw;

class Stopwatch {
public:
    /// [ms] since the last lap.
    double lap() {
        const std::uint64_t now = clock_.nanoseconds();
        const double ms = static_cast<double>(now - last_) * 1e-6;
        last_ = now;
        return ms;
    }

private:
    testing::SteadyClock clock_;
    std::uint64_t last_ = clock_.nanoseconds();
};

double median(std::vector<double> of) {
    std::ranges::sort(of);
    return of[of.size() / 2];
}

enum Step : std::size_t { bake_step, save_step, load_step, kStepCount };
constexpr std::array kNames{"bake", "save", "load"};
static_assert(kNames.size() == kStepCount);

std::array<double, kStepCount> measure(const recipe::Recipe& recipe, unsigned threads, int runs,
                                       const std::filesystem::path& path) {
    ThreadPool pool(threads);
    StageContext context(pool);
    std::array<std::vector<double>, kStepCount> ms;
    Stopwatch watch;
    recipe::WorldFile file{.recipe = recipe::to_text(recipe), .world = {}};
    for (int run = 0; run < std::max(1, runs / 3); ++run) {
        file.world = {};
        watch.lap();
        file.world = value_or_exit(pipeline::bake(recipe.world, {}, {.executor = &pool}));
        ms[bake_step].push_back(watch.lap());
    }
    for (int run = 0; run < runs; ++run) {
        watch.lap();
        value_or_exit(io::save_world(file, path, context));
        ms[save_step].push_back(watch.lap());
        const recipe::WorldFile again = value_or_exit(io::load_world(path, context));
        ms[load_step].push_back(watch.lap());
        if (again.world.hash != file.world.hash) {
            std::fprintf(stderr, "another world came back\n");
            std::exit(1);
        }
    }
    std::array<double, kStepCount> medians{};
    for (std::size_t step = 0; step < kStepCount; ++step) medians[step] = median(ms[step]);
    return medians;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string recipe_path =
        argc > 1 ? argv[1] : TERRAWAY_SOURCE_DIR "/examples/island.json";
    const std::string cells = std::string("terrain.cells=") + (argc > 2 ? argv[2] : "1000000");
    const int runs = argc > 3 ? std::max(1, std::atoi(argv[3])) : 9;
    std::ifstream file(recipe_path);
    std::ostringstream text;
    text << file.rdbuf();
    const auto recipe =
        value_or_exit(recipe::parse_recipe(text.str(), recipe_path, std::array{cells}));

    const auto path = std::filesystem::temp_directory_path() / "terraway-world-file-bench.tw";
    const auto one = measure(recipe, 1, runs, path), two = measure(recipe, 2, runs, path);
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    std::filesystem::remove(path);
    std::printf("%s, %s: world.tw of %.1f MB, medians of %d runs [ms]\n", recipe_path.c_str(),
                cells.c_str(), bytes * 1e-6, runs);
    std::printf("%-10s %10s %10s\n", "", "1 thread", "2 threads");
    for (std::size_t step = 0; step < kStepCount; ++step) {
        std::printf("%-10s %10.1f %10.1f\n", kNames[step], one[step], two[step]);
    }
}
