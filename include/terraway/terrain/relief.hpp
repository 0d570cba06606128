#pragma once
// Height and sea, before water runs: from noise with a wanted share of land, or from a raster.

#include "terraway/core/random.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/world/imported.hpp"
#include "terraway/world/placement.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <cstdint>
#include <tuple>

namespace tw::terrain {

enum class Shape : std::uint8_t {
    island,     ///< falls to the sea on all borders
    continent,  ///< land and sea by noise alone; with a closed border the sea takes its rim
    plain,      ///< all land, gentle
};
enum class Border : std::uint8_t {
    ocean,  ///< water leaves into the sea only; generated land keeps off the border
    open,   ///< water may also leave over the border
};

struct ReliefOptions {
    Shape shape = Shape::island;
    Border border = Border::ocean;
    /// Share of the area that is land without its lakes, 0 … 1. Met within half a cell, as far as a
    /// closed border, whose cells are sea, leaves room for it. Shape plain: all land.
    double land_fraction = 0.4;
    double highest = 1600.0;      ///< [m] of the highest land, 1 … 9,000
    double deepest = 300.0;       ///< [m] of the deepest sea, 1 … 11,000
    double wavelength = 0.0;      ///< [m] of the lowest octave; 0: a third of the longer side
    std::uint32_t octaves = 7;    ///< 1 … 12
    double gain = 0.5;            ///< amplitude of an octave over the one before, 0.1 … 0.9
    double roughness = 0.5;       ///< share of ridged noise in the mountains, 0 … 1
    double vertical_scale = 1.0;  ///< heights of a raster are multiplied by it, 0.01 … 100
    double sea_level = 0.0;       ///< [m] raster heights at or below are sea, −11,000 … 9,000

    static constexpr auto fields() {
        return std::tuple{Field{"shape", &ReliefOptions::shape},
                          Field{"border", &ReliefOptions::border},
                          Field{"land_fraction", &ReliefOptions::land_fraction},
                          Field{"highest", &ReliefOptions::highest},
                          Field{"deepest", &ReliefOptions::deepest},
                          Field{"wavelength", &ReliefOptions::wavelength},
                          Field{"octaves", &ReliefOptions::octaves},
                          Field{"gain", &ReliefOptions::gain},
                          Field{"roughness", &ReliefOptions::roughness},
                          Field{"vertical_scale", &ReliefOptions::vertical_scale},
                          Field{"sea_level", &ReliefOptions::sea_level}};
    }
};

/// With `heights` the relief is the raster's at the sites: bilinear between the middles of pixels;
/// voids take the value of the pixel with data that is fewest moves across pixels' sides away;
/// beyond the raster its outermost pixels go on. A raster without a place is laid over the world so
/// that it just covers it, middle on middle. Without `heights` it is noise: hills on a warped plane
/// less a falloff that the shape asks for. Land is the cells of highest noise that have the wanted
/// area; inland they rise to `highest`, where ridges are most. Noise lies in world metres, so the
/// same seed gives nearly the same land with more or fewer cells.
///
/// Cells at or below the sea that reach the border through such cells are ocean, the others lakes:
/// standing water on land, a step above 0 before it is drained. Land is at least a step above 0,
/// ocean a step below. Errors: invalid_option; invalid_input (a raster of voids only, that covers
/// nothing of the world, or that passes ±32 km after scaling); too_large; cancelled. Cost: O(cells
/// · octaves), or O(cells + pixels).
Result<world::Relief> build_relief(const world::PolygonMap&, const ReliefOptions&,
                                   const world::ImportedHeights* heights, const world::Placement&,
                                   Seed, StageContext&);

}  // namespace tw::terrain
