#include "terraway/roads/edit_lines.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/geometry/polyline.hpp"

#include <algorithm>
#include <bitset>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tw::roads {
namespace {

using world::RoadId;
using world::RoadLines;
using world::RoadPointId;

constexpr std::int64_t kReach = kStepsPerMetre;  ///< [steps] from a place to the point it means

std::string place_text(GridPoint p) {
    return "(" + number_text(to_metres(p.x)) + ", " + number_text(to_metres(p.y)) + ")";
}

template <class Tag, class T>
void erase(IdArray<Tag, T>& array, std::size_t begin, std::size_t end) {
    std::vector<T> values = array.values();
    const auto first = values.begin();
    values.erase(first + static_cast<std::ptrdiff_t>(begin),
                 first + static_cast<std::ptrdiff_t>(end));
    array = IdArray<Tag, T>(std::move(values));
}
template <class Tag, class T>
void insert(IdArray<Tag, T>& array, std::size_t at, const T& value) {
    std::vector<T> values = array.values();
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), value);
    array = IdArray<Tag, T>(std::move(values));
}

/// The line of a point.
RoadId line_of(const RoadLines& lines, std::size_t point) {
    const std::span<const std::uint32_t> begin = lines.point_begin.span();
    const auto after =
        std::ranges::upper_bound(begin, point, {}, [](std::uint32_t b) { return std::size_t{b}; });
    return RoadId::from_index(static_cast<std::size_t>(after - begin.begin()) - 1);
}

/// The points that meet in one place, found from one of them.
class Meeting {
public:
    Meeting(const RoadLines& lines, std::size_t seed) : lines_(lines) {
        find_points_at(lines.point[RoadPointId::from_index(seed)]);
        for (At& at : at_place_) {
            if (at.index == seed) join(at);
        }
        // A round that brings no level, of which there are 256, is the last but one.
        for (std::size_t joined = 0; joined != index_.size();) {
            joined = index_.size();
            for (At& at : at_place_) {
                if (!at.joined && meets(at)) join(at);
            }
        }
        find_nodes_elsewhere();
        std::ranges::sort(index_);
    }
    /// Ascending indices of points.
    const std::vector<std::size_t>& index() const { return index_; }

private:
    struct At {
        std::size_t index;
        std::uint8_t level;
        std::uint64_t node;
        bool joined = false;
    };
    void find_points_at(GridPoint place) {
        const std::span<const GridPoint> points = lines_.point.span();
        for (auto at = std::ranges::find(points, place); at != points.end();
             at = std::find(at + 1, points.end(), place)) {
            const auto index = static_cast<std::size_t>(at - points.begin());
            const RoadId line = line_of(lines_, index);
            at_place_.push_back({.index = index,
                                 .level = static_cast<std::uint8_t>(lines_.attributes[line].level),
                                 .node = lines_.node[RoadPointId::from_index(index)]});
        }
    }
    bool meets(const At& at) const {
        return levels_[at.level] || std::ranges::binary_search(nodes_, at.node);
    }
    void join(At& at) {
        index_.push_back(at.index);
        at.joined = true;
        levels_.set(at.level);
        if (at.node == 0) return;
        const auto place = std::ranges::lower_bound(nodes_, at.node);
        if (place == nodes_.end() || *place != at.node) nodes_.insert(place, at.node);
    }
    void find_nodes_elsewhere() {
        if (nodes_.empty()) return;
        std::vector<std::size_t> here = index_;
        std::ranges::sort(here);
        const std::span<const std::uint64_t> nodes = lines_.node.span();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i] < nodes_.front() || nodes[i] > nodes_.back()) continue;
            if (std::ranges::binary_search(nodes_, nodes[i]) &&
                !std::ranges::binary_search(here, i)) {
                index_.push_back(i);
            }
        }
    }

    const RoadLines& lines_;
    std::vector<At> at_place_;
    std::vector<std::size_t> index_;
    std::bitset<256> levels_;
    std::vector<std::uint64_t> nodes_;  ///< ascending, none 0
};

class Editor {
public:
    explicit Editor(RoadLines& lines) : lines_(lines) {}

    Status operator()(const world::AddRoad& edit);
    Status operator()(const world::DeleteRoad& edit);
    Status operator()(const world::SetRoadWidth& edit);
    Status operator()(const world::AddRoadNode& edit);
    Status operator()(const world::MoveRoadNode& edit);
    Status operator()(const world::DeleteRoadNode& edit);
    Status operator()(const auto&) { return ok_status(); }

private:
    static Error wrong(ErrorCode code, std::string_view road, std::string message) {
        return {.code = code, .stage = "roads", .subject = road, .message = std::move(message)};
    }
    Result<RoadId> find(std::string_view label) const;
    Result<std::size_t> find_point(RoadId line, GridPoint place) const;
    Status require_room(std::string_view road, std::size_t points) const;
    std::size_t begin_of(RoadId line) const { return lines_.point_begin[line]; }
    std::size_t end_of(RoadId line) const { return lines_.point_begin[RoadId(line.value() + 1)]; }
    GridPoint point(std::size_t index) const {
        return lines_.point[RoadPointId::from_index(index)];
    }
    Status require_distinct(const std::vector<std::size_t>& moved, GridPoint to) const;
    /// Points of the lines after `line` begin `by` later.
    void shift_after(RoadId line, std::int64_t by);
    void erase_line(RoadId line);

    RoadLines& lines_;
};

Result<RoadId> Editor::find(std::string_view label) const {
    const std::span<const std::string> labels = lines_.label.span();
    const auto found = std::ranges::find(labels, label);
    if (found == labels.end()) {
        const std::string whole(label.substr(0, label.rfind('/')));
        const bool part = std::ranges::find(labels, whole) != labels.end();
        return wrong(ErrorCode::not_found, label,
                     part ? "this is a part of a road; edit the road \"" + whole + "\""
                          : std::string("there is no such road; give the id of a line of the "
                                        "world, as streets.lines.json lists them"));
    }
    if (std::find(found + 1, labels.end(), label) != labels.end()) {
        return wrong(ErrorCode::invalid_input, label,
                     "two roads have this label; rename one where they come from");
    }
    return RoadId::from_index(static_cast<std::size_t>(found - labels.begin()));
}

Result<std::size_t> Editor::find_point(RoadId line, GridPoint place) const {
    std::int64_t least = kReach * kReach + 1;
    std::size_t found = 0;
    for (std::size_t i = begin_of(line); i < end_of(line); ++i) {
        const std::int64_t distance = distance2(point(i), place);
        if (distance >= least) continue;
        least = distance;
        found = i;
    }
    if (least <= kReach * kReach) return found;
    return wrong(ErrorCode::not_found, lines_.label[line],
                 "no point of the road is within 1 m of " + place_text(place) +
                     " m; give the place of one of its points");
}

Status Editor::require_room(std::string_view road, std::size_t points) const {
    constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
    if (points <= kMost - lines_.point.size()) return ok_status();
    return wrong(ErrorCode::too_large, road, "the roads have too many points; delete some");
}

void Editor::shift_after(RoadId line, std::int64_t by) {
    for (std::size_t i = line.index() + 1; i < lines_.point_begin.size(); ++i) {
        std::uint32_t& begin = lines_.point_begin.edit(RoadId::from_index(i));
        begin = static_cast<std::uint32_t>(begin + by);
    }
}

void Editor::erase_line(RoadId line) {
    const std::size_t begin = begin_of(line), end = end_of(line);
    erase(lines_.point, begin, end);
    erase(lines_.node, begin, end);
    shift_after(line, -static_cast<std::int64_t>(end - begin));
    erase(lines_.point_begin, line.index() + 1, line.index() + 2);
    erase(lines_.label, line.index(), line.index() + 1);
    erase(lines_.attributes, line.index(), line.index() + 1);
}

Status Editor::operator()(const world::AddRoad& edit) {
    if (std::ranges::find(lines_.label.span(), edit.road) != lines_.label.span().end()) {
        return wrong(ErrorCode::invalid_input, edit.road,
                     "there is a road of this label already; choose another");
    }
    TW_TRY(require_room(edit.road, edit.path.size()));
    std::vector<GridPoint> path = edit.path;
    world::RoadAttributes attributes = edit.attributes;
    if (attributes.oneway == world::Oneway::against) {
        attributes.oneway = world::Oneway::along;
        std::ranges::reverse(path);
    }
    if (lines_.point_begin.empty()) lines_.point_begin.push_back(0);
    lines_.label.push_back(edit.road);
    lines_.attributes.push_back(attributes);
    for (const GridPoint p : path) {
        lines_.point.push_back(p);
        lines_.node.push_back(0);
    }
    lines_.point_begin.push_back(static_cast<std::uint32_t>(lines_.point.size()));
    return ok_status();
}

Status Editor::operator()(const world::DeleteRoad& edit) {
    TW_ASSIGN(const RoadId line, find(edit.road));
    erase_line(line);
    return ok_status();
}

Status Editor::operator()(const world::SetRoadWidth& edit) {
    TW_ASSIGN(const RoadId line, find(edit.road));
    if (lines_.attributes[line].width != edit.width)
        lines_.attributes.edit(line).width = edit.width;
    return ok_status();
}

Status Editor::operator()(const world::AddRoadNode& edit) {
    TW_ASSIGN(const RoadId line, find(edit.road));
    TW_TRY(require_room(edit.road, 1));
    const geometry::ClosestPlace nearest = geometry::closest_place(lines_.points(line), edit.place);
    const std::size_t before = begin_of(line) + nearest.segment;
    if (point(before) == edit.place || point(before + 1) == edit.place) {
        return wrong(
            ErrorCode::invalid_input, edit.road,
            "there is a point at " + place_text(edit.place) + " m already; choose another place");
    }
    insert(lines_.point, before + 1, edit.place);
    insert(lines_.node, before + 1, std::uint64_t{0});
    shift_after(line, 1);
    return ok_status();
}

/// Points that move together may coincide only with those that they coincided with before.
Status Editor::require_distinct(const std::vector<std::size_t>& moved, GridPoint to) const {
    const auto moves = [&](std::size_t index) { return std::ranges::binary_search(moved, index); };
    for (const std::size_t i : moved) {
        const RoadId line = line_of(lines_, i);
        const auto collapses = [&](std::size_t neighbour) {
            return point(neighbour) != point(i) && (moves(neighbour) || point(neighbour) == to);
        };
        if ((i > begin_of(line) && collapses(i - 1)) ||
            (i + 1 < end_of(line) && collapses(i + 1))) {
            return wrong(ErrorCode::invalid_input, lines_.label[line],
                         "its next point stands at " + place_text(to) +
                             " m; delete one of the two, or choose another place");
        }
    }
    return ok_status();
}

Status Editor::operator()(const world::MoveRoadNode& edit) {
    TW_ASSIGN(const RoadId line, find(edit.road));
    TW_ASSIGN(const std::size_t seed, find_point(line, edit.from));
    const Meeting meeting(lines_, seed);
    TW_TRY(require_distinct(meeting.index(), edit.to));
    for (const std::size_t i : meeting.index()) {
        if (point(i) != edit.to) lines_.point.edit(RoadPointId::from_index(i)) = edit.to;
    }
    return ok_status();
}

Status Editor::operator()(const world::DeleteRoadNode& edit) {
    TW_ASSIGN(const RoadId line, find(edit.road));
    TW_ASSIGN(const std::size_t index, find_point(line, edit.place));
    if (end_of(line) - begin_of(line) <= 2) {
        erase_line(line);
        return ok_status();
    }
    if (index > begin_of(line) && index + 1 < end_of(line) &&
        point(index - 1) == point(index + 1)) {
        return wrong(ErrorCode::invalid_input, edit.road,
                     "without its point at " + place_text(point(index)) +
                         " m two equal points stand in a row; delete one of them first");
    }
    erase(lines_.point, index, index + 1);
    erase(lines_.node, index, index + 1);
    shift_after(line, -1);
    return ok_status();
}

}  // namespace

Status apply_edit(const world::EditAction& action, RoadLines& lines) {
    return std::visit(Editor(lines), action);
}

}  // namespace tw::roads
