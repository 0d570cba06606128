#pragma once
// Road centre lines from OpenStreetMap and GeoJSON files.

#include "terraway/core/result.hpp"
#include "terraway/world/imported.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tw::io {

/// Which ways are roads.
enum class RoadScope : std::uint8_t {
    streets,  ///< what cars use, service roads and tracks, pedestrian and living streets
    all,      ///< cycleways, bridleways, footways, paths and steps too
};

struct RoadReadOptions {
    RoadScope scope = RoadScope::streets;
};

/// Reads OSM XML (plain, gzip, bzip2), OSM PBF, or GeoJSON (plain, gzip, bzip2); which of them is
/// seen from the content, not from the name.
///
/// OSM: one line per way, in the order of way ids, label "w<id>", nodes with the source's ids.
/// References to nodes that the file does not hold are left out, ways with fewer than two nodes
/// left are dropped, areas are no roads. Ways may stand before their nodes.
///
/// GeoJSON (RFC 7946): one line per LineString, in file order; members of a MultiLineString are
/// labelled "<id>.1", "<id>.2". Longitude and latitude in degrees, unless the top level says
/// "terraway:frame": "planar": then metres, x east, y north. Properties as the OSM tags `highway`,
/// `width`, `layer`, `bridge`, `tunnel`, `oneway`; `class` and `level` are taken for `highway` and
/// `layer`. Features without a class are residential streets.
///
/// Width [m]: the tag `width:carriageway`, `width` or `est_width` ("7", "7.5 m", "23 ft",
/// "12'6\""), else `lanes` × 3.25 m and the class's shoulders, else the class's usual width (see
/// docs/formats.md); 1.5 … 60. A bridge without `layer` is on level 1, a tunnel on −1; levels are
/// −5 … 5. Motorways and roundabouts are one-way unless tagged otherwise.
///
/// Errors: not_found, io; invalid_input (damaged, cut short, another kind of file, no roads in it)
/// with the line or byte where known; unsupported; too_large (over 64 million nodes, 4 GB
/// unpacked). Cost: O(n log n). Memory: 16 bytes a node beside the file's own size.
Result<world::ImportedLines> read_roads(const std::filesystem::path& path,
                                        const RoadReadOptions& = {});
/// The same on bytes at hand; `name` stands in errors for the file.
Result<world::ImportedLines> parse_roads(std::span<const std::byte> bytes, const std::string& name,
                                         const RoadReadOptions& = {});

/// True if the file's first bytes are those of a kind that read_roads reads. Recipes are not.
bool is_road_file(const std::filesystem::path& path);

}  // namespace tw::io
