// The program as a user runs it: exit codes, one line of errors, nothing half written, JSON that
// parses.

#include "support/cli_program.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace tw::test;

TEST_F(Cli, HelpOfEveryCommand) {
    for (const char* command : {"", "new", "bake", "hash", "check", "picture", "streets", "import",
                                "schema", "edit", "replay"}) {
        const Ran ran = run(*command ? Arguments{command, "--help"} : Arguments{"--help"});
        EXPECT_EQ(ran.code, 0);
        EXPECT_NE(ran.out.find("Example"), std::string::npos) << command;
        EXPECT_EQ(ran.err, "");
    }
    EXPECT_EQ(run({"--version"}).code, 0);
}

TEST_F(Cli, UsageIsRefusedInOneLine) {
    expect_refused({}, "subcommand");
    expect_refused({"plant"}, "plant");
    expect_refused({"bake"}, "INPUT");
    expect_refused({"bake", "x.json"}, "--output");
    expect_refused({"bake", "x.json", "-o", "w", "--thraeds", "2"}, "--thraeds");
    expect_refused({"bake", "x.json", "-o", "w", "--threads", "many"}, "--threads");
    expect_refused({"new", "moon", "-o", "moon.json"}, "island");
    EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(Cli, BadRecipesAreRefusedWithTheirPlace) {
    expect_refused({"bake", "nowhere.json", "-o", "w"}, "nowhere.json: ");
    write_text(path("cut.json"), "{ \"terraway\": 1,");
    expect_refused({"bake", "cut.json", "-o", "w"}, "cut.json:1");
    write_text(path("unknown.json"), "{ \"terraway\": 1,\n \"terrain\": { \"sells\": 5 } }");
    expect_refused({"bake", "unknown.json", "-o", "w"}, "unknown.json:2");
    expect_refused({"bake", "unknown.json", "-o", "w"}, "terrain.cells");
    write_text(path("range.json"), "{ \"terraway\": 1,\n\n \"terrain\": { \"cells\": 5 } }");
    expect_refused({"hash", "range.json"}, "range.json:3");
    write_text(path("ok.json"), "{ \"terraway\": 1 }");
    expect_refused({"hash", "ok.json", "--set", "terrain.cells=many"}, "terrain.cells");
    expect_refused({"hash", "ok.json", "--set", "nonsense"}, "nonsense");
    expect_refused({"hash", "ok.json", "--set", "roads.file=not-there.osm"}, "not-there.osm");
    expect_refused({"hash", "ok.json", "--memory", "1"}, "ok.json");
    write_text(path("waits.json"), "{ \"terraway\": 1, \"roads\": { \"file\": null } }");
    expect_refused({"hash", "waits.json"}, "--set roads.file");
    write_text(path("empty.json"), "");
    expect_refused({"hash", "empty.json"}, "empty.json");
    fs::create_directory(path("folder.json"));
    expect_refused({"hash", "folder.json"}, "folder.json");
}

TEST_F(Cli, EveryPresetBakesSmall) {
    for (const char* preset : {"island", "continent", "city", "track", "arena"}) {
        ASSERT_EQ(run({"new", preset, "-o", "recipe.json"}).code, 0);
        const Ran ran =
            run({"hash", "recipe.json", "--set", "terrain.cells=2000", "--set",
                 "output.raster_longest=64", "--set", "navigation.longest=32", "--json"});
        EXPECT_EQ(ran.code, 0) << preset << ran.err;
        EXPECT_TRUE(json::accept(ran.out)) << preset;
    }
}

TEST_F(Cli, BakeSaysWhatTheContractSays) {
    ASSERT_EQ(run({"new", "city", "-o", "city.json"}).code, 0);
    const Arguments small{"--set", "terrain.cells=800", "--set", "output.raster_longest=128"};
    Arguments bake{"bake", "city.json", "-o", "world", "--json"};
    bake.insert(bake.end(), small.begin(), small.end());
    const Ran ran = run(bake);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "") << "progress is for terminals";
    const json said = json::parse(ran.out);
    const json manifest = json::parse(text_of(path("world/world.json")));
    EXPECT_EQ(said.at("hash").get<std::string>().size(), 16u);
    EXPECT_GT(said.at("stages").size(), 10u);
    for (const json& stage : said.at("stages")) {
        EXPECT_TRUE(stage.at("name").is_string() && stage.at("hash").is_string());
        EXPECT_TRUE(stage.at("ms").is_number() && stage.at("cached").is_boolean());
    }
    for (const char* key : {"cells", "rivers", "lakes", "roads", "junctions", "triangles"}) {
        EXPECT_EQ(said.at("counts").at(key), manifest.at("counts").at(key)) << key;
    }
    EXPECT_GT(said.at("counts").at("junctions"), 8);
    EXPECT_GT(said.at("ms").get<double>(), 0.0);
    EXPECT_GT(said.at("peak_mb").get<double>(), 1.0);
    for (const json& file : said.at("files")) EXPECT_TRUE(fs::exists(path("world") / file));

    // `hash` builds the same world and writes nothing; one thread or three, the same.
    const auto before = files();
    for (const char* threads : {"1", "3"}) {
        Arguments hash{"hash", "city.json", "--json", "--threads", threads};
        hash.insert(hash.end(), small.begin(), small.end());
        const json hashed = json::parse(run(hash).out);
        EXPECT_EQ(hashed.at("hash"), said.at("hash"));
        for (const json& stage : said.at("stages")) {
            EXPECT_EQ(hashed.at("stages").at(stage.at("name").get<std::string>()),
                      stage.at("hash"));
        }
    }
    EXPECT_EQ(files(), before);
    Arguments other{"hash", "city.json", "--json", "--seed", "2"};
    other.insert(other.end(), small.begin(), small.end());
    EXPECT_NE(json::parse(run(other).out).at("hash"), said.at("hash"));
}

TEST_F(Cli, CacheGivesTheSameWorld) {
    ASSERT_EQ(run({"new", "arena", "-o", "arena.json"}).code, 0);
    const Arguments bake{"bake",  "arena.json",       "-o", "world", "--json", "--cache", "cache",
                         "--set", "terrain.cells=400"};
    const json first = json::parse(run(bake).out), second = json::parse(run(bake).out);
    EXPECT_EQ(first.at("hash"), second.at("hash"));
    for (const json& stage : first.at("stages")) EXPECT_FALSE(stage.at("cached"));
    for (const json& stage : second.at("stages")) EXPECT_TRUE(stage.at("cached"));
    // Damaged entries are built again.
    for (const auto& entry : fs::directory_iterator(path("cache"))) {
        write_text(entry.path(), text_of(entry.path()).substr(0, 20));
    }
    const json third = json::parse(run(bake).out);
    EXPECT_EQ(third.at("hash"), first.at("hash"));
}

TEST_F(Cli, CheckHoldsAndFindsDamage) {
    bake_small();
    const Ran whole = run({"check", "world", "--json"});
    ASSERT_EQ(whole.code, 0) << whole.out << whole.err;
    const json said = json::parse(whole.out);
    EXPECT_TRUE(said.at("ok"));
    EXPECT_GT(said.at("checks").size(), 3u);
    for (const json& check : said.at("checks")) EXPECT_EQ(check.at("broken"), 0) << check;
    EXPECT_EQ(run({"check", "world"}).code, 0);

    // A flipped byte, a file cut short, a file gone: each alone is found, and the rest is still
    // looked at.
    const json manifest = json::parse(text_of(path("world/world.json")));
    for (const json& entry : manifest.at("files")) {
        const std::string file =
            entry.is_string() ? entry.get<std::string>() : entry.at("name").get<std::string>();
        if (file == "world.json") continue;
        const fs::path victim = path("world") / file;
        const std::string good = text_of(victim);
        ASSERT_FALSE(good.empty()) << file;
        std::string bad = good;
        bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 0x20);
        write_text(victim, bad);
        const Ran flipped = run({"check", "world", "--json"});
        EXPECT_EQ(flipped.code, 1) << file;
        EXPECT_TRUE(json::accept(flipped.out)) << file;
        write_text(victim, good.substr(0, good.size() / 2));
        EXPECT_EQ(run({"check", "world", "--quiet"}).code, 1) << file;
        fs::remove(victim);
        EXPECT_EQ(run({"check", "world", "--quiet"}).code, 1) << file;
        write_text(victim, good);
    }
    EXPECT_EQ(run({"check", "world"}).code, 0);
    write_text(path("world/world.json"), "{");
    EXPECT_NE(run({"check", "world"}).code, 0);
    expect_refused({"check", "nowhere"}, "nowhere");
}

TEST_F(Cli, PicturesOfLayers) {
    bake_small();
    EXPECT_EQ(run({"picture", "world", "--layer", "biome,voronoi", "-o", "cells.png"}).code, 0);
    EXPECT_EQ(text_of(path("cells.png")).substr(1, 3), "PNG");
    EXPECT_EQ(run({"picture", "world", "--layer", "map", "-o", "map.svg"}).code, 0);
    EXPECT_NE(text_of(path("map.svg")).find("<svg"), std::string::npos);
    expect_refused({"picture", "world", "--layer", "smell", "-o", "x.png"}, "smell");
    expect_refused({"picture", "world", "--layer", "biome", "-o", "x.bmp"}, "x.bmp");
    expect_refused({"picture", "nowhere", "--layer", "biome", "-o", "x.png"}, "nowhere");
    EXPECT_FALSE(fs::exists(path("x.png")));
}

TEST_F(Cli, StreetsOfARecipeAndOfGeoJson) {
    ASSERT_EQ(run({"new", "city", "-o", "city.json"}).code, 0);
    write_text(path("cross.geojson"), R"({"type": "FeatureCollection", "terraway:frame": "planar",
        "features": [{"type": "Feature", "properties": {"width": 8},
          "geometry": {"type": "LineString", "coordinates": [[-100, 0], [100, 0]]}},
         {"type": "Feature", "properties": {"width": 8},
          "geometry": {"type": "LineString", "coordinates": [[0, -100], [0, 100]]}}]})");
    for (const char* input : {"city.json", "cross.geojson"}) {
        const Ran ran = run({"streets", input, "-o", "out", "--json"});
        ASSERT_EQ(ran.code, 0) << ran.err;
        const json said = json::parse(ran.out);
        EXPECT_EQ(said.at("unsolved"), 0);
        EXPECT_TRUE(said.at("repaired").is_array());
        for (const char* key : {"read", "build", "write"}) {
            EXPECT_TRUE(said.at("ms").at(key).is_number());
        }
        EXPECT_GT(said.at("peak_mb").get<double>(), 1.0);
        for (const char* file : {"streets.glb", "streets.pieces.json", "streets.lines.json",
                                 "streets.geojson", "markings.json", "report.json"}) {
            EXPECT_TRUE(fs::exists(path("out") / file)) << file;
        }
        if (input == std::string("cross.geojson")) {
            // One crossing and four blind ends.
            EXPECT_EQ(said.at("corridors"), 4);
            EXPECT_GE(said.at("junctions").get<int>(), 1);
            // The lines as read are a recipe again, and give the same streets.
            const Ran again = run({"streets", "out/streets.lines.json", "-o", "again", "--json"});
            ASSERT_EQ(again.code, 0) << again.err;
            EXPECT_EQ(json::parse(again.out).at("junctions"), said.at("junctions"));
            EXPECT_EQ(text_of(path("again") / "streets.pieces.json"),
                      text_of(path("out") / "streets.pieces.json"));
        }
    }
    write_text(path("nothing.json"), "{ \"terraway\": 1 }");
    expect_refused({"streets", "nothing.json", "-o", "none"}, "nothing.json");
    const Ran set = run({"streets", "nothing.json", "-o", "set", "--json", "--set",
                         R"(roads.lines=[{"points": [[-90, 0], [90, 0]]},
                            {"points": [[0, -90], [0, 90]]}])"});
    ASSERT_EQ(set.code, 0) << set.err;
    EXPECT_EQ(json::parse(set.out).at("corridors"), 4);
    expect_refused({"streets", "nothing.json", "-o", "none", "--set", "roads.lines=nothing.json"},
                   "--set roads.file=FILE");
    EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(Cli, InterruptLeavesNothingBehind) {
    ASSERT_EQ(run({"new", "island", "-o", "island.json"}).code, 0);
    const auto before = files();
    // At several moments, so that reading, building and writing are hit.
    for (const int wait_ms : {5, 60, 250, 700, 1500}) {
        const pid_t child = start({"bake", "island.json", "-o", "world", "--set",
                                   "terrain.cells=400000", "--set", "output.raster_longest=4096"});
        std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
        kill(child, SIGINT);
        const auto asked = std::chrono::steady_clock::now();
        const Ran ran = finish(child, std::chrono::seconds(60));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - asked;
        if (ran.code == 0) break;  // it was faster
        EXPECT_TRUE(ran.code == 130 || ran.code == -1) << ran.code << ran.err;
        std::cout << "stopped " << took.count() << " s after a signal at " << wait_ms << " ms\n";
        EXPECT_EQ(files(), before);
    }
}

TEST_F(Cli, AFailedBakeLeavesTheOldWorld) {
    bake_small();
    const std::string manifest = text_of(path("world/world.json"));
    const auto before = files();
    expect_refused({"bake", "island.json", "-o", "world", "--set", "roads.file=gone.osm"},
                   "gone.osm");
    EXPECT_EQ(text_of(path("world/world.json")), manifest);
    EXPECT_EQ(files(), before);
    write_text(path("occupied"), "a file, not a folder");
    expect_refused({"bake", "island.json", "-o", "occupied", "--set", "terrain.cells=100"},
                   "occupied");
    EXPECT_EQ(text_of(path("occupied")), "a file, not a folder");
}

TEST_F(Cli, SchemaIsJson) {
    const Ran ran = run({"schema"});
    ASSERT_EQ(ran.code, 0);
    EXPECT_TRUE(json::parse(ran.out).contains("$schema"));
    EXPECT_EQ(run({"schema", "-o", "schema.json"}).code, 0);
    EXPECT_EQ(text_of(path("schema.json")), ran.out);
}

TEST_F(Cli, ImportedBlobsGiveTheSameWorld) {
    write_text(path("hill.asc"),
               "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 100\n"
               "1 2 3 4\n5 60 70 8\n9 10 11 12\n");
    ASSERT_EQ(run({"import", "hill.asc", "-o", "hill.twbl"}).code, 0);
    const Arguments small{"--set", "terrain.cells=300", "--json"};
    const auto hash = [&](const std::string& input) {
        Arguments arguments{"hash", input};
        arguments.insert(arguments.end(), small.begin(), small.end());
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.code == 0 ? json::parse(ran.out).at("hash") : json();
    };
    EXPECT_EQ(hash("hill.asc"), hash("hill.twbl"));
    write_text(path("cut.twbl"), text_of(path("hill.twbl")).substr(0, 60));
    expect_refused({"hash", "cut.twbl"}, "cut.twbl");
    expect_refused({"import", "stdout", "-o", "x.twbl"}, "stdout");
}

// Real files, whole, cut and damaged: a world or one line, never a crash or a hang.

constexpr std::size_t kShares = 6;  ///< of a folder's files, a test each

class RealData : public Cli,
                 public ::testing::WithParamInterface<std::tuple<const char*, std::size_t>> {
protected:
    static fs::path data() {
        const char* folder = std::getenv("TERRAWAY_DATA");
        return folder ? fs::path(folder) : fs::path(TERRAWAY_SOURCE_DIR "/../shared/data");
    }
    void expect_world_or_refusal(const Arguments& arguments) {
        const Ran ran = run(arguments);
        EXPECT_TRUE(ran.code == 0 || ran.code == 2) << ran.code << ran.err;
        if (ran.code == 2) expect_refusal(ran);
    }
};

TEST_P(RealData, WholeCutAndDamaged) {
    const auto [kind, share] = GetParam();
    const fs::path folder = data() / kind;
    if (!fs::exists(folder))
        GTEST_SKIP() << "no " << folder << "; TERRAWAY_DATA says where real data is";
    const bool streets = std::string(kind) == "osm";
    std::vector<fs::path> inputs;
    for (const auto& entry : fs::directory_iterator(folder)) inputs.push_back(entry.path());
    std::sort(inputs.begin(), inputs.end());
    for (std::size_t i = share; i < inputs.size(); i += kShares) {
        const fs::path& input = inputs[i];
        SCOPED_TRACE(input.filename().string());
        const std::string good = text_of(input);
        const auto attempt = [&](const std::string& file) {
            if (streets) {
                expect_world_or_refusal({"streets", file, "-o", "out", "--quiet"});
            } else {
                expect_world_or_refusal({"hash", file, "--quiet", "--set", "terrain.cells=1000",
                                         "--set", "output.raster_longest=64"});
            }
        };
        attempt(input.string());
        const std::string copy = "copy" + input.extension().string();
        write_text(path(copy), good.substr(0, good.size() * 2 / 3));
        attempt(copy);
        std::string bad = good;
        for (std::size_t at = bad.size() / 7 + 1; at < bad.size(); at += bad.size() / 5 + 1) {
            bad[at] = static_cast<char>(bad[at] ^ 0x15);
        }
        write_text(path(copy), bad);
        attempt(copy);
    }
}
INSTANTIATE_TEST_SUITE_P(Folders, RealData,
                         ::testing::Combine(::testing::Values("osm", "terrain"),
                                            ::testing::Range(std::size_t{0}, kShares)));

}  // namespace
