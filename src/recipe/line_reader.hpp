#pragma once

#include "terraway/world/imported.hpp"

#include "json_reader.hpp"

#include <string_view>

namespace tw::recipe {

/// `roads.lines` of a recipe. A road above the ground is a bridge and one below it a tunnel unless
/// `form` says otherwise. Heights of points are checked and not used: roads lie on the terrain.
/// Errors: invalid_input, naming FILE:line, the road's id, and what is wrong with it.
Result<world::ImportedLines> read_lines(JsonValue lines, std::string_view file);

}  // namespace tw::recipe
