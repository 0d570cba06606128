#pragma once
// What every triangulation must be, checked without the code that made it. Used by tests and
// fuzzing.

#include "terraway/geometry/delaunay.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace tw::testing {

using geometry::Delaunay;

/// Reads stars the plain way.
struct DelaunayView {
    const Delaunay& d;

    std::uint32_t begin(std::uint32_t v) const { return d.star_begin[v]; }
    std::uint32_t end(std::uint32_t v) const { return d.star_begin[v + 1]; }
    std::uint32_t head(std::uint32_t h) const { return d.head[h].value(); }
    std::uint32_t twin(std::uint32_t h) const { return d.twin[h].value(); }
    std::uint32_t origin(std::uint32_t h) const { return head(twin(h)); }
    std::uint32_t next(std::uint32_t v, std::uint32_t h) const {
        return h + 1 < end(v) ? h + 1 : begin(v);
    }
    bool has_triangle(std::uint32_t v, std::uint32_t h) const {
        return d.triangle_count > 0 && !(d.on_hull[v] && h + 1 == end(v));
    }
    GridPoint point(std::uint32_t v) const { return d.point[v]; }
};

using Triangle = std::array<GridPoint, 3>;

/// Every triangle once, counter-clockwise from its least point; sorted.
inline std::vector<Triangle> triangles_of(const Delaunay& d) {
    const DelaunayView view{d};
    std::vector<Triangle> triangles;
    for (std::uint32_t v = 0; v < d.vertex_count(); ++v) {
        for (std::uint32_t h = view.begin(v); h < view.end(v); ++h) {
            if (!view.has_triangle(v, h)) continue;
            const Triangle t{view.point(v), view.point(view.head(h)),
                             view.point(view.head(view.next(v, h)))};
            if (t[0] < t[1] && t[0] < t[2]) triangles.push_back(t);
        }
    }
    std::sort(triangles.begin(), triangles.end());
    return triangles;
}

inline std::string check_arrays(const Delaunay& d, std::span<const GridPoint> input) {
    const DelaunayView view{d};
    const std::size_t n = d.vertex_count();
    if (d.star_begin.size() != n + 1 || d.on_hull.size() != n || d.star_begin[0] != 0 ||
        d.star_begin.back() != d.half_edge_count() || d.twin.size() != d.head.size()) {
        return "array sizes differ";
    }
    if (d.vertex_of_input.size() != input.size() || d.duplicate_count != input.size() - n) {
        return "duplicates are miscounted";
    }
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const std::uint32_t v = d.vertex_of_input[i].value();
        if (v > seen || v >= n) return "vertices are not numbered by first appearance";
        if (v == seen) ++seen;
        if (d.point[v] != input[i]) return "an input is not at its vertex";
    }
    std::vector<GridPoint> sorted = d.point;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return "equal vertices";
    for (std::uint32_t v = 0; v < n; ++v) {
        if (view.begin(v) > view.end(v)) return "star_begin falls";
        for (std::uint32_t h = view.begin(v); h < view.end(v); ++h) {
            if (view.head(h) >= n || view.head(h) == v) return "a head is out of range";
            if (view.twin(h) >= d.half_edge_count() || view.twin(view.twin(h)) != h ||
                view.origin(h) != v) {
                return "a twin is not the same edge from the other end";
            }
        }
    }
    return "";
}

/// Counter-clockwise stars of closed triangles, each inner edge locally Delaunay by the tie rule.
inline std::string check_stars(const Delaunay& d) {
    const DelaunayView view{d};
    std::uint64_t wedges = 0;
    for (std::uint32_t v = 0; v < d.vertex_count(); ++v) {
        if (!d.on_hull[v]) {
            for (std::uint32_t h = view.begin(v); h < view.end(v); ++h) {
                if (view.head(h) < view.head(view.begin(v))) return "an inner star starts wrong";
            }
        }
        for (std::uint32_t h = view.begin(v); h < view.end(v); ++h) {
            if (!view.has_triangle(v, h)) continue;
            ++wedges;
            const std::uint32_t h2 = view.next(v, h), w = view.head(h), z = view.head(h2);
            if (orient2d(view.point(v), view.point(w), view.point(z)) <= 0) {
                return "a star does not turn left";
            }
            if (view.next(w, view.twin(h)) == view.twin(h)) return "a triangle is not closed";
            bool closed = false;
            for (std::uint32_t g = view.begin(w); g < view.end(w); ++g) {
                closed = closed || (view.head(g) == z && view.next(w, g) == view.twin(h) &&
                                    view.has_triangle(w, g));
            }
            if (!closed) return "a triangle is not closed";
            // Across the edge v → z stands the apex of the next triangle.
            if (!view.has_triangle(v, h2)) continue;
            const std::uint32_t apex = view.head(view.next(v, h2));
            if (incircle_perturbed(view.point(v), view.point(w), view.point(z), view.point(apex)) >=
                0) {
                return "an edge is not locally Delaunay";
            }
        }
    }
    if (wedges != std::uint64_t{3} * d.triangle_count) return "triangle_count is wrong";
    return "";
}

/// Twice the area of the convex hull by Andrew's monotone chain, and the points on its boundary.
struct Hull {
    std::int64_t twice_area = 0;
    std::vector<GridPoint> boundary;  ///< sorted
};
inline Hull hull_of(std::vector<GridPoint> points) {
    std::sort(points.begin(), points.end());
    std::vector<GridPoint> chain;
    const auto extend = [&](GridPoint p, std::size_t floor) {
        while (chain.size() >= floor + 2 &&
               orient2d(chain[chain.size() - 2], chain.back(), p) < 0) {
            chain.pop_back();
        }
        chain.push_back(p);
    };
    for (const GridPoint p : points) extend(p, 0);
    const std::size_t lower = chain.size() - 1;
    for (auto p = points.rbegin() + 1; p < points.rend(); ++p) extend(*p, lower);
    Hull hull;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        hull.twice_area += orient2d(chain[0], chain[i], chain[i + 1]);
    }
    hull.boundary = chain;
    std::sort(hull.boundary.begin(), hull.boundary.end());
    hull.boundary.erase(std::unique(hull.boundary.begin(), hull.boundary.end()),
                        hull.boundary.end());
    return hull;
}

inline std::string check_hull(const Delaunay& d) {
    const DelaunayView view{d};
    if (d.vertex_count() == 0) return "";
    const Hull hull = hull_of(d.point);
    std::int64_t twice_area = 0;
    for (const Triangle& t : triangles_of(d)) twice_area += orient2d(t[0], t[1], t[2]);
    if (twice_area != hull.twice_area) return "the triangles do not fill the hull";
    std::vector<GridPoint> marked;
    for (std::uint32_t v = 0; v < d.vertex_count(); ++v) {
        if (!d.on_hull[v]) continue;
        marked.push_back(view.point(v));
        if (d.triangle_count == 0) continue;
        // Nothing lies to the right of the first half-edge nor to the left of the last.
        const GridPoint first = view.point(view.head(view.begin(v)));
        const GridPoint last = view.point(view.head(view.end(v) - 1));
        if (orient2d(last, view.point(v), first) < 0) return "a hull star starts wrong";
    }
    std::sort(marked.begin(), marked.end());
    if (marked != hull.boundary) return "on_hull is wrong";
    if (d.triangle_count == 0) {
        if (d.half_edge_count() != 2 * (d.vertex_count() - 1)) return "the path has gaps";
    } else if (d.triangle_count != 2 * (d.vertex_count() - 1) - hull.boundary.size()) {
        return "Euler's formula fails";
    }
    return "";
}

/// "" or what is wrong; near-linear. Together these imply the Delaunay property.
inline std::string check_delaunay(const Delaunay& d, std::span<const GridPoint> input) {
    std::string wrong = check_arrays(d, input);
    if (wrong.empty()) wrong = check_stars(d);
    if (wrong.empty()) wrong = check_hull(d);
    return wrong;
}

/// Every circle against every point: O(n²), by 128-bit integers alone.
inline std::string check_empty_circles(const Delaunay& d) {
    for (const Triangle& t : triangles_of(d)) {
        for (const GridPoint p : d.point) {
            if (incircle_exact<PortableInt128>(t[0], t[1], t[2], p) > 0) {
                return "a point lies inside a triangle's circle";
            }
        }
    }
    return "";
}

/// The path of collinear points joins neighbours along the line.
inline std::string check_path(const Delaunay& d) {
    std::vector<GridPoint> sorted = d.point;
    std::sort(sorted.begin(), sorted.end());
    const DelaunayView view{d};
    for (std::uint32_t v = 0; v < d.vertex_count(); ++v) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), view.point(v));
        std::vector<GridPoint> expected;
        if (at != sorted.begin()) expected.push_back(*(at - 1));
        if (at + 1 != sorted.end()) expected.push_back(*(at + 1));
        std::vector<GridPoint> found;
        for (std::uint32_t h = view.begin(v); h < view.end(v); ++h) {
            found.push_back(view.point(view.head(h)));
        }
        std::sort(found.begin(), found.end());
        if (found != expected) return "the path does not follow the line";
    }
    return "";
}

}  // namespace tw::testing
