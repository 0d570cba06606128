#include "manifest.hpp"

#include "terraway/core/hash.hpp"
#include "terraway/recipe/json_writer.hpp"

#include <nlohmann/json.hpp>

namespace tw::io {
namespace {

using recipe::JsonWriter;

/// The recipe as JSON where it is JSON (comments allowed), else as text.
void write_recipe(JsonWriter& json, const std::string& text) {
    if (text.empty()) return;
    json.key("recipe");
    const auto parsed = nlohmann::json::parse(text, nullptr, false, true);
    if (parsed.is_discarded()) {
        json.value(text);
    } else {
        json.raw(parsed.dump());
    }
}

void write_point(JsonWriter& json, std::string_view key, double x, double y) {
    json.key(key).begin_array().value(x).value(y).end_array();
}

void write_place(JsonWriter& json, const world::Placement& placement) {
    const GridBox& bounds = placement.bounds;
    json.key("bounds").begin_object();
    write_point(json, "min", to_metres(bounds.lo.x), to_metres(bounds.lo.y));
    write_point(json, "max", to_metres(bounds.hi.x), to_metres(bounds.hi.y));
    json.end_object();
    const bool geographic = placement.frame == world::Frame::geographic;
    json.key("frame").begin_object().member("kind", geographic ? "geographic" : "planar");
    write_point(json, "middle", placement.middle_x, placement.middle_y);
    write_point(json, "scale", placement.scale_x, placement.scale_y);
    json.end_object();
}

void write_height(JsonWriter& json, const QuantisedHeights& heights,
                  const world::HeightRaster& raster) {
    json.key("height").begin_object();
    json.member("file", "height.png").member("raw", "height.r16");
    json.member("width", heights.columns).member("height", heights.rows);
    json.member("min_m", heights.min_metres()).member("max_m", heights.max_metres());
    json.member("step_m", to_metres(raster.pixel));
    const std::int64_t north = raster.origin.y + std::int64_t{raster.rows} * raster.pixel;
    write_point(json, "origin", to_metres(raster.origin.x), to_metres(north));
    json.member("unit_m", to_metres(heights.unit)).end_object();
}

}  // namespace

std::string manifest_json(const pipeline::BakedWorld& world, const WorldFileOptions& options,
                          const WorldCounts& counts, const QuantisedHeights* heights,
                          const std::vector<WrittenFile>& files) {
    JsonWriter json(recipe::JsonLayout::indented);
    json.begin_object().member("terraway", 1);
    if (!options.title.empty()) json.member("title", options.title);
    json.member("hash", hash_to_text(world.hash));
    write_recipe(json, options.recipe);
    json.key("stages").begin_object();
    for (const pipeline::StageReport& stage : world.stages)
        json.member(stage.name, hash_to_text(stage.hash));
    json.end_object();
    json.key("counts").begin_object();
    json.member("cells", counts.cells)
        .member("rivers", counts.rivers)
        .member("lakes", counts.lakes);
    json.member("roads", counts.roads)
        .member("junctions", counts.junctions)
        .member("triangles", counts.triangles);
    json.end_object();
    write_place(json, *world.placement);
    if (heights) write_height(json, *heights, *world.raster);
    json.member("checksum", "xxh64").key("files").begin_array();
    for (const WrittenFile& file : files) {
        json.begin_object().member("name", file.name).member("bytes", file.bytes);
        json.member("xxh64", hash_to_text(file.checksum)).end_object();
    }
    json.end_array().end_object();
    return std::move(json).take() + "\n";
}

}  // namespace tw::io
