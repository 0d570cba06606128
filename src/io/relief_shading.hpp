#pragma once
// Light and soft colours on a map.

#include "draw_layers.hpp"

#include <cstdint>
#include <vector>

namespace tw::io {

/// By pixel of the raster, light from the north-west: 0 dark, 0.5 flat ground, 1 bright.
std::vector<float> shade_relief(const Scene& scene);

/// The map's ground as pixels: biomes that run into each other, sea by depth, both under `shade`.
Image paint_ground(const Scene& scene, const std::vector<float>& shade);
/// Shade alone, to lie over flat colours.
Image paint_shade(const Scene& scene, const std::vector<float>& shade);

/// The sea's colour at a share (0 coast … 1 deepest) of its depth.
Rgb sea_colour(double share);

}  // namespace tw::io
