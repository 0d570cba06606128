#pragma once
// Input to world, with everything that a command line brings: threads, clock, cancel, progress,
// cache.

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

/// Errors: those of read_input and of every stage, about the input's file; cancelled.
Result<Baked> bake_input(const BakeOptions& options, const OutputOptions& output,
                         pipeline::BakeTargets targets);

}  // namespace tw::cli
