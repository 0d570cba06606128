#pragma once
// The whole description of a world as typed options; recipe/ reads it from JSON.

#include "terraway/core/random.hpp"
#include "terraway/ground/drape.hpp"
#include "terraway/ground/height_raster.hpp"
#include "terraway/navigation/cost_grid.hpp"
#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"
#include "terraway/terrain/climate.hpp"
#include "terraway/terrain/drainage.hpp"
#include "terraway/terrain/relief.hpp"
#include "terraway/terrain/rivers.hpp"
#include "terraway/terrain/sites.hpp"
#include "terraway/world/edits.hpp"
#include "terraway/world/imported.hpp"
#include "terraway/world/placement.hpp"

#include <memory>
#include <string>
#include <tuple>

namespace tw::pipeline {

/// How the bytes of a height picture become metres; used at import.
enum class HeightEncoding : std::uint8_t {
    automatic,    ///< by the file: ESRI ASCII in metres, RGB(A) pictures as Terrain-RGB, grey ones
                  ///< over `range`
    grey,         ///< 8 or 16 bits over `range`
    terrain_rgb,  ///< −10000 + (R·65536 + G·256 + B) · 0.1 m
};
struct HeightFileOptions {
    HeightEncoding encoding = HeightEncoding::automatic;
    double range_low = 0.0, range_high = 1000.0;  ///< [m] of black and white in grey pictures

    static constexpr auto fields() {
        return std::tuple{Field{"encoding", &HeightFileOptions::encoding},
                          Field{"range_low", &HeightFileOptions::range_low},
                          Field{"range_high", &HeightFileOptions::range_high}};
    }
};

struct WorldRecipe {
    Seed seed;
    world::PlacementOptions placement;

    std::string terrain_file;  ///< as written in the recipe; empty: none
    HeightFileOptions terrain_reading;
    terrain::SiteOptions sites;
    terrain::ReliefOptions relief;
    terrain::DrainageOptions drainage;
    terrain::RiverOptions rivers;
    terrain::ClimateOptions climate;

    std::string roads_file;                                   ///< empty: none
    std::shared_ptr<const world::ImportedLines> roads_lines;  ///< `roads.lines`; null: none
    roads::NetworkOptions network;
    streets::StreetOptions streets;

    ground::DrapeOptions drape;
    ground::RasterOptions raster;
    navigation::CostOptions cost;

    std::string edits_file;  ///< empty: none
};

/// What the recipe's files hold, in canonical form. Null: none.
struct Imports {
    std::shared_ptr<const world::ImportedHeights> heights;
    std::shared_ptr<const world::ImportedLines> lines;  ///< the file's, or the recipe's own
    std::shared_ptr<const world::EditList> edits;       ///< in order; null: none
};

/// True if there are centre lines, or edits add some.
bool has_roads(const WorldRecipe&, const Imports&);

}  // namespace tw::pipeline
