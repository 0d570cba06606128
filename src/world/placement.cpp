#include "terraway/world/placement.hpp"

#include "terraway/core/option_range.hpp"

#include "geodesy.hpp"

#include <algorithm>
#include <span>

namespace tw::world {
namespace {

constexpr std::string_view kStage = "placement";
constexpr double kMargin = 50.0;           ///< [m] round roads that have no world of a wanted size
constexpr double kLeastSize = 100.0;       ///< [m]
constexpr double kGreatestSize = 1048576;  ///< [m] of the grid
constexpr double kUnitsPerDegree = 1e7;    ///< of Frame::geographic

double units_per(Frame frame) {
    return frame == Frame::geographic ? kUnitsPerDegree : double{kStepsPerMetre};
}

/// What a source covers, in metres or degrees of its frame.
struct Extent {
    double middle_x = 0.0, middle_y = 0.0;
    double width = 0.0, height = 0.0;
};

struct Interval {
    std::int64_t lo = 0, hi = 0;
    /// A whole unit, so that moving a planar source by steps moves nothing else.
    std::int64_t middle() const { return lo + (hi - lo) / 2; }
};

Interval range_of(std::span<const std::int64_t> values) {
    const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
    return {*lo, *hi};
}

Extent extent_of(const ImportedLines& lines) {
    if (lines.x.empty()) return {};
    const Interval x = range_of(lines.x.span()), y = range_of(lines.y.span());
    const double unit = units_per(lines.frame);
    return {.middle_x = static_cast<double>(x.middle()) / unit,
            .middle_y = static_cast<double>(y.middle()) / unit,
            .width = static_cast<double>(x.hi - x.lo) / unit,
            .height = static_cast<double>(y.hi - y.lo) / unit};
}

Extent extent_of(const ImportedHeights& heights, double pixel) {
    const double width = heights.columns * pixel, height = heights.rows * pixel;
    return {.middle_x = heights.west + width / 2,
            .middle_y = heights.south + height / 2,
            .width = width,
            .height = height};
}

std::string metres_text(double width, double height) {
    const auto whole = [](double m) { return std::to_string(static_cast<std::int64_t>(m + 0.5)); };
    return whole(width) + " × " + whole(height) + " m";
}

Error bad_option(std::string subject, std::string message) {
    return {ErrorCode::invalid_option, std::string(kStage), std::move(subject), std::move(message)};
}
Error bad_input(std::string subject, std::string message) {
    return {ErrorCode::invalid_input, std::string(kStage), std::move(subject), std::move(message)};
}

Status check_options(const PlacementOptions& options) {
    if (options.size) {
        for (const double side : *options.size) {
            TW_TRY(require_range(kStage, "size", side, kLeastSize, kGreatestSize));
        }
    }
    return require_range(kStage, "metres_per_pixel", options.metres_per_pixel, 0.1, 10'000.0);
}

/// The scale that `fit` asks for; `source` in metres.
Result<double> fit_scale(const PlacementOptions& options, Vec2d source) {
    const auto [width, height] = *options.size;
    const double across = source.x > 0 ? width / source.x : 0.0;
    const double up = source.y > 0 ? height / source.y : 0.0;
    if (options.fit == Fit::true_scale) {
        if (source.x > width || source.y > height) {
            return bad_input("size", "the source covers " + metres_text(source.x, source.y) +
                                         " and the world is " + metres_text(width, height) +
                                         "; enlarge it, or use fit contain or crop");
        }
        return 1.0;
    }
    if (across == 0.0 && up == 0.0) return 1.0;
    if (across == 0.0 || up == 0.0) return std::max(across, up);
    return options.fit == Fit::contain ? std::min(across, up) : std::max(across, up);
}

GridBox centred_box(double width, double height) {
    const std::int64_t w = static_cast<std::int64_t>(width * kStepsPerMetre + 0.5);
    const std::int64_t h = static_cast<std::int64_t>(height * kStepsPerMetre + 0.5);
    const GridPoint lo{static_cast<std::int32_t>(-(w / 2)), static_cast<std::int32_t>(-(h / 2))};
    return {lo, {static_cast<std::int32_t>(lo.x + w), static_cast<std::int32_t>(lo.y + h)}};
}

}  // namespace

Result<Placement> place_world(const PlacementOptions& options, const ImportedHeights* heights,
                              const ImportedLines* lines) {
    TW_TRY(check_options(options));
    const bool raster_has_place = heights && heights->has_place != 0;
    if (raster_has_place && lines && heights->frame != lines->frame) {
        return bad_input("roads",
                         "heights and roads are in different frames (one in metres, one in "
                         "degrees); convert one of them");
    }
    Placement placement;
    Extent extent;
    double margin = 0.0;
    Fit fit = options.fit;
    if (raster_has_place) {
        placement.frame = heights->frame;
        extent = extent_of(*heights, heights->pixel);
    } else if (lines) {
        placement.frame = lines->frame;
        extent = extent_of(*lines);
        margin = kMargin;
    } else if (heights) {
        extent = extent_of(*heights, options.metres_per_pixel);
        // A picture has no true scale; with a wanted size it covers the world.
        if (options.size && fit == Fit::true_scale) fit = Fit::crop;
    } else if (options.size) {
        extent = {.width = (*options.size)[0], .height = (*options.size)[1]};
    } else {
        return bad_option("size", "neither a size nor a source is given; give one");
    }

    Vec2d unit{1.0, 1.0};
    if (placement.frame == Frame::geographic) {
        const double reach = extent.height / 2;
        if (extent.middle_y + reach > 85.0 || extent.middle_y - reach < -85.0) {
            return bad_input("latitude",
                             "the source comes nearer to a pole than 85°; cut it there");
        }
        unit = metres_per_degree(extent.middle_y);
    }
    const Vec2d source{extent.width * unit.x, extent.height * unit.y};
    double scale = 1.0;
    Vec2d size = source + Vec2d{2 * margin, 2 * margin};
    if (options.size) {
        PlacementOptions asked = options;
        asked.fit = fit;
        TW_ASSIGN(scale, fit_scale(asked, source));
        size = {(*options.size)[0], (*options.size)[1]};
    }
    size = {std::max(size.x, kLeastSize), std::max(size.y, kLeastSize)};
    if (size.x > kGreatestSize || size.y > kGreatestSize) {
        return bad_input("size", "the source covers " + metres_text(source.x, source.y) +
                                     ", the grid 1048576 m; give a size and fit contain or crop");
    }
    placement.bounds = centred_box(size.x, size.y);
    placement.middle_x = extent.middle_x;
    placement.middle_y = extent.middle_y;
    placement.scale_x = unit.x * scale;
    placement.scale_y = unit.y * scale;
    return placement;
}

Vec2d to_source(const Placement& placement, GridPoint point) {
    return {placement.middle_x + to_metres(point.x) / placement.scale_x,
            placement.middle_y + to_metres(point.y) / placement.scale_y};
}

}  // namespace tw::world
