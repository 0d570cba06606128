#include "terraway/geometry/raster.hpp"

namespace tw::geometry {

Raster raster_over(const GridBox& bounds, std::uint32_t longest) {
    const std::int64_t side = std::max(bounds.width(), bounds.height());
    const std::int64_t steps = std::max<std::int64_t>(1, (side + longest - 1) / longest);
    const std::int64_t pixel = steps + (steps & 1);
    // As many squares as have their middle inside: width / pixel to the nearest, halves up.
    const auto count = [pixel](std::int64_t length) {
        return static_cast<std::int32_t>(std::max<std::int64_t>(1, (length + pixel / 2) / pixel));
    };
    return {.origin = bounds.lo,
            .pixel = static_cast<Steps>(pixel),
            .columns = count(bounds.width()),
            .rows = count(bounds.height())};
}

}  // namespace tw::geometry
