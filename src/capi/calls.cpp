#include "calls.hpp"

#include "terraway/core/thread_pool.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace tw::capi {

std::int32_t code_of(const Error& error) {
    return static_cast<std::int32_t>(error.code) + 1;
}
static_assert(static_cast<int>(ErrorCode::invalid_option) + 1 == TW_INVALID_OPTION);
static_assert(static_cast<int>(ErrorCode::check_failed) + 1 == TW_CHECK_FAILED);

std::string_view text_of(const char* text, std::uint64_t length) {
    return text ? std::string_view(text, static_cast<std::size_t>(length)) : std::string_view();
}
std::span<const std::byte> bytes_of(const void* data, std::uint64_t length) {
    if (!data) return {};
    return {static_cast<const std::byte*>(data), static_cast<std::size_t>(length)};
}

std::unique_ptr<Executor> make_executor([[maybe_unused]] std::uint32_t threads) {
#ifdef TERRAWAY_THREADS
    if (threads > 1) return std::make_unique<ThreadPool>(threads);
#endif
    return std::make_unique<SerialExecutor>();
}

ChunkList list_chunks(const world::GroundMeshes& meshes) {
    ChunkList chunks;
    for (const world::NamedSurface& surface : meshes.surface) {
        for (const world::MeshChunk& chunk : surface.chunk) chunks.emplace_back(&surface, &chunk);
    }
    return chunks;
}

std::int32_t tell_error(const std::optional<Error>& error, char* text, std::uint64_t capacity,
                        std::uint64_t* length) {
    *length = 0;
    if (!error) return TW_OK;
    const std::string message = to_string(*error);
    *length = message.size();
    std::copy_n(message.data(), std::min<std::uint64_t>(capacity, message.size()), text);
    return code_of(*error);
}

std::int32_t tell_array(const NamedArray& found, tw_array* array) {
    array->type = found.type;
    array->components = found.components;
    array->count = found.count;
    array->data = found.data;
    array->name = found.name.data();
    array->name_length = found.name.size();
    return TW_OK;
}

std::int32_t tell_mesh(const ChunkList& chunks, std::uint32_t index, tw_mesh* mesh) {
    if (index >= chunks.size()) return TW_NOT_FOUND;
    const auto& [surface, chunk] = chunks[index];
    static_assert(sizeof(Vec3f) == 12 && sizeof(std::array<world::MeshVertexId, 3>) == 12);
    mesh->origin_x = chunk->origin.x;
    mesh->origin_y = chunk->origin.y;
    mesh->surface = surface->name.data();
    mesh->surface_length = surface->name.size();
    mesh->vertex_count = chunk->position.size();
    mesh->position = reinterpret_cast<const std::int32_t*>(chunk->position.span().data());
    mesh->normal = reinterpret_cast<const float*>(chunk->normal.span().data());
    mesh->rgba = reinterpret_cast<const std::uint8_t*>(chunk->rgba.span().data());
    mesh->triangle_count = chunk->triangle.size();
    mesh->triangle = reinterpret_cast<const std::uint32_t*>(chunk->triangle.span().data());
    return TW_OK;
}

std::int32_t tell_bytes(const world::Bytes& bytes, void* buffer, std::uint64_t capacity,
                        std::uint64_t* length) {
    *length = bytes.size();
    if (!buffer) return TW_OK;
    if (capacity < bytes.size()) return TW_TOO_LARGE;
    std::memcpy(buffer, bytes.data(), bytes.size());
    return TW_OK;
}

}  // namespace tw::capi
