#include "voronoi_raw.hpp"

#include <array>
#include <optional>

namespace tw::geometry::detail {
namespace {

constexpr std::size_t kChunk = 1024;  // cells

/// Clips the cells: `corners` does all circumcentres in parallel, `borders` the few at the
/// rectangle.
class Clipper {
public:
    Clipper(const Delaunay& delaunay, const GridBox& box, Executor& executor)
        : d_(delaunay), box_(box), executor_(executor) {}

    void corners();
    void borders();
    RawCells take() && { return std::move(raw_); }

private:
    struct ClippedSide {
        std::uint32_t half_edge;
        std::uint32_t start = kNoCorner, end = kNoCorner;
        RectangleSide entry_side{}, exit_side{};
        friend bool operator<(const ClippedSide& a, std::uint32_t h) { return a.half_edge < h; }
    };

    std::uint32_t head(std::uint32_t h) const { return d_.head[h].value(); }
    std::uint32_t next(std::uint32_t cell, std::uint32_t h) const {
        return h + 1 < d_.star_begin[cell + 1] ? h + 1 : d_.star_begin[cell];
    }
    std::uint32_t previous(std::uint32_t cell, std::uint32_t h) const {
        return h > d_.star_begin[cell] ? h - 1 : d_.star_begin[cell + 1] - 1;
    }
    std::size_t chunk_count() const { return (d_.vertex_count() + kChunk - 1) / kChunk; }
    /// Is there a triangle between h and the next half-edge of its star?
    bool has_triangle_after(std::uint32_t cell, std::uint32_t h) const {
        return d_.triangle_count > 0 && !(d_.on_hull[cell] && h + 1 == d_.star_begin[cell + 1]);
    }
    /// A triangle belongs to its least vertex.
    bool owns_triangle_after(std::uint32_t cell, std::uint32_t h) const {
        return head(h) > cell && head(next(cell, h)) > cell && has_triangle_after(cell, h);
    }
    template <class Visit>
    void for_each_triangle(std::size_t begin, std::size_t end, Visit&& visit) const {
        for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell) {
            // In the order in which the cell's sides start at the triangles' corners.
            const std::uint32_t first = d_.star_begin[cell], last = d_.star_begin[cell + 1];
            for (std::uint32_t side = first; side < last; ++side) {
                const std::uint32_t h = side > first ? side - 1 : last - 1;
                if (owns_triangle_after(cell, h)) visit(cell, h);
            }
        }
    }

    std::uint32_t add_corner(GridPoint point, SideMask sides, std::uint32_t source);
    bool is_border(std::uint32_t cell) const;
    std::vector<std::uint32_t> border_cells() const;
    ClippedSide clip_side(std::uint32_t cell, std::uint32_t h);
    std::optional<ClippedSide> clipped_side(std::uint32_t cell, std::uint32_t h);
    std::optional<std::uint32_t> inside_corner(std::uint32_t cell, std::uint32_t h) const;
    void close_polygon(std::uint32_t cell, std::span<const ClippedSide> sides);
    void add_rectangle_corner(int corner, std::uint32_t cell);

    const Delaunay& d_;
    const GridBox box_;
    Executor& executor_;
    RawCells raw_;
    std::vector<SideMask> outside_;      // by circumcentre
    std::vector<ClippedSide> crossing_;  // by half-edge from the lesser to the greater cell, rising
    std::array<std::uint32_t, 4> rectangle_cell_{};
};

void Clipper::corners() {
    std::vector<std::uint32_t> first(chunk_count() + 1, 0);
    parallel_for(executor_, d_.vertex_count(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     std::uint32_t count = 0;
                     for_each_triangle(begin, end, [&](std::uint32_t, std::uint32_t) { ++count; });
                     first[chunk + 1] = count;
                 });
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    raw_.circumcentre_count = first.back();
    raw_.corner_after.assign(d_.half_edge_count(), kNoCorner);
    raw_.corner_point.resize(first.back());
    raw_.corner_source.resize(first.back());
    outside_.resize(first.back());
    parallel_for(executor_, d_.vertex_count(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     std::uint32_t corner = first[chunk];
                     for_each_triangle(begin, end, [&](std::uint32_t v, std::uint32_t h) {
                         const std::uint32_t h2 = next(v, h), w = head(h);
                         const Circumcentre centre =
                             circumcentre(d_.point[v], d_.point[w], d_.point[head(h2)], box_);
                         raw_.corner_point[corner] = centre.point;
                         raw_.corner_source[corner] = h;
                         outside_[corner] = centre.outside;
                         raw_.corner_after[h] = corner;
                         raw_.corner_after[previous(w, d_.twin[h].value())] = corner;
                         raw_.corner_after[d_.twin[h2].value()] = corner;
                         ++corner;
                     });
                 });
}

std::uint32_t Clipper::add_corner(GridPoint point, SideMask sides, std::uint32_t source) {
    raw_.corner_point.push_back(point);
    raw_.corner_source.push_back(source);
    raw_.edge_corner_sides.push_back(sides);
    return static_cast<std::uint32_t>(raw_.corner_point.size() - 1);
}

bool Clipper::is_border(std::uint32_t cell) const {
    if (d_.on_hull[cell]) return true;
    for (std::uint32_t h = d_.star_begin[cell]; h < d_.star_begin[cell + 1]; ++h) {
        if (outside_[raw_.corner_after[h]] != 0) return true;
    }
    return false;
}

std::vector<std::uint32_t> Clipper::border_cells() const {
    std::vector<std::vector<std::uint32_t>> found(chunk_count());
    parallel_for(executor_, d_.vertex_count(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell) {
                         if (is_border(cell)) found[chunk].push_back(cell);
                     }
                 });
    std::vector<std::uint32_t> all;
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// The corner after h if it is a circumcentre inside the rectangle.
std::optional<std::uint32_t> Clipper::inside_corner(std::uint32_t cell, std::uint32_t h) const {
    if (!has_triangle_after(cell, h) || outside_[raw_.corner_after[h]] != 0) return std::nullopt;
    return raw_.corner_after[h];
}

/// The part of the bisector that is the side of `cell` towards h, where not all of it is inside;
/// without ends where there is none.
Clipper::ClippedSide Clipper::clip_side(std::uint32_t cell, std::uint32_t h) {
    ClippedSide side{.half_edge = h};
    const std::uint32_t h0 = previous(cell, h);
    const auto start = inside_corner(cell, h0), end = inside_corner(cell, h);
    const GridPoint near = d_.point[cell], far = d_.point[head(h)];
    const Chord chord = bisector_chord(near, far, box_);
    if (!chord.exists) return side;
    const bool missed_at_start = !start && has_triangle_after(cell, h0) &&
                                 !before_chord(near, far, outside_[raw_.corner_after[h0]]);
    const bool missed_at_end = !end && has_triangle_after(cell, h) &&
                               before_chord(near, far, outside_[raw_.corner_after[h]]);
    if (missed_at_start || missed_at_end) return side;
    side.entry_side = chord.entry_side;
    side.exit_side = chord.exit_side;
    const auto cross = [&](RectangleSide at) {
        return add_corner(bisector_on_side(near, far, at, box_), side_bit(at), h);
    };
    side.start = start ? *start : cross(chord.entry_side);
    side.end = end ? *end : cross(chord.exit_side);
    return side;
}

/// The side of `cell` towards h; seen from either cell it has the same corners.
std::optional<Clipper::ClippedSide> Clipper::clipped_side(std::uint32_t cell, std::uint32_t h) {
    ClippedSide side{.half_edge = h};
    const auto start = inside_corner(cell, previous(cell, h)), end = inside_corner(cell, h);
    if (start && end) {
        side.start = *start;
        side.end = *end;
    } else if (cell < head(h)) {
        side = clip_side(cell, h);
        crossing_.push_back(side);
    } else {
        const std::uint32_t twin = d_.twin[h].value();
        side = *std::lower_bound(crossing_.begin(), crossing_.end(), twin);
        side.half_edge = h;
        std::swap(side.start, side.end);
        std::swap(side.entry_side, side.exit_side);
    }
    if (side.start == kNoCorner) return std::nullopt;
    return side;
}

void Clipper::add_rectangle_corner(int corner, std::uint32_t cell) {
    rectangle_cell_[static_cast<std::size_t>(corner)] = cell;
    // The four are numbered last; until all others are known, count from the far end.
    raw_.border_side.push_back({kNoCorner - 1 - static_cast<std::uint32_t>(corner), kNoSide});
}

void Clipper::close_polygon(std::uint32_t cell, std::span<const ClippedSide> sides) {
    if (sides.empty()) {
        for (int k = 0; k < 4; ++k) add_rectangle_corner(k, cell);
        return;
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const ClippedSide& side = sides[i];
        const ClippedSide& following = sides[i + 1 < sides.size() ? i + 1 : 0];
        raw_.border_side.push_back({side.start, side.half_edge});
        if (side.end == following.start) continue;
        raw_.border_side.push_back({side.end, kNoSide});
        for (int at = side.exit_side; at != following.entry_side;) {
            at = (at + 1) % 4;
            add_rectangle_corner(at, cell);
        }
    }
}

void Clipper::borders() {
    raw_.border_index.assign(d_.vertex_count(), kNoSide);
    raw_.border_begin.push_back(0);
    std::vector<ClippedSide> sides;
    for (const std::uint32_t cell : border_cells()) {
        sides.clear();
        for (std::uint32_t h = d_.star_begin[cell]; h < d_.star_begin[cell + 1]; ++h) {
            if (const auto side = clipped_side(cell, h)) sides.push_back(*side);
        }
        raw_.border_index[cell] = static_cast<std::uint32_t>(raw_.border_begin.size() - 1);
        close_polygon(cell, sides);
        raw_.border_begin.push_back(static_cast<std::uint32_t>(raw_.border_side.size()));
    }
    const auto corners = rectangle_corners(box_);
    std::array<std::uint32_t, 4> number{};
    for (int k = 0; k < 4; ++k) {
        const auto i = static_cast<std::size_t>(k);
        number[i] = add_corner(corners[i], corner_sides(k), rectangle_cell_[i]);
    }
    for (RawSide& side : raw_.border_side) {
        if (side.start >= kNoCorner - 4) side.start = number[kNoCorner - 1 - side.start];
    }
}

}  // namespace

RawCells clip_cells(const Delaunay& delaunay, const GridBox& bounds, Executor& executor) {
    Clipper clipper(delaunay, bounds, executor);
    clipper.corners();
    clipper.borders();
    return std::move(clipper).take();
}

}  // namespace tw::geometry::detail
