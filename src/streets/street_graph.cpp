#include "street_graph.hpp"

#include <algorithm>

namespace tw::streets {
namespace {

using world::RoadId;
using world::RoadNodeId;

constexpr double kLeastHalfWidth = 16.0;  ///< [steps]

struct Direction {
    std::int64_t x, y;
    bool lower() const { return y < 0 || (y == 0 && x < 0); }
};
/// Exact order by angle from the x axis; 0 for one direction.
int compare_angles(Direction a, Direction b) {
    if (a.lower() != b.lower()) return a.lower() ? 1 : -1;
    const std::int64_t turn = a.x * b.y - a.y * b.x;
    return turn > 0 ? -1 : turn < 0 ? 1 : 0;
}

}  // namespace

StreetGraph::StreetGraph(const world::RoadNetwork& network) : network_(&network) {
    half_begin_.assign(network.node_count() + 1, 0);
    slot_.resize(half_count());
    for (const RoadId road : network.id.ids()) {
        ++half_begin_[network.from[road].index() + 1];
        ++half_begin_[network.to[road].index() + 1];
    }
    for (std::size_t i = 0; i < network.node_count(); ++i) half_begin_[i + 1] += half_begin_[i];
    half_.resize(half_count());
    std::vector<std::uint32_t> next(half_begin_.begin(), half_begin_.end() - 1);
    for (const RoadId road : network.id.ids()) {
        half_[next[network.from[road].index()]++] = half_of(road, 0);
        half_[next[network.to[road].index()]++] = half_of(road, 1);
    }
    const auto direction = [&](HalfId half) {
        const std::span<const GridPoint> p = network.points(road_of(half));
        const GridPoint a = end_of(half) ? p[p.size() - 1] : p[0];
        const GridPoint b = end_of(half) ? p[p.size() - 2] : p[1];
        return Direction{std::int64_t{b.x} - a.x, std::int64_t{b.y} - a.y};
    };
    for (const RoadNodeId node : network.node_point.ids()) {
        const auto begin = half_.begin() + half_begin_[node.index()];
        const auto end = half_.begin() + half_begin_[node.index() + 1];
        std::sort(begin, end, [&](HalfId a, HalfId b) {
            const int order = compare_angles(direction(a), direction(b));
            return order != 0 ? order < 0 : a < b;
        });
    }
    for (std::uint32_t i = 0; i < half_.size(); ++i) slot_[half_[i].index()] = i;

    along_.resize(network.point.size());
    half_width_.resize(network.road_count());
    for (const RoadId road : network.id.ids()) {
        half_width_[road.index()] = std::max(network.attributes[road].width / 2.0, kLeastHalfWidth);
        const std::span<const GridPoint> p = network.points(road);
        double* along = &along_[network.point_begin[road]];
        along[0] = 0.0;
        for (std::size_t i = 1; i < p.size(); ++i) {
            along[i] = along[i - 1] + tw::length(to_local(p[i], p[i - 1]));
        }
    }
}

HalfId StreetGraph::turn_left(HalfId half) const {
    const std::size_t node = node_of(half).index();
    const std::uint32_t slot = slot_[half.index()] + 1;
    return half_[slot == half_begin_[node + 1] ? half_begin_[node] : slot];
}

void StreetGraph::line(HalfId half, double reach, GridPoint origin, std::vector<Vec2d>& out) const {
    const RoadId road = road_of(half);
    const std::span<const GridPoint> p = network_->points(road);
    const double* along = &along_[network_->point_begin[road]];
    const std::size_t last = p.size() - 1;
    out.clear();
    for (std::size_t i = 0; i <= last; ++i) {
        const std::size_t k = end_of(half) ? last - i : i;
        const double distance = end_of(half) ? along[last] - along[k] : along[k];
        if (i > 0 && distance > reach) {
            out.push_back(at(half, reach, origin).point);
            return;
        }
        out.push_back(to_local(p[k], origin));
    }
}

Station StreetGraph::at(HalfId half, double distance, GridPoint origin) const {
    const RoadId road = road_of(half);
    const std::span<const GridPoint> p = network_->points(road);
    const double* along = &along_[network_->point_begin[road]];
    const double whole = along[p.size() - 1];
    const double from_start = end_of(half) ? whole - distance : distance;
    // The segment that begins before the place; at a vertex, the one further from the node.
    const double* first = along + 1;
    const double* last = along + p.size() - 1;
    const double* found = end_of(half) ? std::lower_bound(first, last, from_start)
                                       : std::upper_bound(first, last, from_start);
    const std::size_t i = static_cast<std::size_t>(found - along);
    const Vec2d a = to_local(p[i - 1], origin), b = to_local(p[i], origin);
    const double t =
        std::min(std::max((from_start - along[i - 1]) / (along[i] - along[i - 1]), 0.0), 1.0);
    const Vec2d direction = normalized(b - a);
    return {a + (b - a) * t, end_of(half) ? -direction : direction};
}

}  // namespace tw::streets
