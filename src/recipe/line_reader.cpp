#include "line_reader.hpp"

#include "terraway/core/hash.hpp"

#include "nearest.hpp"
#include "road_attributes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace tw::recipe {
namespace {

constexpr double kFarthest = 1e8;  // [m] of a coordinate: beyond, steps would be no honest number
constexpr double kNarrowest = 0.1, kWidest = 200.0;  // [m]
constexpr std::array<std::string_view, 10> kKeys{"id",    "from",  "via",    "to",   "width",
                                                 "level", "class", "oneway", "form", "points"};
constexpr const char* kViaForm =
    "\"via\" names no points; give a list of [index of an inner point, node]";

class LineReader {
public:
    explicit LineReader(std::string_view file) : file_(file) {}

    Result<world::ImportedLines> read(JsonValue lines) {
        if (lines.kind() != JsonKind::array)
            return wrong(lines, "is no list; give [{\"points\": [[0, 0], [90, 0]]}, ...]");
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
    Result<std::string> read_name(JsonValue value, std::string_view key) const;
    Result<std::uint64_t> read_node(JsonValue value, std::string_view key) const;
    Status read_end(JsonValue line, std::string_view key, std::size_t point);
    Status read_via(JsonValue via, std::size_t first);
    Status refuse_double_ids(JsonValue lines);

    std::string_view file_;
    std::string name_;  ///< of the road at hand
    world::RoadAttributes attributes_;
    world::ImportedLines lines_;
};

Result<std::string> LineReader::read_name(JsonValue value, std::string_view key) const {
    if (value.kind() == JsonKind::natural) return std::to_string(value.natural());
    if (value.kind() == JsonKind::text && !value.text().empty()) return value.text();
    return wrong(value,
                 "\"" + std::string(key) + "\" is no name; give text in quotes, or a whole number");
}

/// A node's number follows from its name alone, so it stays when other roads change. A name such as
/// n25178088 is that number: a node of a map keeps its identity in streets.lines.json.
std::uint64_t node_named(const std::string& name) {
    std::uint64_t number = 0;
    const char *first = name.data() + 1, *last = name.data() + name.size();
    if (name.size() > 1 && name[0] == 'n' && name[1] != '0') {
        const auto read = std::from_chars(first, last, number);
        if (read.ec == std::errc() && read.ptr == last) return number;
    }
    const std::uint64_t hash = hash_text(name);
    return hash == world::ImportedLines::kNoNode ? ~hash : hash;
}

Result<std::uint64_t> LineReader::read_node(JsonValue value, std::string_view key) const {
    TW_ASSIGN(const std::string name, read_name(value, key));
    return node_named(name);
}

Status LineReader::read_end(JsonValue line, std::string_view key, std::size_t point) {
    const auto value = line.find(key);
    if (!value || value->kind() == JsonKind::null) return ok_status();
    TW_ASSIGN(lines_.node.edit(world::LinePointId::from_index(point)), read_node(*value, key));
    return ok_status();
}

/// `first` is the road's first point of all; its points are the last that were read.
Status LineReader::read_via(JsonValue via, std::size_t first) {
    if (via.kind() != JsonKind::array) return wrong(via, kViaForm);
    const std::size_t last = lines_.node.size() - first - 1;
    for (const JsonValue entry : via) {
        if (entry.kind() != JsonKind::array || entry.size() != 2) return wrong(entry, kViaForm);
        const JsonValue index = *entry.begin(), node = *++entry.begin();
        if (index.kind() != JsonKind::natural || index.natural() < 1 || index.natural() >= last) {
            return wrong(index, "\"via\" names the point " + to_compact(index) +
                                    "; give an inner one, counted from 0");
        }
        const std::size_t point = first + static_cast<std::size_t>(index.natural());
        TW_ASSIGN(lines_.node.edit(world::LinePointId::from_index(point)), read_node(node, "via"));
    }
    return ok_status();
}

Status LineReader::read_attributes(JsonValue line) {
    attributes_ = {};
    double width = kDefaultRoadWidth;
    if (const auto value = line.find("width")) {
        if (!value->is_number())
            return wrong(*value, "\"width\" is no number; give metres, 0.1 ... 200");
        width = value->number();
        if (!(width >= kNarrowest && width <= kWidest)) {
            return wrong(*value, "a width of " + to_compact(*value) + " m; give 0.1 ... 200");
        }
    }
    attributes_.width = to_steps(width);
    return read_road_attributes(
        line,
        [this](JsonValue where, std::string message) { return wrong(where, std::move(message)); },
        attributes_);
}

Result<double> LineReader::read_coordinate(JsonValue value) const {
    if (!value.is_number()) return wrong(value, "a coordinate is no number; give metres");
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
        return wrong(points, "\"points\" is no list; give [[x, y], [x, y], ...]");
    std::size_t count = 0;
    for (const JsonValue point : points) {
        const std::size_t size = point.kind() == JsonKind::array ? point.size() : 0;
        if (size != 2 && size != 3)
            return wrong(point, "this is no point; give [x, y] or [x, y, z] in metres");
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
        return wrong(line, "this is no road; give {\"id\": ..., \"points\": [[x, y], ...]}");
    name_ = "r" + std::to_string(lines_.label.size());
    if (const auto id = line.find("id")) {
        TW_ASSIGN(name_, read_name(*id, "id"));
    }
    for (const JsonValue member : line) {
        if (std::ranges::find(kKeys, member.key()) == kKeys.end()) {
            const std::string near = did_you_mean(member.key(), kKeys);
            return wrong(member, "no such key: \"" + member.key() + "\"" +
                                     (near.empty() ? "; leave it out" : near));
        }
    }
    const auto points = line.find("points");
    if (!points) return wrong(line, "has no points; give two or more");
    TW_TRY(read_attributes(line));
    const std::size_t first = lines_.x.size();
    TW_TRY(read_points(*points));
    TW_TRY(read_end(line, "from", first));
    TW_TRY(read_end(line, "to", lines_.node.size() - 1));
    if (const auto via = line.find("via")) TW_TRY(read_via(*via, first));
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
