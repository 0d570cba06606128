#include "terraway/io/write_world.hpp"

#include "terraway/recipe/edits.hpp"
#include "terraway/recipe/glb.hpp"
#include "terraway/recipe/world_file.hpp"

#include "draw_map.hpp"
#include "file_jobs.hpp"
#include "geojson_files.hpp"
#include "height_files.hpp"
#include "json_text.hpp"
#include "manifest.hpp"
#include "nav_file.hpp"
#include "street_files.hpp"
#include "street_jobs.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace tw::io {
namespace {

namespace fs = std::filesystem;
using pipeline::BakedWorld;

std::uint64_t count_lakes(const BakedWorld& world) {
    const world::PolygonMap& map = *world.map;
    const auto is_lake = [&](world::CellId cell) {
        return world.drainage->water[cell] == world::Water::lake;
    };
    std::vector<std::uint8_t> seen(map.cell_count(), 0);
    std::uint64_t lakes = 0;
    std::vector<world::CellId> open;
    for (const world::CellId cell : map.site.ids()) {
        if (seen[cell.index()] || !is_lake(cell)) continue;
        ++lakes;
        seen[cell.index()] = 1;
        open.push_back(cell);
        while (!open.empty()) {
            const world::CellId at = open.back();
            open.pop_back();
            for (const world::SideId side : map.sides(at)) {
                const world::CellId other = map.neighbour(side);
                if (!other || seen[other.index()] || !is_lake(other)) continue;
                seen[other.index()] = 1;
                open.push_back(other);
            }
        }
    }
    return lakes;
}

Status check_options(const BakedWorld& world, const WorldFileOptions& options) {
    const auto wrong = [](const char* subject, const char* message) {
        return Error{.code = ErrorCode::invalid_option,
                     .stage = "write",
                     .subject = subject,
                     .message = message};
    };
    if (options.layer_size < 16 || options.layer_size > 8192)
        return wrong("layer_size", "is out of range; choose 16 to 8,192 pixels");
    if (options.map_size < 256 || options.map_size > 8192)
        return wrong("map_size", "is out of range; choose 256 to 8,192 pixels");
    if (world.map && world.placement && world.relief && world.drainage) return ok_status();
    return Error{.code = ErrorCode::invalid_input,
                 .stage = "write",
                 .subject = "world",
                 .message = "has no terrain yet; bake all of its stages first"};
}

/// The scenes that pictures are drawn from: layers at twice their size, the map at its own.
struct Scenes {
    Scene layers, map;
};

Scenes build_scenes(const BakedWorld& world, const WorldFileOptions& options, Executor& executor) {
    Scenes scenes;
    scenes.layers.data = map_data_of(world);
    scenes.map.data = scenes.layers.data;
    scenes.layers.raster = build_cell_raster(scenes.layers.data, 2 * options.layer_size, executor);
    scenes.map.raster = options.map_size == 2 * options.layer_size
                            ? scenes.layers.raster
                            : build_cell_raster(scenes.map.data, options.map_size, executor);
    return scenes;
}

void add_pictures(std::vector<FileJob>& jobs, const BakedWorld& world, const Scenes& scenes,
                  const WorldFileOptions& options) {
    for (const auto& [name, format] :
         {std::pair{"map.png", PictureFormat::png}, std::pair{"map.svg", PictureFormat::svg}}) {
        jobs.push_back({name, [&scenes, &options, format] {
                            return draw_map(scenes.map, format, options.title);
                        }});
    }
    for (const std::string_view layer : {"delaunay", "voronoi", "sites", "flow", "field", "cost",
                                         "elevation", "moisture", "biome"}) {
        if (layer == "cost" && !world.cost) continue;
        if (layer == "field" && !(world.integration && world.directions)) continue;
        jobs.push_back(
            {"layers/" + std::string(layer) + ".png", [&scenes, layer]() -> Result<Bytes> {
                 const LayerPage page = layer_page(scenes.layers);
                 Canvas canvas(PictureFormat::png, page.width, page.height);
                 TW_TRY(draw_layer(canvas, page, scenes.layers, layer, Backdrop::paint));
                 return canvas.finish();
             }});
    }
}

void add_data(std::vector<FileJob>& jobs, const BakedWorld& world, const QuantisedHeights& heights,
              const WorldFileOptions& options) {
    const PlanFrame frame(*world.placement);
    if (world.meshes) {
        jobs.push_back({"world.glb", [&world, &options] {
                            return recipe::to_glb(*world.meshes,
                                                  {.title = options.title, .extras = {}});
                        }});
    }
    jobs.push_back(
        {"cells.geojson", [&world, frame] { return to_bytes(cells_geojson(world, frame)); }});
    if (world.rivers) {
        jobs.push_back(
            {"rivers.geojson", [&world, frame] { return to_bytes(rivers_geojson(world, frame)); }});
    }
    if (world.has_roads()) {
        jobs.push_back(
            {"roads.geojson", [&world, frame] { return to_bytes(roads_geojson(world, frame)); }});
    }
    if (world.raster) {
        jobs.push_back({"height.png", [&heights] { return to_png(heights); }});
        jobs.push_back({"height.r16", [&heights]() -> Result<Bytes> { return to_raw(heights); }});
    }
    if (world.cost && world.integration && world.directions) {
        jobs.push_back({"nav.bin", [&world]() -> Result<Bytes> {
                            return encode_nav(*world.cost, *world.integration, *world.directions);
                        }});
    }
    if (world.has_roads() && world.streets) add_street_jobs(jobs, world);
}

/// What the world is read back from: for edits, and for whoever wants to know what was done to it.
void add_sources(std::vector<FileJob>& jobs, const BakedWorld& world,
                 const WorldFileOptions& options, const StageContext& context) {
    jobs.push_back({kWorldName, [&world, &options, &context]() -> Result<Bytes> {
                        StageContext own(*context.executor);
                        own.cancel = context.cancel;
                        return recipe::write_world_file({.recipe = options.recipe, .world = world},
                                                        own);
                    }});
    if (world.edits && !world.edits->edit.empty()) {
        jobs.push_back({kEditsName, [&world]() -> Result<Bytes> {
                            return to_bytes(recipe::to_text(*world.edits));
                        }});
    }
}

/// Files that the manifest in `folder` names and the new world lacks. Only plain names below the
/// folder are believed: a manifest is a file that anyone may have written.
std::vector<std::string> stale_files(const fs::path& folder,
                                     const std::vector<WrittenFile>& files) {
    std::vector<std::string> stale;
    const auto bytes = read_file(folder / kManifestName);
    if (!bytes) return stale;
    const auto manifest = parse_json(*bytes, kManifestName);
    if (!manifest) return stale;
    std::set<std::string, std::less<>> kept;
    for (const WrittenFile& file : files) kept.insert(file.name);
    const nlohmann::json* list = find_member(*manifest, "files");
    if (!list || !list->is_array()) return stale;
    for (const nlohmann::json& entry : *list) {
        const nlohmann::json* name = find_member(entry, "name");
        if (!name || !name->is_string()) continue;
        const auto text = name->get<std::string>();
        const bool plain =
            !text.empty() && text.front() != '/' && text.find("..") == std::string::npos;
        if (plain && !kept.contains(text)) stale.push_back(text);
    }
    return stale;
}

}  // namespace

WorldCounts count_world(const BakedWorld& world) {
    WorldCounts counts;
    if (world.map) counts.cells = world.map->cell_count();
    if (world.rivers) counts.rivers = world.rivers->reach_start.size();
    if (world.map && world.drainage) counts.lakes = count_lakes(world);
    if (world.network) counts.roads = world.network->road_count();
    if (world.streets) {
        const auto kinds = world.streets->kind.span();
        counts.junctions = static_cast<std::uint64_t>(
            std::count(kinds.begin(), kinds.end(), world::PieceKind::junction));
    }
    if (world.meshes) {
        for (const world::NamedSurface& surface : world.meshes->surface) {
            for (const world::MeshChunk& chunk : surface.chunk)
                counts.triangles += chunk.triangle.size();
        }
    }
    return counts;
}

Result<std::vector<WrittenFile>> write_world(const BakedWorld& world, const fs::path& folder,
                                             const WorldFileOptions& options,
                                             StageContext& context) {
    TW_TRY(check_options(world, options));
    try {
        TW_ASSIGN(StagedFolder staged, StagedFolder::open(folder));
        const Scenes scenes = build_scenes(world, options, *context.executor);
        const QuantisedHeights heights =
            world.raster ? quantise(*world.raster) : QuantisedHeights{};
        std::vector<FileJob> jobs;
        add_pictures(jobs, world, scenes, options);
        add_data(jobs, world, heights, options);
        add_sources(jobs, world, options, context);
        context.progress.set(0.1);
        TW_ASSIGN(std::vector<WrittenFile> files, run_jobs(jobs, staged, context));
        std::sort(files.begin(), files.end(),
                  [](const WrittenFile& a, const WrittenFile& b) { return a.name < b.name; });
        const std::string manifest = manifest_json(world, options, count_world(world),
                                                   world.raster ? &heights : nullptr, files);
        const std::vector<FileJob> last = {{kManifestName, [&] { return to_bytes(manifest); }}};
        TW_ASSIGN(const std::vector<WrittenFile> seal, run_jobs(last, staged, context));
        files.push_back(seal.front());
        const std::vector<std::string> stale = stale_files(folder, files);
        std::vector<std::string> names;
        names.reserve(files.size());
        for (const WrittenFile& file : files) names.push_back(file.name);
        TW_TRY(staged.publish(names));
        for (const std::string& name : stale) {
            std::error_code ignored;
            fs::remove(folder / name, ignored);
        }
        context.progress.set(1.0);
        return files;
    } catch (const std::exception& what) {
        return Error{.code = ErrorCode::io,
                     .stage = "write",
                     .subject = folder.string(),
                     .message = std::string(what.what()) + "; choose another folder"};
    }
}

}  // namespace tw::io
