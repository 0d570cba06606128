#pragma once
// Pieces that lie on each other without being joined must not look joined.

#include "terraway/world/streets.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tw::streets {

/// A vertex that stood on something, and where that was.
struct Standing {
    world::StreetVertexId vertex;
    GridPoint point;
    GridBox reach;  ///< what lies outside has no part in where it goes
};

/// Moves vertices by a few steps where one stands on a vertex or an edge that is not its own, so
/// that whoever finds neighbours by position alone finds the same surface. Triangles stay upward
/// and rings simple; a vertex that has nowhere to go stays. Gives all that stood on something,
/// ascending. Cost: O(n log n).
std::vector<Standing> separate_foreign_vertices(world::StreetSurface& surface);

/// [steps] Pieces whose boxes are further apart than this don't stand on each other.
inline constexpr std::int32_t kSeparateReach = 128;

/// True if a vertex of `fresh` pieces stands on an edge of any of `pieces`, or one of these on an
/// edge of a fresh piece. `fresh` are some of `pieces`, both ascending.
bool stands_on_foreign(const world::StreetSurface& surface, std::span<const world::PieceId> pieces,
                       std::span<const world::PieceId> fresh);

}  // namespace tw::streets
