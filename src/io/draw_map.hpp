#pragma once
// The map of a world, for people.

#include "draw_layers.hpp"

#include <string>

namespace tw::io {

/// The map, `scene.raster` pixel by pixel, with its legend beside it. Fills a canvas of its own.
Result<Bytes> draw_map(const Scene& scene, PictureFormat format, const std::string& title);

}  // namespace tw::io
