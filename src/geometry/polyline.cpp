#include "terraway/geometry/polyline.hpp"

#include "terraway/geometry/segment.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tw::geometry {
namespace {

double distance(GridPoint a, GridPoint b) {
    return std::sqrt(static_cast<double>(distance2(a, b)));
}

/// The nearest point of the segment a b, and its share of the segment.
std::pair<Vec2d, double> closest_on(GridPoint a, GridPoint b, GridPoint p) {
    const Vec2d from = to_vec(a), span = to_vec(b) - from;
    const double whole = dot(span, span);
    const double along =
        whole > 0.0 ? std::clamp(dot(to_vec(p) - from, span) / whole, 0.0, 1.0) : 0.0;
    return {along == 1.0 ? to_vec(b) : from + span * along, along};
}

/// In how many parts of at most `spacing` a length is to be cut.
std::uint32_t parts(double whole, double spacing) {
    assert(spacing >= 1.0);
    return std::max(1u, static_cast<std::uint32_t>(std::ceil(whole / spacing)));
}

}  // namespace

std::vector<double> arc_lengths(std::span<const GridPoint> line) {
    std::vector<double> lengths(line.size(), 0.0);
    for (std::size_t i = 1; i < line.size(); ++i) {
        lengths[i] = lengths[i - 1] + distance(line[i - 1], line[i]);
    }
    return lengths;
}

double length(std::span<const GridPoint> line) {
    double sum = 0.0;
    for (std::size_t i = 1; i < line.size(); ++i) sum += distance(line[i - 1], line[i]);
    return sum;
}

PolylinePlace place_at(std::span<const GridPoint> line, std::span<const double> lengths, double s) {
    assert(!line.empty() && line.size() == lengths.size());
    if (!(lengths.back() > 0.0)) return {.point = to_vec(line[0]), .direction = {}};
    s = std::clamp(s, 0.0, lengths.back());
    // The segment that s lies in; at a vertex the one after it, at the end the last with a length.
    auto end = std::upper_bound(lengths.begin(), lengths.end(), s);
    if (end == lengths.end()) end = std::lower_bound(lengths.begin(), lengths.end(), s);
    const auto last = static_cast<std::size_t>(end - lengths.begin());
    const Vec2d a = to_vec(line[last - 1]), span = to_vec(line[last]) - a;
    const double along = (s - lengths[last - 1]) / (lengths[last] - lengths[last - 1]);
    return {.point = a + span * along,
            .direction = normalized(span),
            .segment = static_cast<std::uint32_t>(last - 1)};
}

ClosestPlace closest_place(std::span<const GridPoint> line, GridPoint p) {
    assert(!line.empty());
    ClosestPlace best{.point = to_vec(line[0]), .distance = distance(line[0], p)};
    for (std::size_t i = 1; i < line.size(); ++i) {
        const auto [point, along] = closest_on(line[i - 1], line[i], p);
        const double away = tw::length(point - to_vec(p));
        if (away < best.distance) best = {point, away, along, static_cast<std::uint32_t>(i - 1)};
    }
    return best;
}

std::vector<GridPoint> without_repeats(std::span<const GridPoint> line) {
    std::vector<GridPoint> kept(line.begin(), line.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
}

std::vector<GridPoint> resample(std::span<const GridPoint> line, double spacing) {
    const std::vector<double> lengths = arc_lengths(line);
    if (!(lengths.back() > 0.0)) return {line[0]};
    const std::uint32_t count = parts(lengths.back(), spacing);
    std::vector<GridPoint> points{line[0]};
    for (std::uint32_t i = 1; i < count; ++i) {
        points.push_back(to_grid(place_at(line, lengths, lengths.back() * i / count).point));
    }
    points.push_back(line.back());
    return points;
}

std::vector<GridPoint> subdivide(std::span<const GridPoint> line, double spacing) {
    std::vector<GridPoint> points{line[0]};
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Vec2d a = to_vec(line[i - 1]), span = to_vec(line[i]) - a;
        const std::uint32_t count = parts(tw::length(span), spacing);
        for (std::uint32_t k = 1; k < count; ++k) {
            points.push_back(to_grid(a + span * (static_cast<double>(k) / count)));
        }
        points.push_back(line[i]);
    }
    return points;
}

std::vector<std::uint32_t> simplify(std::span<const GridPoint> line, Steps tolerance) {
    assert(tolerance >= 0 && tolerance <= 1 << 30);
    if (line.empty()) return {};
    std::vector<std::uint8_t> keep(line.size(), 0);
    keep.front() = keep.back() = 1;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, line.size() - 1}};
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        bool all_near = true;
        std::size_t farthest = first;
        double farthest_away = -1.0;
        for (std::size_t i = first + 1; i < last; ++i) {
            all_near = all_near && within_distance(line[first], line[last], line[i], tolerance);
            const Vec2d on = closest_on(line[first], line[last], line[i]).first;
            const double away = tw::length(on - to_vec(line[i]));
            if (away > farthest_away) {
                farthest = i;
                farthest_away = away;
            }
        }
        if (all_near) continue;
        keep[farthest] = 1;
        open.emplace_back(first, farthest);
        open.emplace_back(farthest, last);
    }
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (keep[i]) kept.push_back(static_cast<std::uint32_t>(i));
    }
    return kept;
}

std::vector<GridPoint> offset(std::span<const GridPoint> line, double distance,
                              const OffsetOptions& options) {
    assert(options.miter_limit >= 1.0 && std::fabs(distance) * options.miter_limit <= 0x1p30);
    const std::vector<GridPoint> base = without_repeats(line);
    if (base.size() < 2) return {};
    const auto normal = [&](std::size_t i) {
        return left_of(normalized(to_vec(base[i + 1]) - to_vec(base[i])));
    };
    std::vector<GridPoint> moved;
    const auto add = [&](GridPoint from, Vec2d by) {
        moved.push_back(to_grid(to_vec(from) + by * distance));
    };
    add(base[0], normal(0));
    for (std::size_t i = 1; i + 1 < base.size(); ++i) {
        const Vec2d before = normal(i - 1), after = normal(i);
        // The corner lies along before + after, at 1 / cos(half the turn) of the distance.
        const double twice_cos2 = 1.0 + dot(before, after);
        if (twice_cos2 * options.miter_limit * options.miter_limit >= 2.0) {
            add(base[i], (before + after) / twice_cos2);
        } else {
            add(base[i], before);
            add(base[i], after);
        }
    }
    add(base.back(), normal(base.size() - 2));
    return moved;
}

}  // namespace tw::geometry
