#pragma once
// Road centre lines and the network that they make.

#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tw::world {

/// Descending importance.
enum class RoadClass : std::uint8_t {
    motorway,
    trunk,
    primary,
    secondary,
    tertiary,
    residential,
    service,
    track,
    pedestrian,
    cycleway,
    path,
};
inline constexpr std::size_t kRoadClassCount = 11;
std::string_view to_string(RoadClass);
/// Error not_found for a name that is no class.
Result<RoadClass> road_class_from(std::string_view name);

enum class RoadForm : std::uint8_t { ground, bridge, tunnel };
enum class Oneway : std::uint8_t { no, along, against };

struct RoadAttributes {
    Steps width = 0;        ///< [steps] of the surface, > 0
    std::int8_t level = 0;  ///< roads on different levels never meet except at shared nodes
    RoadClass road_class = RoadClass::residential;
    RoadForm form = RoadForm::ground;
    Oneway oneway = Oneway::no;
    friend bool operator==(const RoadAttributes&, const RoadAttributes&) = default;

    static constexpr auto fields() {
        return std::tuple{
            Field{"width", &RoadAttributes::width}, Field{"level", &RoadAttributes::level},
            Field{"road_class", &RoadAttributes::road_class}, Field{"form", &RoadAttributes::form},
            Field{"oneway", &RoadAttributes::oneway}};
    }
};

using RoadNodeId = Id<struct RoadNodeTag>;
using RoadId = Id<struct RoadTag>;
using RoadPointId = Id<struct RoadPointTag>;

/// Centre lines on the grid, as projected, before any merging.
struct RoadLines {
    IdArray<RoadTag, std::string> label;
    IdArray<RoadTag, RoadAttributes> attributes;
    IdArray<RoadTag, std::uint32_t> point_begin;  ///< lines + 1 entries
    IdArray<RoadPointTag, GridPoint> point;
    IdArray<RoadPointTag, std::uint64_t> node;  ///< lines with an equal node here meet; 0: none

    /// No lines: an array of begins has its end.
    static RoadLines none() {
        RoadLines lines;
        lines.point_begin.push_back(0);
        return lines;
    }
    std::span<const GridPoint> points(RoadId line) const {
        const std::uint32_t begin = point_begin[line];
        return point.span().subspan(begin, point_begin[RoadId(line.value() + 1)] - begin);
    }
    static constexpr auto fields() {
        return std::tuple{Field{"label", &RoadLines::label},
                          Field{"attributes", &RoadLines::attributes},
                          Field{"point_begin", &RoadLines::point_begin},
                          Field{"point", &RoadLines::point}, Field{"node", &RoadLines::node}};
    }
};

/// A planar-by-level graph: roads meet at nodes only. Every road has two distinct end points or is
/// a loop of at least three points; no two consecutive points are equal.
struct RoadNetwork {
    IdArray<RoadNodeTag, GridPoint> node_point;
    IdArray<RoadNodeTag, StableId> node_id;
    IdArray<RoadTag, StableId> id;
    IdArray<RoadTag, std::string>
        label;  ///< "w4097656/2": the source's id and the ordinal of the part
    IdArray<RoadTag, RoadNodeId> from, to;
    IdArray<RoadTag, RoadAttributes> attributes;
    IdArray<RoadTag, std::uint32_t> point_begin;  ///< roads + 1 entries; ends stand at their nodes
    IdArray<RoadPointTag, GridPoint> point;

    std::size_t node_count() const { return node_point.size(); }
    std::size_t road_count() const { return id.size(); }
    std::span<const GridPoint> points(RoadId road) const {
        const std::uint32_t begin = point_begin[road];
        return point.span().subspan(begin, point_begin[RoadId(road.value() + 1)] - begin);
    }
    static constexpr auto fields() {
        return std::tuple{Field{"node_point", &RoadNetwork::node_point},
                          Field{"node_id", &RoadNetwork::node_id},
                          Field{"id", &RoadNetwork::id},
                          Field{"label", &RoadNetwork::label},
                          Field{"from", &RoadNetwork::from},
                          Field{"to", &RoadNetwork::to},
                          Field{"attributes", &RoadNetwork::attributes},
                          Field{"point_begin", &RoadNetwork::point_begin},
                          Field{"point", &RoadNetwork::point}};
    }
    friend bool operator==(const RoadNetwork&, const RoadNetwork&) = default;
};
Status validate(const RoadNetwork&);

/// The roads round each node of a network, ascending; a loop stands twice. Cost: O(roads).
class RoadsAtNodes {
public:
    explicit RoadsAtNodes(const RoadNetwork& network);
    std::span<const RoadId> at(RoadNodeId node) const {
        const std::uint32_t begin = begin_[node.index()];
        return std::span(road_).subspan(begin, begin_[node.index() + 1] - begin);
    }

private:
    std::vector<std::uint32_t> begin_;
    std::vector<RoadId> road_;
};
/// The node at the other end of a road.
inline RoadNodeId across(const RoadNetwork& network, RoadId road, RoadNodeId node) {
    return network.from[road] == node ? network.to[road] : network.from[road];
}

/// How a network follows from the one before.
struct NetworkChanges {
    /// By road now: the same road before, equal in all but its dense ids; none: there was none.
    std::vector<RoadId> road;
    /// By node now: the same place before, with the same point and id; none: there was none.
    std::vector<RoadNodeId> node;
};

}  // namespace tw::world
