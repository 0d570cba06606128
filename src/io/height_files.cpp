#include "height_files.hpp"

#include "png.hpp"

#include <algorithm>
#include <cstring>

namespace tw::io {

QuantisedHeights quantise(const world::HeightRaster& raster) {
    constexpr std::int64_t kValues = 65534;  // one is left for aligning the lowest to the unit
    QuantisedHeights out;
    out.columns = raster.columns;
    out.rows = raster.rows;
    const auto heights = raster.height.span();
    if (heights.empty()) return out;
    const auto [low, high] = std::ranges::minmax(heights);
    const std::int64_t range = std::int64_t{high} - low;
    const std::int64_t unit = std::max<std::int64_t>(1, (range + kValues - 1) / kValues);
    const std::int64_t below = low >= 0 ? low / unit : -((unit - 1 - low) / unit);
    out.unit = static_cast<Steps>(unit);
    out.low = static_cast<Steps>(below * unit);
    out.value.reserve(heights.size());
    for (const Steps height : heights) {
        out.value.push_back(
            static_cast<std::uint16_t>((std::int64_t{height} - out.low + unit / 2) / unit));
    }
    return out;
}

Bytes to_raw(const QuantisedHeights& heights) {
    Bytes bytes(heights.value.size() * sizeof(std::uint16_t));
    std::memcpy(bytes.data(), heights.value.data(), bytes.size());
    return bytes;
}

Result<Bytes> to_png(const QuantisedHeights& heights) {
    return encode_png({.width = heights.columns,
                       .height = heights.rows,
                       .colour = PngColour::grey,
                       .bits = 16,
                       .data = to_raw(heights)},
                      PngContent::smooth);
}

}  // namespace tw::io
