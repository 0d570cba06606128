#pragma once
// What tags say about a road.

#include "terraway/core/function_ref.hpp"
#include "terraway/io/read_roads.hpp"
#include "terraway/world/roads.hpp"

#include <optional>
#include <string_view>

namespace tw::io {

/// The value of a tag; empty when it is absent.
using TagLookup = FunctionRef<std::string_view(std::string_view key)>;

/// None: this is no road, or not one within `scope`.
std::optional<world::RoadAttributes> attributes_from_tags(TagLookup tag, RoadScope scope);

/// "7", "7.5 m", "7,5", "23 ft", "12'", "12'6\"" [m]; none for what is no positive length.
std::optional<double> length_from_text(std::string_view text);

}  // namespace tw::io
