#pragma once
// The surface of a road between its gates: a strip of quads.

#include "terraway/geometry/triangle.hpp"

#include "outline.hpp"
#include "street_graph.hpp"

#include <array>
#include <vector>

namespace tw::streets {

struct CorridorEnds {
    double from = 0.0, to = 0.0;                ///< [steps] of the gates along the road
    GatePoints start, end;                      ///< as seen along the road
    bool start_free = false, end_free = false;  ///< dead ends, whose gates may be narrowed
    friend bool operator==(const CorridorEnds&, const CorridorEnds&) = default;
};

struct Corridor {
    std::vector<GridPoint>
        ring;                    ///< right side, then the left side back; empty: none could be made
    std::uint32_t left_end = 0;  ///< the ring's first vertex of the left side, at the end gate
    std::vector<geometry::Triangle> triangles;
    bool narrowed = false;  ///< where the road would lie on itself
};

/// Sections at bends and at most `section` steps apart; inside of tight bends they share a vertex.
Corridor corridor(const StreetGraph& graph, world::RoadId road, const CorridorEnds& ends,
                  double section);

}  // namespace tw::streets
