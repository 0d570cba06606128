#pragma once

#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/surface.hpp"

#include <cstdint>
#include <span>
#include <tuple>

namespace tw::ground {

struct RasterOptions {
    std::uint32_t longest = 1024;  ///< pixels along the longer side, 16 … 16,384

    static constexpr auto fields() { return std::tuple{Field{"longest", &RasterOptions::longest}}; }
};

/// The canonical surface at pixel centres, rivers carved to the fixed point where along every
/// reach, in the order in which its line enters pixels (Amanatides & Woo 1987), heights never rise.
/// Errors: invalid_option, too_large, cancelled. Cost: O(pixels).
Result<world::HeightRaster> build_height_raster(const world::CanonicalSurface&,
                                                const RasterOptions&, StageContext&);

/// The second form, for cells any of whose triangles differs. Rivers are carved anew along all
/// reaches (no smaller update yet). Cost: O(pixels of those cells, and of all in reading).
void update_height_raster(const world::CanonicalSurface&, std::span<const world::CellId> cells,
                          world::HeightRaster&);

}  // namespace tw::ground
