#include "corridor.hpp"

#include "terraway/geometry/ear_clipping.hpp"
#include "terraway/geometry/polygon.hpp"
#include "terraway/math/predicates.hpp"

#include "offset_curve.hpp"

#include <algorithm>
#include <cmath>

namespace tw::streets {
namespace {

using geometry::Triangle;
using world::RoadId;

constexpr std::int64_t kApart = 6;    ///< [steps] least distance between vertices of a side
constexpr double kWidening = 0.02;    ///< of a side that had to give way, per length of road
constexpr double kBesideGate = 64.0;  ///< [steps] bends nearer than this to a gate are left to it

/// A cross-section: from `centre` to the left and to the right.
struct Section {
    Vec2d centre, left, right;
};

class Strip {
public:
    Strip(const StreetGraph& graph, RoadId road, const CorridorEnds& ends, double section)
        : graph_(graph), road_(road), ends_(ends), frame_(graph.network().points(road).front()) {
        collect(section);
    }

    Corridor build() {
        Corridor out = shaped();
        if (!out.ring.empty()) return out;
        const std::vector<Section> whole = sections_;
        limit_to_clearance();
        out = shaped();
        double share = 0.5;
        while (out.ring.empty() && share > 0.05) {
            sections_ = whole;
            narrow(share);
            out = shaped();
            share /= 2;
        }
        if (out.ring.empty()) {
            sections_ = {whole.front(), whole.back()};
            out = shaped();
        }
        out.narrowed = true;
        return out;
    }

private:
    void collect(double section) {
        const Vec2d l0 = to_local(ends_.start.left, frame_),
                    r0 = to_local(ends_.start.right, frame_);
        sections_.push_back({(l0 + r0) * 0.5, l0, r0});
        const std::span<const GridPoint> p = graph_.network().points(road_);
        const double h = graph_.half_width(road_);
        double along = 0.0, done = ends_.from;
        for (std::size_t i = 1; i + 1 < p.size(); ++i) {
            const Vec2d in = to_local(p[i], p[i - 1]), out = to_local(p[i + 1], p[i]);
            along += tw::length(in);
            if (along < ends_.from + kBesideGate) continue;
            if (along > ends_.to - kBesideGate) break;
            subdivide(done, along, section);
            add_bend(to_local(p[i], frame_), normalized(in), normalized(out), h);
            done = along;
        }
        subdivide(done, ends_.to, section);
        const Vec2d l1 = to_local(ends_.end.left, frame_), r1 = to_local(ends_.end.right, frame_);
        sections_.push_back({(l1 + r1) * 0.5, l1, r1});
    }
    void subdivide(double from, double to, double section) {
        const double parts = std::ceil((to - from) / section);
        const double h = graph_.half_width(road_);
        for (std::int32_t k = 1; k < parts; ++k) {
            const Station at =
                graph_.at(half_of(road_, 0), from + (to - from) * (k / parts), frame_);
            const Vec2d across = left_of(at.direction) * h;
            sections_.push_back({at.point, at.point + across, at.point - across});
        }
    }
    void add_bend(Vec2d at, Vec2d in, Vec2d out, double h) {
        const double open = 1.0 + dot(in, out);
        if (open > 0.5) {
            // A mitre: (left of in + left of out) / (1 + cos) reaches both kerbs.
            const Vec2d across = left_of(in + out) * (h / open);
            sections_.push_back({at, at + across, at - across});
            return;
        }
        for (const Vec2d d : {in, out}) {
            const Vec2d across = left_of(d) * h;
            sections_.push_back({at, at + across, at - across});
        }
    }

    /// One side, its folds cut away, on the grid; a vertex for every section.
    std::vector<GridPoint> side(bool left) const {
        std::vector<CurvePoint> raw;
        raw.reserve(sections_.size());
        for (const Section& s : sections_) raw.push_back({left ? s.left : s.right, 0.0});
        std::vector<std::uint32_t> stand_in;
        const std::vector<CurvePoint> cut =
            without_loops(raw, left ? Loops::clockwise : Loops::counter_clockwise, &stand_in);
        std::vector<GridPoint> out;
        out.reserve(raw.size());
        for (const std::uint32_t i : stand_in) out.push_back(from_local(cut[i].point, frame_));
        join_near(out);
        return out;
    }
    /// Vertices too near to the one before become it; the last one stays.
    static void join_near(std::vector<GridPoint>& side) {
        for (std::size_t i = 1; i < side.size(); ++i) {
            if (distance2(side[i], side[i - 1]) < kApart * kApart) side[i] = side[i - 1];
        }
        const std::size_t last = side.size() - 1;
        for (std::size_t i = last; i-- > 1;) {
            if (distance2(side[i], side[last]) >= kApart * kApart) break;
            side[i] = side[last];
        }
    }

    Corridor shaped() const {
        std::vector<GridPoint> left = side(true), right = side(false);
        if (!ends_.start_free) {
            left.front() = ends_.start.left;
            right.front() = ends_.start.right;
        }
        if (!ends_.end_free) {
            left.back() = ends_.end.left;
            right.back() = ends_.end.right;
        }
        Corridor out;
        std::vector<std::uint32_t> left_index(left.size()), right_index(right.size());
        const auto add = [&out](GridPoint p, std::size_t first) {
            if (out.ring.size() == first || out.ring.back() != p) out.ring.push_back(p);
            return static_cast<std::uint32_t>(out.ring.size() - 1);
        };
        for (std::size_t i = 0; i < right.size(); ++i) right_index[i] = add(right[i], 0);
        out.left_end = static_cast<std::uint32_t>(out.ring.size());
        for (std::size_t i = left.size(); i-- > 0;) left_index[i] = add(left[i], out.left_end);
        const bool upward = quads(left_index, right_index, out);
        if (!(upward && advances(left, right)) &&
            (!geometry::is_simple(out.ring) || geometry::double_area(out.ring) <= 0)) {
            out.ring.clear();
            return out;
        }
        if (!upward) {
            Result<std::vector<Triangle>> triangles = geometry::triangulate(out.ring);
            if (triangles) {
                out.triangles = std::move(triangles).value();
            } else {
                out.ring.clear();
            }
        }
        return out;
    }
    /// True if every section lies beyond the one before, seen along the line from the first to the
    /// last: a strip of upward triangles is then simple.
    static bool advances(const std::vector<GridPoint>& left, const std::vector<GridPoint>& right) {
        const std::size_t last = left.size() - 1;
        const std::int64_t dx =
            (std::int64_t{left[last].x} + right[last].x - left[0].x - right[0].x) / 2;
        const std::int64_t dy =
            (std::int64_t{left[last].y} + right[last].y - left[0].y - right[0].y) / 2;
        const auto along = [&](GridPoint p) {
            return (std::int64_t{p.x} - left[0].x) * dx + (std::int64_t{p.y} - left[0].y) * dy;
        };
        std::int64_t done = std::max(along(left[0]), along(right[0]));
        for (std::size_t i = 1; i <= last; ++i) {
            const std::int64_t l = along(left[i]), r = along(right[i]);
            if (std::min(l, r) <= done) return false;
            done = std::max(l, r);
        }
        return true;
    }
    /// Two triangles between neighbouring sections; false if one would not face up.
    static bool quads(const std::vector<std::uint32_t>& left,
                      const std::vector<std::uint32_t>& right, Corridor& out) {
        const auto faces_up = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            return orient2d(out.ring[a], out.ring[b], out.ring[c]) > 0;
        };
        out.triangles.clear();
        for (std::size_t i = 0; i + 1 < left.size(); ++i) {
            const std::uint32_t r0 = right[i], r1 = right[i + 1], l0 = left[i], l1 = left[i + 1];
            if (r0 == r1 && l0 == l1) continue;
            const bool forward =
                (r0 == r1 || faces_up(r0, r1, l0)) && (l0 == l1 || faces_up(r1, l1, l0));
            const bool backward =
                (r0 == r1 || faces_up(r0, r1, l1)) && (l0 == l1 || faces_up(r0, l1, l0));
            if (!forward && !backward) return false;
            const std::uint32_t left_apex = forward ? l0 : l1, right_apex = forward ? r1 : r0;
            if (r0 != r1) out.triangles.push_back({r0, r1, left_apex});
            if (l0 != l1) out.triangles.push_back({right_apex, l1, l0});
        }
        return true;
    }

    void narrow(double share) {
        for (Section& s : sections_) {
            s.left = s.centre + (s.left - s.centre) * share;
            s.right = s.centre + (s.right - s.centre) * share;
        }
    }
    /// Keeps each side within half the way to where its section would meet the centre line again,
    /// and its neighbours hardly wider.
    void limit_to_clearance() {
        const std::vector<double> left = free_shares(true), right = free_shares(false);
        for (std::size_t i = 0; i < sections_.size(); ++i) {
            Section& s = sections_[i];
            s.left = s.centre + (s.left - s.centre) * left[i];
            s.right = s.centre + (s.right - s.centre) * right[i];
        }
    }
    std::vector<double> free_shares(bool of_left) const {
        const std::size_t n = sections_.size();
        const double h = graph_.half_width(road_);
        std::vector<double> share(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Section& s = sections_[i];
            share[i] = free_share(i, (of_left ? s.left : s.right) - s.centre);
        }
        const auto follow = [&](std::size_t from, std::size_t to) {
            const double apart = tw::length(sections_[to].centre - sections_[from].centre);
            share[to] = std::min(share[to], share[from] + kWidening * apart / h);
        };
        for (std::size_t i = 1; i < n; ++i) follow(i - 1, i);
        for (std::size_t i = n - 1; i > 0; --i) follow(i, i - 1);
        return share;
    }
    double free_share(std::size_t i, Vec2d side) const {
        const Vec2d a = sections_[i].centre;
        double share = 1.0;
        for (std::size_t k = 0; k + 1 < sections_.size(); ++k) {
            if (k + 1 >= i && k <= i) continue;
            const Vec2d c = sections_[k].centre, cd = sections_[k + 1].centre - c;
            const double area = cross(side, cd);
            if (area == 0.0) continue;
            const double t = cross(c - a, cd) / area, u = cross(c - a, side) / area;
            if (t > 0.0 && u >= 0.0 && u <= 1.0) share = std::min(share, 0.45 * t);
        }
        return share;
    }

    const StreetGraph& graph_;
    RoadId road_;
    CorridorEnds ends_;
    GridPoint frame_;
    std::vector<Section> sections_;
};

}  // namespace

Corridor corridor(const StreetGraph& graph, RoadId road, const CorridorEnds& ends, double section) {
    return Strip(graph, road, ends, section).build();
}

}  // namespace tw::streets
