#pragma once
// The height raster in 16 bits, as a picture and raw.

#include "terraway/core/result.hpp"
#include "terraway/io/files.hpp"
#include "terraway/world/ground.hpp"

#include <cstdint>
#include <vector>

namespace tw::io {

/// height = low + value · unit. Both are multiples of the unit, so the sea (0) is met exactly, and
/// rounding keeps the order: what did not rise does not rise.
struct QuantisedHeights {
    Steps low = 0, unit = 1;  ///< [steps]
    std::int32_t columns = 0, rows = 0;
    std::vector<std::uint16_t> value;  ///< row by row from the north

    double min_metres() const { return to_metres(low); }
    /// Of the value 65535, so that height = min + value / 65535 · (max − min).
    double max_metres() const { return to_metres(std::int64_t{low} + 65535 * std::int64_t{unit}); }
};

QuantisedHeights quantise(const world::HeightRaster& raster);
Bytes to_raw(const QuantisedHeights& heights);
Result<Bytes> to_png(const QuantisedHeights& heights);

}  // namespace tw::io
