// What is written can be read, holds every check, and no damage to it goes unseen.

#include "terraway/core/hash.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/io/check_world.hpp"
#include "terraway/io/draw_picture.hpp"
#include "terraway/io/files.hpp"
#include "terraway/io/read_roads.hpp"
#include "terraway/io/write_streets.hpp"
#include "terraway/io/write_world.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/recipe.hpp"

#include "unit/io/test_data.hpp"

#include <cstring>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tw::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using pipeline::BakedWorld;
using test::ScratchFolder;

constexpr const char* kPlanarRoads =
    R"({"type": "FeatureCollection", "terraway:frame": "planar", "features": [
 {"type": "Feature", "properties": {"id": "a", "class": "primary", "width": 9},
  "geometry": {"type": "LineString", "coordinates": [[-600, 0], [0, 10], [650, -20]]}},
 {"type": "Feature", "properties": {"id": "b", "class": "residential", "width": 6, "oneway": "yes"},
  "geometry": {"type": "LineString", "coordinates": [[0, -500], [0, 10], [30, 480]]}},
 {"type": "Feature", "properties": {"id": "c", "class": "tertiary", "width": 7, "bridge": true},
  "geometry": {"type": "LineString", "coordinates": [[300, -400], [320, 400]]}}]})";

constexpr const char* kDegreeRoads = R"({"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"highway": "primary"},
  "geometry": {"type": "LineString", "coordinates": [[7.4200, 43.7300], [7.4250, 43.7320], [7.4290, 43.7310]]}},
 {"type": "Feature", "properties": {"highway": "tertiary"},
  "geometry": {"type": "LineString", "coordinates": [[7.4240, 43.7290], [7.4250, 43.7320], [7.4255, 43.7350]]}}]})";

BakedWorld bake_roads(const char* roads) {
    pipeline::WorldRecipe recipe;
    recipe.seed = Seed{5};
    recipe.placement.size = {{4000.0, 3000.0}};
    recipe.sites.cells = 700;
    recipe.rivers.min_flow = 0.005;
    recipe.raster.longest = 256;
    recipe.cost.longest = 128;
    pipeline::Imports imports;
    if (roads) {
        auto lines = parse_roads(test::bytes_of(roads), "test.geojson");
        EXPECT_TRUE(lines.ok()) << to_string(lines.error());
        imports.lines = std::make_shared<world::ImportedLines>(std::move(*lines));
    }
    auto world = pipeline::bake(recipe, imports);
    EXPECT_TRUE(world.ok()) << to_string(world.error());
    return world ? std::move(*world) : BakedWorld{};
}

const BakedWorld& planar_world() {
    static const BakedWorld kWorld = bake_roads(kPlanarRoads);
    return kWorld;
}

std::vector<WrittenFile> write(const BakedWorld& world, const fs::path& folder) {
    WorldFileOptions options;
    options.recipe = "{ // a comment\n \"seed\": 5 }";
    options.title = "Test";
    options.layer_size = 128;
    options.map_size = 256;
    ThreadPool pool(2);
    StageContext context(pool);
    auto files = write_world(world, folder, options, context);
    EXPECT_TRUE(files.ok()) << to_string(files.error());
    return files ? *files : std::vector<WrittenFile>{};
}

std::vector<CheckResult> check(const fs::path& folder) {
    SerialExecutor executor;
    StageContext context(executor);
    auto checks = check_world(folder, context);
    EXPECT_TRUE(checks.ok()) << to_string(checks.error());
    return checks ? *checks : std::vector<CheckResult>{};
}

std::string broken_names(const std::vector<CheckResult>& checks) {
    std::string text;
    for (const CheckResult& result : checks) {
        if (result.broken > 0) text += result.name + " [" + result.first + "]; ";
    }
    return text;
}

json read_json(const fs::path& path) {
    const auto bytes = read_file(path);
    EXPECT_TRUE(bytes.ok());
    const auto* begin = reinterpret_cast<const char*>(bytes->data());
    return json::parse(begin, begin + bytes->size(), nullptr, false);
}

/// Changes a file and makes the manifest agree, so that only what the file means can give it away.
void forge(const fs::path& folder, const std::string& name,
           const std::function<void(Bytes&)>& change) {
    Bytes bytes = *read_file(folder / name);
    change(bytes);
    ASSERT_TRUE(write_file(folder / name, bytes).ok());
    json manifest = read_json(folder / "world.json");
    for (json& file : manifest["files"]) {
        if (file["name"] != name) continue;
        file["bytes"] = bytes.size();
        file["xxh64"] = hash_to_text(hash_bytes(bytes));
    }
    ASSERT_TRUE(write_file(folder / "world.json", manifest.dump()).ok());
}

void forge_json(const fs::path& folder, const std::string& name,
                const std::function<void(json&)>& change) {
    json content = read_json(folder / name);
    change(content);
    forge(folder, name, [&](Bytes& bytes) {
        const std::string text = content.dump();
        bytes.assign(reinterpret_cast<const std::byte*>(text.data()),
                     reinterpret_cast<const std::byte*>(text.data()) + text.size());
    });
}

TEST(WorldFiles, EveryCheckHolds) {
    const ScratchFolder scratch;
    const auto files = write(planar_world(), scratch.path());
    ASSERT_FALSE(files.empty());
    EXPECT_EQ(files.back().name, "world.json");
    const auto checks = check(scratch.path());
    EXPECT_TRUE(all_hold(checks)) << broken_names(checks);
    EXPECT_GE(checks.size(), 15u)
        << "rivers, heights, streets and navigation are all there to be checked";
    for (const CheckResult& result : checks) {
        // One chunk has no seams.
        EXPECT_TRUE(result.checked > 0 || result.name == "terrain normals are equal on seams")
            << result.name;
    }
}

TEST(WorldFiles, LongitudeAndLatitudeComeBackToTheStep) {
    const ScratchFolder scratch;
    const BakedWorld world = bake_roads(kDegreeRoads);
    write(world, scratch.path());
    const auto checks = check(scratch.path());
    EXPECT_TRUE(all_hold(checks)) << broken_names(checks);
    const json roads = read_json(scratch.path() / "roads.geojson");
    EXPECT_FALSE(roads.contains("terraway:frame"));
    for (const json& feature : roads["features"]) {
        for (const json& at : feature["geometry"]["coordinates"]) {
            EXPECT_NEAR(at[0].get<double>(), 7.425, 0.006);
            EXPECT_NEAR(at[1].get<double>(), 43.732, 0.004);
        }
    }
}

TEST(WorldFiles, ManifestSaysWhatIsThere) {
    const ScratchFolder scratch;
    const BakedWorld& world = planar_world();
    write(world, scratch.path());
    const json manifest = read_json(scratch.path() / "world.json");
    EXPECT_EQ(manifest["hash"], hash_to_text(world.hash));
    EXPECT_EQ(manifest["recipe"]["seed"], 5);
    EXPECT_EQ(manifest["counts"]["cells"], world.map->cell_count());
    EXPECT_EQ(manifest["counts"]["roads"], world.network->road_count());
    for (const pipeline::StageReport& stage : world.stages) {
        EXPECT_EQ(manifest["stages"][stage.name], hash_to_text(stage.hash)) << stage.name;
    }
    for (const json& file : manifest["files"]) {
        EXPECT_EQ(fs::file_size(scratch.path() / file["name"].get<std::string>()), file["bytes"])
            << file["name"];
    }
}

TEST(WorldFiles, RawHeightsAreTheRasterWithinHalfAUnit) {
    const ScratchFolder scratch;
    const world::HeightRaster& raster = *planar_world().raster;
    write(planar_world(), scratch.path());
    const json height = read_json(scratch.path() / "world.json")["height"];
    const Bytes raw = *read_file(scratch.path() / "height.r16");
    ASSERT_EQ(raw.size(), raster.height.size() * 2);
    EXPECT_EQ(height["width"], raster.columns);
    EXPECT_EQ(height["step_m"], to_metres(raster.pixel));
    const double low = height["min_m"], high = height["max_m"], unit = height["unit_m"];
    for (std::size_t i = 0; i < raster.height.size(); ++i) {
        std::uint16_t value = 0;
        std::memcpy(&value, raw.data() + 2 * i, sizeof value);
        const double metres = low + value / 65535.0 * (high - low);
        ASSERT_NEAR(metres, to_metres(raster.height.values()[i]), unit / 2 + 1e-9) << i;
    }
}

TEST(WorldFiles, RoadsComeBack) {
    const ScratchFolder scratch;
    const world::RoadNetwork& network = *planar_world().network;
    write(planar_world(), scratch.path());
    const auto lines = read_roads(scratch.path() / "roads.geojson");
    ASSERT_TRUE(lines.ok()) << to_string(lines.error());
    EXPECT_EQ(lines->frame, world::Frame::planar);
    EXPECT_EQ(lines->label.values(), network.label.values());
    EXPECT_EQ(lines->attributes.values(), network.attributes.values());
    ASSERT_EQ(lines->x.size(), network.point.size());
    for (std::size_t i = 0; i < network.point.size(); ++i) {
        EXPECT_EQ(lines->x.values()[i], network.point.values()[i].x);
        EXPECT_EQ(lines->y.values()[i], network.point.values()[i].y);
    }
}

TEST(WorldFiles, AFlippedByteInAnyFileIsFound) {
    const ScratchFolder scratch;
    for (const WrittenFile& file : write(planar_world(), scratch.path())) {
        if (file.name == "world.json") continue;
        const Bytes whole = *read_file(scratch.path() / file.name);
        Bytes flipped = whole;
        flipped[flipped.size() / 2] ^= std::byte{1};
        ASSERT_TRUE(write_file(scratch.path() / file.name, flipped).ok());
        const auto checks = check(scratch.path());
        ASSERT_FALSE(checks.empty());
        EXPECT_GT(checks.front().broken, 0u) << file.name;
        EXPECT_NE(checks.front().first.find(file.name), std::string::npos) << checks.front().first;
        ASSERT_TRUE(write_file(scratch.path() / file.name, whole).ok());
    }
    fs::remove(scratch.path() / "nav.bin");
    EXPECT_FALSE(all_hold(check(scratch.path())));
}

TEST(WorldFiles, DamageBehindARightChecksumIsFound) {
    const ScratchFolder pristine;
    write(planar_world(), pristine.path());
    const auto expect_found = [&](const char* name,
                                  const std::function<void(const fs::path&)>& damage) {
        const ScratchFolder scratch;
        fs::copy(pristine.path(), scratch.path(), fs::copy_options::recursive);
        damage(scratch.path());
        const auto checks = check(scratch.path());
        bool found = false;
        for (const CheckResult& result : checks) {
            found = found || (result.name == name && result.broken > 0 && !result.first.empty());
        }
        EXPECT_TRUE(found) << name << " did not break; what did: " << broken_names(checks);
    };
    expect_found("cells tile the rectangle", [](const fs::path& folder) {
        forge_json(folder, "cells.geojson", [](json& top) {
            json& x = top["features"][300]["geometry"]["coordinates"][0][1][0];
            x = x.get<double>() + 1.0;
        });
    });
    expect_found("cells tile the rectangle", [](const fs::path& folder) {
        forge_json(folder, "cells.geojson", [](json& top) { top["features"].erase(300); });
    });
    expect_found("rivers never rise along their lines", [](const fs::path& folder) {
        forge_json(folder, "rivers.geojson", [](json& top) {
            json& line = top["features"][0]["geometry"]["coordinates"];
            line.back()[2] = line.front()[2].get<double>() + 1.0;
        });
    });
    expect_found("rivers end in the sea, at the border or in a river", [](const fs::path& folder) {
        forge_json(folder, "rivers.geojson", [](json& top) {
            // Rivers that stop a vertex short of their mouth.
            for (json& feature : top["features"]) {
                json& line = feature["geometry"]["coordinates"];
                if (feature["properties"]["next"].is_null() && line.size() > 2)
                    line.erase(line.size() - 1);
            }
        });
    });
    expect_found("rivers never rise along carved pixels", [](const fs::path& folder) {
        // Upside down: what fell rises.
        forge(folder, "height.r16", [](Bytes& bytes) {
            for (std::byte& b : bytes) b = ~b;
        });
    });
    expect_found("height.png equals height.r16", [](const fs::path& folder) {
        forge(folder, "height.r16", [](Bytes& bytes) { bytes[1000] ^= std::byte{1}; });
    });
    expect_found("directions lead down to a goal", [](const fs::path& folder) {
        forge(folder, "nav.bin", [](Bytes& bytes) {
            for (std::size_t i = bytes.size() / 6 * 5 + 100; i < bytes.size(); ++i) {
                if (bytes[i] < std::byte{8})
                    bytes[i] = std::byte{
                        static_cast<unsigned char>((std::to_integer<int>(bytes[i]) + 4) % 8)};
            }
        });
    });
    expect_found("terrain vertices are the cells' and rivers'", [](const fs::path& folder) {
        forge(folder, "world.glb", [](Bytes& bytes) {
            // A position of the first mesh: the binary chunk starts behind the JSON one.
            std::uint32_t json_length = 0;
            std::memcpy(&json_length, bytes.data() + 12, sizeof json_length);
            float x = 0.0f;
            std::byte* at = bytes.data() + 20 + json_length + 8;
            std::memcpy(&x, at, sizeof x);
            x += 1.0f;
            std::memcpy(at, &x, sizeof x);
        });
    });
    expect_found("street borders are the declared contours", [](const fs::path& folder) {
        forge_json(folder, "streets.pieces.json", [](json& top) {
            json& x = top["pieces"][0]["poly"][0][0];
            x = x.get<double>() + 0.5;
        });
    });
    expect_found("gates are vertices of both their pieces", [](const fs::path& folder) {
        forge_json(folder, "streets.pieces.json", [](json& top) {
            for (json& piece : top["pieces"]) {
                if (piece["kind"] != "road") continue;
                piece["ends"][0]["l"][0] = piece["ends"][0]["l"][0].get<double>() + 0.01;
                return;
            }
        });
    });
    expect_found("counts are those of the files", [](const fs::path& folder) {
        json manifest = read_json(folder / "world.json");
        manifest["counts"]["triangles"] = 1;
        ASSERT_TRUE(write_file(folder / "world.json", manifest.dump()).ok());
    });
}

TEST(WorldFiles, ACancelledWriteLeavesTheOldWorld) {
    const ScratchFolder scratch;
    write(planar_world(), scratch.path());
    CancelFlag cancel;
    cancel.cancel();
    SerialExecutor executor;
    StageContext context(executor);
    context.cancel = &cancel;
    const auto files = write_world(planar_world(), scratch.path(), {}, context);
    ASSERT_FALSE(files.ok());
    EXPECT_EQ(files.error().code, ErrorCode::cancelled);
    EXPECT_TRUE(all_hold(check(scratch.path())));
    for (const auto& entry : fs::directory_iterator(scratch.path())) {
        EXPECT_NE(entry.path().filename().string().front(), '.') << entry.path();
    }
}

TEST(WorldFiles, FilesOfAnOlderWorldGo) {
    const ScratchFolder scratch;
    write(planar_world(), scratch.path());
    ASSERT_TRUE(write_file(scratch.path() / "notes.txt", "mine").ok());
    EXPECT_TRUE(fs::exists(scratch.path() / "streets.pieces.json"));
    write(bake_roads(nullptr), scratch.path());
    EXPECT_FALSE(fs::exists(scratch.path() / "streets.pieces.json"));
    EXPECT_TRUE(fs::exists(scratch.path() / "notes.txt"));
    const auto checks = check(scratch.path());
    EXPECT_TRUE(all_hold(checks)) << broken_names(checks);
}

TEST(WorldFiles, NoWorldNoCheck) {
    const ScratchFolder scratch;
    SerialExecutor executor;
    StageContext context(executor);
    EXPECT_EQ(check_world(scratch.path(), context).error().code, ErrorCode::not_found);
    ASSERT_TRUE(write_file(scratch.path() / "world.json", "{\"bounds\": 3}").ok());
    EXPECT_EQ(check_world(scratch.path(), context).error().code, ErrorCode::invalid_input);
}

TEST(StreetFiles, LinesAreARecipeAndPiecesHaveTheirEnds) {
    const ScratchFolder scratch;
    SerialExecutor executor;
    StageContext context(executor);
    const auto files = write_streets(planar_world(), scratch.path(), context);
    ASSERT_TRUE(files.ok()) << to_string(files.error());
    const json lines = read_json(scratch.path() / "streets.lines.json")["roads"]["lines"];
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0]["id"], "a");
    EXPECT_EQ(lines[0]["width"], 9.0);
    // In the frame of the pieces: moved as a whole, so distances are those of the source.
    const json &first = lines[0]["points"][0], &last = lines[0]["points"][2];
    EXPECT_EQ(last[0].get<double>() - first[0].get<double>(), 1250.0);
    EXPECT_EQ(last[1].get<double>() - first[1].get<double>(), -20.0);
    EXPECT_EQ(lines[1]["oneway"], true);
    std::size_t roads = 0, junctions = 0;
    const json pieces = read_json(scratch.path() / "streets.pieces.json");
    for (const json& piece : pieces["pieces"]) {
        if (piece["kind"] == "junction") {
            ++junctions;
        } else {
            ++roads;
            EXPECT_EQ(piece["ends"].size(), 2u);
        }
    }
    const StreetReport report = report_streets(*planar_world().streets);
    EXPECT_EQ(report.corridors, roads);
    EXPECT_EQ(report.junctions, junctions);
    EXPECT_EQ(report.unsolved, 0u);
    EXPECT_GE(junctions, 1u) << "a and b cross";
}

BakedWorld bake_streets(const pipeline::WorldRecipe& recipe, const pipeline::Imports& imports) {
    auto world = pipeline::bake(recipe, imports, {}, pipeline::BakeTargets::streets);
    EXPECT_TRUE(world.ok()) << to_string(world.error());
    return world ? std::move(*world) : BakedWorld{};
}

/// Ways of nodes on a lattice of 10⁻³ degrees: node 10 x + y + 1 stands at (x, y).
std::string osm_of(std::string_view ways) {
    std::string text = "<osm version='0.6'>";
    for (int x = 0; x < 10; ++x) {
        for (int y = 0; y < 10; ++y) {
            text += "<node id='" + std::to_string(10 * x + y + 1) + "' lat='43.70" +
                    std::to_string(y) + "0003' lon='7.40" + std::to_string(x) + "0001'/>";
        }
    }
    return text + std::string(ways) + "</osm>";
}

// What the lines say of nodes, forms, directions and the frame is all that the streets follow from.
TEST(StreetFiles, TheLinesBakeIntoTheSameStreets) {
    // 14 bridges the level roads 11 and 12 from their inner nodes; 13 runs against its line; 15 is
    // a bridge on the ground's level; 16 ends near a road, not at a node of it; 17 is a lollipop.
    const std::string osm = osm_of(R"(
      <way id='11'><nd ref='2'/><nd ref='12'/><nd ref='22'/><nd ref='32'/><tag k='highway' v='primary'/></way>
      <way id='12'><nd ref='6'/><nd ref='16'/><nd ref='26'/><nd ref='36'/><tag k='highway' v='tertiary'/></way>
      <way id='13'><nd ref='9'/><nd ref='12'/><nd ref='3'/><tag k='highway' v='residential'/><tag k='oneway' v='-1'/></way>
      <way id='14'><nd ref='22'/><nd ref='24'/><nd ref='26'/><tag k='highway' v='primary'/><tag k='bridge' v='yes'/><tag k='layer' v='1'/></way>
      <way id='15'><nd ref='32'/><nd ref='44'/><nd ref='36'/><tag k='highway' v='primary'/><tag k='bridge' v='yes'/><tag k='layer' v='0'/></way>
      <way id='16'><nd ref='14'/><nd ref='34'/><tag k='highway' v='residential'/></way>
      <way id='17'><nd ref='36'/><nd ref='56'/><nd ref='76'/><nd ref='78'/><nd ref='58'/><nd ref='56'/><tag k='highway' v='residential'/></way>)");
    auto lines = parse_roads(test::bytes_of(osm), "test.osm");
    ASSERT_TRUE(lines.ok()) << to_string(lines.error());
    pipeline::Imports imports;
    imports.lines = std::make_shared<world::ImportedLines>(std::move(*lines));
    pipeline::WorldRecipe cropped;
    cropped.placement.size = {{401.0 + to_metres(1), 505.5}};
    cropped.placement.fit = world::Fit::crop;
    for (const pipeline::WorldRecipe& recipe : {pipeline::WorldRecipe{}, cropped}) {
        const BakedWorld first = bake_streets(recipe, imports);
        ASSERT_NE(first.streets, nullptr);
        const ScratchFolder scratch, again;
        SerialExecutor executor;
        StageContext context(executor);
        ASSERT_TRUE(write_streets(first, scratch.path(), context).ok());
        const Bytes text = *read_file(scratch.path() / "streets.lines.json");
        const auto read = recipe::parse_recipe(
            {reinterpret_cast<const char*>(text.data()), text.size()}, "streets.lines.json");
        ASSERT_TRUE(read.ok()) << to_string(read.error());
        const BakedWorld second = bake_streets(read->world, {});
        EXPECT_EQ(hash_of(*second.network), hash_of(*first.network));
        EXPECT_EQ(hash_of(*second.streets), hash_of(*first.streets));
        EXPECT_EQ(second.placement->bounds, first.placement->bounds);
        ASSERT_TRUE(write_streets(second, again.path(), context).ok());
        for (const char* name : {"streets.pieces.json", "streets.lines.json"}) {
            EXPECT_EQ(*read_file(again.path() / name), *read_file(scratch.path() / name)) << name;
        }
    }
}

TEST(Pictures, EveryLayerInBothFormats) {
    const ScratchFolder scratch;
    write(planar_world(), scratch.path());
    SerialExecutor executor;
    StageContext context(executor);
    for (const std::string_view layer : picture_layers()) {
        for (const char* ending : {".png", ".svg"}) {
            const fs::path output = scratch.path() / ("picture" + std::string(ending));
            const std::vector<std::string> layers = {std::string(layer)};
            const Status status =
                draw_picture(scratch.path(), layers, output, {.size = 200, .title = ""}, context);
            ASSERT_TRUE(status.ok()) << layer << ending << ": " << to_string(status.error());
            const Bytes bytes = *read_file(output);
            const std::string start(reinterpret_cast<const char*>(bytes.data()), 5);
            EXPECT_TRUE(ending == std::string(".png") ? start.substr(1, 3) == "PNG"
                                                      : start == "<?xml")
                << layer;
        }
    }
    const std::vector<std::string> several = {"biome", "voronoi", "roads"};
    EXPECT_TRUE(
        draw_picture(scratch.path(), several, scratch.path() / "several.png", {}, context).ok());
}

TEST(Pictures, Errors) {
    const ScratchFolder scratch;
    SerialExecutor executor;
    StageContext context(executor);
    const auto code = [&](const std::vector<std::string>& layers, const char* output,
                          std::uint32_t size = 100) {
        return draw_picture(scratch.path(), layers, scratch.path() / output,
                            {.size = size, .title = ""}, context)
            .error()
            .code;
    };
    EXPECT_EQ(code({}, "a.png"), ErrorCode::invalid_option);
    EXPECT_EQ(code({"nonsense"}, "a.png"), ErrorCode::invalid_option);
    EXPECT_EQ(code({"map", "biome"}, "a.png"), ErrorCode::invalid_option);
    EXPECT_EQ(code({"biome"}, "a.gif"), ErrorCode::invalid_option);
    EXPECT_EQ(code({"biome"}, "a.png", 1'000'000), ErrorCode::invalid_option);
    EXPECT_EQ(code({"biome"}, "a.png"), ErrorCode::not_found);
}

}  // namespace
}  // namespace tw::io
