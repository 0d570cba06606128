#include "terraway/recipe/recipe.hpp"

#include "terraway/recipe/parameters.hpp"

#include "json_reader.hpp"
#include "line_reader.hpp"
#include "nearest.hpp"
#include "parameter_text.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tw::recipe {
namespace {

constexpr std::size_t kMostRepeated = 60;  ///< bytes of a value that an error repeats

Error wrong(std::string place, std::string_view path, std::string message,
            ErrorCode code = ErrorCode::invalid_input) {
    return {.code = code,
            .stage = "recipe",
            .subject = std::move(place),
            .message = std::string(path) + ": " + std::move(message)};
}

std::string place_in(std::string_view file, JsonValue value) {
    return std::string(file) + ":" + std::to_string(value.line());
}

/// What values of the parameter look like, for errors: "a number, 0 ... 20 m/year".
std::string wanted(const Parameter& parameter) {
    switch (parameter.type) {
        case ParameterType::number:
            return "a number, " + range_text(parameter);
        case ParameterType::integer:
            return "a whole number, " + range_text(parameter);
        case ParameterType::pair:
            return "[number, number], each " + range_text(parameter);
        case ParameterType::choice:
            return "one of " + range_text(parameter);
        case ParameterType::text:
            return "text in quotes";
        case ParameterType::file:
            return "a path in quotes, or null";
    }
    return {};
}

std::string unwanted(std::string_view value, const Parameter& parameter) {
    return "no good value: " + std::string(value.substr(0, kMostRepeated)) + "; give " +
           wanted(parameter);
}

class RecipeReader {
public:
    explicit RecipeReader(std::string_view file) : file_(file) {}

    Status read(JsonValue root);
    Status override_with(std::string_view assignment);
    Result<Recipe> finish() &&;

private:
    std::string place(JsonValue value) const { return place_in(file_, value); }
    Status read_version(JsonValue value) const;
    Status read_member(JsonValue member);
    Status read_section(JsonValue section);
    Status read_roads_lines(JsonValue value, std::string_view file);
    Status override_lines(std::string_view value);
    Status unknown(std::string where, std::string_view path) const;
    Status set(const Parameter& parameter, JsonValue value, const std::string& where);
    Result<ParameterValue> convert(const Parameter& parameter, JsonValue value,
                                   const std::string& where) const;
    void note_file(const Parameter& parameter, PathOrigin origin, const std::string& where);

    std::string_view file_;
    Recipe recipe_;
    std::string lines_place_;
};

Status RecipeReader::unknown(std::string where, std::string_view path) const {
    const std::string_view near = nearest_path(path);
    std::string message = "no such parameter";
    message += near.empty() ? "; see docs/recipe.schema.json"
                            : "; did you mean " + std::string(near) + "?";
    return wrong(std::move(where), path, std::move(message));
}

Status RecipeReader::read_version(JsonValue value) const {
    if (value.kind() != JsonKind::natural || value.natural() == 0) {
        return wrong(place(value), "terraway",
                     "is no version of a recipe; give " + std::to_string(kRecipeVersion));
    }
    // Versions before this one would be migrated here.
    if (value.natural() > kRecipeVersion) {
        return wrong(place(value), "terraway",
                     "the recipe is of version " + std::to_string(value.natural()) +
                         ", this program reads up to " + std::to_string(kRecipeVersion) +
                         "; use a newer program",
                     ErrorCode::unsupported);
    }
    return ok_status();
}

Result<ParameterValue> RecipeReader::convert(const Parameter& parameter, JsonValue value,
                                             const std::string& where) const {
    const auto refuse = [&](ErrorCode code) {
        return wrong(where, parameter.path, unwanted(to_compact(value), parameter), code);
    };
    const auto in_range = [&](double number) {
        return number >= parameter.low && number <= parameter.high;
    };
    const Error type_error = refuse(ErrorCode::invalid_input);
    const Error range_error = refuse(ErrorCode::invalid_option);
    switch (parameter.type) {
        case ParameterType::number:
            if (!value.is_number()) return type_error;
            if (!in_range(value.number())) return range_error;
            return ParameterValue(value.number());
        case ParameterType::integer: {
            if (!value.is_number()) return type_error;
            if (!in_range(value.number())) return range_error;
            if (value.kind() == JsonKind::natural) return ParameterValue(value.natural());
            // Such as 2.5e4; below 2⁵³ a double holds every whole number.
            if (std::floor(value.number()) != value.number() || value.number() >= 0x1p53)
                return range_error;
            return ParameterValue(static_cast<std::uint64_t>(value.number()));
        }
        case ParameterType::pair: {
            if (value.kind() == JsonKind::null &&
                std::holds_alternative<std::monostate>(parameter.default_value())) {
                return ParameterValue();
            }
            if (value.kind() != JsonKind::array || value.size() != 2) return type_error;
            std::array<double, 2> pair{};
            std::size_t i = 0;
            for (const JsonValue element : value) {
                if (!element.is_number()) return type_error;
                if (!in_range(element.number())) return range_error;
                pair[i++] = element.number();
            }
            return ParameterValue(pair);
        }
        case ParameterType::choice: {
            if (value.kind() != JsonKind::text) return type_error;
            const auto found = std::ranges::find(parameter.choices, value.text());
            if (found == parameter.choices.end()) {
                Error error = range_error;
                error.message += did_you_mean(value.text(), parameter.choices);
                return error;
            }
            return ParameterValue(static_cast<std::uint64_t>(found - parameter.choices.begin()));
        }
        case ParameterType::text:
        case ParameterType::file:
            if (parameter.type == ParameterType::file && value.kind() == JsonKind::null)
                return ParameterValue();
            if (value.kind() != JsonKind::text) return type_error;
            if (parameter.type == ParameterType::file && value.text().empty()) return range_error;
            return ParameterValue(value.text());
    }
    return type_error;
}

Status RecipeReader::set(const Parameter& parameter, JsonValue value, const std::string& where) {
    TW_ASSIGN(const ParameterValue converted, convert(parameter, value, where));
    parameter.set(recipe_, converted);
    return ok_status();
}

void RecipeReader::note_file(const Parameter& parameter, PathOrigin origin,
                             const std::string& where) {
    if (!parameter.file) return;
    FileReference& reference = recipe_.*parameter.file;
    reference.origin = origin;
    reference.place = where;
}

Status RecipeReader::read_roads_lines(JsonValue value, std::string_view file) {
    TW_ASSIGN(world::ImportedLines lines, read_lines(value, file));
    recipe_.world.roads_lines = std::make_shared<const world::ImportedLines>(std::move(lines));
    recipe_.roads_lines = to_compact(value);
    lines_place_ = place_in(file, value);
    return ok_status();
}

/// Lines from --set take the place of the roads in the recipe, whatever those are.
Status RecipeReader::override_lines(std::string_view value) {
    constexpr std::string_view kWhere = "--set roads.lines";
    const std::size_t first = value.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || value[first] != '[') {
        return wrong(std::string(kWhere), "roads.lines",
                     "no list of roads: " + std::string(value.substr(0, kMostRepeated)) +
                         "; give JSON, [{\"points\": [[0, 0], [90, 0]]}], or use --set "
                         "roads.file=FILE");
    }
    TW_ASSIGN(const JsonDocument json, read_json(value, kWhere));
    TW_TRY(read_roads_lines(JsonValue(json), kWhere));
    recipe_.roads_file = {};
    recipe_.world.roads_file.clear();
    return ok_status();
}

Status RecipeReader::read_section(JsonValue section) {
    for (const JsonValue member : section) {
        const std::string path = section.key() + "." + member.key();
        if (path == "roads.lines") {
            TW_TRY(read_roads_lines(member, file_));
            continue;
        }
        const Parameter* parameter = find_parameter(path);
        if (!parameter) return unknown(place(member), path);
        TW_TRY(set(*parameter, member, place(member)));
        note_file(*parameter, PathOrigin::recipe, place(member));
    }
    return ok_status();
}

Status RecipeReader::read_member(JsonValue member) {
    const std::string& key = member.key();
    if (key == "terraway") return read_version(member);
    if (key == "notes") {
        if (member.kind() != JsonKind::object)
            return wrong(place(member), key, "is no object; give {...}, or leave it out");
        recipe_.notes = to_compact(member);
        return ok_status();
    }
    if (const Parameter* parameter = find_parameter(key))
        return set(*parameter, member, place(member));
    const bool section = std::ranges::any_of(parameters(), [&](const Parameter& parameter) {
        return parameter.path.starts_with(key + ".");
    });
    if (!section) return unknown(place(member), key);
    if (member.kind() != JsonKind::object) {
        return wrong(place(member), key, "is no object; give {\"parameter\": value, ...}");
    }
    return read_section(member);
}

Status RecipeReader::read(JsonValue root) {
    if (root.kind() != JsonKind::object) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "recipe",
                     .subject = place(root),
                     .message = "a recipe is an object; begin with {\"terraway\": 1, ..."};
    }
    const auto version = root.find("terraway");
    if (!version) {
        return wrong(
            place(root), "terraway",
            "is missing; say \"terraway\": 1 first, so that later programs know the version");
    }
    // First, so that a recipe of a later version is not blamed for its keys.
    TW_TRY(read_version(*version));
    for (const JsonValue member : root) TW_TRY(read_member(member));
    return ok_status();
}

Status RecipeReader::override_with(std::string_view assignment) {
    const std::string where = "--set " + std::string(assignment.substr(0, 120));
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
        return wrong(where, "override", "has no value; write path=value, as in terrain.cells=5000");
    }
    const std::string_view path = assignment.substr(0, equals);
    std::string value(assignment.substr(equals + 1));
    if (path == "roads.lines") return override_lines(value);
    if (path == "notes" || path == "terraway") {
        return wrong(where, path, "can be given in the recipe only; write it there");
    }
    const Parameter* parameter = find_parameter(path);
    if (!parameter) return unknown(where, path);
    switch (parameter->type) {
        case ParameterType::choice:
        case ParameterType::text:
        case ParameterType::file:
            if (!value.starts_with('"')) value = quoted(value);
            break;
        case ParameterType::pair:
            if (!value.starts_with('[') && value != "null") value = "[" + value + "]";
            break;
        case ParameterType::number:
        case ParameterType::integer:
            break;
    }
    const Result<JsonDocument> json = read_json(value, where);
    if (!json) {
        return wrong(where, path, unwanted(assignment.substr(equals + 1), *parameter));
    }
    TW_TRY(set(*parameter, JsonValue(*json), where));
    note_file(*parameter, PathOrigin::override, where);
    if (path == "roads.file") {  // takes the place of the recipe's lines
        recipe_.world.roads_lines.reset();
        recipe_.roads_lines.clear();
    }
    return ok_status();
}

Result<Recipe> RecipeReader::finish() && {
    const pipeline::HeightFileOptions& reading = recipe_.world.terrain_reading;
    if (!(reading.range_low < reading.range_high)) {
        return wrong(std::string(file_), "terrain.range",
                     "the range is empty; give the lower height first", ErrorCode::invalid_option);
    }
    if (recipe_.world.roads_lines && recipe_.roads_file.wanted) {
        return wrong(lines_place_, "roads.lines", "there is a roads.file too; give one of them",
                     ErrorCode::invalid_option);
    }
    return std::move(recipe_);
}

Status require_file(const FileReference& file, std::string_view path, bool imported) {
    if (!file.wanted || imported) return ok_status();
    if (file.path.empty()) {
        return wrong(file.place, path,
                     "is not set; use --set " + std::string(path) + "=FILE to give your data",
                     ErrorCode::not_found);
    }
    return wrong(file.place, path, "the data of " + file.path + " is not at hand; import it first",
                 ErrorCode::not_found);
}

}  // namespace

Result<Recipe> parse_recipe(std::string_view text, std::string_view file,
                            std::span<const std::string> overrides) {
    if (text.size() > kMaxRecipeBytes) {
        return Error{.code = ErrorCode::too_large,
                     .stage = "recipe",
                     .subject = file,
                     .message = "more than 64 MB; give large data as a file"};
    }
    TW_ASSIGN(const JsonDocument document, read_json(text, file));
    RecipeReader reader(file);
    TW_TRY(reader.read(JsonValue(document)));
    for (const std::string& assignment : overrides) TW_TRY(reader.override_with(assignment));
    return std::move(reader).finish();
}

Status require_data(const Recipe& recipe, const pipeline::Imports& imports) {
    TW_TRY(require_file(recipe.terrain_file, "terrain.file", imports.heights != nullptr));
    TW_TRY(require_file(recipe.roads_file, "roads.file", imports.lines != nullptr));
    return require_file(recipe.edits_file, "edits.file", imports.edits != nullptr);
}

}  // namespace tw::recipe
