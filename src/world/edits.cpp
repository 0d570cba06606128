#include "terraway/world/edits.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/core/utf8.hpp"
#include "terraway/geometry/polygon.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace tw::world {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<EditAction>> kNames{
    "raise",          "flatten",          "line_height",  "channel",      "cell_attribute",
    "road_attribute", "add_road",         "delete_road",  "road_width",   "add_road_node",
    "move_road_node", "delete_road_node", "put_obstacle", "take_obstacle"};

std::string metres_text(std::int64_t steps) {
    return number_text(to_metres(steps));
}
std::string place_text(GridPoint p) {
    return "(" + metres_text(p.x) + ", " + metres_text(p.y) + ")";
}

/// One visit checks one edit.
class Check {
public:
    Check(std::string_view kind, const GridBox& bounds)
        : kind_(kind), bounds_(bounds), longer_(std::max(bounds.width(), bounds.height())) {}

    Status operator()(const RaiseGround& edit) const {
        TW_TRY(path("path", edit.path, 1, kMaxPathPoints));
        TW_TRY(brush(edit.brush));
        return length("amount", edit.amount, -kMaxRaise, kMaxRaise);
    }
    Status operator()(const FlattenGround& edit) const {
        TW_TRY(path("path", edit.path, 1, kMaxPathPoints));
        TW_TRY(brush(edit.brush));
        return height("height", edit.height);
    }
    Status operator()(const SetLineHeight& edit) const {
        TW_TRY(line("path", edit.path));
        if (edit.height.size() != edit.path.size()) {
            return wrong(ErrorCode::invalid_input,
                         "heights: " + std::to_string(edit.height.size()) + " for " +
                             std::to_string(edit.path.size()) +
                             " points; give one for each point of the path");
        }
        for (const Steps at : edit.height) TW_TRY(height("heights", at));
        return brush(edit.brush);
    }
    Status operator()(const DigChannel& edit) const {
        TW_TRY(line("path", edit.path));
        TW_TRY(length("width", edit.width, 0, longer_));
        TW_TRY(height("bed_from", edit.bed_from));
        return height("bed_to", edit.bed_to);
    }
    Status operator()(const SetCellAttribute& edit) const {
        TW_TRY(place("place", edit.place));
        TW_TRY(length("radius", edit.radius, 0, longer_));
        TW_TRY(name("column", edit.column));
        return value(edit.value);
    }
    Status operator()(const SetRoadAttribute& edit) const {
        TW_TRY(name("road", edit.road));
        TW_TRY(name("column", edit.column));
        return value(edit.value);
    }
    Status operator()(const AddRoad& edit) const {
        TW_TRY(name("road", edit.road));
        TW_TRY(attributes(edit.attributes));
        return line("points", edit.path);
    }
    Status operator()(const DeleteRoad& edit) const { return name("road", edit.road); }
    Status operator()(const SetRoadWidth& edit) const {
        TW_TRY(name("road", edit.road));
        return length("width", edit.width, 1, kMaxRoadWidth);
    }
    Status operator()(const AddRoadNode& edit) const {
        TW_TRY(name("road", edit.road));
        return place("place", edit.place);
    }
    Status operator()(const MoveRoadNode& edit) const {
        TW_TRY(name("road", edit.road));
        TW_TRY(place("from", edit.from));
        return place("to", edit.to);
    }
    Status operator()(const DeleteRoadNode& edit) const {
        TW_TRY(name("road", edit.road));
        return place("place", edit.place);
    }
    Status operator()(const PutObstacle& edit) const {
        TW_TRY(name("obstacle", edit.obstacle));
        TW_TRY(path("ring", edit.ring, 3, kMaxRingPoints));
        const auto contact = geometry::find_self_contact(edit.ring);
        if (!contact) return ok_status();
        return wrong(ErrorCode::invalid_input,
                     "ring: its sides from " + place_text(edit.ring[contact->first]) +
                         " and from " + place_text(edit.ring[contact->second]) +
                         " touch, or one has no length; give a ring that meets itself nowhere");
    }
    Status operator()(const TakeObstacle& edit) const { return name("obstacle", edit.obstacle); }

private:
    Error wrong(ErrorCode code, std::string message) const {
        return {.code = code, .stage = "edits", .subject = kind_, .message = std::move(message)};
    }
    Status place(std::string_view key, GridPoint p) const {
        if (bounds_.contains(p)) return ok_status();
        return wrong(ErrorCode::invalid_input,
                     std::string(key) + ": " + place_text(p) + " is outside the world; stay from " +
                         place_text(bounds_.lo) + " to " + place_text(bounds_.hi) + " m");
    }
    Status path(std::string_view key, std::span<const GridPoint> points, std::size_t least,
                std::size_t most) const {
        if (points.size() < least || points.size() > most) {
            return wrong(points.size() > most ? ErrorCode::too_large : ErrorCode::invalid_input,
                         std::string(key) + ": " + std::to_string(points.size()) +
                             " points; give " + std::to_string(least) + " to " +
                             std::to_string(most));
        }
        for (const GridPoint p : points) TW_TRY(place(key, p));
        return ok_status();
    }
    /// A path that has a direction everywhere.
    Status line(std::string_view key, std::span<const GridPoint> points) const {
        TW_TRY(path(key, points, 2, kMaxPathPoints));
        const auto twice = std::adjacent_find(points.begin(), points.end());
        if (twice == points.end()) return ok_status();
        return wrong(ErrorCode::invalid_input, std::string(key) + ": " + place_text(*twice) +
                                                   " is there twice in a row; give it once");
    }
    Status length(std::string_view key, Steps value, std::int64_t low, std::int64_t high) const {
        if (value >= low && value <= high) return ok_status();
        return wrong(ErrorCode::invalid_option, std::string(key) + ": " + metres_text(value) +
                                                    " m is out of range; give " + metres_text(low) +
                                                    " to " + metres_text(high) + " m");
    }
    Status height(std::string_view key, Steps value) const {
        return length(key, value, -kMaxEditHeight, kMaxEditHeight);
    }
    Status brush(const Brush& brush) const {
        if (brush.falloff > Falloff::smooth) return unknown("falloff");
        return length("radius", brush.radius, 1, longer_);
    }
    Status unknown(std::string_view key) const {
        return wrong(ErrorCode::invalid_option,
                     std::string(key) + ": there is no such value; give one that has a name");
    }
    Status attributes(const RoadAttributes& road) const {
        TW_TRY(length("width", road.width, 1, kMaxRoadWidth));
        if (road.level < -kMaxRoadLevel || road.level > kMaxRoadLevel) {
            return wrong(ErrorCode::invalid_option, "level: " + std::to_string(road.level) +
                                                        " is out of range; give -100 to 100");
        }
        if (static_cast<std::size_t>(road.road_class) >= kRoadClassCount) return unknown("class");
        if (road.form > RoadForm::tunnel) return unknown("form");
        if (road.oneway > Oneway::against) return unknown("oneway");
        return ok_status();
    }
    Status name(std::string_view key, const std::string& text) const {
        if (text.empty() || text.size() > kMaxNameBytes) {
            return wrong(ErrorCode::invalid_input,
                         std::string(key) + ": a name of " + std::to_string(text.size()) +
                             " bytes; give 1 to " + std::to_string(kMaxNameBytes));
        }
        if (is_printable(text)) return ok_status();
        return wrong(
            ErrorCode::invalid_input,
            std::string(key) + ": the name has control characters or is no UTF-8; give plain text");
    }
    Status value(const AttributeValue& value) const {
        if (const auto* number = std::get_if<double>(&value)) {
            constexpr double kMost = std::numeric_limits<double>::max();
            if (!(*number >= -kMost && *number <= kMost)) {
                return wrong(ErrorCode::invalid_input, "value: no finite number; give one");
            }
        }
        if (const auto* text = std::get_if<std::string>(&value)) {
            if (text->size() > kMaxTextBytes) {
                return wrong(ErrorCode::too_large,
                             "value: a text of " + std::to_string(text->size()) +
                                 " bytes; give at most " + std::to_string(kMaxTextBytes));
            }
            if (!is_utf8(*text)) {
                return wrong(ErrorCode::invalid_input, "value: the text is no UTF-8; convert it");
            }
        }
        return ok_status();
    }

    std::string_view kind_;
    GridBox bounds_;
    std::int64_t longer_;  ///< [steps] side of the world
};

}  // namespace

std::string_view name_of(const EditAction& action) {
    return kNames[action.index()];
}

Status validate(const Edit& edit, const GridBox& bounds) {
    return std::visit(Check(name_of(edit.action), bounds), edit.action);
}

}  // namespace tw::world
