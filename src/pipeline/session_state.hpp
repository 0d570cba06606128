#pragma once
// A session's world, its recorders, and what a step leaves for taking it back.

#include "terraway/core/id_set.hpp"
#include "terraway/ground/street_meshes.hpp"
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
    explicit SessionStep(SlabPool& pool) : log(pool) {}

    std::size_t edit_count = 0;
    std::vector<world::Edit> undone;  ///< its edits, while they don't hold
    StepLog log;
    // For what is made on demand: cells whose triangles differ, squares of another cost.
    std::vector<world::CellId> shape;
    std::vector<world::NavCellId> squares;
    std::uint8_t rivers = 0;         ///< 1: reaches are others
    std::vector<std::string> roads;  ///< labels of roads that came, went or changed, ascending
    std::uint64_t pieces = 0;        ///< of streets that came or went
    std::uint64_t raised = 0;        ///< vertices of streets that came to another height
    std::vector<ground::StreetMeshUpdate::Chunk> street_chunks;  ///< written, made or taken away

    /// Empties it for another step; memory stays.
    void clear() {
        edit_count = 0;
        undone.clear();
        log.clear();
        shape.clear();
        squares.clear();
        rivers = 0;
        roads.clear();
        street_chunks.clear();
        pieces = raised = 0;
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
    /// Fills `out` with what differs on both sides of the step.
    void list_changes(const SessionStep& step, ChangeList& out);

private:
    /// What an array holds one element for.
    enum class Kind : std::uint8_t { cells, corners, squares, vertices, triangles, other };
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
    MeshRange& range_of(const Array& what, ChangeList& out) const;
    /// `changed_` goes into the range of its chunk.
    void list_street_chunks(const SessionStep& step, ChangeList& out,
                            std::uint64_t& vertices) const;
    void list_mesh(const ArrayDelta& delta, const Array& what, ChangeList& out) const;

    SessionState& state_;
    Journal& journal_;
    std::vector<Array> array_;
    std::vector<std::unique_ptr<Recorder>> recorder_;
    // Scratch, kept for its memory.
    std::vector<std::uint32_t> changed_;
    IdSet<world::CellTag> cells_;
};

}  // namespace tw::pipeline
