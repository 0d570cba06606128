#include "terraway/world/roads.hpp"

#include <algorithm>
#include <array>

namespace tw::world {
namespace {

constexpr std::array<std::string_view, kRoadClassCount> kClassNames{
    "motorway", "trunk", "primary",    "secondary", "tertiary", "residential",
    "service",  "track", "pedestrian", "cycleway",  "path"};

Error broken(Subject subject, std::string message) {
    return {ErrorCode::check_failed, "roads", std::move(subject), std::move(message)};
}

}  // namespace

std::string_view to_string(RoadClass road_class) {
    return kClassNames[static_cast<std::size_t>(road_class)];
}

Result<RoadClass> road_class_from(std::string_view name) {
    const auto found = std::find(kClassNames.begin(), kClassNames.end(), name);
    if (found == kClassNames.end()) {
        return Error{ErrorCode::not_found, "roads", name,
                     "no such road class; use motorway, trunk, primary, secondary, tertiary, "
                     "residential, service, track, pedestrian, cycleway or path"};
    }
    return static_cast<RoadClass>(found - kClassNames.begin());
}

Status validate(const RoadNetwork& network) {
    const std::size_t roads = network.road_count();
    if (network.node_id.size() != network.node_count() || network.label.size() != roads ||
        network.from.size() != roads || network.to.size() != roads ||
        network.attributes.size() != roads || network.point_begin.size() != roads + 1 ||
        network.point_begin[RoadId(0)] != 0 ||
        network.point_begin[RoadId::from_index(roads)] != network.point.size()) {
        return broken({}, "the arrays do not fit each other");
    }
    for (const RoadNodeId node : network.node_point.ids()) {
        if (!on_grid(network.node_point[node])) return broken(node, "a node is off the grid");
    }
    for (const RoadId road : network.id.ids()) {
        const std::uint32_t begin = network.point_begin[road];
        const std::uint32_t end = network.point_begin[RoadId(road.value() + 1)];
        if (end < begin + 2 || end > network.point.size()) {
            return broken(road, "a road has fewer than two points");
        }
        const std::span<const GridPoint> points = network.points(road);
        if (!network.node_point.contains(network.from[road]) ||
            !network.node_point.contains(network.to[road]) ||
            network.node_point[network.from[road]] != points.front() ||
            network.node_point[network.to[road]] != points.back()) {
            return broken(road, "a road does not end at its nodes");
        }
        if (network.from[road] == network.to[road] ? points.size() < 4
                                                   : points.front() == points.back()) {
            return broken(road, "a road has no length, or a loop has fewer than three points");
        }
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            if (points[i] == points[i + 1]) return broken(road, "two points in a row are equal");
            if (!on_grid(points[i])) return broken(road, "a point is off the grid");
        }
        if (network.attributes[road].width <= 0) return broken(road, "the width is not above zero");
    }
    return ok_status();
}

RoadsAtNodes::RoadsAtNodes(const RoadNetwork& network)
    : begin_(network.node_count() + 1, 0), road_(2 * network.road_count()) {
    for (const RoadId road : network.id.ids()) {
        ++begin_[network.from[road].index() + 1];
        ++begin_[network.to[road].index() + 1];
    }
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) begin_[i + 1] += begin_[i];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const RoadId road : network.id.ids()) {
        road_[next[network.from[road].index()]++] = road;
        road_[next[network.to[road].index()]++] = road;
    }
}

}  // namespace tw::world
