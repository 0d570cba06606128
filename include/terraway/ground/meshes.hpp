#pragma once
// All surfaces are made here and nowhere else.

#include "terraway/core/id_set.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/streets.hpp"
#include "terraway/world/surface.hpp"

#include <memory>
#include <span>

namespace tw::ground {

/// terrain: the canonical surface, coloured by biome, smooth normals. water: the sea's cells, then
/// lakes at their level; a lake that ran dry leaves its chunk empty. junctions, corridors, bridges,
/// tunnels: the street pieces at their heights. Chunks by the square of 4,096 m that holds a cell's
/// site or a piece's least vertex; vertices on seams are equal in both chunks, normals too. Streets
/// may be absent (null). Empty surfaces are left out. Errors: cancelled, too_large. Cost:
/// O(triangles).
Result<world::GroundMeshes> build_meshes(const world::CanonicalSurface&, const world::Relief&,
                                         const world::Biomes&, const world::StreetSurface*,
                                         const world::StreetHeights*, StageContext&);

/// What changed on the surface, for all that is made from it.
struct SurfaceChanges {
    IdSet<world::CellTag> shape;         ///< cells any of whose triangles differs
    std::span<const world::CellId> rim;  ///< cells with other crossings of rivers on their rim
    std::span<const world::CellId> elevation;  ///< cells whose site lies higher or lower
    std::span<const world::CellId> water;      ///< lakes that ran dry, or came back
    std::span<const world::CellId> biome;      ///< cells of another biome
};

/// The second form, for the terrain and the water (of streets: StreetMeshUpdate). What the map
/// decides stays in its place: vertices of sites and corners, a triangle for each side. So a
/// changed cell touches its own vertices and those beside it; in chunks where rivers move, all
/// crossings. Map and relief must outlive it; the relief's water must not change.
/// Cost: O(cells changed), and O(bytes of cells) of chunks with other crossings or lakes.
class MeshUpdate {
public:
    MeshUpdate(const world::PolygonMap&, const world::Relief&);
    ~MeshUpdate();
    MeshUpdate(const MeshUpdate&) = delete;
    MeshUpdate& operator=(const MeshUpdate&) = delete;
    void run(const world::CanonicalSurface&, const world::Biomes&, const SurfaceChanges&,
             world::GroundMeshes&);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tw::ground
