#include "terraway/recipe/parameters.hpp"

#include "parameter_text.hpp"
#include "road_attributes.hpp"

namespace tw::recipe {
namespace {

/// {"type": ["array", "null"]} when the value may be absent, else {"type": "array"}.
void write_type(JsonWriter& writer, std::string_view type, bool nullable) {
    writer.key("type");
    if (!nullable) {
        writer.value(type);
        return;
    }
    writer.begin_array().value(type).value("null").end_array();
}

void write_range(JsonWriter& writer, const Parameter& parameter) {
    writer.key("minimum").raw(bound_text(parameter.low));
    // Validators read numbers as doubles: the seed's last value is out of their reach.
    if (parameter.high < 0x1p53) writer.key("maximum").raw(bound_text(parameter.high));
}

void write_property(JsonWriter& writer, const Parameter& parameter) {
    const ParameterValue fallback = parameter.default_value();
    const bool nullable = std::holds_alternative<std::monostate>(fallback);
    writer.key(key_of(parameter)).begin_object();
    writer.member("description", parameter.doc);
    switch (parameter.type) {
        case ParameterType::number:
        case ParameterType::integer:
            writer.member("type", parameter.type == ParameterType::number ? "number" : "integer");
            write_range(writer, parameter);
            break;
        case ParameterType::pair:
            write_type(writer, "array", nullable);
            writer.key("items").begin_object().member("type", "number");
            write_range(writer, parameter);
            writer.end_object().member("minItems", 2).member("maxItems", 2);
            break;
        case ParameterType::choice:
            writer.key("enum").begin_array();
            for (const std::string_view choice : parameter.choices) writer.value(choice);
            writer.end_array();
            break;
        case ParameterType::text:
        case ParameterType::file:
            write_type(writer, "string", nullable);
            break;
    }
    if (parameter.type == ParameterType::file) writer.member("minLength", 1);
    // A file that is null is one that the user must give, so null is no default to write down.
    if (parameter.type != ParameterType::file)
        write_value(writer.key("default"), parameter, fallback);
    if (!parameter.unit.empty()) writer.member("x-unit", parameter.unit);
    if (parameter.step > 0.0) writer.member("x-step", parameter.step);
    writer.end_object();
}

void write_point_schema(JsonWriter& writer) {
    writer.key("points").begin_object();
    writer.member("description", "[x, y] or [x, y, z]: east, north, up.").member("x-unit", "m");
    writer.member("type", "array").member("minItems", 2);
    writer.key("items").begin_object();
    writer.member("type", "array").member("minItems", 2).member("maxItems", 3);
    writer.key("items").begin_object().member("type", "number");
    writer.member("minimum", -100000000).member("maximum", 100000000).end_object();
    writer.end_object().end_object();
}

void write_name_schema(JsonWriter& writer, std::string_view key, std::string_view doc) {
    writer.key(key).begin_object().member("description", doc);
    writer.key("type").begin_array().value("string").value("integer").end_array();
    writer.end_object();
}

void write_via_schema(JsonWriter& writer) {
    writer.key("via").begin_object();
    writer.member("description", "Nodes of inner points: [index of the point from 0, node].");
    writer.member("type", "array").key("items").begin_object();
    writer.member("type", "array").member("minItems", 2).member("maxItems", 2);
    writer.key("prefixItems").begin_array();
    writer.begin_object().member("type", "integer").member("minimum", 1).end_object();
    writer.begin_object().key("type").begin_array().value("string").value("integer").end_array();
    writer.end_object().end_array().end_object().end_object();
}

void write_lines_schema(JsonWriter& writer) {
    writer.key("lines").begin_object();
    writer.member("description", "Centre lines of the world's own roads; instead of a file.");
    writer.member("type", "array").member("minItems", 1);
    writer.key("items").begin_object().member("type", "object");
    writer.key("required").begin_array().value("points").end_array();
    writer.member("additionalProperties", false).key("properties").begin_object();
    write_name_schema(writer, "id", "Unique; r0, r1, ... where it is left out.");
    write_name_schema(writer, "from",
                      "Node of the first point: roads that name a node meet there.");
    write_name_schema(writer, "to", "Node of the last point.");
    write_via_schema(writer);
    writer.key("width").begin_object().member("description", "Of the surface.");
    writer.member("type", "number").member("minimum", 0.1).member("maximum", 200);
    writer.member("default", kDefaultRoadWidth).member("x-unit", "m").end_object();
    write_road_attributes_schema(writer);
    write_point_schema(writer);
    writer.end_object().end_object().end_object();
}

void write_section(JsonWriter& writer, std::string_view section) {
    if (!section.empty()) {
        writer.key(section).begin_object().member("type", "object");
        writer.member("additionalProperties", false).key("properties").begin_object();
    }
    for (const Parameter& parameter : parameters()) {
        if (section_of(parameter) == section) write_property(writer, parameter);
    }
    if (section == "roads") write_lines_schema(writer);
    if (!section.empty()) writer.end_object().end_object();
}

}  // namespace

std::string schema_text() {
    JsonWriter writer(JsonLayout::indented);
    writer.begin_object();
    writer.member("$schema", "https://json-schema.org/draft/2020-12/schema");
    writer.member("title", "Terraway recipe");
    writer.member("description",
                  "A world in a few lines. Comments (// and /* */) are allowed in recipes.");
    writer.member("type", "object");
    writer.key("required").begin_array().value("terraway").end_array();
    writer.member("additionalProperties", false).key("properties").begin_object();
    writer.key("terraway").begin_object().member("description", "Version of the recipe's form.");
    writer.member("const", kRecipeVersion).end_object();
    writer.key("notes").begin_object().member("description", "Free; nothing reads it.");
    writer.member("type", "object").end_object();
    write_section(writer, "");
    std::string_view section;
    for (const Parameter& parameter : parameters()) {
        if (section_of(parameter) == section) continue;
        section = section_of(parameter);
        write_section(writer, section);
    }
    writer.end_object().end_object();
    return std::move(writer).take() + "\n";
}

}  // namespace tw::recipe
