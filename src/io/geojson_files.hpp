#pragma once
// The polygon map, rivers, roads and streets as GeoJSON (RFC 7946). Positions are longitude and
// latitude where the world has them, else metres under the foreign member "terraway:frame":
// "planar".

#include "terraway/pipeline/baked_world.hpp"

#include "plan_frame.hpp"

#include <string>

namespace tw::io {

/// Polygons with corners at [x, y, height]; properties id, site, elevation [m], water, biome,
/// moisture (0 … 1), flow [m³/s].
std::string cells_geojson(const pipeline::BakedWorld&, const PlanFrame&);
/// Lines [x, y, height] from up to downstream; properties id, next, flow_begin and flow [m³/s],
/// order.
std::string rivers_geojson(const pipeline::BakedWorld&, const PlanFrame&);
/// Lines of the network; properties id, class, width, level, form, oneway, from, to. read_roads
/// takes it.
std::string roads_geojson(const pipeline::BakedWorld&, const PlanFrame&);
/// Polygons of the street pieces; properties id, kind, layer, class, form.
std::string streets_geojson(const world::StreetSurface&, const PlanFrame&);

std::string_view name_of(world::Water water);
std::string_view name_of(world::RoadForm form);

}  // namespace tw::io
