#pragma once

#include "terraway/world/streets.hpp"

#include "meshes_chunks.hpp"

#include <array>
#include <string_view>

namespace tw::ground {

/// The street pieces by where they go: ground junctions and corridors, bridges, tunnels. A vertex
/// has one normal over all its pieces, so that they shade alike at their seams.
struct StreetSurfaces {
    static constexpr std::array<std::string_view, 4> kNames{"junctions", "corridors", "bridges",
                                                            "tunnels"};
    std::array<WholeSurface, 4> surface;  ///< by kNames
};

/// A junction stays with the junctions, whatever ends there.
StreetSurfaces street_surfaces(const world::StreetSurface&, const world::StreetHeights&);

}  // namespace tw::ground
