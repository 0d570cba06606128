#pragma once
// A recipe and its imports become a world, stage by stage.

#include "terraway/core/stage_context.hpp"
#include "terraway/pipeline/baked_world.hpp"
#include "terraway/pipeline/graph.hpp"
#include "terraway/pipeline/stage_cache.hpp"
#include "terraway/pipeline/world_recipe.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tw::pipeline {

/// Every stage with the version of its algorithm, in the order of the pipeline.
std::span<const StageInfo> stage_infos();

enum class BakeTargets : std::uint8_t {
    world,    ///< every stage
    streets,  ///< placement, lines, their edits, network and streets: the street surface in plan,
              ///< without terrain
};

/// What comes along: it may change speed, never output.
struct BakeEnvironment {
    Executor* executor = nullptr;                 ///< null: the caller's thread
    const CancelFlag* cancel = nullptr;           ///< null: cannot be cancelled
    ProgressSink* progress = nullptr;             ///< told by advance(), on its thread
    StageCache* cache = nullptr;                  ///< stages taken from it tell `debug` nothing
    Clock* clock = nullptr;                       ///< null: stage times are 0
    std::uint64_t memory_limit = kNoMemoryLimit;  ///< [bytes] of the whole bake, by estimate
    DebugSink* debug = nullptr;
};

/// What a stage may take, from options and sizes of imports alone; an upper bound in all but odd
/// cases.
struct StageEstimate {
    std::string_view name;
    std::uint64_t output = 0;   ///< [bytes] that stay until the end
    std::uint64_t scratch = 0;  ///< [bytes] while it runs
};
std::vector<StageEstimate> estimate_bytes(const WorldRecipe&, const Imports&, BakeTargets);
/// All outputs and the two largest scratches.
std::uint64_t total_bytes(const std::vector<StageEstimate>&);

/// Where a bake stands.
struct BakeProgress {
    double fraction = 0.0;   ///< 0…1 of the whole, never falling
    std::string_view stage;  ///< that runs or will run next; empty at the end
};

/// A bake that runs in slices, on the caller's thread and the executor's. Stages that don't need
/// one another run at the same time where the budget takes them all. How it is sliced never changes
/// output.
/// What the environment points at must outlive the job.
class BakeJob {
public:
    /// Errors: too_large (the estimate passes the memory limit), invalid_input (imports that are
    /// not valid), invalid_option (nothing to bake: streets wanted and no roads).
    static Result<std::unique_ptr<BakeJob>> create(const WorldRecipe&, const Imports&,
                                                   const BakeEnvironment&,
                                                   BakeTargets = BakeTargets::world);
    ~BakeJob();
    BakeJob(const BakeJob&) = delete;
    BakeJob& operator=(const BakeJob&) = delete;

    /// Runs stages until `budget` work units are used (a whole bake is about 1,000; a stage is
    /// never split, so at least one runs). Done: true. After an error the job is over: the same
    /// error again. The environment's cancel flag stops the stage that runs within milliseconds.
    Result<bool> advance(std::uint32_t budget);
    bool finished() const;
    /// From any thread.
    BakeProgress progress() const;
    /// The stages that have run; the whole world once finished().
    const BakedWorld& world() const;

private:
    class Impl;
    explicit BakeJob(std::unique_ptr<Impl>);
    std::unique_ptr<Impl> impl_;
};

/// The whole bake in one call. Errors: those of BakeJob::create and of every stage. The subject of
/// an edit's error is its number in the list, from 1, and what it speaks of: "edit 3 (raise)".
Result<BakedWorld> bake(const WorldRecipe&, const Imports&, const BakeEnvironment& = {},
                        BakeTargets = BakeTargets::world);

}  // namespace tw::pipeline
