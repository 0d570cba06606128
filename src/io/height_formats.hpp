#pragma once
// One reader per kind of height file; read_heights chooses among them.

#include "terraway/io/read_heights.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace tw::io {

bool looks_like_ascii_grid(std::span<const std::byte> bytes);
Result<world::ImportedHeights> parse_ascii_grid(std::span<const std::byte> bytes,
                                                const std::string& name);
Result<world::ImportedHeights> parse_png_heights(std::span<const std::byte> bytes,
                                                 const std::string& name,
                                                 const pipeline::HeightFileOptions& options);

}  // namespace tw::io
