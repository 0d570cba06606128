#include "terraway/math/vec.hpp"

#include "relief_source.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "relief";
constexpr double kMaxElevation = 32'000.0;  ///< [m] after scaling

Error bad_raster(std::string message) {
    return {.code = ErrorCode::invalid_input,
            .stage = std::string(kStage),
            .subject = "heights",
            .message = std::move(message)};
}

/// Gives voids the value of the nearest pixel that has one, counted in moves across pixels' sides;
/// of several as near, the one that is first in row order along the way.
void fill_voids(std::vector<Steps>& height, std::int32_t columns) {
    std::vector<std::size_t> front, next;
    for (std::size_t i = 0; i < height.size(); ++i) {
        if (height[i] != ImportedHeights::kVoid) front.push_back(i);
    }
    if (front.size() == height.size()) return;
    const auto width = static_cast<std::size_t>(columns);
    while (!front.empty()) {
        next.clear();
        for (const std::size_t i : front) {
            const auto pour = [&](std::size_t to) {
                if (height[to] != ImportedHeights::kVoid) return;
                height[to] = height[i];
                next.push_back(to);
            };
            if (i >= width) pour(i - width);
            if (i % width > 0) pour(i - 1);
            if (i % width + 1 < width) pour(i + 1);
            if (i + width < height.size()) pour(i + width);
        }
        front.swap(next);
    }
}

/// Where the raster lies: in its own frame, or in that of the world if it does not know its place.
struct Place {
    double west, north;  ///< [m or degrees]
    double pixel;        ///< [m or degrees]
};

Vec2d in_metres(GridPoint point) {
    return {to_metres(point.x), to_metres(point.y)};
}
/// The point in the frame of the raster's place.
Vec2d located(const ImportedHeights& heights, const Placement& placement, GridPoint point) {
    return heights.has_place ? to_source(placement, point) : in_metres(point);
}

/// A raster without a place lies on the world middle on middle, and just covers it or fits into it.
Place place_of(const ImportedHeights& heights, const Placement& placement) {
    if (heights.has_place) {
        return {heights.west, heights.south + heights.rows * heights.pixel, heights.pixel};
    }
    const Vec2d low = in_metres(placement.bounds.lo), high = in_metres(placement.bounds.hi);
    const double across = (high.x - low.x) / heights.columns;
    const double up = (high.y - low.y) / heights.rows;
    const double pixel =
        placement.picture_fit == Fit::contain ? std::min(across, up) : std::max(across, up);
    return {(low.x + high.x - heights.columns * pixel) / 2,
            (low.y + high.y + heights.rows * pixel) / 2, pixel};
}

/// A pixel and the share of the one after it.
struct Between {
    std::int32_t index;
    double share;
};
/// `at` in pixels from the raster's edge; outside, the outermost pixels go on.
Between between(double at, std::int32_t count) {
    const double inside = std::clamp(at - 0.5, 0.0, static_cast<double>(count - 1));
    const auto index = std::min(static_cast<std::int32_t>(inside), std::max(count - 2, 0));
    return {index, inside - index};
}

double bilinear(const std::vector<Steps>& height, const ImportedHeights& raster, double column,
                double row) {
    const Between x = between(column, raster.columns), y = between(row, raster.rows);
    const auto at = [&](std::int32_t dx, std::int32_t dy) {
        const std::int32_t c = std::min(x.index + dx, raster.columns - 1);
        const std::int32_t r = std::min(y.index + dy, raster.rows - 1);
        return static_cast<double>(
            height[static_cast<std::size_t>(r) * static_cast<std::size_t>(raster.columns) +
                   static_cast<std::size_t>(c)]);
    };
    const double top = at(0, 0) + (at(1, 0) - at(0, 0)) * x.share;
    const double bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * x.share;
    return top + (bottom - top) * y.share;
}

bool meets_world(const Place& place, const ImportedHeights& heights, const Placement& placement) {
    const Vec2d low = located(heights, placement, placement.bounds.lo);
    const Vec2d high = located(heights, placement, placement.bounds.hi);
    return place.west < high.x && place.west + heights.columns * place.pixel > low.x &&
           place.north > low.y && place.north - heights.rows * place.pixel < high.y;
}

}  // namespace

Result<std::vector<Steps>> raster_relief(const PolygonMap& map, const ReliefOptions& options,
                                         const ImportedHeights& heights, const Placement& placement,
                                         StageContext& context) {
    TW_TRY(validate(heights));
    TW_TRY(require_memory(context, kStage, heights.height.size() * 3 * sizeof(Steps)));
    const Place place = place_of(heights, placement);
    if (!meets_world(place, heights, placement)) {
        return bad_raster("the raster covers nothing of the world; check its place");
    }
    std::vector<Steps> filled = heights.height.values();
    fill_voids(filled, heights.columns);
    if (filled.front() == ImportedHeights::kVoid) {
        return bad_raster("the raster has no data, only voids; give another");
    }
    const auto [low, high] = std::minmax_element(filled.begin(), filled.end());
    const double sea = options.sea_level * kStepsPerMetre, scale = options.vertical_scale;
    if ((*high - sea) * scale > kMaxElevation * kStepsPerMetre ||
        (*low - sea) * scale < -kMaxElevation * kStepsPerMetre) {
        return bad_raster("heights pass 32 km after vertical_scale; choose a smaller scale");
    }
    std::vector<Steps> elevation(map.cell_count());
    parallel_for(*context.executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         const Vec2d at = located(heights, placement, map.site[cell]);
                         const double ground =
                             bilinear(filled, heights, (at.x - place.west) / place.pixel,
                                      (place.north - at.y) / place.pixel);
                         elevation[cell.index()] =
                             static_cast<Steps>(std::floor((ground - sea) * scale + 0.5));
                     }
                 });
    return elevation;
}

}  // namespace tw::terrain
