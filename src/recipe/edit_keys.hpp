#pragma once
// The one table of the keys that edits have: reading, writing and the schema walk it.

#include "terraway/world/edits.hpp"

#include "road_attributes.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace tw::recipe {

inline constexpr std::string_view kVersionKey = "terraway_edits";
inline constexpr std::size_t kEditKinds = std::variant_size_v<world::EditAction>;
inline constexpr std::array<std::string_view, 3> kFalloffs{"constant", "linear", "smooth"};
inline constexpr Steps kGridWidth = 2 * kMaxCoordinate;

/// A default edit of the kind of that index.
template <std::size_t kind = 0>
world::EditAction make_action(std::size_t index) {
    if constexpr (kind + 1 < kEditKinds) {
        if (index != kind) return make_action<kind + 1>(index);
    }
    return world::EditAction(std::in_place_index<kind>);
}
/// In the order of the variant.
inline std::array<std::string_view, kEditKinds> edit_names() {
    std::array<std::string_view, kEditKinds> names;
    for (std::size_t i = 0; i < kEditKinds; ++i) names[i] = world::name_of(make_action(i));
    return names;
}

/// What is said of a length beside its name.
struct Length {
    Steps low = 0, high = 0;          ///< [steps] closed range
    std::optional<Steps> fallback{};  ///< none: the key must be there
};
inline constexpr Length kHeight{.low = -world::kMaxEditHeight, .high = world::kMaxEditHeight};
inline constexpr Length kRadius{.low = 1, .high = kGridWidth};
inline constexpr Length kRoadWidth{.low = 1, .high = world::kMaxRoadWidth};

/// Edits to read into or to write from.
template <class T, class Kind>
concept EditOf = std::is_same_v<std::remove_const_t<T>, Kind>;

/// Calls a function of `visitor` for each key, in canonical order:
///     points(key, doc, vector of points, least count, most), point(key, doc, point),
///     length(key, doc, steps, Length), heights(key, doc, vector of steps), name(key, doc, text),
///     choice(key, doc, enum, names): the default is what it holds,
///     value(key, doc, AttributeValue), road(RoadAttributes): the keys of road_attributes.hpp.
template <class Visitor>
class EditKeys {
public:
    explicit EditKeys(Visitor& visitor) : visit_(visitor) {}

    void operator()(EditOf<world::RaiseGround> auto& edit) const {
        stroke(edit.path);
        brush(edit.brush);
        visit_.length("amount", "By which the ground rises at the path; negative lowers it.",
                      edit.amount, Length{.low = -world::kMaxRaise, .high = world::kMaxRaise});
    }
    void operator()(EditOf<world::FlattenGround> auto& edit) const {
        stroke(edit.path);
        brush(edit.brush);
        visit_.length("height", "Above the sea, to which the ground is drawn.", edit.height,
                      kHeight);
    }
    void operator()(EditOf<world::SetLineHeight> auto& edit) const {
        line("path", "The line that the ground follows.", edit.path);
        visit_.heights("heights", "Above the sea, one for each point of the path.", edit.height);
        brush(edit.brush);
    }
    void operator()(EditOf<world::DigChannel> auto& edit) const {
        line("path", "Where the channel runs.", edit.path);
        visit_.length("width", "Of the channel; 0: the cells that the path runs through.",
                      edit.width, Length{.low = 0, .high = kGridWidth, .fallback = 0});
        visit_.length("bed_from", "Height of the bed at the path's first point.", edit.bed_from,
                      kHeight);
        visit_.length("bed_to", "Height of the bed at the path's last point.", edit.bed_to,
                      kHeight);
    }
    void operator()(EditOf<world::SetCellAttribute> auto& edit) const {
        visit_.point("place", "A place in the cell.", edit.place);
        visit_.length("radius", "All cells whose site is as near; 0: the one cell.", edit.radius,
                      Length{.low = 0, .high = kGridWidth, .fallback = 0});
        attribute(edit);
    }
    void operator()(EditOf<world::SetRoadAttribute> auto& edit) const {
        road(edit.road);
        attribute(edit);
    }
    void operator()(EditOf<world::AddRoad> auto& edit) const {
        visit_.name("road", "Id of the new road, unused so far.", edit.road);
        Length width = kRoadWidth;
        width.fallback = to_steps(kDefaultRoadWidth);
        visit_.length("width", "Of the surface.", edit.attributes.width, width);
        visit_.road(edit.attributes);
        line("points", "The centre line.", edit.path);
    }
    void operator()(EditOf<world::DeleteRoad> auto& edit) const { road(edit.road); }
    void operator()(EditOf<world::SetRoadWidth> auto& edit) const {
        road(edit.road);
        visit_.length("width", "Of the surface.", edit.width, kRoadWidth);
    }
    void operator()(EditOf<world::AddRoadNode> auto& edit) const {
        road(edit.road);
        visit_.point("place", "Of the new point, which comes into the nearest segment.",
                     edit.place);
    }
    void operator()(EditOf<world::MoveRoadNode> auto& edit) const {
        road(edit.road);
        visit_.point("from", "The road's point within 1 m of it is moved.", edit.from);
        visit_.point("to", "Where it goes, with all that meets there.", edit.to);
    }
    void operator()(EditOf<world::DeleteRoadNode> auto& edit) const {
        road(edit.road);
        visit_.point("place", "The road's point within 1 m of it is taken out.", edit.place);
    }
    void operator()(EditOf<world::PutObstacle> auto& edit) const {
        obstacle(edit.obstacle);
        visit_.points("ring", "Its outline, either way round; it meets itself nowhere.", edit.ring,
                      3, world::kMaxRingPoints);
    }
    void operator()(EditOf<world::TakeObstacle> auto& edit) const { obstacle(edit.obstacle); }

private:
    void stroke(auto& path) const {
        visit_.points("path", "The stroke of the brush; one point is a dab.", path, 1,
                      world::kMaxPathPoints);
    }
    void line(std::string_view key, std::string_view doc, auto& path) const {
        visit_.points(key, doc, path, 2, world::kMaxPathPoints);
    }
    void brush(auto& brush) const {
        visit_.length("radius", "Of the brush.", brush.radius, kRadius);
        visit_.choice("falloff", "How the brush fades from its path to its rim.", brush.falloff,
                      kFalloffs);
    }
    void road(auto& name) const { visit_.name("road", "Id of the road's line.", name); }
    void obstacle(auto& name) const { visit_.name("obstacle", "Name of the obstacle.", name); }
    void attribute(auto& edit) const {
        visit_.name("column", "Name of the attribute.", edit.column);
        visit_.value(
            "value",
            "A whole number, a number with a decimal point, or text, as the column's first "
            "value was; null takes the value away.",
            edit.value);
    }

    Visitor& visit_;
};

}  // namespace tw::recipe
