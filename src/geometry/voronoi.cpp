#include "terraway/geometry/voronoi.hpp"

#include "voronoi_merge.hpp"
#include "voronoi_raw.hpp"

#include <algorithm>
#include <string>

namespace tw::geometry {
namespace {

using detail::kNoCorner;
using detail::MergedCorners;
using detail::RawCells;

constexpr const char* kStage = "voronoi";
constexpr std::size_t kChunk = 2048;  // cells

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

Status check_sites(const Delaunay& delaunay, const GridBox& bounds) {
    if (delaunay.vertex_count() == 0) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = kStage,
                     .subject = "sites",
                     .message = "there are none; give at least one"};
    }
    constexpr std::int32_t kMargin = kMinSpacing / 2;
    for (std::size_t v = 0; v < delaunay.vertex_count(); ++v) {
        const GridPoint p = delaunay.point[v];
        if (p.x - bounds.lo.x < kMargin || bounds.hi.x - p.x < kMargin ||
            p.y - bounds.lo.y < kMargin || bounds.hi.y - p.y < kMargin) {
            return Error{.code = ErrorCode::invalid_input,
                         .stage = kStage,
                         .subject = VertexId::from_index(v),
                         .message = "the site lies less than " + std::to_string(kMargin) +
                                    " steps inside the rectangle; move it inward"};
        }
    }
    return ok_status();
}

/// Turns clipped cells and merged corners into the arrays of the result.
class Assembler {
public:
    Assembler(const Delaunay& delaunay, const RawCells& raw, const MergedCorners& merged,
              Executor& executor)
        : d_(delaunay), raw_(raw), merged_(merged), executor_(executor) {}

    Result<VoronoiCells> run() {
        TW_TRY(count_sides());
        fill_sides();
        fill_twins();
        number_corners();
        cells_.merged_corners = merged_.merged;
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
    /// visit(start corner, half-edge) for each side that did not shrink to nothing.
    template <class Visit>
    void for_each_side(std::uint32_t cell, Visit&& visit) const {
        raw_.for_each_side(d_, cell,
                           [&](std::uint32_t from, std::uint32_t to, std::uint32_t half_edge) {
                               const std::uint32_t start = merged_.of(from);
                               if (start != merged_.of(to)) visit(start, half_edge);
                           });
    }

    Status count_sides() {
        cells_.side_begin.assign(d_.vertex_count() + 1, 0);
        for_each_cell([&](std::uint32_t cell) {
            for_each_side(cell,
                          [&](std::uint32_t, std::uint32_t) { ++cells_.side_begin[cell + 1]; });
        });
        for (std::size_t c = 0; c < d_.vertex_count(); ++c) {
            if (cells_.side_begin[c + 1] < 3) {
                return Error{.code = ErrorCode::invalid_input,
                             .stage = kStage,
                             .subject = VertexId::from_index(c),
                             .message =
                                 "fewer than three corners of the cell are left after "
                                 "merging; move its site or choose a larger spacing"};
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
            for_each_side(cell, [&](std::uint32_t start, std::uint32_t half_edge) {
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
        std::vector<std::uint32_t> number(raw_.corner_point.size(), kNoCorner);
        cells_.corner_point.reserve(raw_.corner_point.size());
        for (std::uint32_t& corner : cells_.corner) {
            if (number[corner] == kNoCorner) {
                number[corner] = static_cast<std::uint32_t>(cells_.corner_point.size());
                cells_.corner_point.push_back(raw_.corner_point[corner]);
            }
            corner = number[corner];
        }
    }

    const Delaunay& d_;
    const RawCells& raw_;
    const MergedCorners& merged_;
    Executor& executor_;
    VoronoiCells cells_;
    std::vector<std::uint32_t> side_of_half_edge_;
};

}  // namespace

Result<VoronoiCells> build_voronoi(const Delaunay& delaunay, const GridBox& bounds,
                                   std::int32_t spacing, Executor& executor) {
    TW_TRY(check_options(bounds, spacing));
    TW_TRY(check_sites(delaunay, bounds));
    TW_ASSIGN(const RawCells raw, detail::clip_cells(delaunay, bounds, spacing, executor));
    const std::int32_t min_gap = std::max(spacing / 256, kMinCornerGap);
    TW_ASSIGN(const MergedCorners merged, detail::merge_corners(delaunay, raw, min_gap, executor));
    return Assembler(delaunay, raw, merged, executor).run();
}

}  // namespace tw::geometry
