#include "road_tags.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace tw::io {
namespace {

using world::Oneway;
using world::RoadAttributes;
using world::RoadClass;
using world::RoadForm;

constexpr double kLane = 3.25, kMinWidth = 1.5, kMaxWidth = 60.0;
constexpr double kMetresPerFoot = 0.3048, kMetresPerInch = 0.0254;
constexpr int kMaxLanes = 16, kMaxLevel = 5;

/// How a value of `highway` is understood. Widths [m] are of the whole surface.
struct HighwayKind {
    std::string_view name;
    RoadClass road_class;
    double two_way, one_way;  ///< usual widths
    double shoulders;         ///< added to lanes
    RoadScope scope;
};
constexpr auto kStreets = RoadScope::streets;
constexpr auto kAll = RoadScope::all;
constexpr std::array kHighways = {
    HighwayKind{"motorway", RoadClass::motorway, 16.0, 9.5, 3.0, kStreets},
    HighwayKind{"motorway_link", RoadClass::motorway, 8.0, 5.0, 1.5, kStreets},
    HighwayKind{"trunk", RoadClass::trunk, 10.0, 8.0, 1.5, kStreets},
    HighwayKind{"trunk_link", RoadClass::trunk, 7.5, 4.5, 1.0, kStreets},
    HighwayKind{"primary", RoadClass::primary, 8.5, 7.0, 1.0, kStreets},
    HighwayKind{"primary_link", RoadClass::primary, 7.0, 4.5, 1.0, kStreets},
    HighwayKind{"secondary", RoadClass::secondary, 7.5, 6.5, 1.0, kStreets},
    HighwayKind{"secondary_link", RoadClass::secondary, 6.5, 4.5, 1.0, kStreets},
    HighwayKind{"tertiary", RoadClass::tertiary, 7.0, 5.5, 0.5, kStreets},
    HighwayKind{"tertiary_link", RoadClass::tertiary, 6.0, 4.0, 0.5, kStreets},
    HighwayKind{"residential", RoadClass::residential, 6.0, 4.5, 0.0, kStreets},
    HighwayKind{"unclassified", RoadClass::residential, 6.0, 4.5, 0.0, kStreets},
    HighwayKind{"road", RoadClass::residential, 6.0, 4.5, 0.0, kStreets},
    HighwayKind{"living_street", RoadClass::residential, 5.0, 4.0, 0.0, kStreets},
    HighwayKind{"raceway", RoadClass::service, 10.0, 10.0, 0.0, kStreets},
    HighwayKind{"busway", RoadClass::service, 6.5, 3.5, 0.0, kStreets},
    HighwayKind{"service", RoadClass::service, 4.0, 3.5, 0.0, kStreets},
    HighwayKind{"track", RoadClass::track, 3.0, 3.0, 0.0, kStreets},
    HighwayKind{"pedestrian", RoadClass::pedestrian, 5.0, 5.0, 0.0, kStreets},
    HighwayKind{"cycleway", RoadClass::cycleway, 2.5, 2.0, 0.0, kAll},
    HighwayKind{"bridleway", RoadClass::path, 2.0, 2.0, 0.0, kAll},
    HighwayKind{"footway", RoadClass::path, 2.0, 2.0, 0.0, kAll},
    HighwayKind{"path", RoadClass::path, 2.0, 2.0, 0.0, kAll},
    HighwayKind{"steps", RoadClass::path, 2.0, 2.0, 0.0, kAll},
};

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Takes a decimal number ("7", "7.5", "7,5") off the front of `text`.
std::optional<double> take_number(std::string_view& text) {
    std::string number;
    std::size_t used = 0;
    for (; used < text.size(); ++used) {
        const char c = text[used];
        if ((c < '0' || c > '9') && c != '.' && c != ',') break;
        number += c == ',' ? '.' : c;
    }
    double value = 0.0;
    const auto [end, why] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (why != std::errc{} || end != number.data() + number.size()) return std::nullopt;
    text.remove_prefix(used);
    return value;
}

bool says_yes(std::string_view value) {
    return !value.empty() && value != "no" && value != "0" && value != "false";
}

Oneway oneway_from_tags(TagLookup tag, RoadClass road_class, std::string_view highway) {
    const std::string_view oneway = tag("oneway");
    if (oneway == "-1" || oneway == "reverse") return Oneway::against;
    if (oneway == "yes" || oneway == "true" || oneway == "1") return Oneway::along;
    if (!oneway.empty()) return Oneway::no;
    const std::string_view junction = tag("junction");
    const bool circle = junction == "roundabout" || junction == "circular";
    const bool motorway = road_class == RoadClass::motorway && highway == "motorway";
    return circle || motorway ? Oneway::along : Oneway::no;
}

double width_from_tags(TagLookup tag, const HighwayKind& kind, Oneway oneway) {
    for (const std::string_view key : {"width:carriageway", "width", "est_width"}) {
        if (const auto width = length_from_text(tag(key))) return *width;
    }
    std::string_view lanes_text = trimmed(tag("lanes"));
    const auto lanes = take_number(lanes_text);
    if (lanes && lanes_text.empty() && *lanes >= 1.0 && *lanes <= kMaxLanes) {
        return *lanes * kLane + kind.shoulders;
    }
    return oneway == Oneway::no ? kind.two_way : kind.one_way;
}

RoadForm form_from_tags(TagLookup tag) {
    // A passage through a building or under a gallery is at street level, however it is tagged.
    const std::string_view tunnel = tag("tunnel");
    if (says_yes(tunnel) && tunnel != "building_passage" && tunnel != "avalanche_protector") {
        return RoadForm::tunnel;
    }
    return says_yes(tag("bridge")) ? RoadForm::bridge : RoadForm::ground;
}

std::int8_t level_from_tags(TagLookup tag, RoadForm form) {
    const std::string_view text = trimmed(tag("layer"));
    int layer = 0;
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), layer);
    if (why == std::errc{} && end == text.data() + text.size()) {
        return static_cast<std::int8_t>(std::clamp(layer, -kMaxLevel, kMaxLevel));
    }
    return form == RoadForm::bridge ? 1 : form == RoadForm::tunnel ? -1 : 0;
}

}  // namespace

std::optional<double> length_from_text(std::string_view text) {
    text = trimmed(text);
    const auto first = take_number(text);
    if (!first) return std::nullopt;
    text = trimmed(text);
    double metres = *first;
    if (text == "ft" || text == "feet" || text == "'") {
        metres *= kMetresPerFoot;
    } else if (text.starts_with('\'')) {
        text.remove_prefix(1);
        text = trimmed(text);
        const auto inches = take_number(text);
        if (!inches || trimmed(text) != "\"") return std::nullopt;
        metres = metres * kMetresPerFoot + *inches * kMetresPerInch;
    } else if (!text.empty() && text != "m" && text != "metres" && text != "meters") {
        return std::nullopt;
    }
    if (!std::isfinite(metres) || metres <= 0.0) return std::nullopt;
    return metres;
}

std::optional<RoadAttributes> attributes_from_tags(TagLookup tag, RoadScope scope) {
    const std::string_view highway = tag("highway");
    const auto kind = std::find_if(kHighways.begin(), kHighways.end(),
                                   [&](const HighwayKind& k) { return k.name == highway; });
    if (kind == kHighways.end() || (kind->scope == kAll && scope != kAll)) return std::nullopt;
    if (says_yes(tag("area"))) return std::nullopt;
    RoadAttributes road;
    road.road_class = kind->road_class;
    road.form = form_from_tags(tag);
    road.level = level_from_tags(tag, road.form);
    road.oneway = oneway_from_tags(tag, kind->road_class, highway);
    road.width =
        to_steps(std::clamp(width_from_tags(tag, *kind, road.oneway), kMinWidth, kMaxWidth));
    return road;
}

}  // namespace tw::io
