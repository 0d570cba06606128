#pragma once
// What every function of the ABI does: looks at its arguments, fills the caller's structs.

#include "terraway/core/executor.hpp"
#include "terraway/core/result.hpp"
#include "terraway/world/archive.hpp"
#include "terraway/world/ground.hpp"

#include "arrays.hpp"
#include "terraway.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace tw::capi {

std::int32_t code_of(const Error& error);

/// True if the caller's struct is one of this version's: every member that we touch is there.
template <class Struct>
bool fits(const Struct* given) {
    return given && given->size >= sizeof(Struct);
}

std::string_view text_of(const char* text, std::uint64_t length);
std::span<const std::byte> bytes_of(const void* data, std::uint64_t length);

std::unique_ptr<Executor> make_executor(std::uint32_t threads);

/// Every chunk with its surface, in order: what an index of a mesh counts.
using ChunkList = std::vector<std::pair<const world::NamedSurface*, const world::MeshChunk*>>;
ChunkList list_chunks(const world::GroundMeshes& meshes);

// The ends of functions: what is asked for is there, the caller's struct fits.

std::int32_t tell_error(const std::optional<Error>& error, char* text, std::uint64_t capacity,
                        std::uint64_t* length);
std::int32_t tell_array(const NamedArray& found, tw_array* array);
std::int32_t tell_mesh(const ChunkList& chunks, std::uint32_t index, tw_mesh* mesh);
std::int32_t tell_bytes(const world::Bytes& bytes, void* buffer, std::uint64_t capacity,
                        std::uint64_t* length);

}  // namespace tw::capi
