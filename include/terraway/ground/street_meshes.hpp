#pragma once
// The street pieces in space: junctions, corridors, bridges, tunnels.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/streets.hpp"

#include <compare>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tw::ground {

/// The street surfaces alone, as build_meshes makes them. Errors: cancelled, too_large.
/// Cost: O(triangles).
Result<world::GroundMeshes> build_street_meshes(const world::StreetSurface&,
                                                const world::StreetHeights&, StageContext&);

/// Takes an update of street meshes back, and does it again.
class StreetMeshPatch;

/// The second form: keeps the street surfaces among ground meshes up to date in place, equal to a
/// build; what belongs to other surfaces stays where it is.
///
/// The closure of a change: pieces that came, pieces with a vertex that was raised, and pieces with
/// a gate to any of these, or to one that went, as normals are over all pieces at a vertex. Chunks
/// move what stands behind the first piece in them that comes, goes, or is of another size. Pieces
/// share vertices at gates alone. Cost: O(pieces), O(triangles of the closure), and moving.
class StreetMeshUpdate {
public:
    /// A chunk, by the name of its surface.
    struct Chunk {
        std::string_view surface;
        GridPoint origin;
        friend constexpr auto operator<=>(const Chunk&, const Chunk&) = default;
    };

    StreetMeshUpdate();
    ~StreetMeshUpdate();
    StreetMeshUpdate(const StreetMeshUpdate&) = delete;
    StreetMeshUpdate& operator=(const StreetMeshUpdate&) = delete;

    /// Looks at the streets that the meshes are of, unless it knows them. A first run after which
    /// other pieces are there makes all chunks anew where this was left out. Error check_failed:
    /// the meshes are of other streets. Cost: O(triangles).
    Status learn(const world::StreetSurface& streets, const world::GroundMeshes& meshes);

    /// Streets and heights are as they are now, meshes as they were before. `raised`: vertices, by
    /// their ids now, that stayed at their place but stand at another height, in any order; only
    /// those of pieces that stayed count. Where heights alone changed, the changes say that all
    /// pieces stayed. Errors: too_large, check_failed (then the meshes are as before).
    Result<std::shared_ptr<StreetMeshPatch>> run(const world::StreetSurface& streets,
                                                 const world::StreetHeights& heights,
                                                 const world::StreetChanges& changes,
                                                 std::span<const world::StreetVertexId> raised,
                                                 world::GroundMeshes& meshes);
    /// Takes the last step back that is done, or does the last again that was taken back.
    void swap(StreetMeshPatch& step, world::GroundMeshes& meshes);

    /// The chunks that a step writes to, makes or takes away, either way: by surface, then in row
    /// order.
    static std::vector<Chunk> chunks_of(const StreetMeshPatch& step);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tw::ground
