#pragma once
// The rounds in which gates, junctions and corridors find their shape, of a whole network or of a
// window on it.

#include "terraway/streets/streets.hpp"

#include "clusters.hpp"
#include "corridor.hpp"
#include "outline.hpp"
#include "surface_writer.hpp"

#include <string>
#include <vector>

namespace tw::streets {

class StreetBuilder {
public:
    /// `role` by node; empty: all are inner.
    StreetBuilder(const world::RoadNetwork& network, const StreetOptions& options,
                  std::vector<NodeRole> role, StageContext& ctx);

    /// Rounds until nothing changes. Error cancelled.
    Status run();
    /// What it knows of nodes, and if the rounds ended by themselves.
    void trace(StreetTrace& trace) const;
    const Clusters& clusters() const { return clusters_; }
    const StreetGraph& graph() const { return graph_; }

    /// Junctions of inner nodes, then corridors that an inner node has a part in.
    Status write(SurfaceWriter& writer) const;

private:
    struct Shape {
        std::uint64_t made_from = 0;  ///< hash of the gates
        Outline outline;
        Kerbs kerbs = Kerbs::rounded;
    };
    struct MadeCorridor {
        CorridorEnds ends;
        Corridor corridor;
        bool made = false;
    };

    std::vector<world::RoadNodeId> roots() const;
    bool has_corridor(world::RoadId road) const;
    std::uint64_t hash_of_gates(world::RoadNodeId root) const;
    void shape_junctions();
    void shape(world::RoadNodeId root);
    bool help_junctions();
    bool is_small(world::RoadNodeId root) const;
    bool help(world::RoadNodeId root);
    GatePoints gate_of(HalfId half) const;
    CorridorEnds ends_of(world::RoadId road) const;
    void shape_corridors();
    void shape_corridor(world::RoadId road);
    bool absorb_failed_corridors();
    std::string note_of(world::RoadNodeId root) const;
    std::string note_of(world::RoadId road, const Corridor& made) const;

    StreetGraph graph_;
    Clusters clusters_;
    StreetOptions options_;
    StageContext& ctx_;
    bool settled_ = false;
    std::vector<Shape> shape_;
    std::vector<MadeCorridor> corridor_;
    std::vector<world::RoadNodeId> changed_;
};

}  // namespace tw::streets
