#pragma once
// Cells clipped to the rectangle, before corners merge.

#include "terraway/geometry/voronoi.hpp"

#include "voronoi_clip.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::geometry::detail {

inline constexpr std::uint32_t kNoCorner = 0xffffffffu;

/// A side of a cell at the rectangle: from `start` to the start of the next one.
struct RawSide {
    std::uint32_t start;
    std::uint32_t half_edge;  ///< kNoSide: along the rectangle
};

/// Corners are numbered: circumcentres, then crossings of the rectangle, then its four corners.
/// The sides of an inner cell are the half-edges of its star; those of a cell at the rectangle are
/// listed in `border_side`.
struct RawCells {
    std::vector<std::uint32_t> corner_after;  ///< by half-edge h: corner between h and the next one
    std::vector<GridPoint> corner_point;
    std::vector<std::uint32_t>
        corner_source;  ///< a half-edge at it; for a rectangle's corner: its cell
    std::vector<SideMask> edge_corner_sides;  ///< of the corners from `circumcentre_count` on
    std::uint32_t circumcentre_count = 0;

    std::vector<std::uint32_t>
        border_index;  ///< by cell: index into border_begin, kNoSide for inner cells
    std::vector<std::uint32_t> border_begin;
    std::vector<RawSide> border_side;

    bool is_inner(std::uint32_t cell) const { return border_index[cell] == kNoSide; }
    SideMask sides_of(std::uint32_t corner) const {
        return corner < circumcentre_count ? SideMask{0}
                                           : edge_corner_sides[corner - circumcentre_count];
    }
    bool is_rectangle_corner(std::uint32_t corner) const {
        return corner + 4 >= corner_point.size();
    }
    /// visit(start corner, end corner, half-edge or kNoSide) for each side, counter-clockwise.
    template <class Visit>
    void for_each_side(const Delaunay& delaunay, std::uint32_t cell, Visit&& visit) const;
};

RawCells clip_cells(const Delaunay& delaunay, const GridBox& bounds, Executor& executor);

template <class Visit>
void RawCells::for_each_side(const Delaunay& delaunay, std::uint32_t cell, Visit&& visit) const {
    if (is_inner(cell)) {
        const std::uint32_t begin = delaunay.star_begin[cell], end = delaunay.star_begin[cell + 1];
        std::uint32_t start = corner_after[end - 1];
        for (std::uint32_t h = begin; h < end; ++h) {
            visit(start, corner_after[h], h);
            start = corner_after[h];
        }
        return;
    }
    const std::uint32_t index = border_index[cell];
    const auto sides =
        std::span(border_side)
            .subspan(border_begin[index], border_begin[index + 1] - border_begin[index]);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const RawSide& following = sides[i + 1 < sides.size() ? i + 1 : 0];
        visit(sides[i].start, following.start, sides[i].half_edge);
    }
}

}  // namespace tw::geometry::detail
