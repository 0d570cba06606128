#include "line_reader.hpp"

#include "terraway/core/hash.hpp"

#include "nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tw::recipe {
namespace {

constexpr double kFarthest = 1e8;  // [m] of a coordinate: beyond, steps would be no honest number
constexpr double kNarrowest = 0.1, kWidest = 200.0;  // [m]
constexpr double kDefaultWidth = 7.0;                // [m] two lanes
constexpr std::array<std::string_view, 9> kKeys{"id",    "from",   "to",   "width", "level",
                                                "class", "oneway", "form", "points"};
constexpr std::array<std::string_view, 3> kForms{"ground", "bridge", "tunnel"};
constexpr std::array<std::string_view, 3> kOneways{"no", "along", "against"};

class LineReader {
public:
    explicit LineReader(std::string_view file) : file_(file) {}

    Result<world::ImportedLines> read(JsonValue lines) {
        if (lines.kind() != JsonKind::array) return wrong(lines, "must be a list of roads");
        lines_.point_begin.push_back(0);
        for (const JsonValue line : lines) {
            TW_TRY(read_line(line));
        }
        if (lines_.label.empty())
            return wrong(lines, "the list is empty; give a road or leave the key out");
        TW_TRY(refuse_double_ids(lines));
        return std::move(lines_);
    }

private:
    Error wrong(JsonValue where, std::string message) const {
        const std::string subject = std::string(file_) + ":" + std::to_string(where.line());
        const std::string path = name_.empty() ? "roads.lines" : "roads.lines \"" + name_ + "\"";
        return {.code = ErrorCode::invalid_input,
                .stage = "recipe",
                .subject = subject,
                .message = path + ": " + std::move(message)};
    }

    Status read_line(JsonValue line);
    Status read_attributes(JsonValue line);
    Status read_points(JsonValue points);
    Result<double> read_coordinate(JsonValue value) const;
    Result<std::string> read_name(JsonValue value) const;
    Result<std::uint64_t> read_node(JsonValue line, std::string_view key) const;
    Result<std::size_t> read_choice(JsonValue value,
                                    std::span<const std::string_view> choices) const;
    Result<world::Oneway> read_oneway(JsonValue value) const;
    Status refuse_double_ids(JsonValue lines);

    std::string_view file_;
    std::string name_;  ///< of the road at hand
    world::RoadAttributes attributes_;
    world::ImportedLines lines_;
};

Result<std::string> LineReader::read_name(JsonValue value) const {
    if (value.kind() == JsonKind::natural) return std::to_string(value.natural());
    if (value.kind() == JsonKind::text && !value.text().empty()) return value.text();
    return wrong(value, "\"" + value.key() + "\" must be a name");
}

/// A node's number follows from its name alone, so it stays when other roads change.
Result<std::uint64_t> LineReader::read_node(JsonValue line, std::string_view key) const {
    const auto value = line.find(key);
    if (!value || value->kind() == JsonKind::null) return world::ImportedLines::kNoNode;
    TW_ASSIGN(const std::string name, read_name(*value));
    const std::uint64_t node = hash_text(name);
    return node == world::ImportedLines::kNoNode ? ~node : node;
}

Result<std::size_t> LineReader::read_choice(JsonValue value,
                                            std::span<const std::string_view> choices) const {
    if (value.kind() == JsonKind::text) {
        const auto found = std::ranges::find(choices, value.text());
        if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    }
    std::string message = "\"" + value.key() + "\" must be one of";
    for (const std::string_view choice : choices) message += " " + std::string(choice);
    if (value.kind() == JsonKind::text) message += did_you_mean(value.text(), choices);
    return wrong(value, std::move(message));
}

Result<world::Oneway> LineReader::read_oneway(JsonValue value) const {
    if (value.kind() == JsonKind::truth) {
        return value.truth() ? world::Oneway::along : world::Oneway::no;
    }
    TW_ASSIGN(const std::size_t choice, read_choice(value, kOneways));
    return static_cast<world::Oneway>(choice);
}

Status LineReader::read_attributes(JsonValue line) {
    attributes_ = {};
    double width = kDefaultWidth;
    if (const auto value = line.find("width")) {
        if (!value->is_number()) return wrong(*value, "\"width\" must be a number of metres");
        width = value->number();
        if (!(width >= kNarrowest && width <= kWidest)) {
            return wrong(*value, "a width of " + to_compact(*value) + " m; give 0.1 ... 200");
        }
    }
    attributes_.width = to_steps(width);
    if (const auto value = line.find("level")) {
        const double level = value->is_number() ? value->number() : 1000.0;
        if (std::floor(level) != level || level < -100.0 || level > 100.0) {
            return wrong(*value, "\"level\" must be a whole number, -100 ... 100");
        }
        attributes_.level = static_cast<std::int8_t>(level);
    }
    if (const auto value = line.find("class")) {
        std::array<std::string_view, world::kRoadClassCount> classes;
        for (std::size_t i = 0; i < classes.size(); ++i) {
            classes[i] = world::to_string(static_cast<world::RoadClass>(i));
        }
        TW_ASSIGN(const std::size_t choice, read_choice(*value, classes));
        attributes_.road_class = static_cast<world::RoadClass>(choice);
    }
    if (attributes_.level > 0) attributes_.form = world::RoadForm::bridge;
    if (attributes_.level < 0) attributes_.form = world::RoadForm::tunnel;
    if (const auto value = line.find("form")) {
        TW_ASSIGN(const std::size_t choice, read_choice(*value, kForms));
        attributes_.form = static_cast<world::RoadForm>(choice);
    }
    if (const auto value = line.find("oneway")) {
        TW_ASSIGN(attributes_.oneway, read_oneway(*value));
    }
    return ok_status();
}

Result<double> LineReader::read_coordinate(JsonValue value) const {
    if (!value.is_number()) return wrong(value, "a coordinate must be a number of metres");
    if (!(std::fabs(value.number()) <= kFarthest)) {
        return wrong(
            value, "a coordinate of " + to_compact(value) + " m is too far out; keep within 1e8 m");
    }
    return value.number();
}

/// Steps of any origin, halves rounded up.
std::int64_t round_to_steps(double metres) {
    return static_cast<std::int64_t>(std::floor(metres * kStepsPerMetre + 0.5));
}

Status LineReader::read_points(JsonValue points) {
    if (points.kind() != JsonKind::array)
        return wrong(points, "\"points\" must be a list of points");
    std::size_t count = 0;
    for (const JsonValue point : points) {
        const std::size_t size = point.kind() == JsonKind::array ? point.size() : 0;
        if (size != 2 && size != 3) return wrong(point, "a point is [x, y] or [x, y, z] in metres");
        std::array<double, 3> at{};
        std::size_t i = 0;
        for (const JsonValue coordinate : point) {
            TW_ASSIGN(at[i], read_coordinate(coordinate));
            ++i;
        }
        lines_.x.push_back(round_to_steps(at[0]));
        lines_.y.push_back(round_to_steps(at[1]));
        lines_.node.push_back(world::ImportedLines::kNoNode);
        ++count;
    }
    if (count < 2)
        return wrong(points, "has " + std::to_string(count) + " points; give two or more");
    return ok_status();
}

Status LineReader::read_line(JsonValue line) {
    name_.clear();
    if (line.kind() != JsonKind::object)
        return wrong(line, "a road is an object with id and points");
    name_ = "r" + std::to_string(lines_.label.size());
    if (const auto id = line.find("id")) {
        TW_ASSIGN(name_, read_name(*id));
    }
    for (const JsonValue member : line) {
        if (std::ranges::find(kKeys, member.key()) == kKeys.end()) {
            return wrong(member, "no such key: \"" + member.key() + "\"" +
                                     did_you_mean(member.key(), kKeys));
        }
    }
    const auto points = line.find("points");
    if (!points) return wrong(line, "has no points; give two or more");
    TW_TRY(read_attributes(line));
    const std::size_t first = lines_.x.size();
    TW_TRY(read_points(*points));
    TW_ASSIGN(lines_.node.edit(world::LinePointId::from_index(first)), read_node(line, "from"));
    TW_ASSIGN(lines_.node.edit(world::LinePointId::from_index(lines_.node.size() - 1)),
              read_node(line, "to"));
    lines_.label.push_back(name_);
    lines_.attributes.push_back(attributes_);
    lines_.point_begin.push_back(static_cast<std::uint32_t>(lines_.x.size()));
    return ok_status();
}

Status LineReader::refuse_double_ids(JsonValue lines) {
    std::vector<std::string> labels = lines_.label.values();
    std::ranges::sort(labels);
    const auto twice = std::ranges::adjacent_find(labels);
    if (twice == labels.end()) return ok_status();
    name_ = *twice;
    return wrong(lines, "two roads have this id; rename one");
}

}  // namespace

Result<world::ImportedLines> read_lines(JsonValue lines, std::string_view file) {
    return LineReader(file).read(lines);
}

}  // namespace tw::recipe
