#pragma once
// A session's world, its recorders, and what a step leaves for taking it back.

#include "terraway/pipeline/session.hpp"

#include "journal.hpp"
#include "stage_table.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tw::pipeline {

/// What one step of undo holds.
struct SessionStep {
    std::vector<world::Edit> edits;
    Deltas deltas;
    // For what is made on demand: cells whose triangles differ, squares of another cost.
    std::vector<world::CellId> shape;
    std::vector<world::NavCellId> squares;
    std::uint8_t rivers = 0;   ///< 1: reaches are others
    std::uint8_t streets = 0;  ///< 1: road network and streets were replaced
    std::uint8_t heights = 0;  ///< 1: heights of streets were, and their surfaces

    /// A value may have been replaced more than once: the last time comes back first.
    void take_back() {
        for (std::size_t i = deltas.size(); i-- > 0;) deltas[i]->swap();
    }
    void do_again() {
        for (auto& delta : deltas) delta->swap();
    }
};

/// The values of a world, for writing. Those before edits stand.
struct SessionState {
    /// Error invalid_input: a stage is missing.
    static Result<SessionState> of(BakedWorld world);

    std::shared_ptr<const world::Placement> placement;
    std::shared_ptr<const world::PolygonMap> map;
    std::shared_ptr<const world::Relief> relief;
    std::shared_ptr<const world::Climate> climate;
    std::shared_ptr<const world::RoadLines> lines;
    std::vector<StageReport> base;  ///< reports of the stages before edits

    std::shared_ptr<world::Relief> edited_relief;
    std::shared_ptr<world::Drainage> drainage;
    std::shared_ptr<world::Rivers> rivers;
    std::shared_ptr<world::Moisture> moisture;
    std::shared_ptr<world::Biomes> biomes;
    std::shared_ptr<world::Attributes> attributes;
    std::shared_ptr<world::RoadLines> edited_lines;
    std::shared_ptr<world::RoadNetwork> network;
    std::shared_ptr<world::StreetSurface> streets;
    std::shared_ptr<world::StreetHeights> street_heights;
    std::shared_ptr<world::Obstacles> obstacles;
    std::shared_ptr<world::GroundMeshes> meshes;
    std::shared_ptr<world::HeightRaster> raster;
    std::shared_ptr<world::CostGrid> cost;
    std::shared_ptr<world::IntegrationField> integration;
    std::shared_ptr<world::DirectionField> directions;

    world::EditList edits;

    world::CanonicalSurface surface() const { return {map.get(), drainage.get(), rivers.get()}; }
    /// The world with hashes; its values are those of the state.
    const BakedWorld& view();

private:
    BakedWorld view_;
};

/// Listens to the arrays that are updated in place, and tells what a step changed in them.
class SessionRecorders {
public:
    SessionRecorders(SessionState& state, Journal& journal);
    ChangeList list_changes(const SessionStep& step) const;

private:
    /// What an array holds one element for.
    enum class Kind : std::uint8_t { cells, corners, squares, positions, triangles, other };
    struct Array {
        StageName stage;
        Kind kind;
        std::uint16_t surface = 0;
        std::uint32_t chunk = 0;
    };
    template <class T>
    void record(T& value, Array what);
    template <class Tag, class T>
    void record_array(IdArray<Tag, T>& array, Array what);
    void list_mesh(const ArrayDelta& delta, const Array& what, ChangeList& out) const;

    SessionState& state_;
    Journal& journal_;
    std::vector<Array> array_;
    std::vector<std::unique_ptr<Recorder>> recorder_;
};

}  // namespace tw::pipeline
