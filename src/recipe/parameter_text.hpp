#pragma once

#include "terraway/recipe/json_writer.hpp"
#include "terraway/recipe/parameters.hpp"

#include <string>
#include <string_view>

namespace tw::recipe {

/// An end of a range of parameters, shortest.
std::string bound_text(double bound);
/// "0 to 20 m/year", "island, continent or plain"; empty for text and files.
std::string range_text(const Parameter& parameter);

/// The value as JSON: a choice by its name, an absent value as null.
void write_value(JsonWriter& writer, const Parameter& parameter, const ParameterValue& value);

/// The text as a JSON string.
std::string quoted(std::string_view text);

/// "terrain" of "terrain.cells"; empty at the top.
std::string_view section_of(const Parameter& parameter);
/// "cells" of "terrain.cells".
std::string_view key_of(const Parameter& parameter);

}  // namespace tw::recipe
