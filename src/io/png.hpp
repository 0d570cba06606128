#pragma once
// PNG pictures as rows of samples.

#include "terraway/core/result.hpp"
#include "terraway/io/files.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tw::io {

enum class PngColour : std::uint8_t { grey, grey_alpha, rgb, rgba };
constexpr int channels_of(PngColour colour) {
    return colour == PngColour::grey         ? 1
           : colour == PngColour::grey_alpha ? 2
           : colour == PngColour::rgb        ? 3
                                             : 4;
}

struct PngPicture {
    std::int32_t width = 0, height = 0;
    PngColour colour = PngColour::grey;
    int bits = 8;                 ///< 8 or 16 a channel
    std::vector<std::byte> data;  ///< rows from the top; 16-bit samples in the machine's order
};

bool is_png(std::span<const std::byte> bytes);

/// Errors: invalid_input (damaged, cut short), unsupported (palette; under 8 bits), too_large (a
/// side over `max_side`). No more memory is taken than the file's size can unpack to.
Result<PngPicture> decode_png(std::span<const std::byte> bytes, const std::string& name,
                              std::int32_t max_side);

/// How rows are prepared for compression: smooth pictures want differences, flat ones none.
enum class PngContent : std::uint8_t { smooth, flat };
Result<Bytes> encode_png(const PngPicture& picture, PngContent content);

}  // namespace tw::io
