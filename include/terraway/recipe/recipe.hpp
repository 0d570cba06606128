#pragma once
// Recipes as text: JSON with // and /* */ comments, described by docs/recipe.schema.json.

#include "terraway/core/result.hpp"
#include "terraway/pipeline/world_recipe.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tw::recipe {

inline constexpr std::uint32_t kRecipeVersion = 1;                     ///< of the key `terraway`
inline constexpr std::size_t kMaxRecipeBytes = std::size_t{64} << 20;  ///< of a recipe's text

enum class PathOrigin : std::uint8_t {
    recipe,    ///< relative to the recipe's folder
    override,  ///< given by --set: relative to the working folder
};

/// `terrain.file`, `roads.file` or `edits.file`. A recipe that waits for the user's data says null.
struct FileReference {
    std::string path;  ///< as written; empty: none
    PathOrigin origin = PathOrigin::recipe;
    std::string place;    ///< where the recipe asks for it, "mountains.json:7"
    bool wanted = false;  ///< the key is there: the world cannot be without this data
};

struct Recipe {
    std::string name;         ///< free text
    std::string notes;        ///< the free object, as compact JSON; empty: none
    std::string roads_lines;  ///< `roads.lines` as compact JSON, which `world.roads_lines` is read
                              ///< from; empty: none
    pipeline::WorldRecipe world;
    FileReference terrain_file, roads_file, edits_file;  ///< paths are those of `world`
};

/// Reads a recipe, then applies overrides ("terrain.cells=5000") in order.
/// An override's value is JSON; what is text may stand without quotes, and two numbers without
/// brackets. `file` names the recipe in errors ("island.json:12: terrain.cells: …"). Errors:
/// invalid_input (not JSON, unknown or double keys, wrong types, lines without shape),
/// invalid_option (out of range), unsupported (a version this build does not know), too_large.
Result<Recipe> parse_recipe(std::string_view text, std::string_view file,
                            std::span<const std::string> overrides = {});

/// Error not_found when the recipe wants a file that neither it nor `imports` gives, naming the
/// --set that gives it.
Status require_data(const Recipe&, const pipeline::Imports& imports);

/// Everything that is not at its default, as one canonical text: equal recipes print equal bytes,
/// and parse_recipe gives the same recipe back.
std::string to_text(const Recipe&);

}  // namespace tw::recipe
