#pragma once
// Level ground at the sea, for streets without a terrain.

#include "terraway/world/polygon_map.hpp"
#include "terraway/world/surface.hpp"
#include "terraway/world/terrain.hpp"

namespace tw::world {

/// One cell that fills the rectangle.
struct FlatGround {
    PolygonMap map;
    Drainage drainage;  ///< heights alone: no water runs

    CanonicalSurface surface() const { return {&map, &drainage, nullptr}; }
};
/// `bounds` at least two steps wide and high.
FlatGround flat_ground(const GridBox& bounds);

}  // namespace tw::world
