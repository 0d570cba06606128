#pragma once
// Where the world lies: its rectangle on the grid, and how coordinates of imports come to it.

#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/math/vec.hpp"
#include "terraway/world/imported.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace tw::world {

/// How a source comes into a world of a wanted size.
enum class Fit : std::uint8_t {
    contain,     ///< scaled evenly until all of it fits; the edge of a raster goes on around it
    crop,        ///< scaled evenly until it covers the world; what lies outside is cut away
    true_scale,  ///< a metre stays a metre, middle on middle; what does not fit is refused. A
                 ///< raster without a place has no metres: it covers the world
};

struct PlacementOptions {
    /// [m] width, height of the world. None: what the sources cover (roads with a margin of 50 m).
    std::optional<std::array<double, 2>> size = std::nullopt;
    /// [m or degrees] x, y of the source that comes to the middle of the world; ±10⁸. None: the
    /// middle of what the source covers. A source without a place has no such position.
    std::optional<std::array<double, 2>> origin = std::nullopt;
    Fit fit = Fit::true_scale;
    double metres_per_pixel =
        30.0;  ///< [m] of a raster that does not know its place, when `size` is none; 0.1 … 10,000

    static constexpr auto fields() {
        return std::tuple{Field{"size", &PlacementOptions::size},
                          Field{"origin", &PlacementOptions::origin},
                          Field{"fit", &PlacementOptions::fit},
                          Field{"metres_per_pixel", &PlacementOptions::metres_per_pixel}};
    }
};

/// Affine after an equirectangular projection at true scale on the source's middle latitude (WGS 84
/// radii of curvature there); planar sources are only moved and scaled.
struct Placement {
    GridBox bounds;  ///< of the world, its middle at (0, 0) within a step
    Frame frame = Frame::planar;
    double middle_x = 0.0, middle_y = 0.0;  ///< [m or degrees] source position that comes to (0, 0)
    double scale_x = 1.0, scale_y = 1.0;    ///< [m of the world per m or degree of the source]
    Fit picture_fit = Fit::crop;  ///< contain or crop: of a raster without a place, in `bounds`

    static constexpr auto fields() {
        return std::tuple{
            Field{"bounds", &Placement::bounds},          Field{"frame", &Placement::frame},
            Field{"middle_x", &Placement::middle_x},      Field{"middle_y", &Placement::middle_y},
            Field{"scale_x", &Placement::scale_x},        Field{"scale_y", &Placement::scale_y},
            Field{"picture_fit", &Placement::picture_fit}};
    }
};

/// Either import may be null. With both, heights give the extent and both must have one frame
/// (a raster without a place takes the extent of the roads).
/// Errors: invalid_option (a size under 100 m … over the grid, 1,048,576 m; an origin out of
/// range), invalid_input (frames differ; latitude over 85°; true_scale and the source does not fit
/// the world, naming both sizes).
Result<Placement> place_world(const PlacementOptions&, const ImportedHeights*,
                              const ImportedLines*);

/// The lines on the grid, rounded once; lines cut at the world's rectangle when `fit` was crop
/// (parts get labels "w12:1"). Lines with an equal node still share it; an inner node that nothing
/// shares is dropped. What is one-way against its line is turned round: oneway is no or along.
Result<RoadLines> project_lines(const ImportedLines&, const Placement&);

/// Source coordinates [m or degrees] of a grid point, for sampling rasters.
Vec2d to_source(const Placement&, GridPoint);

}  // namespace tw::world
