#pragma once
// A world that lives: edits go in, and only what they touch is rebuilt; every step can be taken
// back. After any history its hash is that of a bake of the same recipe with the same edits.

#include "terraway/pipeline/bake.hpp"
#include "terraway/pipeline/baked_world.hpp"
#include "terraway/pipeline/world_recipe.hpp"
#include "terraway/world/edits.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tw::pipeline {

/// Which part of a mesh chunk a reader must load again. Where counts changed, what stands behind
/// the ranges moved too: `resized`.
struct MeshRange {
    std::string surface;  ///< "terrain"
    std::uint32_t chunk = 0;
    std::uint32_t vertex_begin = 0, vertex_end = 0;
    std::uint32_t triangle_begin = 0, triangle_end = 0;
    std::uint8_t resized = 0;
};

/// Elements of one stage that came out otherwise.
struct StageChange {
    std::string_view stage;
    std::uint64_t elements = 0;  ///< cells, squares, mesh vertices, roads, street pieces
};

/// What a step changed: for readers that keep copies.
struct ChangeList {
    std::vector<world::CellId> cells;  ///< any of whose values differs, ascending
    std::vector<MeshRange> meshes;
    std::vector<world::NavCellId> squares;  ///< of the cost grid, ascending
    std::vector<std::string> roads;   ///< labels of roads that came, went or changed, ascending
    std::uint8_t streets = 0;         ///< 1: chunks of street surfaces are others
    std::vector<StageChange> stages;  ///< those with changes, in the order of the pipeline
};

struct SessionOptions {
    Executor* executor = nullptr;        ///< null: the caller's thread
    const CancelFlag* cancel = nullptr;  ///< looked at while a step is done; null: never
    std::size_t undo_steps = 256;        ///< that are kept; the oldest leave first
};

/// Owns a world. Not for several threads at once; what the options point at must outlive it.
///
/// All stages behind edits have a real update. Reaches, fields and the height raster are brought up
/// to date when the world or its hash is asked for: reaches are listed and rivers carved into the
/// raster anew then. The first edit of roads builds the network and the streets once more, to learn
/// what they are made of.
class Session {
public:
    /// Takes a whole world (BakeTargets::world) of this recipe. Values that nobody else holds are
    /// taken without a copy. Errors: invalid_input (stages are missing; its own edits passed on are
    /// not in order).
    static Result<std::unique_ptr<Session>> create(const WorldRecipe&, BakedWorld,
                                                   const SessionOptions& = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Does edits as one step of undo: all or none. Errors, after which nothing has changed: those
    /// of world::validate and of the stages; not_found (no such road or obstacle); invalid_input (a
    /// tick before the last one); cancelled. The subject of an edit's error is its number among
    /// these, from 1, and what it speaks of: "edit 1 (raise)".
    ///
    /// Once its memory has grown to what strokes of a kind need, the next of them allocates nothing
    /// but what the list of edits keeps: steps that can no longer be undone leave theirs to it.
    /// Where a road, a street's heights or an obstacle changes that does not hold.
    Status apply(std::span<const world::Edit> edits);
    Status apply(const world::Edit& edit) { return apply(std::span(&edit, 1)); }
    std::size_t undo_count() const;
    std::size_t redo_count() const;
    /// Takes the last step back, or does it again. Error not_found: there is none.
    Status undo();
    Status redo();
    /// What the last step changed that was done, taken back or done again: a view until the next.
    const ChangeList& changes() const;

    /// All edits that hold, those of the world it was made of first.
    const world::EditList& edits() const;
    /// Its surfaces as they stand, at no cost: a view until the next step.
    const world::GroundMeshes& meshes() const;
    /// The hash of the world: bake(recipe, edits) has the same. Cost: O(pages changed since).
    std::uint64_t hash();
    /// The world as it stands, with hashes of its stages: a view until the next step.
    const BakedWorld& world();

private:
    class Impl;
    explicit Session(std::unique_ptr<Impl>);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tw::pipeline
