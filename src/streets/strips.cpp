#include "strips.hpp"

#include <algorithm>
#include <array>

namespace tw::streets {
namespace {

constexpr double kMitreLimit = 1.0;  ///< a bend of a right angle
constexpr Stretch kNothing{1.0, 0.0};

/// A convex polygon of a rectangle cut by two half-planes.
struct SmallPolygon {
    std::array<Vec2d, 8> p;
    std::size_t n = 0;
};

/// Keeps where sign · y <= limit (Sutherland & Hodgman 1974).
SmallPolygon cut(const SmallPolygon& polygon, double sign, double limit) {
    SmallPolygon out;
    for (std::size_t i = 0; i < polygon.n; ++i) {
        const Vec2d a = polygon.p[i], b = polygon.p[i + 1 == polygon.n ? 0 : i + 1];
        const double da = sign * a.y - limit, db = sign * b.y - limit;
        if (da <= 0) out.p[out.n++] = a;
        if ((da < 0 && db > 0) || (da > 0 && db < 0))
            out.p[out.n++] = a + (b - a) * (da / (da - db));
    }
    return out;
}

}  // namespace

void append_strip(std::span<const Vec2d> line, double half_width, std::uint32_t owner,
                  std::vector<StripBox>& out) {
    double along = 0.0;
    const std::size_t first = out.size();
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const Vec2d d = line[i + 1] - line[i];
        const double l = length(d);
        if (l == 0.0) continue;
        StripBox box{.start = line[i],
                     .direction = d / l,
                     .length = l,
                     .half_width = half_width,
                     .along = along,
                     .owner = owner};
        if (out.size() > first) {
            StripBox& previous = out.back();
            box.before = previous.after =
                half_width * half_tangent(previous.direction, box.direction, kMitreLimit);
        }
        out.push_back(box);
        along += l;
    }
}

Stretch covered(const StripBox& a, const StripBox& b, double margin) {
    const Vec2d between = b.middle() - a.middle();
    const double reach = a.radius() + b.radius() + margin;
    if (dot(between, between) > reach * reach) return kNothing;
    // b's corners in a's frame.
    const auto local = [&](double along, double across) {
        const Vec2d p = b.start + b.direction * along + left_of(b.direction) * across - a.start;
        return Vec2d{dot(p, a.direction), cross(a.direction, p)};
    };
    const double side = b.half_width + margin;
    SmallPolygon polygon;
    polygon.n = 4;
    polygon.p[0] = local(-b.before, -side);
    polygon.p[1] = local(b.length + b.after, -side);
    polygon.p[2] = local(b.length + b.after, side);
    polygon.p[3] = local(-b.before, side);
    polygon = cut(cut(polygon, 1.0, a.half_width), -1.0, a.half_width);
    if (polygon.n == 0) return kNothing;
    double begin = polygon.p[0].x, end = begin;
    for (std::size_t i = 1; i < polygon.n; ++i) {
        begin = std::min(begin, polygon.p[i].x);
        end = std::max(end, polygon.p[i].x);
    }
    begin = std::max(begin, -a.before);
    end = std::min(end, a.length + a.after);
    if (begin > end) return kNothing;
    return {a.along + begin, a.along + end};
}

}  // namespace tw::streets
