#include "terraway/world/flat_ground.hpp"

#include <algorithm>
#include <array>

namespace tw::world {

FlatGround flat_ground(const GridBox& bounds) {
    const std::array<GridPoint, 4> corners{
        bounds.lo, {bounds.hi.x, bounds.lo.y}, bounds.hi, {bounds.lo.x, bounds.hi.y}};
    FlatGround ground;
    PolygonMap& map = ground.map;
    map.bounds = bounds;
    map.spacing = static_cast<Steps>(std::min(bounds.width(), bounds.height()));
    map.site.push_back({static_cast<std::int32_t>(bounds.lo.x + bounds.width() / 2),
                        static_cast<std::int32_t>(bounds.lo.y + bounds.height() / 2)});
    map.side_begin = {0u, 4u};
    for (const GridPoint corner : corners) {
        map.corner.push_back(CornerId::from_index(map.corner_point.size()));
        map.corner_point.push_back(corner);
        map.twin.push_back(SideId());
        map.cell_of_side.push_back(CellId(0));
        ground.drainage.corner_elevation.push_back(0);
    }
    ground.drainage.elevation.push_back(0);
    return ground;
}

}  // namespace tw::world
