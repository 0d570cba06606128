#pragma once
// world.json: what a baked world is and which files it has.

#include "terraway/io/write_world.hpp"

#include "height_files.hpp"

#include <string>
#include <vector>

namespace tw::io {

inline constexpr const char* kManifestName = "world.json";

/// `heights` may be null: the world has no raster.
std::string manifest_json(const pipeline::BakedWorld&, const WorldFileOptions&, const WorldCounts&,
                          const QuantisedHeights* heights, const std::vector<WrittenFile>& files);

}  // namespace tw::io
