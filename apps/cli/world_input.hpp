#pragma once
// What a command's INPUT stands for: a recipe with its data, or data with a recipe put around it.

#include "terraway/core/result.hpp"
#include "terraway/pipeline/world_recipe.hpp"
#include "terraway/recipe/recipe.hpp"
#include "terraway/world/imported.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tw::cli {

struct WorldInput {
    recipe::Recipe recipe;
    pipeline::Imports imports;
    std::string edits_file;  ///< that the imported edits were read from; empty: none
};

/// Reads the recipe and the files that it names. OSM, GeoJSON, rasters and blobs are wrapped in a
/// recipe that suits them (examples/town.json, mountains.json). What a file is is seen from its
/// content. Errors: those of parse_recipe, require_data, read_roads, read_heights, read_edits and
/// blobs, about the file.
Result<WorldInput> read_input(const std::string& path, std::span<const std::string> overrides);

/// An override that names a file for `parameter`, whatever characters the path has.
std::string file_override(std::string_view parameter, const std::string& path);

/// Centre lines or heights from a blob or from any file that io reads.
Result<world::ImportedLines> read_lines(const std::filesystem::path& path);
Result<world::ImportedHeights> read_heights(const std::filesystem::path& path,
                                            const pipeline::HeightFileOptions& options);

enum class FileKind : std::uint8_t { recipe, roads, heights, lines_blob, heights_blob };
/// By the first bytes; what is nothing else is taken for a recipe. Errors: not_found, io; those of
/// a damaged blob.
Result<FileKind> kind_of_file(const std::filesystem::path& path);

}  // namespace tw::cli
