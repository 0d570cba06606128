#include "baking.hpp"

#include "terraway/core/thread_pool.hpp"

#include "console.hpp"
#include "disk_store.hpp"
#include "edit_file.hpp"
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

Result<pipeline::BakedWorld> bake_world(const WorldInput& input, const BakeOptions& options,
                                        const OutputOptions& output,
                                        pipeline::BakeTargets targets) {
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
    auto world = pipeline::bake(input.recipe.world, input.imports, environment, targets);
    if (world) return world;
    if (const auto index = edit_index(world.error()))
        return about_edit(world.error(), input.edits_file, *index);
    return about_file(world.error(), options.input);
}

Result<Baked> bake_input(const BakeOptions& options, const OutputOptions& output,
                         pipeline::BakeTargets targets) {
    Baked baked;
    Stopwatch watch;
    TW_ASSIGN(baked.input, read_input(options.input, options.overrides()));
    baked.times.read_ms = watch.lap_ms();
    TW_ASSIGN(baked.world, bake_world(baked.input, options, output, targets));
    baked.times.build_ms = watch.lap_ms();
    return baked;
}

Result<std::vector<io::WrittenFile>> write_files(const pipeline::BakedWorld& world,
                                                 const recipe::Recipe& recipe,
                                                 const std::string& folder, Executor& executor,
                                                 const OutputOptions& output) {
    recipe::Recipe kept = recipe;
    if (world.edits && !world.edits->edit.empty()) {
        kept.edits_file.path = kept.world.edits_file = io::kEditsName;
    }
    ProgressLine progress(output.quiet ? ProgressLine::Wanted::no : ProgressLine::Wanted::yes);
    StageContext context(executor);
    context.cancel = &interrupt_flag();
    context.progress = Progress(&progress).part(0, 1, "writing files");
    return io::write_world(world, folder, {.recipe = recipe::to_text(kept), .title = kept.name},
                           context);
}

}  // namespace tw::cli
