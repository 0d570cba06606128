#include "terraway/recipe/glb.hpp"

#include "terraway/math/functions.hpp"
#include "terraway/recipe/json_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

namespace tw::recipe {
namespace {

using world::MeshChunk;
using world::NamedSurface;

// Numbers of the glTF 2.0 standard.
constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr int kUnsignedByte = 5121, kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;
constexpr std::size_t kMostShortVertices = 65535;  // the last index restarts a primitive

/// sRGB to linear light (IEC 61966-2-1), both in 255ths.
std::array<std::uint8_t, 256> linear_table() {
    std::array<std::uint8_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double c = static_cast<double>(i) / 255.0;
        const double linear = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        table[i] = static_cast<std::uint8_t>(linear * 255.0 + 0.5);
    }
    return table;
}

float metres(std::int32_t steps) {
    return static_cast<float>(steps) * static_cast<float>(kMetresPerStep);
}
/// From z up to y up.
std::array<float, 3> upright(const std::array<Steps, 3>& p) {
    return {metres(p[0]), metres(p[2]), metres(-p[1])};
}
std::array<float, 3> upright(const Vec3f& n) {
    return {n.x, n.z, 0.0f - n.y};
}

/// Where the parts of one chunk lie in the binary part of the file.
struct Layout {
    std::uint64_t position = 0, normal = 0, colour = 0, index = 0, end = 0;
    bool short_indices = false;
};

Layout lay_out(const MeshChunk& chunk, std::uint64_t begin) {
    const std::uint64_t vertices = chunk.position.size(), indices = 3 * chunk.triangle.size();
    Layout layout;
    layout.short_indices = vertices <= kMostShortVertices;
    layout.position = begin;
    layout.normal = layout.position + 12 * vertices;
    layout.colour = layout.normal + 12 * vertices;
    layout.index = layout.colour + 4 * vertices;
    layout.end = layout.index + (layout.short_indices ? 2 : 4) * indices;
    layout.end = (layout.end + 3) / 4 * 4;
    return layout;
}

template <class T>
void put(world::Bytes& bytes, const T& value) {
    const auto* at = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), at, at + sizeof value);
}

class GlbWriter {
public:
    GlbWriter(const world::GroundMeshes& meshes, const GlbOptions& options) : options_(options) {
        std::uint64_t end = 0;
        for (const NamedSurface& surface : meshes.surface) {
            Surface written{surface.name, {}};
            for (const MeshChunk& chunk : surface.chunk) {
                // glTF knows no empty meshes: lakes that ran dry are left out.
                if (chunk.triangle.empty()) continue;
                written.chunk.push_back(&chunk);
                layouts_.push_back(lay_out(chunk, end));
                end = layouts_.back().end;
            }
            if (!written.chunk.empty()) surface_.push_back(std::move(written));
        }
        binary_bytes_ = end;
    }

    Result<world::Bytes> write() const {
        std::string json = description();
        json.append((4 - json.size() % 4) % 4, ' ');
        const std::uint64_t binary = binary_bytes_ == 0 ? 0 : 8 + binary_bytes_;
        const std::uint64_t total = 12 + 8 + json.size() + binary;
        if (total > std::numeric_limits<std::uint32_t>::max()) {
            return Error{.code = ErrorCode::too_large,
                         .stage = "glb",
                         .subject = {},
                         .message = "a GLB file holds less than 4 GB; bake fewer cells or a part"};
        }
        world::Bytes bytes;
        bytes.reserve(static_cast<std::size_t>(total));
        put(bytes, kMagic);
        put(bytes, std::uint32_t{2});
        put(bytes, static_cast<std::uint32_t>(total));
        put(bytes, static_cast<std::uint32_t>(json.size()));
        put(bytes, kJsonChunk);
        const auto text = std::as_bytes(std::span(json));
        bytes.insert(bytes.end(), text.begin(), text.end());
        if (binary > 0) append_binary(bytes);
        return bytes;
    }

private:
    void append_binary(world::Bytes& bytes) const;
    std::string description() const;
    void write_nodes(JsonWriter& json) const;
    void write_meshes(JsonWriter& json) const;
    void write_materials(JsonWriter& json) const;
    void write_accessors(JsonWriter& json) const;
    void write_views(JsonWriter& json) const;

    struct Surface {
        std::string name;
        std::vector<const MeshChunk*> chunk;  ///< with triangles
    };
    template <class Visit>  // visit(chunk, layout)
    void for_each_chunk(Visit visit) const {
        std::size_t at = 0;
        for (const Surface& surface : surface_) {
            for (const MeshChunk* chunk : surface.chunk) visit(*chunk, layouts_[at++]);
        }
    }

    std::vector<Surface> surface_;
    const GlbOptions& options_;
    std::vector<Layout> layouts_;
    std::uint64_t binary_bytes_ = 0;
};

void GlbWriter::append_binary(world::Bytes& bytes) const {
    const std::array<std::uint8_t, 256> linear = linear_table();
    put(bytes, static_cast<std::uint32_t>(binary_bytes_));
    put(bytes, kBinaryChunk);
    const std::size_t start = bytes.size();
    for_each_chunk([&](const MeshChunk& chunk, const Layout& layout) {
        for (const auto& position : chunk.position.span()) put(bytes, upright(position));
        for (const Vec3f& normal : chunk.normal.span()) put(bytes, upright(normal));
        for (const std::uint32_t rgba : chunk.rgba.span()) {
            put(bytes, std::array{linear[rgba & 255], linear[rgba >> 8 & 255],
                                  linear[rgba >> 16 & 255], static_cast<std::uint8_t>(rgba >> 24)});
        }
        for (const auto& triangle : chunk.triangle.span()) {
            for (const world::MeshVertexId vertex : triangle) {
                if (layout.short_indices) {
                    put(bytes, static_cast<std::uint16_t>(vertex.value()));
                } else {
                    put(bytes, vertex.value());
                }
            }
        }
        bytes.resize(start + static_cast<std::size_t>(layout.end));
    });
}

std::string GlbWriter::description() const {
    JsonWriter json;
    json.begin_object();
    json.key("asset").begin_object().member("version", "2.0").member("generator", "Terraway");
    if (!options_.extras.empty()) {
        json.key("extras").begin_object();
        for (const auto& [key, value] : options_.extras) json.member(key, value);
        json.end_object();
    }
    json.end_object();
    json.member("scene", 0).key("scenes").begin_array().begin_object();
    if (!options_.title.empty()) json.member("name", options_.title);
    const std::size_t surfaces = surface_.size();
    if (surfaces > 0) {
        json.key("nodes").begin_array();
        for (std::size_t i = 0; i < surfaces; ++i) json.value(i);
        json.end_array();
    }
    json.end_object().end_array();
    if (surfaces > 0) {
        write_nodes(json);
        write_meshes(json);
        write_materials(json);
        write_accessors(json);
        write_views(json);
        json.key("buffers").begin_array().begin_object();
        json.member("byteLength", binary_bytes_).end_object().end_array();
    }
    json.end_object();
    return std::move(json).take();
}

/// First the surfaces, then their chunks, so that a chunk's node is `surfaces` after its mesh.
void GlbWriter::write_nodes(JsonWriter& json) const {
    json.key("nodes").begin_array();
    std::size_t child = surface_.size();
    for (const Surface& surface : surface_) {
        json.begin_object().member("name", surface.name).key("children").begin_array();
        for (std::size_t i = 0; i < surface.chunk.size(); ++i) json.value(child++);
        json.end_array().end_object();
    }
    std::size_t mesh = 0;
    for (const Surface& surface : surface_) {
        for (std::size_t i = 0; i < surface.chunk.size(); ++i) {
            const GridPoint origin = surface.chunk[i]->origin;
            json.begin_object().member("name", surface.name + "." + std::to_string(i));
            json.member("mesh", mesh++).key("translation").begin_array();
            json.value(to_metres(origin.x)).value(0).value(to_metres(-std::int64_t{origin.y}));
            json.end_array().end_object();
        }
    }
    json.end_array();
}

void GlbWriter::write_meshes(JsonWriter& json) const {
    json.key("meshes").begin_array();
    std::size_t accessor = 0, material = 0;
    for (const Surface& surface : surface_) {
        for (std::size_t i = 0; i < surface.chunk.size(); ++i, accessor += 4) {
            json.begin_object().member("name", surface.name + "." + std::to_string(i));
            json.key("primitives").begin_array().begin_object();
            json.key("attributes").begin_object();
            json.member("POSITION", accessor).member("NORMAL", accessor + 1);
            json.member("COLOR_0", accessor + 2).end_object();
            json.member("indices", accessor + 3).member("material", material);
            json.end_object().end_array().end_object();
        }
        ++material;
    }
    json.end_array();
}

void GlbWriter::write_materials(JsonWriter& json) const {
    json.key("materials").begin_array();
    for (const Surface& surface : surface_) {
        const bool water = surface.name == "water";
        json.begin_object().member("name", surface.name).key("pbrMetallicRoughness").begin_object();
        if (water) {
            json.key("baseColorFactor").begin_array();
            json.value(1).value(1).value(1).value(0.8).end_array();
        }
        json.member("metallicFactor", 0).member("roughnessFactor", water ? 0.2 : 1.0).end_object();
        if (water) json.member("alphaMode", "BLEND");
        json.end_object();
    }
    json.end_array();
}

void write_bounds(JsonWriter& json, const MeshChunk& chunk) {
    constexpr float kFar = std::numeric_limits<float>::max();
    std::array<float, 3> low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    for (const auto& position : chunk.position.span()) {
        const std::array<float, 3> p = upright(position);
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    for (const auto& [name, bound] : {std::pair("min", low), std::pair("max", high)}) {
        json.key(name).begin_array();
        for (const float b : bound) json.value(static_cast<double>(b));
        json.end_array();
    }
}

void GlbWriter::write_accessors(JsonWriter& json) const {
    json.key("accessors").begin_array();
    std::size_t view = 0;
    const auto begin = [&](int type, std::size_t count, std::string_view shape) -> JsonWriter& {
        json.begin_object().member("bufferView", view++).member("componentType", type);
        return json.member("count", count).member("type", shape);
    };
    for_each_chunk([&](const MeshChunk& chunk, const Layout& layout) {
        const std::size_t vertices = chunk.position.size();
        begin(kFloat, vertices, "VEC3");
        write_bounds(json, chunk);
        json.end_object();
        begin(kFloat, vertices, "VEC3").end_object();
        begin(kUnsignedByte, vertices, "VEC4").member("normalized", true).end_object();
        begin(layout.short_indices ? kUnsignedShort : kUnsignedInt, 3 * chunk.triangle.size(),
              "SCALAR")
            .end_object();
    });
    json.end_array();
}

void GlbWriter::write_views(JsonWriter& json) const {
    json.key("bufferViews").begin_array();
    const auto view = [&](std::uint64_t begin, std::uint64_t bytes, int target) {
        json.begin_object().member("buffer", 0).member("byteOffset", begin);
        json.member("byteLength", bytes).member("target", target).end_object();
    };
    for_each_chunk([&](const MeshChunk& chunk, const Layout& layout) {
        const std::uint64_t index_bytes = layout.short_indices ? 2 : 4;
        view(layout.position, layout.normal - layout.position, kArrayBuffer);
        view(layout.normal, layout.colour - layout.normal, kArrayBuffer);
        view(layout.colour, layout.index - layout.colour, kArrayBuffer);
        view(layout.index, index_bytes * 3 * chunk.triangle.size(), kElementArrayBuffer);
    });
    json.end_array();
}

}  // namespace

Result<world::Bytes> to_glb(const world::GroundMeshes& meshes, const GlbOptions& options) {
    return GlbWriter(meshes, options).write();
}

}  // namespace tw::recipe
