#pragma once
// The network as streets see it: half-roads round their nodes, centre lines with lengths.

#include "terraway/math/vec.hpp"
#include "terraway/world/roads.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tw::streets {

inline constexpr std::string_view kStage = "streets";

/// A road seen from one of its ends, looking away from the node there.
using HalfId = Id<struct HalfTag>;
constexpr HalfId half_of(world::RoadId road, unsigned end) {
    return HalfId(road.value() * 2 + end);
}
constexpr world::RoadId road_of(HalfId half) {
    return world::RoadId(half.value() / 2);
}
constexpr unsigned end_of(HalfId half) {
    return half.value() % 2;
}
constexpr HalfId other_end(HalfId half) {
    return HalfId(half.value() ^ 1u);
}

/// A place on a centre line and the direction away from the half's node there.
struct Station {
    Vec2d point, direction;
};

class StreetGraph {
public:
    explicit StreetGraph(const world::RoadNetwork& network);

    const world::RoadNetwork& network() const { return *network_; }
    std::size_t half_count() const { return network_->road_count() * 2; }
    world::RoadNodeId node_of(HalfId half) const {
        return end_of(half) ? network_->to[road_of(half)] : network_->from[road_of(half)];
    }
    /// Counter-clockwise by the exact direction in which they leave.
    std::span<const HalfId> halves(world::RoadNodeId node) const {
        const std::uint32_t begin = half_begin_[node.index()];
        return std::span(half_).subspan(begin, half_begin_[node.index() + 1] - begin);
    }
    /// The next half counter-clockwise round the same node; itself at a dead end.
    HalfId turn_left(HalfId half) const;
    /// [steps] half the width, but wide enough to have a left and a right.
    double half_width(world::RoadId road) const { return half_width_[road.index()]; }
    void set_half_width(world::RoadId road, double half_width) {
        half_width_[road.index()] = half_width;
    }
    double length(world::RoadId road) const {
        return along_[network_->point_begin[world::RoadId(road.value() + 1)] - 1];
    }

    /// The centre line from the half's node up to `reach` [steps], relative to `origin`.
    void line(HalfId half, double reach, GridPoint origin, std::vector<Vec2d>& out) const;
    /// The place `distance` [steps] from the half's node.
    Station at(HalfId half, double distance, GridPoint origin) const;

private:
    const world::RoadNetwork* network_;
    std::vector<std::uint32_t> half_begin_, slot_;
    std::vector<HalfId> half_;
    std::vector<double> along_;  ///< [steps] of each point from its road's start
    std::vector<double> half_width_;
};

inline Vec2d to_local(GridPoint p, GridPoint origin) {
    return {static_cast<double>(std::int64_t{p.x} - origin.x),
            static_cast<double>(std::int64_t{p.y} - origin.y)};
}
/// Rounded relative to the origin, so that moving both moves the result.
inline GridPoint from_local(Vec2d p, GridPoint origin) {
    return origin + to_grid(p);
}

}  // namespace tw::streets
