#pragma once
// Input to world, with everything that a command line brings: threads, clock, cancel, progress,
// cache. World to files.

#include "terraway/io/write_world.hpp"
#include "terraway/pipeline/bake.hpp"

#include "options.hpp"
#include "world_input.hpp"

namespace tw::cli {

struct BakeTimes {
    double read_ms = 0.0, build_ms = 0.0;
};

struct Baked {
    WorldInput input;
    pipeline::BakedWorld world;
    BakeTimes times;
};

/// Errors: those of every stage, about the line of the edit that they speak of, else about the
/// input's file; cancelled.
Result<pipeline::BakedWorld> bake_world(const WorldInput& input, const BakeOptions& options,
                                        const OutputOptions& output, pipeline::BakeTargets targets);

/// Errors: those of read_input and bake_world.
Result<Baked> bake_input(const BakeOptions& options, const OutputOptions& output,
                         pipeline::BakeTargets targets);

/// io::write_world with progress. The recipe that is kept names the edits that stand beside it.
Result<std::vector<io::WrittenFile>> write_files(const pipeline::BakedWorld& world,
                                                 const recipe::Recipe& recipe,
                                                 const std::string& folder, Executor& executor,
                                                 const OutputOptions& output);

}  // namespace tw::cli
