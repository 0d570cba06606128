#pragma once
// The stages in the order in which they run and are hashed.

#include "terraway/pipeline/graph.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tw::pipeline {

enum class StageName : std::uint8_t {
    placement,
    sites,
    cells,
    relief,
    climate,
    edits,
    drainage,
    rivers,
    moisture,
    biomes,
    attributes,
    lines,
    road_edits,
    network,
    streets,
    street_heights,
    obstacles,
    meshes,
    raster,
    cost,
    integration,
    directions,
};

/// Versions rise when the same input gives another output (CHANGELOG: OUTPUT). Weights are
/// thousandths of the time that an island of 25,000 cells with a small town takes.
inline constexpr std::array kStages{
    StageInfo{.name = "placement", .version = 2, .weight = 1},
    StageInfo{.name = "sites", .version = 1, .weight = 110},
    StageInfo{.name = "cells", .version = 1, .weight = 240},
    StageInfo{.name = "relief", .version = 2, .weight = 25},
    StageInfo{.name = "climate", .version = 2, .weight = 20},
    StageInfo{.name = "edits", .version = 1, .weight = 1},
    StageInfo{.name = "drainage", .version = 3, .weight = 35},
    StageInfo{.name = "rivers", .version = 2, .weight = 2},
    StageInfo{.name = "moisture", .version = 1, .weight = 5},
    StageInfo{.name = "biomes", .version = 3, .weight = 1},
    StageInfo{.name = "attributes", .version = 1, .weight = 1},
    StageInfo{.name = "lines", .version = 2, .weight = 2},
    StageInfo{.name = "road_edits", .version = 1, .weight = 1},
    StageInfo{.name = "network", .version = 1, .weight = 15},
    StageInfo{.name = "streets", .version = 1, .weight = 60},
    StageInfo{.name = "street_heights", .version = 1, .weight = 15},
    StageInfo{.name = "obstacles", .version = 1, .weight = 1},
    StageInfo{.name = "meshes", .version = 2, .weight = 160},
    StageInfo{.name = "raster", .version = 2, .weight = 170},
    StageInfo{.name = "cost", .version = 3, .weight = 90},
    StageInfo{.name = "integration", .version = 1, .weight = 44},
    StageInfo{.name = "directions", .version = 1, .weight = 10},
};
inline constexpr std::size_t kStageCount = kStages.size();

constexpr const StageInfo& info_of(StageName name) {
    return kStages[static_cast<std::size_t>(name)];
}

}  // namespace tw::pipeline
