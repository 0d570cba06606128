#pragma once
// The keys that roads have in `roads.lines` and in edits alike: class, level, form and oneway.

#include "terraway/core/function_ref.hpp"
#include "terraway/recipe/json_writer.hpp"
#include "terraway/world/roads.hpp"

#include "json_reader.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace tw::recipe {

inline constexpr double kDefaultRoadWidth = 7.0;  ///< [m] two lanes
inline constexpr std::array<std::string_view, 3> kRoadForms{"ground", "bridge", "tunnel"};
inline constexpr std::array<std::string_view, 3> kOneways{"no", "along", "against"};

/// An error that names the value's place.
using WrongValue = FunctionRef<Error(JsonValue, std::string)>;

/// The index of the value's text among `choices`.
Result<std::size_t> read_choice(JsonValue value, std::span<const std::string_view> choices,
                                WrongValue wrong);

/// What `line`, an object, says of them. A road above the ground is a bridge and one below it a
/// tunnel unless `form` says otherwise.
Status read_road_attributes(JsonValue line, WrongValue wrong, world::RoadAttributes& attributes);
void write_road_attributes(JsonWriter& writer, const world::RoadAttributes& attributes);
/// The members of "properties".
void write_road_attributes_schema(JsonWriter& writer);

}  // namespace tw::recipe
