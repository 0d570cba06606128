#pragma once
// The street surface in the neutral forms that judges and editors read; metres of the world.

#include "terraway/io/write_streets.hpp"
#include "terraway/world/roads.hpp"
#include "terraway/world/streets.hpp"

#include <string>

namespace tw::io {

/// {"pieces": [{id, kind: "road" | "junction", poly, holes, layer, class, form, note, ends: [{node,
/// l, r}]}]}
std::string pieces_json(const world::StreetSurface&, const world::RoadNetwork&);
/// A recipe with roads.lines, which bakes into the same network, place by place and id by id.
std::string lines_json(const world::RoadLines&, const GridBox& bounds);
/// {"instances": [{kind: "centre_line", piece, points} | {kind: "stop_line", piece, junction,
/// points}]}
std::string markings_json(const world::StreetSurface&, const world::RoadNetwork&);
std::string report_json(const StreetReport&);

}  // namespace tw::io
