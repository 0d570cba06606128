#include "png.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <spng.h>

namespace tw::io {
namespace {

struct FreeContext {
    void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using Context = std::unique_ptr<spng_ctx, FreeContext>;

constexpr std::size_t kMaxChunk = std::size_t{16} << 20, kMaxChunkCache = std::size_t{64} << 20;
constexpr std::uint64_t kBestDeflate = 1032;  ///< deflate never packs better than this
constexpr int kFastest = 1;

Error png_error(ErrorCode code, const std::string& name, std::string message) {
    return Error{.code = code, .stage = "png", .subject = name, .message = std::move(message)};
}

Error damaged(const std::string& name, int code) {
    return png_error(ErrorCode::invalid_input, name,
                     std::string("the PNG is damaged or cut short (") + spng_strerror(code) +
                         "); fetch it again");
}

Status read_kind(const spng_ihdr& header, const std::string& name, PngPicture& picture) {
    switch (header.color_type) {
        case SPNG_COLOR_TYPE_GRAYSCALE:
            picture.colour = PngColour::grey;
            break;
        case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA:
            picture.colour = PngColour::grey_alpha;
            break;
        case SPNG_COLOR_TYPE_TRUECOLOR:
            picture.colour = PngColour::rgb;
            break;
        case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA:
            picture.colour = PngColour::rgba;
            break;
        default:
            return png_error(ErrorCode::unsupported, name,
                             "is a palette picture, whose numbers are no heights; save it as "
                             "16-bit grey or Terrain-RGB");
    }
    if (header.bit_depth < 8) {
        return png_error(
            ErrorCode::unsupported, name,
            "has only " + std::to_string(header.bit_depth) + " bits a pixel; save it with 8 or 16");
    }
    picture.bits = header.bit_depth;
    picture.width = static_cast<std::int32_t>(header.width);
    picture.height = static_cast<std::int32_t>(header.height);
    return ok_status();
}

}  // namespace

bool is_png(std::span<const std::byte> bytes) {
    constexpr std::array<unsigned char, 8> kMagic = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return bytes.size() >= kMagic.size() &&
           std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<PngPicture> decode_png(std::span<const std::byte> bytes, const std::string& name,
                              std::int32_t max_side) {
    const Context context(spng_ctx_new(0));
    if (!context)
        return png_error(ErrorCode::too_large, name,
                         "there is no memory left to read it; close other programs");
    // The sides are judged below, where the message can name them.
    spng_set_image_limits(context.get(), 0x7fffffffu, 0x7fffffffu);
    spng_set_chunk_limits(context.get(), kMaxChunk, kMaxChunkCache);
    spng_set_crc_action(context.get(), SPNG_CRC_ERROR, SPNG_CRC_DISCARD);
    if (const int code = spng_set_png_buffer(context.get(), bytes.data(), bytes.size()))
        return damaged(name, code);
    spng_ihdr header{};
    if (const int code = spng_get_ihdr(context.get(), &header)) return damaged(name, code);
    const auto most = static_cast<std::uint32_t>(max_side);
    if (header.width > most || header.height > most) {
        return png_error(ErrorCode::too_large, name,
                         "is " + std::to_string(header.width) + " x " +
                             std::to_string(header.height) + " pixels; scale it down to at most " +
                             std::to_string(max_side) + " a side");
    }
    PngPicture picture;
    TW_TRY(read_kind(header, name, picture));
    std::size_t size = 0;
    if (const int code = spng_decoded_image_size(context.get(), SPNG_FMT_PNG, &size))
        return damaged(name, code);
    if (size / kBestDeflate > bytes.size()) return damaged(name, SPNG_EIDAT_TOO_SHORT);
    picture.data.resize(size);
    if (const int code =
            spng_decode_image(context.get(), picture.data.data(), size, SPNG_FMT_PNG, 0)) {
        return damaged(name, code);
    }
    return picture;
}

Result<Bytes> encode_png(const PngPicture& picture, PngContent content) {
    constexpr std::array<std::uint8_t, 4> kTypes = {
        SPNG_COLOR_TYPE_GRAYSCALE, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, SPNG_COLOR_TYPE_TRUECOLOR,
        SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    const Context context(spng_ctx_new(SPNG_CTX_ENCODER));
    if (!context)
        return png_error(ErrorCode::too_large, "",
                         "there is no memory left for a picture; ask for a smaller one");
    spng_ihdr header{};
    header.width = static_cast<std::uint32_t>(picture.width);
    header.height = static_cast<std::uint32_t>(picture.height);
    header.bit_depth = static_cast<std::uint8_t>(picture.bits);
    header.color_type = kTypes[static_cast<std::size_t>(picture.colour)];
    spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, kFastest);
    spng_set_option(
        context.get(), SPNG_FILTER_CHOICE,
        content == PngContent::smooth ? SPNG_FILTER_CHOICE_SUB : SPNG_DISABLE_FILTERING);
    spng_set_ihdr(context.get(), &header);
    int code = spng_encode_image(context.get(), picture.data.data(), picture.data.size(),
                                 SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    std::size_t size = 0;
    const std::unique_ptr<void, decltype(&std::free)> buffer(
        code == 0 ? spng_get_png_buffer(context.get(), &size, &code) : nullptr, &std::free);
    if (!buffer) {
        return png_error(ErrorCode::too_large, "",
                         std::string("a picture cannot be packed (") + spng_strerror(code) +
                             "); ask for a smaller one");
    }
    const auto* begin = static_cast<const std::byte*>(buffer.get());
    return Bytes(begin, begin + size);
}

}  // namespace tw::io
