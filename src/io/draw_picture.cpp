#include "terraway/io/draw_picture.hpp"

#include "draw_map.hpp"
#include "json_text.hpp"
#include "world_folder.hpp"

#include <algorithm>
#include <array>
#include <exception>

namespace tw::io {
namespace {

constexpr std::array<std::string_view, 11> kLayers = {
    "sites", "delaunay", "voronoi", "elevation", "moisture", "biome",
    "flow",  "cost",     "field",   "roads",     "map"};

Error picture_option(const std::string& subject, std::string message) {
    return Error{.code = ErrorCode::invalid_option,
                 .stage = "picture",
                 .subject = subject,
                 .message = std::move(message)};
}

std::string listed_layers() {
    std::string text;
    for (const std::string_view layer : kLayers)
        text += (text.empty() ? "" : ", ") + std::string(layer);
    return text;
}

Result<MapData> read_map_data(const std::filesystem::path& folder, std::string& title) {
    TW_ASSIGN(const WorldFolder world, WorldFolder::open(folder));
    MapData data;
    data.bounds = world.bounds();
    TW_ASSIGN(data.cells, world.cells());
    if (world.has("rivers.geojson")) {
        TW_ASSIGN(data.rivers, world.rivers());
    }
    if (world.has("roads.geojson")) {
        TW_ASSIGN(data.roads, world.roads());
    }
    if (world.has("nav.bin")) {
        TW_ASSIGN(NavGrids nav, world.nav());
        data.cost = std::move(nav.cost);
        data.integration = std::move(nav.integration);
        data.directions = std::move(nav.directions);
    }
    const nlohmann::json* name = find_member(world.manifest(), "title");
    if (title.empty() && name && name->is_string()) title = name->get<std::string>();
    return data;
}

Result<Bytes> draw(const std::filesystem::path& folder, std::span<const std::string> layers,
                   PictureFormat format, const PictureOptions& options, StageContext& context) {
    std::string title = options.title;
    Scene scene;
    TW_ASSIGN(scene.data, read_map_data(folder, title));
    // A raster needs cells that are where they should be: nothing far outside of the rectangle.
    for (const GridPoint corner : scene.data.cells.corner) {
        if (!scene.data.bounds.contains(corner)) {
            return Error{.code = ErrorCode::invalid_input,
                         .stage = "picture",
                         .subject = "cells.geojson",
                         .message = "a cell leaves the world's rectangle; bake the world again"};
        }
    }
    const bool map = layers.front() == "map";
    scene.raster =
        build_cell_raster(scene.data, map ? options.size : 2 * options.size, *context.executor);
    if (map) return draw_map(scene, format, title);
    const LayerPage page = layer_page(scene);
    Canvas canvas(format, page.width, page.height);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        TW_TRY(
            draw_layer(canvas, page, scene, layers[i], i == 0 ? Backdrop::paint : Backdrop::keep));
    }
    return canvas.finish();
}

}  // namespace

std::span<const std::string_view> picture_layers() {
    return kLayers;
}

Status draw_picture(const std::filesystem::path& folder, std::span<const std::string> layers,
                    const std::filesystem::path& output, const PictureOptions& options,
                    StageContext& context) {
    if (layers.empty()) return picture_option("layer", "is missing; take " + listed_layers());
    for (const std::string& layer : layers) {
        if (std::find(kLayers.begin(), kLayers.end(), layer) == kLayers.end()) {
            return picture_option(layer, "is no layer; take " + listed_layers());
        }
        if (layer == "map" && layers.size() > 1)
            return picture_option(layer, "stands alone; draw it by itself");
    }
    if (options.size < 16 || options.size > 8192)
        return picture_option("size", "must be 16 to 8,192 pixels");
    const std::string ending = output.extension().string();
    if (ending != ".png" && ending != ".svg")
        return picture_option(output.string(), "is neither picture; end it in .png or .svg");
    try {
        TW_ASSIGN(const Bytes bytes,
                  draw(folder, layers, ending == ".png" ? PictureFormat::png : PictureFormat::svg,
                       options, context));
        return write_file(output, bytes);
    } catch (const std::exception& what) {
        return Error{.code = ErrorCode::too_large,
                     .stage = "picture",
                     .subject = output.string(),
                     .message = std::string(what.what()) + "; ask for a smaller one"};
    }
}

}  // namespace tw::io
