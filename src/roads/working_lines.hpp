#pragma once
// Lines while they are noded: their own vectors of points, in one canonical order.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/geometry/rtree.hpp"
#include "terraway/math/predicates.hpp"
#include "terraway/world/roads.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tw::roads {

inline constexpr std::string_view kStage = "roads";
inline constexpr std::uint32_t kNoTie = UINT32_MAX;

struct Vertex {
    GridPoint point;
    std::uint32_t tie = kNoTie;  ///< vertices of an equal tie are one node, whatever their level
};

struct WorkingLine {
    std::string label;
    world::RoadAttributes attributes;
    std::vector<Vertex> vertex;  ///< at least two, no two in a row equal
};

/// Disjoint sets; the least member stands for its set.
class DisjointSets {
public:
    explicit DisjointSets(std::size_t count) : parent_(count) {
        for (std::size_t i = 0; i < count; ++i) parent_[i] = static_cast<std::uint32_t>(i);
    }
    std::uint32_t find(std::uint32_t a) {
        while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> parent_;
};

/// From the line's vertex `index` to the next.
struct Segment {
    GridPoint a, b;
    std::uint32_t line = 0, index = 0;
    std::int32_t level = 0;
};
std::vector<Segment> segments_of(const std::vector<WorkingLine>& lines);
geometry::RTree tree_of(std::span<const Segment> segments);
/// Room round a box; boxes of grid points have space for it on 32 bits.
inline GridBox grown(GridBox box, std::int32_t by) {
    return {box.lo - GridPoint{by, by}, box.hi + GridPoint{by, by}};
}

struct WorkingLines {
    std::vector<WorkingLine> line;
    std::vector<std::uint64_t>
        source_node;  ///< of each tie; ties of one node stand for their least
};

/// Canonical order, equal source nodes tied and brought to one place, doubled points and lines of
/// no length dropped. Errors: invalid_input.
Result<WorkingLines> prepare_lines(const world::RoadLines& lines);

/// Drops points equal to the one before; vertices that fall together share their ties afterwards.
void drop_doubled_points(std::vector<WorkingLine>& lines, DisjointSets& ties);

/// Splits lines where lines of their level cross them or have a vertex on them, to a fixed point.
/// Errors: too_large (more than 2²³ meetings), cancelled.
Status node_lines(std::vector<WorkingLine>& lines, const StageContext& ctx);

/// Moves ends that nothing meets onto the nearest node, else the nearest line, of their level
/// within `reach` steps. True if any moved; the lines must then be noded again.
bool join_ends(std::vector<WorkingLine>& lines, std::int64_t reach);

}  // namespace tw::roads
