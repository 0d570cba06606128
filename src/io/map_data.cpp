#include "map_data.hpp"

namespace tw::io {
namespace {

MapCells cells_of(const pipeline::BakedWorld& world) {
    const world::PolygonMap& map = *world.map;
    MapCells cells;
    const std::size_t count = map.cell_count();
    cells.site = map.site.values();
    cells.ring_begin = map.side_begin.values();
    for (const world::SideId side : map.corner.ids()) {
        const world::CornerId corner = map.corner[side];
        cells.corner.push_back(map.corner_point[corner]);
        cells.corner_elevation.push_back(world.drainage ? world.drainage->corner_elevation[corner]
                                                        : 0);
        cells.neighbour.push_back(map.neighbour(side).value());
    }
    cells.elevation =
        world.drainage ? world.drainage->elevation.values() : std::vector<Steps>(count, 0);
    cells.water = world.drainage ? world.drainage->water.values()
                                 : std::vector<world::Water>(count, world::Water::land);
    cells.biome = world.biomes ? world.biomes->biome.values()
                               : std::vector<world::Biome>(count, world::Biome::grassland);
    cells.moisture =
        world.moisture ? world.moisture->moisture.values() : std::vector<std::uint16_t>(count, 0);
    cells.flow.assign(count, 0.0);
    if (world.drainage) {
        for (std::size_t i = 0; i < count; ++i)
            cells.flow[i] = flow_of(world.drainage->discharge.span()[i]);
    }
    return cells;
}

std::vector<MapRiver> rivers_of(const pipeline::BakedWorld& world) {
    std::vector<MapRiver> rivers;
    if (!world.rivers) return rivers;
    for (const world::ReachId reach : world.rivers->reach_start.ids()) {
        MapRiver river;
        for (const world::RiverNode& node :
             reach_line(*world.map, *world.drainage, *world.rivers, reach)) {
            river.point.push_back(node.point);
            river.elevation.push_back(node.elevation);
        }
        river.flow_begin = flow_of(world.drainage->discharge[world.rivers->reach_start[reach]]);
        river.flow_end = flow_of(world.rivers->reach_discharge[reach]);
        rivers.push_back(std::move(river));
    }
    return rivers;
}

}  // namespace

MapData map_data_of(const pipeline::BakedWorld& world) {
    MapData data;
    data.bounds = world.map->bounds;
    data.cells = cells_of(world);
    data.rivers = rivers_of(world);
    if (world.network) {
        for (const world::RoadId road : world.network->id.ids()) {
            const auto points = world.network->points(road);
            data.roads.push_back({{points.begin(), points.end()}, world.network->attributes[road]});
        }
    }
    if (world.cost) data.cost = *world.cost;
    if (world.integration) data.integration = *world.integration;
    if (world.directions) data.directions = *world.directions;
    return data;
}

}  // namespace tw::io
