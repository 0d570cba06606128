#pragma once

#include "terraway/world/surface.hpp"
#include "terraway/world/terrain.hpp"

#include "meshes_chunks.hpp"

namespace tw::ground {

/// The canonical surface. Vertices: sites by cell, then corners, then river vertices.
WholeSurface terrain_surface(const world::CanonicalSurface&, const world::Biomes&, StageContext&);

/// The sea at 0 and each lake level at the highest of its cells, a little over the ground that was
/// filled to it. Vertices of cells that meet at one level are shared.
WholeSurface water_surface(const world::CanonicalSurface&, const world::Relief&);

}  // namespace tw::ground
