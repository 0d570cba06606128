#pragma once
// What the cells of any sites must be, checked without the code that made them.

#include "terraway/geometry/voronoi.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tw::testing {

using geometry::Delaunay;
using geometry::kNoSide;
using geometry::VoronoiCells;

struct VoronoiView {
    const VoronoiCells& v;

    std::size_t cell_count() const { return v.side_begin.size() - 1; }
    std::uint32_t next(std::uint32_t side) const {
        const std::uint32_t cell = v.cell_of_side[side];
        return side + 1 < v.side_begin[cell + 1] ? side + 1 : v.side_begin[cell];
    }
    GridPoint start(std::uint32_t side) const { return v.corner_point[v.corner[side]]; }
    GridPoint end(std::uint32_t side) const { return start(next(side)); }
};

inline bool on_same_side(GridPoint a, GridPoint b, const GridBox& box) {
    return (a.x == b.x && (a.x == box.lo.x || a.x == box.hi.x)) ||
           (a.y == b.y && (a.y == box.lo.y || a.y == box.hi.y));
}

/// Arrays, twins, and corners numbered by first use.
inline std::string check_sides(const VoronoiCells& v) {
    const std::size_t sides = v.corner.size();
    if (v.side_begin.empty() || v.side_begin.back() != sides || v.twin.size() != sides ||
        v.cell_of_side.size() != sides) {
        return "array sizes differ";
    }
    const VoronoiView view{v};
    std::uint32_t seen = 0;
    for (std::uint32_t cell = 0; cell < view.cell_count(); ++cell) {
        if (v.side_begin[cell + 1] < v.side_begin[cell] + 3) return "a cell has too few sides";
        for (std::uint32_t s = v.side_begin[cell]; s < v.side_begin[cell + 1]; ++s) {
            if (v.cell_of_side[s] != cell) return "cell_of_side is wrong";
            if (v.corner[s] > seen) return "corners are not numbered by first use";
            if (v.corner[s] == seen) ++seen;
        }
    }
    if (seen != v.corner_point.size()) return "a corner is not used";
    for (std::uint32_t s = 0; s < sides; ++s) {
        const std::uint32_t t = v.twin[s];
        if (t == kNoSide) continue;
        if (t >= sides || v.twin[t] != s || v.cell_of_side[t] == v.cell_of_side[s] ||
            v.corner[t] != v.corner[view.next(s)] || v.corner[view.next(t)] != v.corner[s]) {
            return "a twin is not the same side reversed";
        }
    }
    return "";
}

/// Star-shaped cells that fill the rectangle: with check_sides, that they tile it exactly.
inline std::string check_tiling(const VoronoiCells& v, const Delaunay& d, const GridBox& box,
                                std::int32_t spacing) {
    const VoronoiView view{v};
    const std::int64_t gap = std::max(spacing / 256, geometry::kMinCornerGap);
    if (view.cell_count() != d.vertex_count()) return "one cell a site";
    std::int64_t twice_area = 0, boundary = 0;
    std::vector<GridPoint> at_corner;
    for (std::uint32_t cell = 0; cell < view.cell_count(); ++cell) {
        const GridPoint site = d.point[cell];
        int turns = 0;  // times the sides pass from below the site to above it, on its right
        for (std::uint32_t s = v.side_begin[cell]; s < v.side_begin[cell + 1]; ++s) {
            const GridPoint a = view.start(s), b = view.end(s);
            if (!box.contains(a)) return "a corner outside the rectangle";
            const std::int64_t wedge = orient2d(site, a, b);
            if (wedge <= 0) return "a wedge does not turn left";
            twice_area += wedge;
            if (distance2(a, b) < gap * gap) return "a side is too short";
            if (v.twin[s] == kNoSide) {
                if (!on_same_side(a, b, box)) return "a side without a twin off the rectangle";
                boundary += std::abs(std::int64_t{b.x} - a.x) + std::abs(std::int64_t{b.y} - a.y);
            }
            const bool from_below = a.y < site.y, to_above = b.y >= site.y;
            if (from_below && to_above) ++turns;
        }
        if (turns != 1) return "a cell winds around its site more than once";
    }
    if (twice_area != 2 * box.width() * box.height()) return "the areas do not add up";
    if (boundary != 2 * (box.width() + box.height())) return "the rectangle is not lined by sides";
    return "";
}

inline std::string check_voronoi(const VoronoiCells& v, const Delaunay& d, const GridBox& box,
                                 std::int32_t spacing) {
    const std::string wrong = check_sides(v);
    return wrong.empty() ? check_tiling(v, d, box, spacing) : wrong;
}

/// True if the cell contains the point, its boundary included.
inline bool cell_contains(const VoronoiCells& v, std::uint32_t cell, GridPoint site, GridPoint p) {
    const VoronoiView view{v};
    for (std::uint32_t s = v.side_begin[cell]; s < v.side_begin[cell + 1]; ++s) {
        const GridPoint a = view.start(s), b = view.end(s);
        // Star-shaped: in one of the wedges.
        if (orient2d(site, a, p) >= 0 && orient2d(site, b, p) <= 0 && orient2d(a, b, p) >= 0 &&
            orient2d(site, a, b) > 0) {
            return true;
        }
    }
    return false;
}

}  // namespace tw::testing
