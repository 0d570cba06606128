#pragma once
// Heights from ESRI ASCII grids and PNG pictures.

#include "terraway/core/result.hpp"
#include "terraway/pipeline/world_recipe.hpp"
#include "terraway/world/imported.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace tw::io {

inline constexpr std::int32_t kMaxRasterSide = 16'384;  ///< [pixels]
inline constexpr double kMaxHeight = 20'000.0;          ///< [m] above or below the sea

/// Reads a raster of heights; what it is is seen from the content, not from the name.
///
/// ESRI ASCII grid: header lines in any order and case: ncols, nrows, xllcorner or xllcenter,
/// yllcorner or yllcenter, cellsize (or equal dx and dy), optional NODATA_value (−9999). Values in
/// metres, over any number of lines. It is geographic when the extent fits in ±180° by ±90° and a
/// cell is under 0.05, else in planar metres.
///
/// PNG: grey with 8 or 16 bits over `range_low` … `range_high`, or RGB(A) with 8 bits as
/// Terrain-RGB, −10000 + (R·65536 + G·256 + B) · 0.1 m; fully transparent pixels hold no data. A
/// picture does not know its place.
///
/// Heights are rounded once to steps of 2⁻¹⁰ m.
/// Errors: not_found, io; invalid_option (range); invalid_input (damaged, cut short, another kind
/// of file, over ±20 km, no heights at all) with line or pixel; unsupported (palette, 1 … 4 bits);
/// too_large (a side over 16,384). Cost: O(pixels).
Result<world::ImportedHeights> read_heights(const std::filesystem::path& path,
                                            const pipeline::HeightFileOptions& = {});
/// The same on bytes at hand; `name` stands in errors for the file.
Result<world::ImportedHeights> parse_heights(std::span<const std::byte> bytes,
                                             const std::string& name,
                                             const pipeline::HeightFileOptions& = {});

/// True if the file's first bytes are those of a kind that read_heights reads.
bool is_height_file(const std::filesystem::path& path);

}  // namespace tw::io
