#pragma once
// One reader per kind of road file; read_roads chooses among them.

#include "terraway/io/read_roads.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tw::io {

Result<world::ImportedLines> parse_osm(std::span<const std::byte> bytes, std::string_view format,
                                       const std::string& name, const RoadReadOptions& options);
Result<world::ImportedLines> parse_geojson_roads(std::span<const std::byte> bytes,
                                                 const std::string& name,
                                                 const RoadReadOptions& options);

/// The error of a file that was read well and holds no road.
Error no_roads_error(const std::string& name, std::string_view what_counts);

}  // namespace tw::io
