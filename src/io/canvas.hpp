#pragma once
// A page that is drawn on with cairo and becomes a PNG or an SVG.

#include "terraway/core/result.hpp"
#include "terraway/io/files.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/math/vec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <cairo.h>

namespace tw::io {

enum class PictureFormat : std::uint8_t { png, svg };

/// A colour 0xRRGGBB.
using Rgb = std::uint32_t;
/// From `a` at 0 to `b` at 1.
Rgb mix(Rgb a, Rgb b, double t);
/// Through evenly spaced colours, t in 0 … 1.
Rgb ramp(std::span<const Rgb> stops, double t);

/// Where the plan lies on the page.
struct View {
    GridPoint origin;                 ///< south-west corner
    double scale = 1.0;               ///< [pixels per step]
    double left = 0.0, bottom = 0.0;  ///< [pixels] of `origin` on the page
    Vec2d at(GridPoint p) const {
        return {left + (static_cast<double>(p.x) - origin.x) * scale,
                bottom - (static_cast<double>(p.y) - origin.y) * scale};
    }
};

/// Pixels to paint, rows from the top.
struct Image {
    std::int32_t width = 0, height = 0;
    std::vector<std::uint32_t> argb;  ///< premultiplied by alpha
};

class Canvas {
public:
    Canvas(PictureFormat format, int width, int height);
    PictureFormat format() const { return format_; }
    int width() const { return width_; }
    int height() const { return height_; }
    /// Error too_large when cairo ran out of memory or patience on the way.
    Result<Bytes> finish();

    void set_colour(Rgb rgb, double alpha = 1.0);
    void fill_page();
    /// Adds to the path.
    void trace(const View& view, std::span<const GridPoint> points);
    void trace_closed(const View& view, std::span<const GridPoint> points);
    /// A smooth curve through the middles of the line's segments, or the pieces of it that bend at
    /// the points from `begin` to before `end` (1 … size − 2 are bends).
    void trace_smooth(std::span<const Vec2d> points, std::size_t begin = 1,
                      std::size_t end = SIZE_MAX);
    void rectangle(double x, double y, double width, double height);
    void rounded_rectangle(double x, double y, double width, double height, double radius);
    void dot(Vec2d at, double radius);
    /// Fill or stroke the path and begin a new one.
    void fill();
    void stroke(double width);
    void dashes(std::span<const double> pattern);
    /// Corner to corner; smooth or with its pixels as squares.
    enum class Scaling : std::uint8_t { smooth, squares };
    void paint(const Image& image, double x, double y, double width, double height,
               Scaling scaling);
    struct TextStyle {
        double size = 12.0;
        bool bold = false, serif = false;
        double align = 0.0;  ///< 0 left, 1 right
    };
    void text(std::string_view text, double x, double y, const TextStyle& style);

private:
    struct DropSurface {
        void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    };
    struct DropContext {
        void operator()(cairo_t* context) const { cairo_destroy(context); }
    };
    PictureFormat format_;
    int width_, height_;
    std::unique_ptr<Bytes> stream_;  ///< of an SVG; outlives the surface
    std::unique_ptr<cairo_surface_t, DropSurface> surface_;
    std::unique_ptr<cairo_t, DropContext> context_;
};

}  // namespace tw::io
