#include "read_glb.hpp"

#include "json_text.hpp"

#include <cstring>
#include <optional>

namespace tw::io {
namespace {

using nlohmann::json;

constexpr std::uint32_t kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;
constexpr int kMaxDepth = 16;

class GlbReader {
public:
    GlbReader(std::span<const std::byte> bytes, std::string name)
        : bytes_(bytes), name_(std::move(name)) {}

    Result<std::vector<GlbMesh>> read() {
        TW_TRY(read_chunks());
        const json* scenes = find_member(top_, "scenes");
        const std::size_t scene = index(find_member(top_, "scene")).value_or(0);
        if (!scenes || !scenes->is_array() || scene >= scenes->size())
            return error("there is no scene");
        if (const json* roots = find_member((*scenes)[scene], "nodes");
            roots && roots->is_array()) {
            for (const json& root : *roots) TW_TRY(read_node(root, {}, "", kMaxDepth));
        }
        return std::move(meshes_);
    }

private:
    Error error(std::string message, ErrorCode code = ErrorCode::invalid_input) const {
        return Error{.code = code,
                     .stage = "read glb",
                     .subject = name_,
                     .message = std::move(message) + "; bake the world again"};
    }
    static std::optional<std::size_t> index(const json* value) {
        if (!value || !value->is_number_unsigned()) return std::nullopt;
        return value->get<std::size_t>();
    }
    const json* element(const char* list, const json* at) const {
        const json* all = find_member(top_, list);
        const auto i = index(at);
        return all && all->is_array() && i && *i < all->size() ? &(*all)[*i] : nullptr;
    }

    Status read_chunks() {
        std::array<std::uint32_t, 3> header{};
        if (bytes_.size() < sizeof header) return error("the file is cut short");
        std::memcpy(header.data(), bytes_.data(), sizeof header);
        if (header[0] != kMagic || header[1] != 2) return error("this is no GLB of version 2");
        if (header[2] != bytes_.size()) return error("the file is not as long as it says");
        std::span<const std::byte> rest = bytes_.subspan(sizeof header);
        while (rest.size() >= 8) {
            std::array<std::uint32_t, 2> chunk{};
            std::memcpy(chunk.data(), rest.data(), sizeof chunk);
            rest = rest.subspan(sizeof chunk);
            if (chunk[0] > rest.size()) return error("a chunk is cut short");
            const auto body = rest.first(chunk[0]);
            rest = rest.subspan(chunk[0]);
            if (chunk[1] == kJson) {
                TW_ASSIGN(top_, parse_json(body, name_));
            } else if (chunk[1] == kBinary) {
                binary_ = body;
            }
        }
        return ok_status();
    }

    Status read_node(const json& at, std::array<double, 3> move, const std::string& surface,
                     int depth) {
        const json* node = element("nodes", &at);
        if (!node || depth == 0) return error("a node is missing, or nodes nest in a circle");
        if (find_member(*node, "matrix") || find_member(*node, "rotation") ||
            find_member(*node, "scale")) {
            return error("a node is turned or scaled", ErrorCode::unsupported);
        }
        if (const json* translation = find_member(*node, "translation")) {
            if (!translation->is_array() || translation->size() != 3)
                return error("a translation is damaged");
            for (std::size_t i = 0; i < 3; ++i) {
                if (!(*translation)[i].is_number()) return error("a translation is damaged");
                move[i] += (*translation)[i].get<double>();
            }
        }
        const json* named = find_member(*node, "name");
        const std::string own =
            surface.empty() && named && named->is_string() ? named->get<std::string>() : surface;
        if (const json* mesh = element("meshes", find_member(*node, "mesh"))) {
            const json* primitives = find_member(*mesh, "primitives");
            if (!primitives || !primitives->is_array()) return error("a mesh has no primitives");
            for (const json& primitive : *primitives) TW_TRY(read_primitive(primitive, move, own));
        }
        if (const json* children = find_member(*node, "children");
            children && children->is_array()) {
            for (const json& child : *children) TW_TRY(read_node(child, move, own, depth - 1));
        }
        return ok_status();
    }

    struct Accessor {
        std::span<const std::byte> data;
        std::size_t count = 0;
        std::uint64_t component = 0;
    };
    /// Tightly packed data of `width` components a value.
    Result<Accessor> accessor(const json* at, std::size_t width) const {
        const json* item = element("accessors", at);
        if (!item) return error("an accessor is missing");
        const json* view = element("bufferViews", find_member(*item, "bufferView"));
        const auto count = index(find_member(*item, "count")),
                   kind = index(find_member(*item, "componentType"));
        if (!view || !count || !kind) return error("an accessor is damaged");
        if (find_member(*view, "byteStride"))
            return error("data is interleaved", ErrorCode::unsupported);
        const std::size_t size = *kind == 5120 || *kind == 5121   ? 1
                                 : *kind == 5122 || *kind == 5123 ? 2
                                                                  : 4;
        const std::size_t begin = index(find_member(*view, "byteOffset")).value_or(0) +
                                  index(find_member(*item, "byteOffset")).value_or(0);
        if (begin > binary_.size() || *count > (binary_.size() - begin) / (size * width)) {
            return error("an accessor points outside of the file");
        }
        return Accessor{binary_.subspan(begin, *count * size * width), *count, *kind};
    }

    Status read_primitive(const json& primitive, const std::array<double, 3>& move,
                          const std::string& surface) {
        constexpr std::uint64_t kFloat = 5126, kByte = 5121, kShort = 5123, kInt = 5125;
        const json* attributes = find_member(primitive, "attributes");
        if (!attributes) return error("a primitive has no attributes");
        GlbMesh mesh;
        mesh.surface = surface;
        TW_ASSIGN(const Accessor positions, accessor(find_member(*attributes, "POSITION"), 3));
        if (positions.component != kFloat) return error("positions are no floats");
        for (std::size_t i = 0; i < positions.count; ++i) {
            std::array<float, 3> p{};
            std::memcpy(p.data(), positions.data.data() + i * sizeof p, sizeof p);
            // glTF is y up, with z to the south.
            mesh.position.push_back({p[0] + move[0], -(p[2] + move[2]), p[1] + move[1]});
        }
        if (const json* at = find_member(*attributes, "NORMAL")) {
            TW_ASSIGN(const Accessor normals, accessor(at, 3));
            if (normals.component != kFloat || normals.count != positions.count)
                return error("normals are damaged");
            for (std::size_t i = 0; i < normals.count; ++i) {
                std::array<float, 3> n{};
                std::memcpy(n.data(), normals.data.data() + i * sizeof n, sizeof n);
                mesh.normal.push_back({n[0], -n[2], n[1]});
            }
        }
        TW_ASSIGN(const Accessor indices, accessor(find_member(primitive, "indices"), 1));
        const std::size_t size = indices.component == kByte    ? 1
                                 : indices.component == kShort ? 2
                                                               : 4;
        if (size == 4 && indices.component != kInt) return error("indices are no whole numbers");
        for (std::size_t i = 0; i + 2 < indices.count; i += 3) {
            std::array<std::uint32_t, 3> triangle{};
            for (std::size_t k = 0; k < 3; ++k) {
                std::memcpy(&triangle[k], indices.data.data() + (i + k) * size, size);
                if (triangle[k] >= positions.count)
                    return error("an index points outside of its mesh");
            }
            mesh.triangle.push_back(triangle);
        }
        meshes_.push_back(std::move(mesh));
        return ok_status();
    }

    std::span<const std::byte> bytes_, binary_;
    std::string name_;
    json top_;
    std::vector<GlbMesh> meshes_;
};

}  // namespace

Result<std::vector<GlbMesh>> read_glb(std::span<const std::byte> bytes, const std::string& name) {
    return GlbReader(bytes, name).read();
}

}  // namespace tw::io
