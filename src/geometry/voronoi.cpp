#include "terraway/geometry/voronoi.hpp"

#include "terraway/math/floor_sqrt.hpp"
#include "terraway/math/predicates.hpp"

#include "voronoi_merge.hpp"
#include "voronoi_raw.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace tw::geometry {
namespace {

using detail::kNoCorner;
using detail::MergedCorners;
using detail::RawCells;

constexpr const char* kStage = "voronoi";
constexpr std::size_t kChunk = 1024;  // cells

Status check_options(const GridBox& bounds, std::int32_t spacing) {
    if (spacing < kMinSpacing) {
        return Error{.code = ErrorCode::invalid_option,
                     .stage = kStage,
                     .subject = "spacing",
                     .message = std::to_string(spacing) + " steps is less than " +
                                std::to_string(kMinSpacing)};
    }
    if (!on_grid(bounds.lo) || !on_grid(bounds.hi) || bounds.width() < spacing ||
        bounds.height() < spacing) {
        return Error{.code = ErrorCode::invalid_option,
                     .stage = kStage,
                     .subject = "bounds",
                     .message =
                         "the rectangle must lie on the grid and be at least as wide and as "
                         "high as the spacing"};
    }
    return ok_status();
}

/// How near sites are to one another (the nearest neighbour is one in the triangulation) and to
/// the rectangle.
struct Nearness {
    std::int64_t gap2 = std::numeric_limits<std::int64_t>::max();
    std::int64_t margin = std::numeric_limits<std::int32_t>::max();  ///< below 0: outside

    static Nearness of(const Delaunay& delaunay, const GridBox& bounds, std::uint32_t v) {
        const GridPoint p = delaunay.point[v];
        Nearness near;
        for (std::uint32_t h = delaunay.star_begin[v]; h < delaunay.star_begin[v + 1]; ++h) {
            near.gap2 = std::min(near.gap2, distance2(p, delaunay.point[delaunay.head[h].index()]));
        }
        near.margin = std::min({std::int64_t{p.x} - bounds.lo.x, std::int64_t{bounds.hi.x} - p.x,
                                std::int64_t{p.y} - bounds.lo.y, std::int64_t{bounds.hi.y} - p.y});
        return near;
    }
    void include(const Nearness& other) {
        gap2 = std::min(gap2, other.gap2);
        margin = std::min(margin, other.margin);
    }
};

Nearness nearness_of_all(const Delaunay& delaunay, const GridBox& bounds, Executor& executor) {
    std::vector<Nearness> by_chunk((delaunay.vertex_count() + kChunk - 1) / kChunk);
    parallel_for(executor, delaunay.vertex_count(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     for (auto v = static_cast<std::uint32_t>(begin); v < end; ++v) {
                         by_chunk[chunk].include(Nearness::of(delaunay, bounds, v));
                     }
                 });
    Nearness all;
    for (const Nearness& part : by_chunk) all.include(part);
    return all;
}

/// The error names the first site of which `is_bad` holds.
template <class IsBad>
Error bad_site(const Delaunay& delaunay, const GridBox& bounds, IsBad&& is_bad,
               std::string message) {
    std::uint32_t v = 0;
    while (!is_bad(Nearness::of(delaunay, bounds, v))) ++v;
    return {.code = ErrorCode::invalid_input,
            .stage = kStage,
            .subject = VertexId(v),
            .message = std::move(message)};
}

/// Checks the sites, and the spacing or finds it.
Result<std::int32_t> check_sites(const Delaunay& delaunay, const GridBox& bounds,
                                 std::optional<std::int32_t> spacing, Executor& executor) {
    if (delaunay.vertex_count() == 0) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = kStage,
                     .subject = "sites",
                     .message = "there are none; give at least one"};
    }
    constexpr std::int32_t kMargin = kMinSpacing / 2;
    const Nearness all = nearness_of_all(delaunay, bounds, executor);
    if (all.margin < kMargin) {
        return bad_site(
            delaunay, bounds, [&](const Nearness& near) { return near.margin < kMargin; },
            "the site lies less than " + std::to_string(kMargin) +
                " steps inside the rectangle; move it inward");
    }
    if (!spacing) {
        return static_cast<std::int32_t>(std::min(floor_sqrt(all.gap2), 2 * all.margin));
    }
    const std::int64_t spacing2 = std::int64_t{*spacing} * *spacing;
    if (all.gap2 < spacing2) {
        return bad_site(
            delaunay, bounds, [&](const Nearness& near) { return near.gap2 < spacing2; },
            "another site is nearer than the spacing of " + std::to_string(*spacing) +
                " steps; thin the sites or state a smaller spacing");
    }
    return *spacing;
}

/// Cells before they are numbered: clipped, and their corners merged.
struct Shape {
    std::int32_t spacing;
    RawCells raw;
    MergedCorners merged;

    /// visit(start corner, half-edge) for each side that did not shrink to nothing.
    template <class Visit>
    void for_each_side(const Delaunay& delaunay, std::uint32_t cell, Visit&& visit) const {
        raw.for_each_side(delaunay, cell,
                          [&](std::uint32_t from, std::uint32_t to, std::uint32_t half_edge) {
                              const std::uint32_t start = merged.of(from);
                              if (start != merged.of(to)) visit(start, half_edge);
                          });
    }
};

Result<Shape> shape_cells(const Delaunay& delaunay, const GridBox& bounds,
                          std::optional<std::int32_t> wanted_spacing, Executor& executor) {
    if (wanted_spacing) TW_TRY(check_options(bounds, *wanted_spacing));
    TW_ASSIGN(const std::int32_t spacing, check_sites(delaunay, bounds, wanted_spacing, executor));
    TW_TRY(check_options(bounds, spacing));
    RawCells raw = detail::clip_cells(delaunay, bounds, executor);
    const std::int32_t min_gap = std::max(spacing / 256, kMinCornerGap);
    TW_ASSIGN(MergedCorners merged, detail::merge_corners(delaunay, raw, min_gap, executor));
    return Shape{spacing, std::move(raw), std::move(merged)};
}

Error too_few_corners(std::size_t cell) {
    return {.code = ErrorCode::invalid_input,
            .stage = kStage,
            .subject = VertexId::from_index(cell),
            .message =
                "fewer than three corners of the cell are left after merging; move its site "
                "or choose a larger spacing"};
}

/// Turns clipped cells and merged corners into the arrays of the result.
class Assembler {
public:
    Assembler(const Delaunay& delaunay, const Shape& shape, Executor& executor)
        : d_(delaunay), shape_(shape), executor_(executor) {}

    Result<VoronoiCells> run() {
        TW_TRY(count_sides());
        fill_sides();
        fill_twins();
        number_corners();
        cells_.merged_corners = shape_.merged.merged;
        cells_.spacing = shape_.spacing;
        return std::move(cells_);
    }

private:
    template <class Body>
    void for_each_cell(Body&& body) {
        parallel_for(executor_, d_.vertex_count(), kChunk,
                     [&](std::size_t begin, std::size_t end, std::size_t) {
                         for (auto c = static_cast<std::uint32_t>(begin); c < end; ++c) body(c);
                     });
    }
    Status count_sides() {
        cells_.side_begin.assign(d_.vertex_count() + 1, 0);
        for_each_cell([&](std::uint32_t cell) {
            shape_.for_each_side(
                d_, cell, [&](std::uint32_t, std::uint32_t) { ++cells_.side_begin[cell + 1]; });
        });
        for (std::size_t c = 0; c < d_.vertex_count(); ++c) {
            if (cells_.side_begin[c + 1] < 3) {
                return too_few_corners(c);
            }
            cells_.side_begin[c + 1] += cells_.side_begin[c];
        }
        return ok_status();
    }
    void fill_sides() {
        const std::size_t count = cells_.side_begin.back();
        cells_.corner.resize(count);
        cells_.twin.resize(count);
        cells_.cell_of_side.resize(count);
        side_of_half_edge_.assign(d_.half_edge_count(), kNoSide);
        for_each_cell([&](std::uint32_t cell) {
            std::uint32_t side = cells_.side_begin[cell];
            shape_.for_each_side(d_, cell, [&](std::uint32_t start, std::uint32_t half_edge) {
                cells_.corner[side] = start;
                cells_.cell_of_side[side] = cell;
                cells_.twin[side] = half_edge == kNoSide ? kNoSide : d_.twin[half_edge].value();
                if (half_edge != kNoSide) side_of_half_edge_[half_edge] = side;
                ++side;
            });
        });
    }
    void fill_twins() {
        parallel_for(executor_, cells_.twin.size(), 8 * kChunk,
                     [&](std::size_t begin, std::size_t end, std::size_t) {
                         for (std::size_t s = begin; s < end; ++s) {
                             std::uint32_t& twin = cells_.twin[s];
                             if (twin != kNoSide) twin = side_of_half_edge_[twin];
                         }
                     });
    }
    void number_corners() {
        std::vector<std::uint32_t> number(shape_.raw.corner_point.size(), kNoCorner);
        cells_.corner_point.reserve(shape_.raw.corner_point.size());
        for (std::uint32_t& corner : cells_.corner) {
            if (number[corner] == kNoCorner) {
                number[corner] = static_cast<std::uint32_t>(cells_.corner_point.size());
                cells_.corner_point.push_back(shape_.raw.corner_point[corner]);
            }
            corner = number[corner];
        }
    }

    const Delaunay& d_;
    const Shape& shape_;
    Executor& executor_;
    VoronoiCells cells_;
    std::vector<std::uint32_t> side_of_half_edge_;
};

/// A polygon's area and its moments, in fans of wedges about a point.
class Centroid {
public:
    explicit Centroid(GridPoint about) : about_(about) {}
    /// Corners in turn; the first one again at the end.
    void add(GridPoint corner) {
        const GridPoint b = corner - about_;
        if (corners_++ > 0) {
            // A sum over the wedges of area times the sum of its corners; below 2⁹⁶.
            const std::int64_t wedge = orient2d({0, 0}, last_, b);
            area_ += wedge;
            x_ = x_ + wide_product<Int128>(wedge, std::int64_t{last_.x} + b.x);
            y_ = y_ + wide_product<Int128>(wedge, std::int64_t{last_.y} + b.y);
        }
        last_ = b;
    }
    int corners() const { return corners_; }
    GridPoint rounded() const {
        const std::int64_t divisor = 3 * area_;
        const Int128 half = divisor / 2;
        return {about_.x + static_cast<std::int32_t>(floor_quotient<Int128>(x_ + half, divisor)),
                about_.y + static_cast<std::int32_t>(floor_quotient<Int128>(y_ + half, divisor))};
    }

private:
    GridPoint about_, last_;
    int corners_ = 0;
    std::int64_t area_ = 0;
    Int128 x_ = 0, y_ = 0;
};

}  // namespace

Result<VoronoiCells> build_voronoi(const Delaunay& delaunay, const GridBox& bounds,
                                   std::optional<std::int32_t> spacing, Executor& executor) {
    TW_ASSIGN(const Shape shape, shape_cells(delaunay, bounds, spacing, executor));
    return Assembler(delaunay, shape, executor).run();
}

Result<std::vector<GridPoint>> voronoi_centroids(const Delaunay& delaunay, const GridBox& bounds,
                                                 std::optional<std::int32_t> spacing,
                                                 Executor& executor) {
    TW_ASSIGN(const Shape shape, shape_cells(delaunay, bounds, spacing, executor));
    std::vector<GridPoint> result(delaunay.vertex_count());
    constexpr std::uint32_t kNone = 0xffffffffu;
    std::vector<std::uint32_t> bad((result.size() + kChunk - 1) / kChunk, kNone);  // by chunk
    parallel_for(executor, result.size(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell) {
                         Centroid centroid(delaunay.point[cell]);
                         std::uint32_t first = kNone;
                         shape.for_each_side(delaunay, cell,
                                             [&](std::uint32_t corner, std::uint32_t) {
                                                 if (first == kNone) first = corner;
                                                 centroid.add(shape.raw.corner_point[corner]);
                                             });
                         if (centroid.corners() < 3) {
                             bad[chunk] = std::min(bad[chunk], cell);
                             continue;
                         }
                         centroid.add(shape.raw.corner_point[first]);
                         result[cell] = centroid.rounded();
                     }
                 });
    for (const std::uint32_t cell : bad) {
        if (cell != kNone) return too_few_corners(cell);
    }
    return result;
}

}  // namespace tw::geometry
