#pragma once
// Collects pieces into one surface; gates are vertices that two pieces share.

#include "terraway/world/streets.hpp"

#include "corridor.hpp"
#include "outline.hpp"
#include "trace.hpp"

#include <string>
#include <vector>

namespace tw::streets {

/// All junctions first, then all corridors.
class SurfaceWriter {
public:
    explicit SurfaceWriter(const StreetGraph& graph);

    /// Gate vertices of a junction that is not written here; before any piece.
    void add_foreign_gate(HalfId half, const GatePoints& gate);
    /// Error check_failed if the ring cannot be cut into triangles.
    Status add_junction(std::span<const world::RoadNodeId> nodes,
                        std::span<const world::RoadId> inner, const Outline& outline,
                        std::string note);
    void add_corridor(world::RoadId road, const Corridor& corridor, std::string note);
    /// Says where each piece begins and lies, and what each junction stands for. Call before
    /// take().
    void trace(StreetTrace& trace) const;
    world::StreetSurface take() &&;

private:
    struct Gate {
        world::PieceId junction;
        world::StreetVertexId left, right;  ///< looking away from the half's node
    };
    void add_ring(std::span<const world::StreetVertexId> ring,
                  std::span<const geometry::Triangle> triangles);
    void add_piece(world::PieceKind kind, StableId id, std::string label,
                   const world::RoadAttributes& attributes, world::RoadId road, std::string note);

    const StreetGraph& graph_;
    world::StreetSurface surface_;
    std::vector<world::RoadNodeId> junction_;
    std::vector<std::uint32_t> vertex_begin_;  ///< by piece
    std::vector<Gate> gate_;                   ///< per half
};

}  // namespace tw::streets
