#include "terraway/core/option_range.hpp"
#include "terraway/recipe/edits.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "edit_keys.hpp"

#include <vector>

namespace tw::recipe {
namespace {

constexpr std::string_view kMetres = "m";

void write_bounds(JsonWriter& writer, Steps low, Steps high) {
    writer.key("minimum").raw(number_text(to_metres(low)));
    writer.key("maximum").raw(number_text(to_metres(high)));
}

/// Writes the members of "properties" for the keys of an edit, and notes which must be there.
class SchemaOfEdit {
public:
    explicit SchemaOfEdit(JsonWriter& writer) : writer_(writer) {}

    const std::vector<std::string_view>& required() const { return required_; }

    void points(std::string_view key, std::string_view doc, auto&, std::size_t least,
                std::size_t most) {
        begin(key, doc);
        writer_.member("type", "array").member("minItems", least).member("maxItems", most);
        writer_.key("items").begin_object().member("$ref", "#/$defs/point").end_object();
        writer_.end_object();
        required_.push_back(key);
    }
    void point(std::string_view key, std::string_view doc, auto&) {
        begin(key, doc);
        writer_.member("$ref", "#/$defs/point").end_object();
        required_.push_back(key);
    }
    void length(std::string_view key, std::string_view doc, auto&, const Length& length) {
        begin(key, doc);
        writer_.member("type", "number");
        write_bounds(writer_, length.low, length.high);
        if (length.fallback) {
            writer_.key("default").raw(number_text(to_metres(*length.fallback)));
        } else {
            required_.push_back(key);
        }
        writer_.member("x-unit", kMetres).end_object();
    }
    void heights(std::string_view key, std::string_view doc, auto&) {
        begin(key, doc);
        writer_.member("type", "array").member("minItems", 2);
        writer_.member("maxItems", world::kMaxPathPoints);
        writer_.key("items").begin_object().member("type", "number");
        write_bounds(writer_, kHeight.low, kHeight.high);
        writer_.end_object().member("x-unit", kMetres).end_object();
        required_.push_back(key);
    }
    void name(std::string_view key, std::string_view doc, auto&) {
        begin(key, doc);
        writer_.key("type").begin_array().value("string").value("integer").end_array();
        writer_.member("minLength", 1).member("minimum", 0).end_object();
        required_.push_back(key);
    }
    void choice(std::string_view key, std::string_view doc, auto& choice,
                std::span<const std::string_view> names) {
        begin(key, doc);
        writer_.key("enum").begin_array();
        for (const std::string_view name : names) writer_.value(name);
        writer_.end_array().member("default", names[static_cast<std::size_t>(choice)]);
        writer_.end_object();
    }
    void value(std::string_view key, std::string_view doc, auto&) {
        begin(key, doc);
        writer_.key("type").begin_array().value("number").value("string").value("null").end_array();
        writer_.end_object();
        required_.push_back(key);
    }
    void road(auto&) { write_road_attributes_schema(writer_); }

private:
    void begin(std::string_view key, std::string_view doc) {
        writer_.key(key).begin_object().member("description", doc);
    }

    JsonWriter& writer_;
    std::vector<std::string_view> required_;
};

void write_ref(JsonWriter& writer, std::string_view key) {
    writer.key(key).begin_object().member("$ref", "#/$defs/" + std::string(key)).end_object();
}

void write_edit(JsonWriter& writer, std::size_t kind) {
    const world::EditAction action = make_action(kind);
    writer.begin_object().member("type", "object").member("additionalProperties", false);
    writer.key("properties").begin_object();
    writer.key("edit").begin_object().member("const", world::name_of(action)).end_object();
    write_ref(writer, "tick");
    SchemaOfEdit keys(writer);
    std::visit(EditKeys(keys), action);
    write_ref(writer, "hash");
    writer.end_object();
    writer.key("required").begin_array().value("edit");
    for (const std::string_view key : keys.required()) writer.value(key);
    writer.end_array().end_object();
}

void write_definitions(JsonWriter& writer) {
    writer.key("$defs").begin_object();
    writer.key("tick").begin_object();
    writer.member("description",
                  "Of the event; it never falls. Left out: that of the line before.");
    writer.member("type", "integer").member("minimum", 0).end_object();
    writer.key("hash").begin_object();
    writer.member("description",
                  "Rolling XXH64 of all edits up to this line; it is checked where it is given.");
    writer.member("type", "string").member("pattern", "^[0-9a-f]{16}$").end_object();
    writer.key("point").begin_object();
    writer.member("description", "[x, y]: east and north in the frame of the world.");
    writer.member("type", "array").member("minItems", 2).member("maxItems", 2);
    writer.key("items").begin_object().member("type", "number");
    write_bounds(writer, -kMaxCoordinate, kMaxCoordinate);
    writer.end_object().member("x-unit", kMetres).end_object();
    writer.end_object();
}

void write_first_line(JsonWriter& writer) {
    writer.begin_object().member("description", "The first line: the version of the form.");
    writer.member("type", "object").member("additionalProperties", false);
    writer.key("properties").begin_object().key(kVersionKey).begin_object();
    writer.member("const", kEditsVersion).end_object().end_object();
    writer.key("required").begin_array().value(kVersionKey).end_array().end_object();
}

}  // namespace

std::string edits_schema_text() {
    JsonWriter writer(JsonLayout::indented);
    writer.begin_object();
    writer.member("$schema", "https://json-schema.org/draft/2020-12/schema");
    writer.member("title", "A line of Terraway edits");
    writer.key("oneOf").begin_array();
    write_first_line(writer);
    for (std::size_t kind = 0; kind < kEditKinds; ++kind) write_edit(writer, kind);
    writer.end_array();
    write_definitions(writer);
    writer.end_object();
    return std::move(writer).take() + "\n";
}

}  // namespace tw::recipe
