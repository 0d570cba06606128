#pragma once
// What a bake gives: every stage's output, shared and immutable, and a report of the stages.

#include "terraway/world/attributes.hpp"
#include "terraway/world/edits.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/imported.hpp"
#include "terraway/world/navigation.hpp"
#include "terraway/world/obstacles.hpp"
#include "terraway/world/placement.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/roads.hpp"
#include "terraway/world/streets.hpp"
#include "terraway/world/surface.hpp"
#include "terraway/world/terrain.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tw::pipeline {

struct StageReport {
    std::string name;        ///< "relief"
    std::uint64_t hash = 0;  ///< of its output
    /// Stages that ran at the same time share it, by what each took: all add up to the whole. 0
    /// without a clock.
    std::uint64_t nanoseconds = 0;
    std::uint8_t cached = 0;  ///< 1: taken from a cache
};

/// The hash of a world: of the names and hashes of its stages, in the order of the pipeline.
std::uint64_t hash_of_stages(std::span<const StageReport> stages);

/// Members of stages that did not run (no roads; not asked for) are null.
struct BakedWorld {
    std::shared_ptr<const world::Placement> placement;
    std::shared_ptr<const world::PolygonMap> map;
    std::shared_ptr<const world::Relief> relief;
    std::shared_ptr<const world::Climate> climate;
    std::shared_ptr<const world::Relief> edited_relief;
    std::shared_ptr<const world::Drainage> drainage;
    std::shared_ptr<const world::Rivers> rivers;
    std::shared_ptr<const world::Moisture> moisture;
    std::shared_ptr<const world::Biomes> biomes;
    std::shared_ptr<const world::Attributes> attributes;
    std::shared_ptr<const world::RoadLines> lines;
    std::shared_ptr<const world::RoadLines> edited_lines;
    std::shared_ptr<const world::RoadNetwork> network;
    std::shared_ptr<const world::StreetSurface> streets;
    std::shared_ptr<const world::StreetHeights> street_heights;
    std::shared_ptr<const world::Obstacles> obstacles;
    std::shared_ptr<const world::GroundMeshes> meshes;
    std::shared_ptr<const world::HeightRaster> raster;
    std::shared_ptr<const world::CostGrid> cost;
    std::shared_ptr<const world::IntegrationField> integration;
    std::shared_ptr<const world::DirectionField> directions;

    std::shared_ptr<const world::EditList> edits;  ///< what was done to it since; null: nothing
    std::vector<StageReport> stages;               ///< in the order of the pipeline
    std::uint64_t hash = 0;                        ///< of the names and hashes of all stages

    bool has_roads() const { return network && network->road_count() > 0; }
    world::CanonicalSurface surface() const { return {map.get(), drainage.get(), rivers.get()}; }
};

}  // namespace tw::pipeline
