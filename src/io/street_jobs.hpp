#pragma once

#include "terraway/pipeline/baked_world.hpp"

#include "file_jobs.hpp"

#include <vector>

namespace tw::io {

/// Adds the files of the world's streets but for streets.glb; `world` must outlive the jobs.
void add_street_jobs(std::vector<FileJob>& jobs, const pipeline::BakedWorld& world);

}  // namespace tw::io
