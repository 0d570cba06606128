#pragma once
// All terrain stages in a row, for tests that need a whole world.

#include "terraway/terrain/climate.hpp"
#include "terraway/terrain/drainage.hpp"
#include "terraway/terrain/relief.hpp"
#include "terraway/terrain/rivers.hpp"
#include "terraway/terrain/sites.hpp"
#include "terraway/world/terrain.hpp"

#include <gtest/gtest.h>

namespace tw::testing {

/// The value, or a failed test and an empty one.
template <class T>
T value_or_fail(Result<T> result) {
    if (result.ok()) return std::move(result).value();
    ADD_FAILURE() << to_string(result.error());
    return T{};
}

inline GridBox box_of_metres(Steps width, Steps height) {
    return {{-width * kStepsPerMetre / 2, -height * kStepsPerMetre / 2},
            {width * kStepsPerMetre / 2, height * kStepsPerMetre / 2}};
}

struct TerrainOptions {
    GridBox bounds = box_of_metres(4000, 4000);
    terrain::SiteOptions sites{.cells = 1500};
    terrain::ReliefOptions relief;
    terrain::DrainageOptions drainage;
    terrain::RiverOptions rivers;
    terrain::ClimateOptions climate;
};

struct TerrainWorld {
    terrain::Sites sites;
    world::PolygonMap map;
    world::Relief relief;
    world::Drainage drainage;
    world::Rivers rivers;
    world::Climate climate;
    world::Moisture moisture;
    world::Biomes biomes;

    static constexpr auto fields() {
        return std::tuple{
            Field{"sites", &TerrainWorld::sites},   Field{"map", &TerrainWorld::map},
            Field{"relief", &TerrainWorld::relief}, Field{"drainage", &TerrainWorld::drainage},
            Field{"rivers", &TerrainWorld::rivers}, Field{"climate", &TerrainWorld::climate},
            Field{"biomes", &TerrainWorld::biomes}};
    }
};

inline TerrainWorld build_terrain(const TerrainOptions& options, Seed seed, Executor& executor) {
    using namespace terrain;
    StageContext context(executor);
    world::Placement placement;
    placement.bounds = options.bounds;
    TerrainWorld w;
    w.sites = value_or_fail(build_sites(options.bounds, options.sites, seed, context));
    w.map = value_or_fail(build_polygon_map(w.sites, options.bounds, options.sites, context));
    w.relief =
        value_or_fail(build_relief(w.map, options.relief, nullptr, placement, seed, context));
    w.drainage = value_or_fail(
        build_drainage(w.map, w.relief, options.relief.border, options.drainage, context));
    w.rivers = value_or_fail(build_rivers(w.map, w.relief, w.drainage, options.rivers, context));
    w.climate = value_or_fail(build_climate(w.map, w.relief, options.climate, context));
    w.moisture = value_or_fail(
        build_moisture(w.map, w.drainage, w.rivers, w.climate, options.climate, context));
    w.biomes = value_or_fail(build_biomes(w.map, w.drainage, w.moisture, options.climate, context));
    return w;
}
inline TerrainWorld build_terrain(const TerrainOptions& options, Seed seed) {
    SerialExecutor executor;
    return build_terrain(options, seed, executor);
}

}  // namespace tw::testing
