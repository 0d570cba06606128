#pragma once
// The outer form of an OSM PBF file: a chain of blobs, each behind a header that says how long it
// is.

#include "terraway/core/result.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace tw::io {

/// Error invalid_input with the byte where the chain breaks. What is inside the blobs is not looked
/// at.
Status check_pbf_frames(std::span<const std::byte> bytes, const std::string& name);

}  // namespace tw::io
