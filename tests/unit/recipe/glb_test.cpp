#include "terraway/recipe/glb.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tw::recipe {
namespace {

using Json = nlohmann::json;

/// A tetrahedron whose corners lie at odd steps, far from the origin.
world::MeshChunk tetrahedron(GridPoint origin) {
    world::MeshChunk chunk;
    chunk.origin = origin;
    chunk.position = {{1, 3, 5}, {2049, 3, 5}, {1, 4097, 5}, {1, 3, 1025}};
    const float s = 0.57735026f;
    chunk.normal = {Vec3f{-s, -s, -s}, Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, 0, 1}};
    chunk.rgba = {0xff0000ffu, 0xff00ff00u, 0xffff0000u, 0x80808080u};
    const auto v = [](std::uint32_t i) { return world::MeshVertexId(i); };
    chunk.triangle = {
        {v(0), v(2), v(1)}, {v(0), v(1), v(3)}, {v(0), v(3), v(2)}, {v(1), v(2), v(3)}};
    return chunk;
}

world::GroundMeshes some_meshes() {
    world::GroundMeshes meshes;
    meshes.surface.push_back(
        {"terrain",
         {tetrahedron({0, 0}), tetrahedron({world::kChunkSize, -3 * world::kChunkSize})}});
    meshes.surface.push_back({"water", {tetrahedron({-world::kChunkSize, 0})}});
    return meshes;
}

struct Glb {
    Json json;
    world::Bytes binary;

    template <class T>
    std::vector<T> read(std::size_t accessor, std::size_t components) const {
        const Json& a = json["accessors"][accessor];
        const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
        std::vector<T> values(a["count"].get<std::size_t>() * components);
        EXPECT_EQ(values.size() * sizeof(T), view["byteLength"].get<std::size_t>());
        EXPECT_LE(view["byteOffset"].get<std::size_t>() + values.size() * sizeof(T), binary.size());
        std::memcpy(values.data(), binary.data() + view["byteOffset"].get<std::size_t>(),
                    values.size() * sizeof(T));
        return values;
    }
};

Glb take_apart(const world::Bytes& bytes) {
    const auto u32 = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, 4);
        return value;
    };
    EXPECT_EQ(std::memcmp(bytes.data(), "glTF\2\0\0\0", 8), 0);
    EXPECT_EQ(u32(8), bytes.size());
    const std::uint32_t json_bytes = u32(12);
    EXPECT_EQ(json_bytes % 4, 0u);
    const char* text = reinterpret_cast<const char*>(bytes.data()) + 20;
    Glb glb;
    glb.json = Json::parse(text, text + json_bytes);
    if (bytes.size() > 20 + json_bytes) {
        EXPECT_EQ(u32(20 + json_bytes), bytes.size() - 28 - json_bytes);
        glb.binary.assign(bytes.begin() + 28 + json_bytes, bytes.end());
    }
    return glb;
}

TEST(Glb, NodesStandWhereChunksDo) {
    const Glb glb =
        take_apart(*to_glb(some_meshes(), {.title = "T", .extras = {{"hash", "00ff"}}}));
    const Json& nodes = glb.json["nodes"];
    EXPECT_EQ(glb.json["scenes"][0]["name"], "T");
    EXPECT_EQ(glb.json["asset"]["extras"]["hash"], "00ff");
    EXPECT_EQ(glb.json["scenes"][0]["nodes"], Json({0, 1}));
    EXPECT_EQ(nodes[0]["name"], "terrain");
    EXPECT_EQ(nodes[0]["children"], Json({2, 3}));
    EXPECT_EQ(nodes[1]["name"], "water");
    EXPECT_EQ(nodes[1]["children"], Json({4}));
    // 4,096 m east and 12,288 m south: y up, so south is +z.
    EXPECT_EQ(nodes[3]["translation"], Json({4096, 0, 12288}));
    EXPECT_EQ(nodes[4]["translation"], Json({-4096, 0, 0}));
    EXPECT_EQ(nodes[4]["mesh"], 2);
    EXPECT_EQ(glb.json["materials"][glb.json["meshes"][2]["primitives"][0]["material"].get<int>()]
                      ["alphaMode"],
              "BLEND");
}

TEST(Glb, PositionsAreExactAndYIsUp) {
    const Glb glb = take_apart(*to_glb(some_meshes()));
    const Json& primitive = glb.json["meshes"][1]["primitives"][0];
    const auto accessor = primitive["attributes"]["POSITION"].get<std::size_t>();
    const std::vector<float> p = glb.read<float>(accessor, 3);
    const world::GroundMeshes meshes = some_meshes();
    const auto& steps = meshes.surface[0].chunk[1].position.values();
    std::array<double, 3> low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    for (std::size_t v = 0; v < steps.size(); ++v) {
        EXPECT_EQ(double{p[3 * v]} * 1024, steps[v][0]);
        EXPECT_EQ(double{p[3 * v + 1]} * 1024, steps[v][2]);
        EXPECT_EQ(double{p[3 * v + 2]} * 1024, -steps[v][1]);
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], double{p[3 * v + i]});
            high[i] = std::max(high[i], double{p[3 * v + i]});
        }
    }
    EXPECT_EQ(glb.json["accessors"][accessor]["min"].get<std::vector<double>>(),
              std::vector<double>(low.begin(), low.end()));
    EXPECT_EQ(glb.json["accessors"][accessor]["max"].get<std::vector<double>>(),
              std::vector<double>(high.begin(), high.end()));
}

TEST(Glb, ColoursBecomeLinear) {
    const Glb glb = take_apart(*to_glb(some_meshes()));
    const auto accessor =
        glb.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"].get<std::size_t>();
    // 128 of 255 in sRGB is 0.2158605 in linear light (IEC 61966-2-1): 55 of 255. Alpha stays.
    EXPECT_EQ(glb.read<std::uint8_t>(accessor, 4),
              (std::vector<std::uint8_t>{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 55, 55, 55,
                                         128}));
}

TEST(Glb, IndicesKeepTheirWinding) {
    const Glb glb = take_apart(*to_glb(some_meshes()));
    const auto accessor = glb.json["meshes"][0]["primitives"][0]["indices"].get<std::size_t>();
    EXPECT_EQ(glb.json["accessors"][accessor]["componentType"], 5123);
    EXPECT_EQ(glb.read<std::uint16_t>(accessor, 1),
              (std::vector<std::uint16_t>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}));
}

world::GroundMeshes wide_strip(std::uint32_t quads) {
    world::MeshChunk chunk;
    for (std::uint32_t i = 0; i <= quads; ++i) {
        for (const Steps y : {0, 64}) {
            chunk.position.push_back({static_cast<Steps>(i * 64), y, 0});
            chunk.normal.push_back({0, 0, 1});
            chunk.rgba.push_back(0xff336699u);
        }
        if (i == quads) break;
        const auto v = [&](std::uint32_t k) { return world::MeshVertexId(2 * i + k); };
        chunk.triangle.push_back({v(0), v(2), v(3)});
        chunk.triangle.push_back({v(0), v(3), v(1)});
    }
    world::GroundMeshes meshes;
    meshes.surface.push_back({"corridors", {chunk}});
    return meshes;
}

TEST(Glb, LongIndicesWhereShortOnesEnd) {
    // 65,534 and 65,536 vertices: the last index of 16 bits, 65,535, is not for vertices.
    for (const auto& [quads, type] : {std::pair(32766u, 5123), std::pair(32767u, 5125)}) {
        const Glb glb = take_apart(*to_glb(wide_strip(quads)));
        EXPECT_EQ(glb.json["accessors"][3]["componentType"], type) << quads;
        EXPECT_EQ(glb.json["accessors"][3]["count"], 6 * quads);
    }
}

TEST(Glb, EqualMeshesGiveEqualBytes) {
    EXPECT_EQ(*to_glb(some_meshes()), *to_glb(some_meshes()));
}

int run_command(const std::string& command) {
    return std::system(command.c_str());  // NOLINT(bugprone-command-processor): one of our own
}

/// What the Khronos validator says: numbers of errors and warnings; none where node or the
/// validator are not installed.
std::optional<std::pair<int, int>> validated(const world::Bytes& glb, const std::string& name) {
    namespace fs = std::filesystem;
    const fs::path validator =
        fs::path(TERRAWAY_SOURCE_DIR) / "tools/npm/node_modules/gltf-validator";
    if (!fs::exists(validator) || run_command("node --version >/dev/null 2>&1") != 0)
        return std::nullopt;
    const fs::path file = fs::temp_directory_path() / ("terraway_glb_test_" + name + ".glb");
    const fs::path report = fs::path(file).replace_extension(".json");
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));
    const std::string script = "const fs = require('fs'); require('" + validator.string() +
                               "').validateBytes(new Uint8Array(fs.readFileSync('" + file.string() +
                               "'))).then(r => fs.writeFileSync('" + report.string() +
                               "', JSON.stringify(r.issues)))";
    EXPECT_EQ(run_command("node -e \"" + script + "\""), 0);
    std::ifstream in(report);
    const Json issues = Json::parse(in);
    fs::remove(file);
    fs::remove(report);
    for (const Json& message : issues["messages"]) {
        if (message["severity"].get<int>() <= 1) ADD_FAILURE() << message.dump();
    }
    return std::pair(issues["numErrors"].get<int>(), issues["numWarnings"].get<int>());
}

TEST(Glb, KhronosFindsNothing) {
    const auto both =
        validated(*to_glb(some_meshes(), {.title = "T", .extras = {{"a", "b"}}}), "some");
    if (!both) GTEST_SKIP() << "node or gltf-validator is not installed (tools/npm)";
    EXPECT_EQ(*both, std::pair(0, 0));
    EXPECT_EQ(*validated(*to_glb(wide_strip(32767)), "wide"), std::pair(0, 0));
    EXPECT_EQ(*validated(*to_glb({}), "empty"), std::pair(0, 0));
}

}  // namespace
}  // namespace tw::recipe
