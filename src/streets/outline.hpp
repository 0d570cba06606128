#pragma once
// The contour of a junction: its gates joined by the kerbs between them.

#include "clusters.hpp"

#include <vector>

namespace tw::streets {

enum class Kerbs : std::uint8_t {
    rounded,   ///< corners with fillets
    sharp,     ///< corners where kerbs cross
    straight,  ///< gates joined by straight lines
};

struct GateEdge {
    HalfId half;
    std::uint32_t right =
        0;  ///< the ring's vertex on the right, looking out of the junction; the left one follows
};

struct Outline {
    std::vector<GridPoint> ring;  ///< simple and counter-clockwise, or empty
    std::vector<GateEdge> gates;
    std::vector<HalfId> enclosed;  ///< arms that run into the junction's own inside
    std::vector<HalfId> crossing;  ///< arms beside the place where the ring is not simple
};

/// The two vertices of a gate, looking away from the half's node, rounded in `frame`.
struct GatePoints {
    GridPoint left, right;
    friend bool operator==(const GatePoints&, const GatePoints&) = default;
};
GatePoints gate_points(const StreetGraph& graph, HalfId half, double distance, GridPoint frame);

/// The ring is empty where these kerbs do not make a simple one.
Outline outline(const StreetGraph& graph, const Clusters& clusters, world::RoadNodeId root,
                double corner_radius, Kerbs kerbs);

/// The convex hull of all that a cluster without arms covers.
std::vector<GridPoint> hull_outline(const StreetGraph& graph, const Clusters& clusters,
                                    world::RoadNodeId root);

}  // namespace tw::streets
