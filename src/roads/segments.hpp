#pragma once
// Segments of lines, as noding and joining look at them.

#include "box_set.hpp"

#include <span>
#include <vector>

namespace tw::roads {

/// From the line's vertex `index` to the next.
struct Segment {
    GridPoint a, b;
    std::uint32_t line = 0, index = 0;
    std::int32_t level = 0;
    GridBox box() const { return geometry::box_of(a, b); }
};

inline geometry::RTree tree_of(std::span<const Segment> segments) {
    std::vector<GridBox> boxes;
    boxes.reserve(segments.size());
    for (const Segment& s : segments) boxes.push_back(s.box());
    return geometry::RTree(boxes);
}

}  // namespace tw::roads
