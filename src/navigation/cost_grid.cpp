#include "terraway/navigation/cost_grid.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/geometry/polygon.hpp"
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

/// As geometry::cover_triangle sees it: a triangle that turns left, closed.
geometry::Side side_of(const world::SurfaceTriangle& t, GridPoint point) {
    const std::int64_t a = orient2d(t[0].point, t[1].point, point);
    if (a < 0) return geometry::Side::outside;
    const std::int64_t b = orient2d(t[1].point, t[2].point, point);
    if (b < 0) return geometry::Side::outside;
    const std::int64_t c = orient2d(t[2].point, t[0].point, point);
    if (c < 0) return geometry::Side::outside;
    return a > 0 && b > 0 && c > 0 ? geometry::Side::inside : geometry::Side::boundary;
}

using SquareSet = IdSet<world::NavCellTag>;

/// Writes costs into squares; what lies outside the grid is dropped, and where only some squares
/// are wanted, what lies outside those.
class Painter {
public:
    Painter(const Raster& raster, std::span<std::uint8_t> cost, const SquareSet* wanted = nullptr)
        : raster_(raster), cost_(cost), wanted_(wanted) {}
    void square(std::int32_t column, std::int32_t row, std::uint8_t cost) const {
        const NavCellId square = at(column, row);
        if (wanted_ && !wanted_->contains(square)) return;
        cost_[square.index()] = cost;
    }
    void line(GridPoint a, GridPoint b, std::uint8_t cost) const {
        geometry::walk_segment(raster_, a, b, [&](std::int32_t column, std::int32_t row) {
            if (column < 0 || row < 0 || column >= raster_.columns || row >= raster_.rows) return;
            square(column, row, cost);
        });
    }
    void triangle(const world::SurfaceTriangle& corners, std::int32_t row_begin,
                  std::int32_t row_end, std::uint8_t cost) const {
        geometry::cover_triangle(
            raster_, corners, row_begin, row_end,
            [&](std::int32_t column, std::int32_t row) { square(column, row, cost); });
    }
    const Raster& raster() const { return raster_; }
    /// False: nothing in the box, or where lines between its points go, is wanted.
    bool may_want(const GridBox& box) const {
        if (!wanted_) return true;
        const std::int32_t left = std::max(0, raster_.column_at(box.lo.x));
        const std::int32_t right = std::min(raster_.columns - 1, raster_.column_at(box.hi.x));
        const std::int32_t bottom = std::max(0, raster_.row_at(box.lo.y));
        const std::int32_t top = std::min(raster_.rows - 1, raster_.row_at(box.hi.y));
        constexpr std::int64_t kFew = 64;
        if ((std::int64_t{right} - left + 1) * (std::int64_t{top} - bottom + 1) > kFew) return true;
        for (std::int32_t row = bottom; row <= top; ++row) {
            for (std::int32_t column = left; column <= right; ++column) {
                if (wanted_->contains(at(column, row))) return true;
            }
        }
        return false;
    }

private:
    NavCellId at(std::int32_t column, std::int32_t row) const {
        return NavCellId::from_index(static_cast<std::size_t>(row) *
                                         static_cast<std::size_t>(raster_.columns) +
                                     static_cast<std::size_t>(column));
    }

    const Raster& raster_;
    std::span<std::uint8_t> cost_;
    const SquareSet* wanted_;  ///< null: all
};

/// What is painted, layer by layer: all is blocked from the start, then ground, large rivers,
/// streets and obstacles.
class Layers {
public:
    Layers(const CostSources& from, const CostOptions& options) : from_(from), options_(options) {}

    /// On the edge between both, what is open wins; of open ones the last.
    void paint_triangle(const Painter& painter, CellId cell, const world::SurfaceTriangle& triangle,
                        std::int32_t row_begin, std::int32_t row_end) const {
        const std::uint8_t cost = cost_of(cell, triangle);
        if (cost != CostGrid::kBlocked) painter.triangle(triangle, row_begin, row_end, cost);
    }
    /// What those triangles leave on the square with this middle. `last`: a cell where it may lie;
    /// becomes one where it does.
    std::uint8_t ground_at(GridPoint middle, const world::CellIndex& index, CellId& last) const {
        std::uint8_t ground = CostGrid::kBlocked;
        bool alone = false;  // inside of a triangle there is no other
        const auto look_at = [&](CellId cell) {
            world::for_each_triangle(from_.surface, cell, [&](const world::SurfaceTriangle& t) {
                const geometry::Side side = side_of(t, middle);
                if (side == geometry::Side::outside) return;
                alone = side == geometry::Side::inside;
                last = cell;
                const std::uint8_t cost = cost_of(cell, t);
                if (cost != CostGrid::kBlocked) ground = cost;
            });
        };
        if (last) look_at(last);
        if (alone) return ground;
        ground = CostGrid::kBlocked;
        for (const CellId cell : index.near(middle)) {
            look_at(cell);
            if (alone) break;
        }
        return ground;
    }
    /// Blocks every square that the cell's river enters, if it is too large to ford.
    void paint_river(const Painter& painter, CellId cell) const {
        if (!blocks_way(*from_.surface.rivers, cell, from_.surface.drainage->discharge[cell],
                        options_)) {
            return;
        }
        const world::PolygonMap& map = *from_.surface.map;
        const GridPoint crossing = from_.surface.rivers->crossing[cell];
        painter.line(map.site[cell], crossing, CostGrid::kBlocked);
        const CellId below = map.neighbour(from_.surface.rivers->side[cell]);
        if (!below || from_.surface.drainage->water[below] == Water::ocean) return;  // the mouth
        painter.line(crossing, map.site[below], CostGrid::kBlocked);
    }
    /// Every square that a street touches, so that narrow ones stay connected. Tunnels pass below.
    void paint_street(const Painter& painter, world::PieceId piece) const {
        const world::StreetSurface& streets = *from_.streets;
        if (streets.form[piece] == world::RoadForm::tunnel) return;
        for (const auto& triangle : streets.triangles(piece)) {
            world::SurfaceTriangle corners;
            GridBox box;
            for (std::size_t i = 0; i < 3; ++i) {
                corners[i].point = streets.vertex[triangle[i]];
                box.include(corners[i].point);
            }
            if (!painter.may_want(box)) continue;
            for (std::size_t i = 0; i < 3; ++i) {
                painter.line(corners[i].point, corners[(i + 1) % 3].point, kRoadCost);
            }
            painter.triangle(corners, 0, painter.raster().rows, kRoadCost);
        }
    }
    /// Every square that the ring touches, and those whose middle it contains.
    static void paint_obstacle(const Painter& painter, const world::Obstacle& obstacle) {
        const std::vector<GridPoint>& ring = obstacle.ring;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            painter.line(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], CostGrid::kBlocked);
        }
        const Raster& raster = painter.raster();
        const GridBox box = world::box_of(obstacle);
        const std::int32_t left = std::max(0, raster.column_at(box.lo.x));
        const std::int32_t right = std::min(raster.columns - 1, raster.column_at(box.hi.x));
        const std::int32_t top = std::min(raster.rows - 1, raster.row_at(box.hi.y));
        for (std::int32_t row = std::max(0, raster.row_at(box.lo.y)); row <= top; ++row) {
            for (std::int32_t column = left; column <= right; ++column) {
                if (geometry::locate(ring, raster.middle(column, row)) != geometry::Side::outside) {
                    painter.square(column, row, CostGrid::kBlocked);
                }
            }
        }
    }

private:
    std::uint8_t cost_of(CellId cell, const world::SurfaceTriangle& triangle) const {
        if (from_.surface.drainage->water[cell] != Water::land) return CostGrid::kBlocked;
        const double slope = slope_of(triangle);
        if (!(slope <= options_.steepest)) return CostGrid::kBlocked;
        const double level = kBiomeCost[static_cast<std::size_t>(from_.biomes->biome[cell])];
        const double cost = level * (1.0 + kSlopeWeight * slope);
        return static_cast<std::uint8_t>(std::min<double>(kDearest, cost + 0.5));
    }

    const CostSources& from_;
    const CostOptions& options_;
};

Status check_options(const CostOptions& options) {
    TW_TRY(require_range(kStage, "longest", options.longest, 8.0, 8192.0));
    TW_TRY(require_range(kStage, "steepest", options.steepest, 0.05, 10.0));
    return require_range(kStage, "ford_flow", options.ford_flow, 0.0, 1e6);
}

}  // namespace

bool blocks_way(const world::Rivers& rivers, CellId cell, std::uint64_t discharge,
                const CostOptions& options) {
    constexpr double kLitresAYear = 1000.0 * 31'557'600.0;  ///< of 1 m³/s
    return rivers.side[cell] && static_cast<double>(discharge) > options.ford_flow * kLitresAYear;
}

Result<CostGrid> build_cost_grid(const CostSources& from, const CostOptions& options,
                                 StageContext& context) {
    TW_TRY(check_options(options));
    const world::CanonicalSurface& surface = from.surface;
    const Raster raster = geometry::raster_over(surface.map->bounds, options.longest);
    const std::size_t squares =
        static_cast<std::size_t>(raster.columns) * static_cast<std::size_t>(raster.rows);
    TW_TRY(require_memory(context, kStage, squares + surface.map->cell_count() * 24));

    CostGrid out{.grid = {raster.origin, raster.pixel, raster.columns, raster.rows},
                 .cost = IdArray<world::NavCellTag, std::uint8_t>(squares, CostGrid::kBlocked)};
    const Painter painter(raster, out.cost.edit_all());
    const Layers layers(from, options);
    TW_TRY(world::scan_surface(surface, raster, kStage, context,
                               [&](CellId cell, const world::SurfaceTriangle& triangle,
                                   std::int32_t row_begin, std::int32_t row_end) {
                                   layers.paint_triangle(painter, cell, triangle, row_begin,
                                                         row_end);
                               }));
    context.progress.set(0.7);
    if (surface.rivers) {
        for (const CellId cell : surface.map->site.ids()) layers.paint_river(painter, cell);
    }
    if (from.streets) {
        for (const world::PieceId piece : from.streets->kind.ids()) {
            layers.paint_street(painter, piece);
        }
    }
    if (from.obstacles) {
        for (const world::Obstacle& obstacle : from.obstacles->obstacle) {
            Layers::paint_obstacle(painter, obstacle);
        }
    }
    context.progress.set(1.0);
    return out;
}

/// Squares that may differ: all that come near what changed.
void CostUpdate::add_box(const Raster& raster, const GridBox& box) {
    const std::int32_t left = std::max(0, raster.column_at(box.lo.x - 1));
    const std::int32_t right = std::min(raster.columns - 1, raster.column_at(box.hi.x + 1));
    const std::int32_t top = std::min(raster.rows - 1, raster.row_at(box.hi.y + 1));
    for (std::int32_t row = std::max(0, raster.row_at(box.lo.y - 1)); row <= top; ++row) {
        for (std::int32_t column = left; column <= right; ++column) {
            square_.insert(NavCellId::from_index(static_cast<std::size_t>(row) *
                                                     static_cast<std::size_t>(raster.columns) +
                                                 static_cast<std::size_t>(column)));
        }
    }
}

void CostUpdate::run(const CostSources& from, const CostChanges& changes,
                     const world::PieceIndex* pieces, CostGrid& grid,
                     IdSet<world::NavCellTag>& changed) {
    const world::PolygonMap& map = *from.surface.map;
    const Raster raster{grid.grid.origin, grid.grid.cell, grid.grid.columns, grid.grid.rows};
    square_.reset(grid.cost.size());
    changed.reset(grid.cost.size());
    for (const std::span<const CellId> cells : {changes.shape, changes.other}) {
        for (const CellId cell : cells) add_box(raster, world::box_of(map, cell));
    }
    for (const GridBox& box : changes.boxes) add_box(raster, box);
    if (square_.empty()) return;

    fresh_.resize(grid.cost.size());
    river_.reset(map.cell_count());
    const Painter painter(raster, fresh_, &square_);
    const Layers layers(from, options_);
    GridBox whole;
    CellId last;
    for (const NavCellId square : square_.ids()) {
        const auto columns = static_cast<std::uint32_t>(raster.columns);
        const auto column = static_cast<std::int32_t>(square.value() % columns);
        const auto row = static_cast<std::int32_t>(square.value() / columns);
        fresh_[square.index()] = layers.ground_at(raster.middle(column, row), index_, last);
        const GridPoint lo = raster.origin + GridPoint{column * raster.pixel, row * raster.pixel};
        const GridBox box{lo, lo + GridPoint{raster.pixel, raster.pixel}};
        whole.include(box.lo);
        whole.include(box.hi);
        if (!from.surface.rivers) continue;
        index_.for_each(box, [&](CellId cell) {
            if (from.surface.rivers->rim_crossings[cell] > 0) river_.insert(cell);
        });
    }
    for (const CellId cell : river_.ids()) {
        for (const SideId side : map.sides(cell)) {
            const CellId river = from.surface.rivers->over(map, side);
            if (river) layers.paint_river(painter, river);
        }
    }
    if (from.streets && pieces) {
        for (const world::PieceId piece : pieces->find(whole)) {
            if (painter.may_want(pieces->box(piece))) layers.paint_street(painter, piece);
        }
    }
    if (from.obstacles) {
        for (const world::Obstacle& obstacle : from.obstacles->obstacle) {
            if (world::box_of(obstacle).intersects(whole))
                Layers::paint_obstacle(painter, obstacle);
        }
    }
    for (const NavCellId square : square_.ids()) {
        if (grid.cost.set(square, fresh_[square.index()])) changed.insert(square);
    }
}

}  // namespace tw::navigation
