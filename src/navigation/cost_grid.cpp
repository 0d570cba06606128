#include "terraway/navigation/cost_grid.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/geometry/raster.hpp"
#include "terraway/math/vec.hpp"
#include "terraway/world/surface_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tw::navigation {
namespace {

using geometry::Raster;
using world::CellId;
using world::CostGrid;
using world::NavCellId;
using world::SideId;
using world::Water;

constexpr const char* kStage = "cost grid";
constexpr std::uint8_t kRoadCost = 1;
constexpr std::uint8_t kDearest = 254;
constexpr double kSlopeWeight = 4.0;  ///< a slope of 25 % doubles the cost

/// What level ground costs.
constexpr std::array<std::uint8_t, world::kBiomeCount> kBiomeCost{
    3,  // ocean: as its beach where it is dry
    3,  // beach
    3,  // lake
    4,  // subtropical_desert
    3,  // grassland
    6,  // tropical_forest
    8,  // tropical_rain_forest
    4,  // temperate_desert
    5,  // temperate_forest
    6,  // temperate_rain_forest
    4,  // shrubland
    5,  // taiga
    4,  // alpine_desert
    4,  // tundra
    6,  // snow
};

/// Rise over run of the plane through the triangle, which turns left.
double slope_of(const world::SurfaceTriangle& t) {
    const auto difference = [&](std::size_t i) {
        return Vec3d{static_cast<double>(std::int64_t{t[i].point.x} - t[0].point.x),
                     static_cast<double>(std::int64_t{t[i].point.y} - t[0].point.y),
                     static_cast<double>(std::int64_t{t[i].height} - t[0].height)};
    };
    const Vec3d normal = cross(difference(1), difference(2));
    return std::sqrt(normal.x * normal.x + normal.y * normal.y) / normal.z;
}

/// Writes costs into squares; what lies outside the grid is dropped.
class Painter {
public:
    Painter(const Raster& raster, std::span<std::uint8_t> cost) : raster_(raster), cost_(cost) {}
    void line(GridPoint a, GridPoint b, std::uint8_t cost) {
        geometry::walk_segment(raster_, a, b, [&](std::int32_t column, std::int32_t row) {
            if (column < 0 || row < 0 || column >= raster_.columns || row >= raster_.rows) return;
            cost_[index_of(column, row)] = cost;
        });
    }
    void triangle(const world::SurfaceTriangle& corners, std::int32_t row_begin,
                  std::int32_t row_end, std::uint8_t cost) {
        geometry::cover_triangle(
            raster_, corners, row_begin, row_end,
            [&](std::int32_t column, std::int32_t row) { cost_[index_of(column, row)] = cost; });
    }

private:
    std::size_t index_of(std::int32_t column, std::int32_t row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(raster_.columns) +
               static_cast<std::size_t>(column);
    }

    const Raster& raster_;
    std::span<std::uint8_t> cost_;
};

Status paint_ground(const world::CanonicalSurface& surface, const world::Relief& relief,
                    const world::Biomes& biomes, const CostOptions& options, const Raster& raster,
                    Painter painter, StageContext& context) {
    const auto cost_of = [&](CellId cell, const world::SurfaceTriangle& triangle) {
        if (relief.water[cell] != Water::land) return CostGrid::kBlocked;
        const double slope = slope_of(triangle);
        if (!(slope <= options.steepest)) return CostGrid::kBlocked;
        const double level = kBiomeCost[static_cast<std::size_t>(biomes.biome[cell])];
        const double cost = level * (1.0 + kSlopeWeight * slope);
        return static_cast<std::uint8_t>(std::min<double>(kDearest, cost + 0.5));
    };
    return world::scan_surface(surface, raster, kStage, context,
                               [&](CellId cell, const world::SurfaceTriangle& triangle,
                                   std::int32_t row_begin, std::int32_t row_end) {
                                   // All is blocked from the start: on the edge between both,
                                   // what is open wins.
                                   const std::uint8_t cost = cost_of(cell, triangle);
                                   if (cost == CostGrid::kBlocked) return;
                                   painter.triangle(triangle, row_begin, row_end, cost);
                               });
}

/// Blocks every square that a river too large to ford enters.
void paint_rivers(const world::CanonicalSurface& surface, const world::Relief& relief,
                  const CostOptions& options, Painter painter) {
    constexpr double kLitresAYear = 1000.0 * 31'557'600.0;  ///< of 1 m³/s
    const double limit = options.ford_flow * kLitresAYear;
    const world::PolygonMap& map = *surface.map;
    for (const CellId cell : map.site.ids()) {
        const SideId out = surface.drainage->downhill[cell];
        if (!out || static_cast<double>(surface.drainage->discharge[cell]) <= limit) continue;
        const world::RiverVertexId vertex = surface.rivers->vertex_of_side[out];
        if (!vertex) continue;
        const GridPoint crossing = surface.rivers->vertex_point[vertex];
        painter.line(map.site[cell], crossing, CostGrid::kBlocked);
        const CellId below = map.neighbour(out);
        if (!below || relief.water[below] == Water::ocean) continue;  // the mouth
        painter.line(crossing, map.site[below], CostGrid::kBlocked);
    }
}

/// Every square that a street touches, so that narrow ones stay connected. Tunnels pass below.
void paint_streets(const world::StreetSurface& streets, const Raster& raster, Painter painter) {
    for (const world::PieceId piece : streets.kind.ids()) {
        if (streets.form[piece] == world::RoadForm::tunnel) continue;
        for (const auto& triangle : streets.triangles(piece)) {
            world::SurfaceTriangle corners;
            for (std::size_t i = 0; i < 3; ++i) corners[i].point = streets.vertex[triangle[i]];
            for (std::size_t i = 0; i < 3; ++i) {
                painter.line(corners[i].point, corners[(i + 1) % 3].point, kRoadCost);
            }
            painter.triangle(corners, 0, raster.rows, kRoadCost);
        }
    }
}

}  // namespace

Result<CostGrid> build_cost_grid(const world::CanonicalSurface& surface,
                                 const world::Relief& relief, const world::Biomes& biomes,
                                 const world::StreetSurface* streets, const CostOptions& options,
                                 StageContext& context) {
    TW_TRY(require_range(kStage, "longest", options.longest, 8.0, 8192.0));
    TW_TRY(require_range(kStage, "steepest", options.steepest, 0.05, 10.0));
    TW_TRY(require_range(kStage, "ford_flow", options.ford_flow, 0.0, 1e6));
    const Raster raster = geometry::raster_over(surface.map->bounds, options.longest);
    const std::size_t squares =
        static_cast<std::size_t>(raster.columns) * static_cast<std::size_t>(raster.rows);
    TW_TRY(require_memory(context, kStage, squares + surface.map->cell_count() * 24));

    CostGrid out{.grid = {raster.origin, raster.pixel, raster.columns, raster.rows},
                 .cost = IdArray<world::NavCellTag, std::uint8_t>(squares, CostGrid::kBlocked)};
    const Painter painter(raster, out.cost.edit_all());
    TW_TRY(paint_ground(surface, relief, biomes, options, raster, painter, context));
    context.progress.set(0.7);
    if (surface.rivers) paint_rivers(surface, relief, options, painter);
    if (streets) paint_streets(*streets, raster, painter);
    context.progress.set(1.0);
    return out;
}

}  // namespace tw::navigation
