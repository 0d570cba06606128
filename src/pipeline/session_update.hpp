#pragma once
// The order in which a step goes through the stages: each gets what changed before it, and says
// what it changed.

#include "terraway/ground/drape.hpp"
#include "terraway/ground/height_raster.hpp"
#include "terraway/ground/meshes.hpp"
#include "terraway/ground/street_meshes.hpp"
#include "terraway/navigation/cost_grid.hpp"
#include "terraway/navigation/fields.hpp"
#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"
#include "terraway/terrain/climate.hpp"
#include "terraway/terrain/drainage.hpp"
#include "terraway/terrain/edit_ground.hpp"
#include "terraway/terrain/rivers.hpp"
#include "terraway/world/cell_index.hpp"
#include "terraway/world/piece_index.hpp"

#include "session_state.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tw::pipeline {

class SessionUpdate {
public:
    SessionUpdate(const WorldRecipe&, SessionState&, Journal&);

    /// Does edits and all that follows from them. After an error the journal must take back what
    /// was done.
    Status apply(std::span<const world::Edit> edits, SessionStep& step, StageContext& context);
    /// Values were swapped: what was kept beside them is found again.
    void forget(const SessionStep& step);
    /// Brings up to date what is made on demand: reaches, fields and the height raster.
    void finish(Executor& executor);

private:
    void forget_changes();
    Status do_edit(const world::Edit& edit, StageContext& context);
    Status edit_ground(const world::EditAction& action, StageContext& context);
    Status edit_attributes(const world::EditAction& action);
    Status edit_roads(const world::EditAction& action, StageContext& context);
    Status edit_obstacles(const world::EditAction& action);
    Status update_terrain(StageContext& context);
    void collect_surface();
    Status update_network(SessionStep& step, StageContext& context);
    Status update_streets(SessionStep& step, StageContext& context);
    Status update_street_heights(SessionStep& step, StageContext& context);
    void update_cost();
    void finish_fields(Executor& executor);

    const WorldRecipe& recipe_;
    SessionState& state_;
    Journal& journal_;

    world::CellIndex index_;
    terrain::GroundEditor ground_;
    terrain::DrainageUpdate drainage_;
    bool drainage_known_ = false;  ///< it is the relief's: what lies in a file need not be
    terrain::RiverUpdate rivers_;
    terrain::MoistureUpdate moisture_;
    ground::MeshUpdate meshes_;
    streets::StreetUpdate streets_;
    ground::DrapeUpdate drape_;
    ground::StreetMeshUpdate street_meshes_;
    navigation::CostUpdate cost_;
    navigation::FieldUpdate fields_;
    /// What the network was made of; none: to be found out at the next edit of roads.
    std::shared_ptr<const roads::NetworkTrace> network_trace_;
    std::optional<world::PieceIndex> pieces_;  ///< of the streets; none: to be made
    bool reaches_wanted_ = false;              ///< they are of a world before
    IdSet<world::CellTag> raster_;             ///< cells that the height raster has yet to see
    IdSet<world::NavCellTag> field_;           ///< squares that the fields have yet to see

    // What this step changed so far.
    bool roads_changed_ = false;
    std::shared_ptr<const world::RoadNetwork> network_before_;  ///< null: it is the same
    world::NetworkChanges network_changes_;
    world::StreetChanges street_changes_;  ///< where the network is another
    std::vector<world::StreetVertexId> raised_;
    IdSet<world::CellTag> ground_cells_, moisture_cells_, biome_cells_, biome_seeds_, ford_cells_;
    terrain::DrainageChanges water_;
    terrain::RiverChanges river_;
    ground::SurfaceChanges surface_;
    std::vector<GridBox> boxes_;  ///< of streets and obstacles
    IdSet<world::NavCellTag> squares_;
};

}  // namespace tw::pipeline
