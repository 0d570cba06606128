#pragma once
// Imports as canonical bytes: what `terraway import` writes and every build reads alike.
//
//     "TWBL"  u32 version = 1  u32 kind  u32 0  u64 payload bytes  u64 XXH64 of the payload payload
//
// Little-endian; the payload is the fields of world/imported.hpp by world/archive.hpp.

#include "terraway/core/result.hpp"
#include "terraway/world/archive.hpp"
#include "terraway/world/imported.hpp"

#include <cstdint>
#include <span>

namespace tw::recipe {

enum class BlobKind : std::uint32_t { heights = 1, lines = 2 };

world::Bytes to_blob(const world::ImportedHeights&);
world::Bytes to_blob(const world::ImportedLines&);

/// What kind of blob the bytes say they are. Error invalid_input: not a blob, or of a newer
/// version.
Result<BlobKind> blob_kind(std::span<const std::byte> bytes);
/// Everything is checked: frame, checksum, ranges, world::validate. Errors: invalid_input,
/// unsupported.
Result<world::ImportedHeights> heights_from_blob(std::span<const std::byte> bytes);
Result<world::ImportedLines> lines_from_blob(std::span<const std::byte> bytes);

}  // namespace tw::recipe
