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
constexpr double kFarthestOrigin = 1e8;    ///< [m or degrees]

double units_per(Frame frame) {
    return frame == Frame::geographic ? kUnitsPerDegree : double{kStepsPerMetre};
}

/// What a source covers along one axis, in metres or degrees of its frame.
struct Range {
    double lo = 0.0, hi = 0.0;
    double middle = 0.0, length = 0.0;
    /// Enlarged until `origin` is its middle.
    Range around(double origin) const {
        const double half = std::max(origin - lo, hi - origin);
        return {origin - half, origin + half, origin, 2 * half};
    }
};
struct Extent {
    Range x, y;
};

Range range_of(std::span<const std::int64_t> values, double units) {
    const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
    // A whole unit, so that moving a planar source by steps moves nothing else.
    const std::int64_t middle = *lo + (*hi - *lo) / 2;
    return {static_cast<double>(*lo) / units, static_cast<double>(*hi) / units,
            static_cast<double>(middle) / units, static_cast<double>(*hi - *lo) / units};
}

Extent extent_of(const ImportedLines& lines) {
    if (lines.x.empty()) return {};
    const double units = units_per(lines.frame);
    return {range_of(lines.x.span(), units), range_of(lines.y.span(), units)};
}

Extent extent_of(const ImportedHeights& heights, double pixel) {
    const auto range = [pixel](double lo, std::int32_t count) {
        const double length = count * pixel;
        return Range{lo, lo + length, lo + length / 2, length};
    };
    return {range(heights.west, heights.columns), range(heights.south, heights.rows)};
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
    if (options.origin) {
        for (const double at : *options.origin) {
            TW_TRY(require_range(kStage, "origin", at, -kFarthestOrigin, kFarthestOrigin));
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
        // The middle of a world of an odd number of steps is half a step off.
        constexpr double kStep = to_metres(1);
        if (source.x > width + kStep || source.y > height + kStep) {
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
        if (options.size && fit == Fit::true_scale) fit = Fit::crop;
    } else if (options.size) {
        extent.x.length = (*options.size)[0];
        extent.y.length = (*options.size)[1];
    } else {
        return bad_option("size", "neither a size nor a source is given; give one");
    }
    if (options.origin && (raster_has_place || lines)) {
        const auto [x, y] = *options.origin;
        extent = {extent.x.around(x), extent.y.around(y)};
    }

    Vec2d unit{1.0, 1.0};
    if (placement.frame == Frame::geographic) {
        const double reach = extent.y.length / 2;
        if (extent.y.middle + reach > 85.0 || extent.y.middle - reach < -85.0) {
            return bad_input("latitude",
                             "the source comes nearer to a pole than 85°; cut it there");
        }
        unit = metres_per_degree(extent.y.middle);
    }
    const Vec2d source{extent.x.length * unit.x, extent.y.length * unit.y};
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
    placement.middle_x = extent.x.middle;
    placement.middle_y = extent.y.middle;
    placement.scale_x = unit.x * scale;
    placement.scale_y = unit.y * scale;
    placement.picture_fit = fit == Fit::contain ? Fit::contain : Fit::crop;
    return placement;
}

Vec2d to_source(const Placement& placement, GridPoint point) {
    return {placement.middle_x + to_metres(point.x) / placement.scale_x,
            placement.middle_y + to_metres(point.y) / placement.scale_y};
}

}  // namespace tw::world
