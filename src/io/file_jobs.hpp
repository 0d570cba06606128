#pragma once
// Files that are made in parallel and staged as they come.

#include "terraway/core/stage_context.hpp"
#include "terraway/io/files.hpp"
#include "terraway/io/write_world.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tw::io {

struct FileJob {
    std::string name;
    std::function<Result<Bytes>()> make;
};

Bytes to_bytes(std::string_view text);

/// Runs the jobs (long ones should stand first) on the context's executor and stages what they
/// make. The list is in the order of the jobs. Errors: those of the first job in order that fails;
/// cancelled.
Result<std::vector<WrittenFile>> run_jobs(const std::vector<FileJob>& jobs,
                                          const StagedFolder& folder, StageContext& context);

}  // namespace tw::io
