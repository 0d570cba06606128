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

/// Height before water has shaped it. The stage `edits` changes its elevation, never its water.
struct Relief {
    IdArray<CellTag, Steps> elevation;  ///< of the site; ocean cells < 0, all others > 0
    IdArray<CellTag, Water> water;      ///< lake: low land that holds water where it can

    static constexpr auto fields() {
        return std::tuple{Field{"elevation", &Relief::elevation}, Field{"water", &Relief::water}};
    }
};

/// Where water runs. From every land cell, following `downhill` ends in the ocean or at a side on
/// the rectangle (an open border), never in a circle, and elevation never rises on the way.
struct Drainage {
    IdArray<CellTag, Steps> elevation;  ///< of the site, after filling or carving
    /// Height of the outlet over which water that stands here leaves (carved: would leave if
    /// nothing were dug); of the ground where none does.
    IdArray<CellTag, Steps> spill;
    IdArray<CornerTag, Steps> corner_elevation;  ///< 0 where land meets ocean
    IdArray<CellTag, SideId> downhill;  ///< the side that water leaves by; none in the ocean
    IdArray<CellTag, std::uint64_t>
        discharge;                  ///< [litres a year] through the cell, its own rain included
    IdArray<CellTag, Water> water;  ///< the relief's, but lakes that run dry are land

    static constexpr auto fields() {
        return std::tuple{Field{"elevation", &Drainage::elevation},
                          Field{"spill", &Drainage::spill},
                          Field{"corner_elevation", &Drainage::corner_elevation},
                          Field{"downhill", &Drainage::downhill},
                          Field{"discharge", &Drainage::discharge},
                          Field{"water", &Drainage::water}};
    }
};

using ReachId = Id<struct ReachTag>;  ///< between source, confluences and mouth

/// Rivers run site – crossing of a side – site, so each step lies inside a wedge of the canonical
/// surface, and the crossings belong to it. No point is higher than the one before it.
struct Rivers {
    std::uint64_t least_flow = 0;   ///< [litres a year] from which on a flow is a river, >= 1
    IdArray<CellTag, SideId> side;  ///< that the cell's river leaves by; none: no river
    IdArray<CellTag, GridPoint> crossing;        ///< on `side`, its rounded middle; (0, 0): none
    IdArray<CellTag, Steps> crossing_elevation;  ///< 0: none
    IdArray<CellTag, std::uint8_t>
        rim_crossings;  ///< crossings on the cell's rim, its own among them

    /// A reach starts at the site of a source or a confluence, follows `downhill` through
    /// `reach_cells` cells, and ends at the site of the next confluence, which counts as its last
    /// cell, or, at a mouth, at the crossing of the last cell's downhill side. Reaches are in order
    /// of the flow at their start, then of its cell, so that all that flow into one come before it.
    IdArray<ReachTag, CellId> reach_start;
    IdArray<ReachTag, std::uint32_t> reach_cells;  ///< >= 1; a reach into a confluence has >= 2
    IdArray<ReachTag, ReachId> reach_next;         ///< none: it ends at a mouth
    IdArray<ReachTag, std::uint64_t>
        reach_discharge;  ///< [litres a year] at its end, before the confluence adds
    IdArray<ReachTag, std::uint8_t> reach_order;  ///< Strahler, 1 at the source

    /// The cell whose river crosses the side, from either end; none: no river does.
    CellId over(const PolygonMap& map, SideId crossed) const {
        const CellId cell = map.cell_of_side[crossed];
        if (rim_crossings[cell] == 0) return {};
        if (side[cell] == crossed) return cell;
        const SideId twin = map.twin[crossed];
        if (!twin) return {};
        const CellId other = map.cell_of_side[twin];
        return side[other] == twin ? other : CellId();
    }

    static constexpr auto fields() {
        return std::tuple{Field{"least_flow", &Rivers::least_flow},
                          Field{"side", &Rivers::side},
                          Field{"crossing", &Rivers::crossing},
                          Field{"crossing_elevation", &Rivers::crossing_elevation},
                          Field{"rim_crossings", &Rivers::rim_crossings},
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

/// What the sea brings: frozen before edits, from the relief alone.
struct Climate {
    IdArray<CellTag, std::uint16_t> moisture;  ///< 0 … 65535 (soaked); the sea itself is soaked

    static constexpr auto fields() { return std::tuple{Field{"moisture", &Climate::moisture}}; }
};

/// How wet the ground is: by the sea, or by the fresh water that it drains to.
struct Moisture {
    static constexpr std::uint32_t kNoWater = 0xffffffffu;
    /// [steps] of the way down to a river or lake, longer where they are small; kNoWater: the cell
    /// drains to the sea or over the border without meeting one
    IdArray<CellTag, std::uint32_t> dryness;
    IdArray<CellTag, std::uint16_t> moisture;  ///< 0 (desert) … 65535 (soaked)

    static constexpr auto fields() {
        return std::tuple{Field{"dryness", &Moisture::dryness},
                          Field{"moisture", &Moisture::moisture}};
    }
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

inline constexpr Steps kFarthestHeight = 1 << 27;  ///< [steps] no height is further from 0 (131 km)
/// The same but for what any code that reads or edits the values can do without (that the ocean
/// reaches the border, and the signs of corners), and in parallel: for values that come from
/// outside. The map and what stands before the last argument are sound. O(cells).
Status validate_references(const PolygonMap&, const Relief&, Executor&);
Status validate_references(const PolygonMap&, const Relief&, const Drainage&, Executor&);
Status validate_references(const PolygonMap&, const Drainage&, const Rivers&, Executor&);

}  // namespace tw::world
