#pragma once
// Pictures of a world: layers and the map.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tw::io {

/// What can be drawn: sites, delaunay, voronoi, elevation, moisture, biome, flow, cost, field,
/// roads, map.
std::span<const std::string_view> picture_layers();

struct PictureOptions {
    std::uint32_t size = 1024;  ///< [pixels] longer side, 16 … 8,192
    std::string title;          ///< on the map
};

/// Draws layers of the world in `folder`, each over the one before ("biome", "voronoi", "roads"),
/// from its GeoJSON files, nav.bin and manifest alone. `output` ends in .png or .svg.
/// Errors: invalid_option (no layer, an unknown one, `map` with others, another ending, size),
/// not_found (a file that a layer needs), invalid_input (a damaged file), io.
Status draw_picture(const std::filesystem::path& folder, std::span<const std::string> layers,
                    const std::filesystem::path& output, const PictureOptions&, StageContext&);

}  // namespace tw::io
