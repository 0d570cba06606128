#pragma once
// Height and sea, before water runs: from noise with a wanted share of land, or from a raster.

#include <cstdint>
#include <tuple>

#include "terraway/core/random.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/world/imported.hpp"
#include "terraway/world/placement.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

namespace tw::terrain {

enum class Shape : std::uint8_t {
    island,     ///< falls to the sea on all borders
    continent,  ///< land and sea by noise alone
    plain,      ///< all land, gentle
};
enum class Border : std::uint8_t {
    ocean,  ///< water leaves into the sea only; generated land keeps off the border
    open,   ///< water may also leave over the border
};

struct ReliefOptions {
    Shape shape = Shape::island;
    Border border = Border::ocean;
    double land_fraction = 0.5;    ///< of the area that is land, 0 … 1; met within 1 % (shape plain: all land)
    double highest = 800.0;        ///< [m] of the highest land, 1 … 9,000
    double deepest = 300.0;        ///< [m] of the deepest sea, 1 … 11,000
    double wavelength = 0.0;       ///< [m] of the lowest octave; 0: a third of the longer side
    std::uint32_t octaves = 7;     ///< 1 … 12
    double gain = 0.5;             ///< amplitude of an octave over the one before, 0.1 … 0.9
    double roughness = 0.5;        ///< share of ridged noise in the mountains, 0 … 1
    double vertical_scale = 1.0;   ///< heights of a raster are multiplied by it, 0.01 … 100
    double sea_level = 0.0;        ///< [m] raster heights at or below are sea, −11,000 … 9,000

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

/// With `heights` the relief is the raster's (bilinear, voids filled from their nearest neighbours),
/// ocean being what lies at or below `sea_level` and reaches the border through such cells; without,
/// it is noise. Land is at least a step above 0, ocean a step below.
/// Errors: invalid_option; invalid_input (a raster of voids only, or that covers nothing of the world); cancelled.
/// Cost: O(cells · octaves).
Result<world::Relief> build_relief(const world::PolygonMap&, const ReliefOptions&,
                                   const world::ImportedHeights* heights, const world::Placement&,
                                   Seed, StageContext&);

}  // namespace tw::terrain
