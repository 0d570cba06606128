#include "canvas.hpp"

#include "png.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include <cairo-svg.h>

namespace tw::io {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) {
    auto* bytes = static_cast<Bytes*>(closure);
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    bytes->insert(bytes->end(), begin, begin + length);
    return CAIRO_STATUS_SUCCESS;
}

Error picture_error(const char* why) {
    return Error{.code = ErrorCode::too_large,
                 .stage = "picture",
                 .subject = {},
                 .message = std::string("cannot be drawn (") + why + "); ask for a smaller one"};
}

/// The pixels of an image surface without alpha.
Result<Bytes> png_of(cairo_surface_t* surface, int width, int height) {
    cairo_surface_flush(surface);
    const unsigned char* data = cairo_image_surface_get_data(surface);
    if (!data) return picture_error("no memory");
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
    PngPicture picture{
        .width = width, .height = height, .colour = PngColour::rgb, .bits = 8, .data = {}};
    picture.data.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    std::byte* out = picture.data.data();
    for (int y = 0; y < height; ++y) {
        const unsigned char* row = data + static_cast<std::size_t>(y) * stride;
        for (int x = 0; x < width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, row + 4 * static_cast<std::size_t>(x), sizeof pixel);
            *out++ = static_cast<std::byte>(pixel >> 16 & 255);
            *out++ = static_cast<std::byte>(pixel >> 8 & 255);
            *out++ = static_cast<std::byte>(pixel & 255);
        }
    }
    return encode_png(picture, PngContent::smooth);
}

/// The same image as a PNG, for SVG files, which carry it as it is. Undoes premultiplication.
Result<Bytes> png_of(const Image& image) {
    PngPicture picture{.width = image.width,
                       .height = image.height,
                       .colour = PngColour::rgba,
                       .bits = 8,
                       .data = {}};
    picture.data.reserve(image.argb.size() * 4);
    for (const std::uint32_t pixel : image.argb) {
        const std::uint32_t alpha = pixel >> 24;
        const auto plain = [&](std::uint32_t c) {
            return static_cast<std::byte>(alpha == 0 ? 0u
                                                     : std::min(255u, (c & 255u) * 255u / alpha));
        };
        picture.data.push_back(plain(pixel >> 16));
        picture.data.push_back(plain(pixel >> 8));
        picture.data.push_back(plain(pixel));
        picture.data.push_back(static_cast<std::byte>(alpha));
    }
    return encode_png(picture, PngContent::smooth);
}

/// Lets an SVG carry the image as our PNG. The bytes are cairo's from here on: it writes them when
/// the page is finished.
void carry_png(cairo_surface_t* surface, const Image& image) {
    auto png = png_of(image);
    if (!png) return;  // cairo packs the pixels itself
    auto bytes = std::make_unique<Bytes>(std::move(png).value());
    const auto* data = reinterpret_cast<const unsigned char*>(bytes->data());
    const auto drop = [](void* owned) { delete static_cast<Bytes*>(owned); };
    const std::size_t size = bytes->size();
    Bytes* owned = bytes.release();
    if (cairo_surface_set_mime_data(surface, CAIRO_MIME_TYPE_PNG, data, size, drop, owned) !=
        CAIRO_STATUS_SUCCESS) {
        drop(owned);
    }
}

}  // namespace

Rgb mix(Rgb a, Rgb b, double t) {
    t = std::clamp(t, 0.0, 1.0);
    Rgb out = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double from = a >> shift & 255u, to = b >> shift & 255u;
        out |= static_cast<Rgb>(from + (to - from) * t + 0.5) << shift;
    }
    return out;
}

Rgb ramp(std::span<const Rgb> stops, double t) {
    const double at = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mix(stops[i], stops[i + 1], at - static_cast<double>(i));
}

Canvas::Canvas(PictureFormat format, int width, int height)
    : format_(format), width_(width), height_(height), stream_(std::make_unique<Bytes>()) {
    surface_.reset(format == PictureFormat::png
                       ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)
                       : cairo_svg_surface_create_for_stream(append, stream_.get(), width, height));
    context_.reset(cairo_create(surface_.get()));
    cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
    cairo_set_fill_rule(context_.get(), CAIRO_FILL_RULE_EVEN_ODD);
}

Result<Bytes> Canvas::finish() {
    const cairo_status_t status = cairo_status(context_.get());
    if (status != CAIRO_STATUS_SUCCESS) return picture_error(cairo_status_to_string(status));
    if (format_ == PictureFormat::png) return png_of(surface_.get(), width_, height_);
    context_.reset();
    cairo_surface_finish(surface_.get());
    const cairo_status_t finished = cairo_surface_status(surface_.get());
    if (finished != CAIRO_STATUS_SUCCESS) return picture_error(cairo_status_to_string(finished));
    return std::move(*stream_);
}

void Canvas::set_colour(Rgb rgb, double alpha) {
    cairo_set_source_rgba(context_.get(), (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                          (rgb & 255) / 255.0, alpha);
}

void Canvas::fill_page() {
    cairo_paint(context_.get());
}

void Canvas::trace(const View& view, std::span<const GridPoint> points) {
    if (points.empty()) return;
    const Vec2d first = view.at(points.front());
    cairo_move_to(context_.get(), first.x, first.y);
    for (const GridPoint point : points.subspan(1)) {
        const Vec2d at = view.at(point);
        cairo_line_to(context_.get(), at.x, at.y);
    }
}

void Canvas::trace_closed(const View& view, std::span<const GridPoint> points) {
    trace(view, points);
    cairo_close_path(context_.get());
}

void Canvas::trace_smooth(std::span<const Vec2d> points, std::size_t begin, std::size_t end) {
    if (points.size() < 2) return;
    cairo_t* cr = context_.get();
    const auto bend_begin = [&](std::size_t i) {
        return i == 1 ? points[0] : (points[i - 1] + points[i]) * 0.5;
    };
    const Vec2d first = bend_begin(begin);
    cairo_move_to(cr, first.x, first.y);
    for (std::size_t i = begin; i < end && i + 1 < points.size(); ++i) {
        // A quadratic curve with this point as control, raised to the cubic that cairo has.
        const Vec2d from = bend_begin(i);
        const Vec2d to = i + 2 == points.size() ? points[i + 1] : (points[i] + points[i + 1]) * 0.5;
        const Vec2d a = from + (points[i] - from) * (2.0 / 3.0),
                    b = to + (points[i] - to) * (2.0 / 3.0);
        cairo_curve_to(cr, a.x, a.y, b.x, b.y, to.x, to.y);
    }
    if (points.size() == 2) cairo_line_to(cr, points[1].x, points[1].y);
}

void Canvas::rectangle(double x, double y, double width, double height) {
    cairo_rectangle(context_.get(), x, y, width, height);
}

void Canvas::rounded_rectangle(double x, double y, double width, double height, double radius) {
    cairo_t* cr = context_.get();
    cairo_new_sub_path(cr);
    cairo_arc(cr, x + width - radius, y + radius, radius, -kTurn / 4, 0);
    cairo_arc(cr, x + width - radius, y + height - radius, radius, 0, kTurn / 4);
    cairo_arc(cr, x + radius, y + height - radius, radius, kTurn / 4, kTurn / 2);
    cairo_arc(cr, x + radius, y + radius, radius, kTurn / 2, kTurn * 3 / 4);
    cairo_close_path(cr);
}

void Canvas::dot(Vec2d at, double radius) {
    cairo_new_sub_path(context_.get());
    cairo_arc(context_.get(), at.x, at.y, radius, 0, kTurn);
}

void Canvas::fill() {
    cairo_fill(context_.get());
}

void Canvas::stroke(double width) {
    cairo_set_line_width(context_.get(), width);
    cairo_stroke(context_.get());
}

void Canvas::dashes(std::span<const double> pattern) {
    cairo_set_dash(context_.get(), pattern.data(), static_cast<int>(pattern.size()), 0);
}

void Canvas::paint(const Image& image, double x, double y, double width, double height,
                   Scaling scaling) {
    const std::unique_ptr<cairo_surface_t, DropSurface> pixels(
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height));
    unsigned char* data = cairo_image_surface_get_data(pixels.get());
    if (!data) return;  // the surface's error shows in finish()
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(pixels.get()));
    const auto columns = static_cast<std::size_t>(image.width);
    for (std::size_t row = 0; row < static_cast<std::size_t>(image.height); ++row) {
        std::memcpy(data + row * stride, image.argb.data() + row * columns, columns * 4);
    }
    cairo_surface_mark_dirty(pixels.get());
    if (format_ == PictureFormat::svg) carry_png(pixels.get(), image);
    cairo_t* cr = context_.get();
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_scale(cr, width / image.width, height / image.height);
    cairo_set_source_surface(cr, pixels.get(), 0, 0);
    const bool same = std::abs(width - image.width) < 0.5 && std::abs(height - image.height) < 0.5;
    cairo_pattern_set_filter(cairo_get_source(cr), scaling == Scaling::squares || same
                                                       ? CAIRO_FILTER_NEAREST
                                                       : CAIRO_FILTER_BILINEAR);
    cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
    cairo_rectangle(cr, 0, 0, image.width, image.height);
    cairo_fill(cr);
    cairo_restore(cr);
}

void Canvas::text(std::string_view text, double x, double y, const TextStyle& style) {
    cairo_t* cr = context_.get();
    const std::string owned(text);
    cairo_select_font_face(cr, style.serif ? "serif" : "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, style.size);
    cairo_text_extents_t extents;
    cairo_text_extents(cr, owned.c_str(), &extents);
    cairo_move_to(cr, x - style.align * extents.x_advance, y);
    cairo_show_text(cr, owned.c_str());
    cairo_new_path(cr);
}

}  // namespace tw::io
