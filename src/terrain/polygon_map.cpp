#include "terraway/core/option_range.hpp"
#include "terraway/geometry/delaunay.hpp"
#include "terraway/geometry/voronoi.hpp"
#include "terraway/terrain/sites.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tw::terrain {
namespace {

constexpr std::string_view kStage = "polygon map";

Error bad_sites(std::string message) {
    return {.code = ErrorCode::invalid_input,
            .stage = std::string(kStage),
            .subject = "sites",
            .message = std::move(message)};
}

Result<geometry::Delaunay> triangulate(const std::vector<GridPoint>& sites, StageContext& context) {
    if (context.cancelled()) return cancelled_error(kStage);
    if (sites.empty()) return bad_sites("there are no sites; give at least one");
    TW_ASSIGN(auto delaunay, geometry::build_delaunay(sites, *context.executor));
    if (delaunay.duplicate_count > 0) {
        return bad_sites("two sites are equal; give each cell a site of its own");
    }
    if (context.cancelled()) return cancelled_error(kStage);
    return delaunay;
}

template <class Tag, class AnyId>
IdArray<Tag, AnyId> to_ids(const std::vector<std::uint32_t>& indices) {
    return IdArray<Tag, AnyId>(std::vector<AnyId>(indices.begin(), indices.end()));
}

world::PolygonMap to_map(std::vector<GridPoint> sites, geometry::VoronoiCells cells,
                         const GridBox& bounds) {
    using namespace world;
    static_assert(geometry::kNoSide == SideId::kNone);
    PolygonMap map;
    map.bounds = bounds;
    map.spacing = cells.spacing;
    map.site = IdArray<CellTag, GridPoint>(std::move(sites));
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
    const auto finished = [&](std::uint32_t rounds) {
        context.progress.set((rounds + 1.0) / (options.lloyd_rounds + 1.0));
    };
    std::vector<GridPoint> points = sites.point;
    for (std::uint32_t round = 0; round < options.lloyd_rounds; ++round) {
        TW_ASSIGN(const auto delaunay, triangulate(points, context));
        TW_ASSIGN(points, geometry::voronoi_centroids(delaunay, bounds, {}, *context.executor));
        finished(round);
    }
    TW_ASSIGN(const auto delaunay, triangulate(points, context));
    TW_ASSIGN(auto cells, geometry::build_voronoi(delaunay, bounds, {}, *context.executor));
    finished(options.lloyd_rounds);
    return to_map(std::move(points), std::move(cells), bounds);
}

}  // namespace tw::terrain
