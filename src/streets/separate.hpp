#pragma once
// Pieces that lie on each other without being joined must not look joined.

#include "terraway/world/streets.hpp"

namespace tw::streets {

/// Moves vertices by a few steps where one stands on a vertex or an edge that is not its own, so
/// that whoever finds neighbours by position alone finds the same surface. Triangles stay upward
/// and rings simple; a vertex that has nowhere to go stays. Cost: O(n log n).
void separate_foreign_vertices(world::StreetSurface& surface);

}  // namespace tw::streets
