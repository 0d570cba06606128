#pragma once
// Pieces that lie on each other without being joined must not look joined.

#include "terraway/world/streets.hpp"

#include <cstdint>
#include <span>
#include <utility>
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

/// What another look at some vertices came to.
struct SeparatedAgain {
    std::vector<Standing> standing;  ///< all, ascending
    /// Vertices that stand elsewhere than before, ascending, and where they stood.
    std::vector<std::pair<world::StreetVertexId, GridPoint>> moved;
    std::vector<world::PieceId> piece;  ///< with these vertices, ascending
};

/// Leaves the surface as separate_foreign_vertices() leaves it from where its vertices were made.
/// `standing`: of what was looked at before and is still there; only pieces that meet `changed`
/// came or went since. `box`: by piece. Cost: O(vertices), and a look at those near what changed
/// and near vertices that stand there.
SeparatedAgain separate_again(world::StreetSurface& surface, std::vector<Standing> standing,
                              std::span<const GridBox> changed, std::span<const GridBox> box);

/// [steps] Pieces whose boxes are further apart than this don't stand on each other.
inline constexpr std::int32_t kSeparateReach = 128;

/// True if a vertex of `fresh` pieces stands on an edge of any of `pieces`, or one of these on an
/// edge of a fresh piece. `fresh` are some of `pieces`, both ascending.
bool stands_on_foreign(const world::StreetSurface& surface, std::span<const world::PieceId> pieces,
                       std::span<const world::PieceId> fresh);

}  // namespace tw::streets
