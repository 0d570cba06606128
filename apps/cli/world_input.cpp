#include "world_input.hpp"

#include "terraway/io/files.hpp"
#include "terraway/io/read_heights.hpp"
#include "terraway/io/read_roads.hpp"
#include "terraway/recipe/blob.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "console.hpp"
#include "edit_file.hpp"
#include "interrupt.hpp"
#include "wrap_recipes.hpp"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tw::cli {
namespace {

namespace fs = std::filesystem;

std::string_view text_of(const io::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

fs::path resolved(const recipe::FileReference& reference, const fs::path& recipe_path) {
    fs::path path = reference.path;
    if (reference.origin == recipe::PathOrigin::override || path.is_absolute()) return path;
    return recipe_path.parent_path() / path;
}

Result<recipe::Recipe> parse_file(const std::string& path, std::span<const std::string> overrides) {
    TW_ASSIGN(const io::Bytes bytes, io::read_file(path, recipe::kMaxRecipeBytes));
    return recipe::parse_recipe(text_of(bytes), path, overrides);
}

Result<recipe::Recipe> wrap(std::string_view text, std::string_view parameter,
                            const std::string& path, std::span<const std::string> overrides) {
    std::vector<std::string> all{file_override(parameter, path)};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return recipe::parse_recipe(text, path, all);
}

Result<recipe::Recipe> recipe_for(const std::string& path, std::span<const std::string> overrides) {
    TW_ASSIGN(const FileKind kind, kind_of_file(path));
    switch (kind) {
        case FileKind::roads:
        case FileKind::lines_blob:
            return wrap(kTownRecipe, "roads.file", path, overrides);
        case FileKind::heights:
        case FileKind::heights_blob:
            return wrap(kMountainsRecipe, "terrain.file", path, overrides);
        case FileKind::recipe:
            break;
    }
    return parse_file(path, overrides);
}

template <class T>
std::shared_ptr<const T> shared(T value) {
    return std::make_shared<const T>(std::move(value));
}

}  // namespace

std::string file_override(std::string_view parameter, const std::string& path) {
    return std::string(parameter) + "=" + recipe::JsonWriter().value(path).text();
}

Result<FileKind> kind_of_file(const fs::path& path) {
    constexpr std::size_t kBlobStart = 32;
    TW_ASSIGN(const io::Bytes start, io::read_file_start(path, kBlobStart));
    if (text_of(start).starts_with("TWBL")) {
        const auto kind = recipe::blob_kind(start);
        if (!kind) return about_file(kind.error(), path.string());
        return *kind == recipe::BlobKind::lines ? FileKind::lines_blob : FileKind::heights_blob;
    }
    if (io::is_road_file(path)) return FileKind::roads;
    if (io::is_height_file(path)) return FileKind::heights;
    return FileKind::recipe;
}

Result<world::ImportedLines> read_lines(const fs::path& path) {
    TW_ASSIGN(const FileKind kind, kind_of_file(path));
    if (kind != FileKind::lines_blob) return io::read_roads(path);
    TW_ASSIGN(const io::Bytes bytes, io::read_file(path));
    auto lines = recipe::lines_from_blob(bytes);
    if (!lines) return about_file(lines.error(), path.string());
    return lines;
}

Result<world::ImportedHeights> read_heights(const fs::path& path,
                                            const pipeline::HeightFileOptions& options) {
    TW_ASSIGN(const FileKind kind, kind_of_file(path));
    if (kind != FileKind::heights_blob) return io::read_heights(path, options);
    TW_ASSIGN(const io::Bytes bytes, io::read_file(path));
    auto heights = recipe::heights_from_blob(bytes);
    if (!heights) return about_file(heights.error(), path.string());
    return heights;
}

Result<WorldInput> read_input(const std::string& path, std::span<const std::string> overrides) {
    const EndAtOnce nothing_to_tidy;
    WorldInput input;
    TW_ASSIGN(input.recipe, recipe_for(path, overrides));
    const pipeline::WorldRecipe& world = input.recipe.world;
    if (!input.recipe.terrain_file.path.empty()) {
        TW_ASSIGN(world::ImportedHeights heights,
                  read_heights(resolved(input.recipe.terrain_file, path), world.terrain_reading));
        input.imports.heights = shared(std::move(heights));
    }
    if (!input.recipe.roads_file.path.empty()) {
        TW_ASSIGN(world::ImportedLines lines, read_lines(resolved(input.recipe.roads_file, path)));
        input.imports.lines = shared(std::move(lines));
    } else {
        input.imports.lines = world.roads_lines;
    }
    if (!input.recipe.edits_file.path.empty()) {
        input.edits_file = resolved(input.recipe.edits_file, path).string();
        TW_ASSIGN(world::EditList edits, read_edits(input.edits_file));
        input.imports.edits = shared(std::move(edits));
    }
    TW_TRY(recipe::require_data(input.recipe, input.imports));
    return input;
}

}  // namespace tw::cli
