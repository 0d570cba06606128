#include "terraway/geometry/arc.hpp"

#include "terraway/math/functions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tw::geometry {

std::uint32_t chord_count(double radius, double sweep, double tolerance) {
    assert(radius >= 0.0 && tolerance > 0.0);
    // A chord over the angle a lies r (1 − cos(a / 2)) inside its arc; from half a turn on any
    // does.
    const double left = 1.0 - tolerance / radius;
    if (!(left > 0.0)) return std::fabs(sweep) > kPi ? 2u : 1u;
    const double widest = 2.0 * atan2(std::sqrt(1.0 - left * left), left);
    constexpr double kMost = 1 << 20;
    return static_cast<std::uint32_t>(std::clamp(std::ceil(std::fabs(sweep) / widest), 1.0, kMost));
}

std::vector<GridPoint> arc_points(Vec2d centre, Vec2d start, double sweep, double tolerance) {
    const Vec2d arm = start - centre;
    const std::uint32_t count = chord_count(length(arm), sweep, tolerance);
    std::vector<GridPoint> points;
    for (std::uint32_t i = 0; i <= count; ++i) {
        const SinCos turn = sin_cos(sweep * i / count);
        points.push_back(to_grid(centre + arm * turn.cos + left_of(arm) * turn.sin));
    }
    return points;
}

Fillet fillet(GridPoint before, GridPoint corner, GridPoint after, const FilletOptions& options) {
    Fillet result{.centre = to_vec(corner), .points = {corner}};
    const Vec2d in = to_vec(corner) - to_vec(before), out = to_vec(after) - to_vec(corner);
    const double in_length = length(in), out_length = length(out);
    const double sine = cross(in, out), cosine = dot(in, out);  // times both lengths
    if (sine == 0.0) return result;
    // tan(turn / 2) = sin / (1 + cos)
    const double half_tangent = std::fabs(sine) / (in_length * out_length + cosine);
    result.tangent =
        std::min({options.radius * half_tangent, options.max_tangent, in_length, out_length});
    result.radius = result.tangent / half_tangent;
    if (!(result.radius >= 1.0)) {  // below a step there is nothing to round
        return {.centre = to_vec(corner), .points = {corner}};
    }
    result.sweep = atan2(sine, cosine);
    const Vec2d direction = in / in_length;
    const Vec2d start = to_vec(corner) - direction * result.tangent;
    result.centre = start + left_of(direction) * (sine > 0.0 ? result.radius : -result.radius);
    result.points = arc_points(result.centre, start, result.sweep, options.tolerance);
    return result;
}

}  // namespace tw::geometry
