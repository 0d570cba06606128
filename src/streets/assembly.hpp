#pragma once
// Pieces that stay and pieces of a window put together.

#include "terraway/streets/streets.hpp"

#include "closure.hpp"
#include "patch.hpp"
#include "trace.hpp"

#include <vector>

namespace tw::streets {

/// Pieces made in a window, with ids of the window's network.
struct WindowPieces {
    const Window* window = nullptr;
    world::StreetSurface surface;
    StreetTrace trace;
    /// The first vertices of the surface stand for these before: gates of junctions that stay.
    std::vector<world::StreetVertexId> foreign;
    std::vector<world::PieceId> corridor_before;  ///< by road before; none: it had no surface
    /// By half of the window's network: the junction before whose gate is foreign.
    std::vector<world::PieceId> foreign_junction;
};

/// Both together in the order of a build, as what turns the surface before into it. The trace says
/// nothing of nodes, and `standing` only of what stays.
StreetPatch assemble(const StreetsBefore& before, const Closure& closure, const WindowPieces& fresh,
                     world::StreetChanges& out);

}  // namespace tw::streets
