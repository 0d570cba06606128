#include "terraway/core/option_range.hpp"
#include "terraway/geometry/delaunay.hpp"
#include "terraway/geometry/voronoi.hpp"
#include "terraway/math/predicates.hpp"
#include "terraway/terrain/sites.hpp"

#include "floor_sqrt.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace tw::terrain {
namespace {

constexpr std::string_view kStage = "polygon map";
constexpr std::size_t kChunk = 2048;

/// The true centroid of a cell, each coordinate rounded to the nearest step, halves up.
GridPoint centroid(const geometry::VoronoiCells& cells, GridPoint site, std::uint32_t begin,
                   std::uint32_t end) {
    // A sum over the wedges of area times the sum of its corners, relative to the site; below 2⁹⁶.
    Int128 x = 0, y = 0;
    std::int64_t area = 0;
    GridPoint a = cells.corner_point[cells.corner[end - 1]] - site;
    for (std::uint32_t side = begin; side < end; ++side) {
        const GridPoint b = cells.corner_point[cells.corner[side]] - site;
        const std::int64_t wedge = orient2d({0, 0}, a, b);
        area += wedge;
        x = x + wide_product<Int128>(wedge, std::int64_t{a.x} + b.x);
        y = y + wide_product<Int128>(wedge, std::int64_t{a.y} + b.y);
        a = b;
    }
    const std::int64_t divisor = 3 * area;
    const Int128 half = divisor / 2;
    return {site.x + static_cast<std::int32_t>(floor_quotient<Int128>(x + half, divisor)),
            site.y + static_cast<std::int32_t>(floor_quotient<Int128>(y + half, divisor))};
}

std::vector<GridPoint> centroids(const geometry::VoronoiCells& cells,
                                 const std::vector<GridPoint>& site, Executor& executor) {
    std::vector<GridPoint> result(site.size());
    parallel_for(
        executor, site.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) {
                result[i] = centroid(cells, site[i], cells.side_begin[i], cells.side_begin[i + 1]);
            }
        });
    return result;
}

/// The largest spacing that holds: no two sites are nearer (the nearest neighbour is one in the
/// triangulation), none is nearer than half of it to the rectangle.
Steps spacing_of(const geometry::Delaunay& delaunay, const GridBox& bounds, Executor& executor) {
    struct Least {
        std::int64_t distance2 = std::numeric_limits<std::int64_t>::max();
        std::int64_t margin = std::numeric_limits<std::int32_t>::max();
    };
    const auto least_at = [&](std::size_t v, Least least) {
        const GridPoint p = delaunay.point[v];
        for (std::uint32_t h = delaunay.star_begin[v]; h < delaunay.star_begin[v + 1]; ++h) {
            const std::size_t other = delaunay.head[h].index();
            if (other < v) continue;
            least.distance2 = std::min(least.distance2, distance2(p, delaunay.point[other]));
        }
        least.margin = std::min({least.margin, std::int64_t{p.x} - bounds.lo.x,
                                 std::int64_t{bounds.hi.x} - p.x, std::int64_t{p.y} - bounds.lo.y,
                                 std::int64_t{bounds.hi.y} - p.y});
        return least;
    };
    std::vector<Least> by_chunk((delaunay.vertex_count() + kChunk - 1) / kChunk);
    parallel_for(executor, delaunay.vertex_count(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     Least least;
                     for (std::size_t v = begin; v < end; ++v) least = least_at(v, least);
                     by_chunk[chunk] = least;
                 });
    Least least;
    for (const Least& part : by_chunk) {
        least.distance2 = std::min(least.distance2, part.distance2);
        least.margin = std::min(least.margin, part.margin);
    }
    return static_cast<Steps>(std::min(floor_sqrt(least.distance2), 2 * least.margin));
}

Error bad_sites(std::string message) {
    return {.code = ErrorCode::invalid_input,
            .stage = std::string(kStage),
            .subject = "sites",
            .message = std::move(message)};
}

struct Tessellation {
    geometry::Delaunay delaunay;
    geometry::VoronoiCells cells;
    Steps spacing = 0;
};

Result<Tessellation> tessellate(const std::vector<GridPoint>& sites, const GridBox& bounds,
                                StageContext& context) {
    if (context.cancelled()) return cancelled_error(kStage);
    if (sites.empty()) return bad_sites("there are no sites; give at least one");
    TW_ASSIGN(auto delaunay, geometry::build_delaunay(sites, *context.executor));
    if (delaunay.duplicate_count > 0) {
        return bad_sites("two sites are equal; give each cell a site of its own");
    }
    if (context.cancelled()) return cancelled_error(kStage);
    const Steps spacing = spacing_of(delaunay, bounds, *context.executor);
    TW_ASSIGN(auto cells, geometry::build_voronoi(delaunay, bounds, spacing, *context.executor));
    return Tessellation{std::move(delaunay), std::move(cells), spacing};
}

template <class Tag, class AnyId>
IdArray<Tag, AnyId> to_ids(const std::vector<std::uint32_t>& indices) {
    return IdArray<Tag, AnyId>(std::vector<AnyId>(indices.begin(), indices.end()));
}

world::PolygonMap to_map(Tessellation tessellation, const GridBox& bounds) {
    using namespace world;
    static_assert(geometry::kNoSide == SideId::kNone);
    geometry::VoronoiCells& cells = tessellation.cells;
    PolygonMap map;
    map.bounds = bounds;
    map.spacing = tessellation.spacing;
    map.site = IdArray<CellTag, GridPoint>(std::move(tessellation.delaunay.point));
    map.side_begin = IdArray<CellTag, std::uint32_t>(std::move(cells.side_begin));
    map.corner = to_ids<SideTag, CornerId>(cells.corner);
    map.twin = to_ids<SideTag, SideId>(cells.twin);
    map.cell_of_side = to_ids<SideTag, CellId>(cells.cell_of_side);
    map.corner_point = IdArray<CornerTag, GridPoint>(std::move(cells.corner_point));
    return map;
}

}  // namespace

Result<world::PolygonMap> build_polygon_map(const Sites& sites, const GridBox& bounds,
                                            const SiteOptions& options, StageContext& context) {
    constexpr std::uint32_t kMaxRounds = 16;
    constexpr std::uint64_t kBytesPerCell = 600;  // two triangulations and tessellations at a time
    TW_TRY(require_range(kStage, "lloyd_rounds", options.lloyd_rounds, 0, kMaxRounds));
    TW_TRY(require_memory(context, kStage, kBytesPerCell * sites.point.size()));
    std::vector<GridPoint> points = sites.point;
    for (std::uint32_t round = 0;; ++round) {
        TW_ASSIGN(auto tessellation, tessellate(points, bounds, context));
        context.progress.set((round + 1.0) / (options.lloyd_rounds + 1.0));
        if (round == options.lloyd_rounds) {
            return to_map(std::move(tessellation), bounds);
        }
        points = centroids(tessellation.cells, points, *context.executor);
    }
}

}  // namespace tw::terrain
