#include "baking.hpp"

#include "terraway/core/thread_pool.hpp"

#include "console.hpp"
#include "disk_store.hpp"
#include "interrupt.hpp"

#include <chrono>
#include <limits>
#include <optional>
#include <utility>

namespace tw::cli {
namespace {

class SteadyClock final : public pipeline::Clock {
public:
    std::uint64_t nanoseconds() override {
        const auto since = std::chrono::steady_clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
    }
};

std::uint64_t memory_limit(const BakeOptions& options) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() >> 20;
    return options.memory && *options.memory <= kMost ? *options.memory << 20 : kNoMemoryLimit;
}

}  // namespace

Result<Baked> bake_input(const BakeOptions& options, const OutputOptions& output,
                         pipeline::BakeTargets targets) {
    Baked baked;
    Stopwatch watch;
    TW_ASSIGN(baked.input, read_input(options.input, options.overrides()));
    baked.times.read_ms = watch.lap_ms();

    ThreadPool threads(options.threads);
    SteadyClock clock;
    ProgressLine progress(output.quiet ? ProgressLine::Wanted::no : ProgressLine::Wanted::yes);
    std::optional<DiskStore> store;
    std::optional<pipeline::StageCache> cache;
    if (!options.cache.empty()) {
        store.emplace(options.cache);
        cache.emplace(pipeline::StageCacheOptions{.store = &*store});
    }
    const pipeline::BakeEnvironment environment{.executor = &threads,
                                                .cancel = &interrupt_flag(),
                                                .progress = &progress,
                                                .cache = cache ? &*cache : nullptr,
                                                .clock = &clock,
                                                .memory_limit = memory_limit(options)};
    auto world =
        pipeline::bake(baked.input.recipe.world, baked.input.imports, environment, targets);
    if (!world) return about_file(world.error(), options.input);
    baked.world = std::move(world).value();
    baked.times.build_ms = watch.lap_ms();
    return baked;
}

}  // namespace tw::cli
