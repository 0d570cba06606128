#include "road_attributes.hpp"

#include "nearest.hpp"

#include <algorithm>
#include <cmath>

namespace tw::recipe {
namespace {

std::array<std::string_view, world::kRoadClassCount> class_names() {
    std::array<std::string_view, world::kRoadClassCount> names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = world::to_string(static_cast<world::RoadClass>(i));
    }
    return names;
}

Result<world::Oneway> read_oneway(JsonValue value, WrongValue wrong) {
    if (value.kind() == JsonKind::truth) {
        return value.truth() ? world::Oneway::along : world::Oneway::no;
    }
    TW_ASSIGN(const std::size_t choice, read_choice(value, kOneways, wrong));
    return static_cast<world::Oneway>(choice);
}

}  // namespace

Result<std::size_t> read_choice(JsonValue value, std::span<const std::string_view> choices,
                                WrongValue wrong) {
    if (value.kind() == JsonKind::text) {
        const auto found = std::ranges::find(choices, value.text());
        if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    }
    std::string message = "there is no such \"" + value.key() + "\"; give";
    for (std::size_t i = 0; i < choices.size(); ++i) {
        message += (i == 0                    ? " "
                    : i + 1 == choices.size() ? " or "
                                              : ", ") +
                   std::string(choices[i]);
    }
    if (value.kind() == JsonKind::text) message += did_you_mean(value.text(), choices);
    return wrong(value, std::move(message));
}

Status read_road_attributes(JsonValue line, WrongValue wrong, world::RoadAttributes& attributes) {
    if (const auto value = line.find("level")) {
        const double level = value->is_number() ? value->number() : 1000.0;
        if (std::floor(level) != level || level < -100.0 || level > 100.0) {
            return wrong(*value, "\"level\" is out of range; give a whole number, -100 ... 100");
        }
        attributes.level = static_cast<std::int8_t>(level);
    }
    if (const auto value = line.find("class")) {
        TW_ASSIGN(const std::size_t choice, read_choice(*value, class_names(), wrong));
        attributes.road_class = static_cast<world::RoadClass>(choice);
    }
    if (attributes.level > 0) attributes.form = world::RoadForm::bridge;
    if (attributes.level < 0) attributes.form = world::RoadForm::tunnel;
    if (const auto value = line.find("form")) {
        TW_ASSIGN(const std::size_t choice, read_choice(*value, kRoadForms, wrong));
        attributes.form = static_cast<world::RoadForm>(choice);
    }
    if (const auto value = line.find("oneway")) {
        TW_ASSIGN(attributes.oneway, read_oneway(*value, wrong));
    }
    return ok_status();
}

void write_road_attributes(JsonWriter& writer, const world::RoadAttributes& attributes) {
    writer.member("level", int{attributes.level});
    writer.member("class", world::to_string(attributes.road_class));
    writer.member("form", kRoadForms[static_cast<std::size_t>(attributes.form)]);
    writer.member("oneway", kOneways[static_cast<std::size_t>(attributes.oneway)]);
}

void write_road_attributes_schema(JsonWriter& writer) {
    writer.key("level").begin_object();
    writer.member("description", "Roads of different levels meet at shared nodes only.");
    writer.member("type", "integer").member("minimum", -100).member("maximum", 100);
    writer.member("default", 0).end_object();
    writer.key("class").begin_object().key("enum").begin_array();
    for (const std::string_view name : class_names()) writer.value(name);
    writer.end_array().member("default", "residential").end_object();
    writer.key("form").begin_object();
    writer.member("description", "Left out: a bridge above level 0, a tunnel below it.");
    writer.key("enum").begin_array();
    for (const std::string_view form : kRoadForms) writer.value(form);
    writer.end_array().end_object();
    writer.key("oneway").begin_object().key("enum").begin_array();
    writer.value(false).value(true);
    for (const std::string_view oneway : kOneways) writer.value(oneway);
    writer.end_array().member("default", false).end_object();
}

}  // namespace tw::recipe
