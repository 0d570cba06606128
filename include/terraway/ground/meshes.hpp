#pragma once
// All surfaces are made here and nowhere else.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/streets.hpp"
#include "terraway/world/surface.hpp"

namespace tw::ground {

/// terrain: the canonical surface, coloured by biome, smooth normals. water: the sea's cells and
/// lakes at their level. junctions, corridors, bridges, tunnels: the street pieces at their
/// heights.
/// Chunks by the square of 4,096 m that holds a cell's site or a piece's least vertex; vertices on
/// seams are
/// equal in both chunks, normals too. Streets may be absent (null). Empty surfaces are left out.
/// Errors: cancelled, too_large. Cost: O(triangles).
Result<world::GroundMeshes> build_meshes(const world::CanonicalSurface&, const world::Relief&,
                                         const world::Biomes&, const world::StreetSurface*,
                                         const world::StreetHeights*, StageContext&);

/// The street surfaces alone, as build_meshes makes them.
Result<world::GroundMeshes> build_street_meshes(const world::StreetSurface&,
                                                const world::StreetHeights&, StageContext&);

}  // namespace tw::ground
