#pragma once
// The one table of parameters. Parsing, ranges, --set, the schema and the presets all read it.

#include "terraway/recipe/recipe.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace tw::recipe {

enum class ParameterType : std::uint8_t {
    number,   ///< double
    integer,  ///< std::uint64_t
    pair,     ///< two doubles, [first, second]; both NaN-free, or absent
    choice,   ///< one of `choices`
    text,     ///< any text
    file,     ///< a path, or null: the user must give one
};

/// The value of a parameter; monostate: absent (`size` that follows the data, a file that is not
/// given).
using ParameterValue =
    std::variant<std::monostate, double, std::uint64_t, std::array<double, 2>, std::string>;

struct Parameter {
    std::string_view path;  ///< "terrain.cells"
    ParameterType type = ParameterType::number;
    std::string_view unit;                      ///< "m"; empty: none
    double low = 0.0, high = 0.0, step = 0.0;   ///< closed range, and what a slider should step by
    std::span<const std::string_view> choices;  ///< names, by the value of the enum
    std::string_view doc;                       ///< one sentence
    ParameterValue (*get)(const Recipe&) = nullptr;
    /// `value` has the parameter's type and lies in its range; a choice comes as its index.
    void (*set)(Recipe&, const ParameterValue& value) = nullptr;
    FileReference Recipe::* file = nullptr;  ///< of a file

    ParameterValue default_value() const { return get(Recipe{}); }
};

/// In the order in which recipes are written, sections together.
std::span<const Parameter> parameters();
/// Null when there is none of that path.
const Parameter* find_parameter(std::string_view path);
/// The parameter or section whose path is nearest to `path` by edit distance; empty when none is
/// near.
std::string_view nearest_path(std::string_view path);

/// docs/recipe.schema.json: JSON Schema 2020-12, one text for all builds.
std::string schema_text();

/// Starting recipes for `terraway new`, every parameter with a comment.
std::span<const std::string_view> preset_names();  ///< island, continent, city, track, arena
/// Error not_found names the presets there are.
Result<std::string> preset_text(std::string_view name);

}  // namespace tw::recipe
