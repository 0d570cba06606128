#pragma once
// gzip and bzip2 streams to bytes. The whole of it or an error: what is cut short is never taken
// for complete, and what unpacks to too much is refused.

#include "terraway/core/result.hpp"
#include "terraway/io/files.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tw::io {

bool is_gzip(std::span<const std::byte> bytes);
bool is_bzip2(std::span<const std::byte> bytes);

/// `name` is the file's, for errors. Several streams one after another are one file.
/// Errors: invalid_input with the byte where it broke; too_large (more than `limit` bytes come
/// out).
Result<Bytes> unpack_gzip(std::span<const std::byte> bytes, const std::string& name,
                          std::uint64_t limit);
Result<Bytes> unpack_bzip2(std::span<const std::byte> bytes, const std::string& name,
                           std::uint64_t limit);

}  // namespace tw::io
