#pragma once
// What the terrain stages leave behind, one struct a stage. Heights are in steps of 2⁻¹⁰ m above
// the sea (0).

#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/world/polygon_map.hpp"

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace tw::world {

enum class Water : std::uint8_t {
    land,
    ocean,  ///< at or below the sea and connected to the border by such cells
    lake,   ///< standing water inside the land
};

/// Height before water has shaped it.
struct Relief {
    IdArray<CellTag, Steps> elevation;  ///< of the site; ocean cells < 0, land cells > 0
    IdArray<CellTag, Water> water;

    static constexpr auto fields() {
        return std::tuple{Field{"elevation", &Relief::elevation}, Field{"water", &Relief::water}};
    }
};

/// Where water runs. From every land cell, following `downhill` ends in the ocean or at a side on
/// the rectangle (an open border), never in a circle, and elevation never rises on the way.
struct Drainage {
    IdArray<CellTag, Steps> elevation;           ///< of the site, after filling or carving
    IdArray<CornerTag, Steps> corner_elevation;  ///< 0 where land meets ocean
    IdArray<CellTag, SideId> downhill;  ///< the side that water leaves by; none in the ocean
    IdArray<CellTag, std::uint64_t>
        discharge;  ///< [litres a year] through the cell, its own rain included
    IdArray<CellTag, CellId>
        upstream_first;  ///< land cells in an order where each comes before its downhill cell

    static constexpr auto fields() {
        return std::tuple{Field{"elevation", &Drainage::elevation},
                          Field{"corner_elevation", &Drainage::corner_elevation},
                          Field{"downhill", &Drainage::downhill},
                          Field{"discharge", &Drainage::discharge},
                          Field{"upstream_first", &Drainage::upstream_first}};
    }
};

using RiverVertexId = Id<struct RiverVertexTag>;  ///< where a river crosses a side
using ReachId = Id<struct ReachTag>;              ///< between source, confluences and mouth

/// Rivers run site – vertex on the side – site, so each step lies inside a wedge of the canonical
/// surface, and the vertices belong to it. No vertex is higher than the one before it.
struct Rivers {
    IdArray<RiverVertexTag, GridPoint> vertex_point;  ///< the rounded middle of the side
    IdArray<RiverVertexTag, Steps> vertex_elevation;
    IdArray<SideTag, RiverVertexId>
        vertex_of_side;  ///< a side and its twin share it; none: no river

    /// A reach starts at the site of a source or a confluence, follows `downhill` through
    /// `reach_cells` cells, and ends at the site of the next confluence, which counts as its last
    /// cell, or, at a mouth, at the vertex on the last cell's downhill side.
    IdArray<ReachTag, CellId> reach_start;
    IdArray<ReachTag, std::uint32_t> reach_cells;  ///< >= 1; a reach into a confluence has >= 2
    IdArray<ReachTag, ReachId> reach_next;         ///< none: it ends at a mouth
    IdArray<ReachTag, std::uint64_t>
        reach_discharge;  ///< [litres a year] at its end, before the confluence adds
    IdArray<ReachTag, std::uint8_t> reach_order;  ///< Strahler, 1 at the source

    static constexpr auto fields() {
        return std::tuple{Field{"vertex_point", &Rivers::vertex_point},
                          Field{"vertex_elevation", &Rivers::vertex_elevation},
                          Field{"vertex_of_side", &Rivers::vertex_of_side},
                          Field{"reach_start", &Rivers::reach_start},
                          Field{"reach_cells", &Rivers::reach_cells},
                          Field{"reach_next", &Rivers::reach_next},
                          Field{"reach_discharge", &Rivers::reach_discharge},
                          Field{"reach_order", &Rivers::reach_order}};
    }
};

struct RiverNode {
    GridPoint point;
    Steps elevation = 0;
};
/// The reach's line from upstream to downstream, heights never rising.
std::vector<RiverNode> reach_line(const PolygonMap&, const Drainage&, const Rivers&, ReachId);

/// How wet the ground is, 0 (desert) … 65535 (soaked).
struct Climate {
    IdArray<CellTag, std::uint16_t> moisture;

    static constexpr auto fields() { return std::tuple{Field{"moisture", &Climate::moisture}}; }
};

enum class Biome : std::uint8_t {
    ocean,
    beach,
    lake,
    subtropical_desert,
    grassland,
    tropical_forest,
    tropical_rain_forest,
    temperate_desert,
    temperate_forest,
    temperate_rain_forest,
    shrubland,
    taiga,
    alpine_desert,
    tundra,
    snow,
};
inline constexpr std::size_t kBiomeCount = 15;
struct BiomeLook {
    std::string_view name;  ///< "temperate_forest"
    std::uint32_t rgb;      ///< 0xRRGGBB
};
const BiomeLook& look_of(Biome biome);

struct Biomes {
    IdArray<CellTag, Biome> biome;

    static constexpr auto fields() { return std::tuple{Field{"biome", &Biomes::biome}}; }
};

/// Checks that sizes match, ocean < 0 < land, and (for Drainage and Rivers) that nothing rises and
/// everything arrives. Error check_failed names the first element that breaks a guarantee.
Status validate(const PolygonMap&, const Relief&);
Status validate(const PolygonMap&, const Relief&, const Drainage&);
Status validate(const PolygonMap&, const Drainage&, const Rivers&);

}  // namespace tw::world
