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
    drainage,
    rivers,
    climate,
    biomes,
    lines,
    network,
    streets,
    street_heights,
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
    StageInfo{.name = "drainage", .version = 1, .weight = 35},
    StageInfo{.name = "rivers", .version = 1, .weight = 2},
    StageInfo{.name = "climate", .version = 1, .weight = 20},
    StageInfo{.name = "biomes", .version = 2, .weight = 1},
    StageInfo{.name = "lines", .version = 2, .weight = 2},
    StageInfo{.name = "network", .version = 1, .weight = 15},
    StageInfo{.name = "streets", .version = 1, .weight = 60},
    StageInfo{.name = "street_heights", .version = 1, .weight = 15},
    StageInfo{.name = "meshes", .version = 1, .weight = 160},
    StageInfo{.name = "raster", .version = 1, .weight = 170},
    StageInfo{.name = "cost", .version = 2, .weight = 90},
    StageInfo{.name = "integration", .version = 1, .weight = 44},
    StageInfo{.name = "directions", .version = 1, .weight = 10},
};
inline constexpr std::size_t kStageCount = kStages.size();

constexpr const StageInfo& info_of(StageName name) {
    return kStages[static_cast<std::size_t>(name)];
}

}  // namespace tw::pipeline
