#include "terraway/world/imported.hpp"

#include <algorithm>
#include <cmath>

namespace tw::world {
namespace {

Error bad(std::string_view what, Subject subject, std::string message) {
    return {ErrorCode::invalid_input, std::string(what), std::move(subject), std::move(message)};
}

struct Limits {
    std::int64_t x, y;
};
Limits limits_of(Frame frame) {
    // Planar origins may be far away (national grids), but not so far that doubles lose a step.
    if (frame == Frame::planar) return {std::int64_t{1} << 50, std::int64_t{1} << 50};
    return {1'800'000'000, 900'000'000};
}

}  // namespace

Status validate(const ImportedLines& lines) {
    constexpr std::string_view kWhat = "roads";
    const std::size_t count = lines.label.size();
    if (lines.attributes.size() != count || lines.point_begin.size() != count + 1 ||
        lines.x.size() != lines.y.size() || lines.node.size() != lines.x.size() ||
        lines.point_begin[LineId(0)] != 0 ||
        lines.point_begin[LineId::from_index(count)] != lines.x.size()) {
        return bad(kWhat, {},
                   "the arrays of the lines do not fit each other; import the file again");
    }
    for (const LineId line : lines.label.ids()) {
        const std::uint32_t begin = lines.point_begin[line];
        const std::uint32_t end = lines.point_begin[LineId(line.value() + 1)];
        if (end < begin || end > lines.x.size()) {
            return bad(kWhat, line,
                       "the points of the lines are out of order; import the file again");
        }
        if (end - begin < 2) {
            return bad(kWhat, lines.label[line], "a line needs two points or more; remove it");
        }
        const RoadAttributes& attributes = lines.attributes[line];
        if (attributes.width <= 0) {
            return bad(kWhat, lines.label[line], "the width is not above zero; give one");
        }
        if (static_cast<std::size_t>(attributes.road_class) >= kRoadClassCount ||
            attributes.form > RoadForm::tunnel || attributes.oneway > Oneway::against) {
            return bad(kWhat, lines.label[line], "an attribute is unknown; import the file again");
        }
    }
    if (lines.frame > Frame::geographic) return bad(kWhat, {}, "the frame is unknown");
    const Limits limit = limits_of(lines.frame);
    for (const LinePointId p : lines.x.ids()) {
        if (lines.x[p] < -limit.x || lines.x[p] > limit.x || lines.y[p] < -limit.y ||
            lines.y[p] > limit.y) {
            return bad(kWhat, p, "a coordinate is out of its frame's range; check units and order");
        }
    }
    std::vector<std::string_view> labels(lines.label.span().begin(), lines.label.span().end());
    std::sort(labels.begin(), labels.end());
    const auto twice = std::adjacent_find(labels.begin(), labels.end());
    if (twice != labels.end()) return bad(kWhat, *twice, "two lines have this id; make ids unique");
    return ok_status();
}

Status validate(const ImportedHeights& heights) {
    constexpr std::string_view kWhat = "heights";
    if (heights.frame > Frame::geographic || heights.has_place > 1) {
        return bad(kWhat, {}, "the frame is unknown; import the file again");
    }
    if (heights.columns <= 0 || heights.rows <= 0 ||
        static_cast<std::uint64_t>(heights.columns) * static_cast<std::uint64_t>(heights.rows) !=
            heights.height.size()) {
        return bad(kWhat, {}, "rows and columns do not fit the values; import the file again");
    }
    if (heights.has_place != 0) {
        const bool planar = heights.frame == Frame::planar;
        const double limit_x = planar ? 1e12 : 360.0, limit_y = planar ? 1e12 : 180.0;
        const auto within = [](double v, double limit) { return v >= -limit && v <= limit; };
        if (!(heights.pixel > 0 && within(heights.pixel * heights.columns, limit_x) &&
              within(heights.pixel * heights.rows, limit_y) && within(heights.west, limit_x) &&
              within(heights.south, limit_y))) {
            return bad(kWhat, {},
                       "the raster's place is out of its frame's range; check its header");
        }
    }
    return ok_status();
}

}  // namespace tw::world
