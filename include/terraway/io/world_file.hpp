#pragma once
// world.tw on disk.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/recipe/world_file.hpp"

#include <filesystem>

namespace tw::io {

/// Written beside `path` and renamed into place: until then the file that stood there stays whole,
/// whatever happens. Errors: io, cancelled.
Status save_world(const recipe::WorldFile&, const std::filesystem::path& path, StageContext&);

/// Errors: not_found, io and those of recipe::read_world_file, naming the file.
Result<recipe::WorldFile> load_world(const std::filesystem::path& path, StageContext&);
Result<recipe::WorldFileInfo> describe_world(const std::filesystem::path& path);

}  // namespace tw::io
