#pragma once
// The layer pictures: one function draws any of them over what is there.

#include "canvas.hpp"
#include "cell_raster.hpp"
#include "map_data.hpp"

#include <memory>
#include <string_view>

namespace tw::io {

/// What several pictures of one world share.
struct Scene {
    MapData data;
    CellRaster raster;  ///< for PNG; at twice a layer's size, at a map's size
};

/// The size of a layer's page, and where the plan lies on it.
struct LayerPage {
    int width = 0, height = 0;
    View view;
};
LayerPage layer_page(const Scene& scene);

enum class Backdrop : std::uint8_t { paint, keep };
/// Error not_found when the world has nothing to show for the layer; invalid_option for an unknown
/// one.
Status draw_layer(Canvas& canvas, const LayerPage& page, const Scene& scene, std::string_view layer,
                  Backdrop backdrop);

/// The colours of cells by what they hold.
Rgb biome_colour(world::Biome biome);

/// Paints every cell in its colour: from the raster (smoothed) on a PNG, as polygons in an SVG.
void paint_cells(Canvas& canvas, const LayerPage& page, const Scene& scene,
                 FunctionRef<Rgb(std::size_t)> colour);

struct RoadStyle {
    Rgb casing, fill;
    double least_width;  ///< [pixels] on a page of 1,024
};
const RoadStyle& road_style(world::RoadClass road_class);
/// Roads by class, minor ones first; `unit` is the page's size over 1,024.
void draw_roads(Canvas& canvas, const View& view, const std::vector<MapRoad>& roads, double unit);
/// Rivers that widen with their flow.
void draw_rivers(Canvas& canvas, const View& view, const std::vector<MapRiver>& rivers, Rgb colour,
                 double unit);

}  // namespace tw::io
