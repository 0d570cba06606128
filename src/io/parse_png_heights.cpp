#include "height_formats.hpp"
#include "png.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace tw::io {
namespace {

using pipeline::HeightEncoding;
using pipeline::HeightFileOptions;
using world::ImportedHeights;

Error png_height_error(const std::string& place, std::string message,
                       ErrorCode code = ErrorCode::invalid_input) {
    return Error{
        .code = code, .stage = "read png heights", .subject = place, .message = std::move(message)};
}

bool has_alpha(PngColour colour) {
    return colour == PngColour::grey_alpha || colour == PngColour::rgba;
}
bool is_grey(PngColour colour) {
    return colour == PngColour::grey || colour == PngColour::grey_alpha;
}

/// Sample number `index` of the picture.
std::uint32_t sample(const PngPicture& picture, std::size_t index) {
    if (picture.bits == 8) return std::to_integer<std::uint32_t>(picture.data[index]);
    std::uint16_t value = 0;
    std::memcpy(&value, picture.data.data() + 2 * index, sizeof value);
    return value;
}

Status read_grey(const PngPicture& picture, const HeightFileOptions& options,
                 std::vector<Steps>& heights) {
    const std::size_t channels = static_cast<std::size_t>(channels_of(picture.colour));
    const double white = picture.bits == 8 ? 255.0 : 65535.0;
    // Few distinct values: each is rounded once.
    std::vector<Steps> steps_of(picture.bits == 8 ? 256 : 65536);
    for (std::size_t v = 0; v < steps_of.size(); ++v) {
        const double share = static_cast<double>(v) / white;
        steps_of[v] =
            to_steps(options.range_low + (options.range_high - options.range_low) * share);
    }
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const bool empty = has_alpha(picture.colour) && sample(picture, channels * i + 1) == 0;
        heights[i] = empty ? ImportedHeights::kVoid : steps_of[sample(picture, channels * i)];
    }
    return ok_status();
}

Status read_terrain_rgb(const PngPicture& picture, const std::string& name,
                        std::vector<Steps>& heights) {
    constexpr std::int64_t kZero = 100'000;  ///< [0.1 m] below the sea
    constexpr auto kHighest = static_cast<std::int64_t>(kMaxHeight) * 10;
    const std::size_t channels = static_cast<std::size_t>(channels_of(picture.colour));
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const std::size_t at = channels * i;
        if (has_alpha(picture.colour) && sample(picture, at + 3) == 0) {
            heights[i] = ImportedHeights::kVoid;
            continue;
        }
        const std::int64_t tenths = (std::int64_t{sample(picture, at)} << 16 |
                                     sample(picture, at + 1) << 8 | sample(picture, at + 2)) -
                                    kZero;
        if (tenths > kHighest) {
            const auto width = static_cast<std::size_t>(picture.width);
            return png_height_error(
                name + ":pixel " + std::to_string(i % width) + "," + std::to_string(i / width),
                "would be " + std::to_string(tenths / 10) +
                    " m high as Terrain-RGB: it is an ordinary picture; save heights as 16-bit "
                    "grey with a range");
        }
        heights[i] = to_steps(static_cast<double>(tenths) / 10.0);
    }
    return ok_status();
}

Status check_range(const HeightFileOptions& options) {
    const auto good = [](double v) { return v >= -kMaxHeight && v <= kMaxHeight; };
    if (good(options.range_low) && good(options.range_high) &&
        options.range_low < options.range_high) {
        return ok_status();
    }
    return png_height_error("range",
                            "is no range; give two heights within ±20,000 m, the lower first",
                            ErrorCode::invalid_option);
}

Status check_kind(const PngPicture& picture, const std::string& name, HeightEncoding encoding) {
    if (encoding == HeightEncoding::grey && !is_grey(picture.colour)) {
        return png_height_error(name,
                                "is a colour picture; save it as grey or read it as terrain_rgb");
    }
    if (encoding == HeightEncoding::terrain_rgb && is_grey(picture.colour)) {
        return png_height_error(name, "is a grey picture; Terrain-RGB has red, green and blue");
    }
    if (!is_grey(picture.colour) && picture.bits != 8) {
        return png_height_error(name, "has 16 bits a colour; Terrain-RGB has 8",
                                ErrorCode::unsupported);
    }
    return ok_status();
}

}  // namespace

Result<ImportedHeights> parse_png_heights(std::span<const std::byte> bytes, const std::string& name,
                                          const HeightFileOptions& options) {
    TW_ASSIGN(const PngPicture picture, decode_png(bytes, name, kMaxRasterSide));
    TW_TRY(check_kind(picture, name, options.encoding));
    std::vector<Steps> heights(static_cast<std::size_t>(picture.width) *
                               static_cast<std::size_t>(picture.height));
    if (is_grey(picture.colour)) {
        TW_TRY(check_range(options));
        TW_TRY(read_grey(picture, options, heights));
    } else {
        TW_TRY(read_terrain_rgb(picture, name, heights));
    }
    bool any = false;
    for (const Steps height : heights) any = any || height != ImportedHeights::kVoid;
    if (!any)
        return png_height_error(name, "is transparent everywhere; there are no heights in it");
    ImportedHeights raster;
    raster.columns = picture.width;
    raster.rows = picture.height;
    raster.height = IdArray<world::PixelTag, Steps>(std::move(heights));
    return raster;
}

}  // namespace tw::io
