#include "offset_curve.hpp"

#include <algorithm>

namespace tw::streets {
namespace {

constexpr double kMitreLimit = 1.6;      ///< length of a mitre in half widths
constexpr double kStraight = 0.985;      ///< cosine of the turn below which a corner is rounded
constexpr double kNeedle = -0.9;         ///< cosine of the turn above which a corner is cut off
constexpr std::size_t kLookAhead = 512;  ///< stretches among which a loop closes
constexpr double kShortest = 8.0;        ///< [steps] of a corner's tangents, a quarter

Vec2d right_of(Vec2d d) {
    return {d.y, -d.x};
}

struct Hit {
    double t;
    bool ok;
};
/// Where a b and c d cross, as parts of each; open at b and d so that each crossing counts once.
Hit cross_at(Vec2d a, Vec2d b, Vec2d c, Vec2d d) {
    const Vec2d ab = b - a, cd = d - c, ac = c - a;
    const double area = cross(ab, cd);
    if (area == 0.0) return {0, false};
    const double t = cross(ac, cd) / area, u = cross(ac, ab) / area;
    return {t, t >= 0.0 && t < 1.0 && u >= 0.0 && u < 1.0};
}

}  // namespace

std::vector<CurvePoint> offset_right(std::span<const WalkPoint> walk) {
    std::vector<CurvePoint> out;
    Vec2d before{};
    double before_width = 0.0;
    for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
        const Vec2d a = walk[i].point, b = walk[i + 1].point;
        const double h = walk[i].half_width;
        if (a == b) continue;
        const Vec2d d = normalized(b - a), offset = right_of(d) * h;
        const double room = out.empty() ? 0.0 : std::min(before_width, h) * 2.0;
        const double turn = out.empty() ? 0.0 : cross(before, d);
        // An outer corner: lengthen both sides to where they meet, unless that is far away.
        bool mitred = false;
        if (turn > 0.0 && dot(before, d) > -0.5) {
            const Vec2d from = out.back().point, to = a + offset;
            const double along = cross(to - from, d) / turn;
            const Vec2d corner = from + before * along;
            const double limit = kMitreLimit * std::max(before_width, h);
            if (along >= 0.0 && dot(corner - a, corner - a) <= limit * limit &&
                dot(corner - to, d) <= 0.0) {
                out.back().point = corner;
                mitred = true;
            }
        }
        if (!mitred) out.push_back({a + offset, 0.0});
        if (!out.empty() && turn < 0.0) out.back().room = room;
        out.push_back({b + offset, 0.0});
        before = d;
        before_width = h;
    }
    return out;
}

namespace {

struct Loop {
    std::size_t last = 0;  ///< the stretch that closes it; 0: none
    Vec2d crossing;
};

bool is_wanted(std::span<const CurvePoint> curve, std::size_t first, const Loop& loop,
               Loops loops) {
    if (loops == Loops::all) return true;
    double area = 0.0;
    for (std::size_t k = first + 1; k < loop.last; ++k) {
        area += cross(curve[k].point - loop.crossing, curve[k + 1].point - loop.crossing);
    }
    return loops == Loops::clockwise ? area < 0.0 : area > 0.0;
}

/// The last loop that begins on the stretch from `a` to the point after `first`.
Loop last_loop(std::span<const CurvePoint> curve, Vec2d a, std::size_t first, Loops loops) {
    const Vec2d b = curve[first + 1].point;
    const Vec2d lo{std::min(a.x, b.x), std::min(a.y, b.y)};
    const Vec2d hi{std::max(a.x, b.x), std::max(a.y, b.y)};
    for (std::size_t j = std::min(curve.size() - 1, first + kLookAhead); j-- > first + 2;) {
        const Vec2d c = curve[j].point, d = curve[j + 1].point;
        if (std::max(c.x, d.x) < lo.x || std::min(c.x, d.x) > hi.x || std::max(c.y, d.y) < lo.y ||
            std::min(c.y, d.y) > hi.y) {
            continue;
        }
        const Hit hit = cross_at(a, b, c, d);
        if (!hit.ok) continue;
        const Loop loop{j, a + (b - a) * hit.t};
        if (is_wanted(curve, first, loop, loops)) return loop;
    }
    return {};
}

}  // namespace

std::vector<CurvePoint> without_loops(std::span<const CurvePoint> curve, Loops loops,
                                      std::vector<std::uint32_t>* stand_in) {
    std::vector<CurvePoint> out;
    if (stand_in) stand_in->assign(curve.size(), 0);
    if (curve.empty()) return out;
    out.push_back(curve[0]);
    for (std::size_t i = 0; i + 1 < curve.size();) {
        const Loop loop = last_loop(curve, out.back().point, i, loops);
        const std::size_t end = loop.last == 0 ? i + 1 : loop.last;
        CurvePoint next = curve[i + 1];
        if (loop.last != 0) {
            next.point = loop.crossing;
            for (std::size_t k = i + 2; k <= end; ++k)
                next.room = std::max(next.room, curve[k].room);
        }
        if (stand_in) {
            std::fill(stand_in->begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      stand_in->begin() + static_cast<std::ptrdiff_t>(end) + 1,
                      static_cast<std::uint32_t>(out.size()));
        }
        out.push_back(next);
        i = end;
    }
    return out;
}

std::vector<CurvePoint> rounded(std::span<const CurvePoint> curve) {
    std::vector<CurvePoint> out;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const CurvePoint& at = curve[i];
        if (at.room <= 0.0 || i == 0 || i + 1 == curve.size()) {
            out.push_back(at);
            continue;
        }
        const Vec2d in = at.point - out.back().point, to = curve[i + 1].point - at.point;
        const double in_length = length(in), to_length = length(to);
        const Vec2d u = normalized(in), v = normalized(to);
        const double turn = cross(u, v) < 0 ? -cross(u, v) : cross(u, v), open = 1.0 + dot(u, v);
        if (dot(u, v) > kStraight) {
            out.push_back(at);
            continue;
        }
        if (dot(u, v) < kNeedle) {
            const double cut = std::min(in_length, to_length);
            out.push_back({at.point - u * cut, 0.0});
            out.push_back({at.point + v * cut, 0.0});
            continue;
        }
        const double share = curve[i + 1].room > 0.0 ? 0.48 : 0.98;
        const double tangent =
            std::min({at.room * turn / open, at.room * 1.5, in_length * 0.98, to_length * share});
        if (tangent < 4 * kShortest) {
            out.push_back(at);
            continue;
        }
        // A parabola through both tangent points: no trigonometry, and as round as a kerb needs.
        const Vec2d start = at.point - u * tangent, end = at.point + v * tangent;
        const int pieces = dot(u, v) > 0.7 ? 3 : dot(u, v) > 0.0 ? 5 : 7;
        for (int k = 0; k <= pieces; ++k) {
            const double t = static_cast<double>(k) / pieces, s = 1.0 - t;
            out.push_back({start * (s * s) + at.point * (2 * s * t) + end * (t * t), 0.0});
        }
    }
    return out;
}

}  // namespace tw::streets
