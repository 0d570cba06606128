#include "draw_layers.hpp"

#include "terraway/world/terrain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tw::io {
namespace {

constexpr Rgb kInk = 0x24303a, kPaper = 0xf6f1e4, kNight = 0x10202e;
constexpr std::array<Rgb, 4> kDeep = {0xb9dde6, 0x7fb6d0, 0x4a86b0, 0x2a5a8a};
constexpr std::array<Rgb, 6> kHypsometric = {0x5f9e6e, 0xa9c67c, 0xe3d88f,
                                             0xc99a5b, 0x8f6248, 0xf7f4f0};
constexpr std::array<Rgb, 5> kMoisture = {0xe9d8a6, 0xc6d19a, 0x7fbf9b, 0x2f9a9a, 0x17607d};
constexpr std::array<Rgb, 5> kFlow = {0x17293a, 0x1d4e6e, 0x2a86ac, 0x67c6de, 0xf2fdff};
constexpr std::array<Rgb, 5> kCost = {0xf7f7e8, 0xcfe3a6, 0xf0c95a, 0xe07b3a, 0x9c2f2f};
constexpr std::array<Rgb, 6> kField = {0xfff7d6, 0xfdd07a, 0xf28f5b, 0xc8506c, 0x7a3a86, 0x2e2a63};
constexpr Rgb kBlocked = 0x39434c;
constexpr double kUnitSize = 1024.0;

/// Half the steepness of a logarithm: 0 at `low`, 1 at `high`.
double log_share(double value, double low, double high) {
    if (!(value > low) || !(high > low)) return 0.0;
    return std::log(value / low) / std::log(high / low);
}

double unit_of(const LayerPage& page) {
    return std::max(page.width, page.height) / kUnitSize;
}

struct Range {
    Steps low = 0, high = 0;
};
Range height_range(const MapCells& cells) {
    Range range;
    for (const Steps height : cells.elevation) {
        range.low = std::min(range.low, height);
        range.high = std::max(range.high, height);
    }
    return range;
}

/// Land heights over the least one of the land, so that a high plateau has colours too.
Rgb elevation_colour(const MapCells& cells, std::size_t cell, const Range& range,
                     Steps lowest_land) {
    const double height = cells.elevation[cell];
    if (cells.water[cell] == world::Water::ocean)
        return ramp(kDeep, height / std::min(-1, range.low));
    const double span = std::max(1, range.high - lowest_land);
    return ramp(kHypsometric, std::sqrt(std::max(0.0, (height - lowest_land) / span)));
}

Steps lowest_land_of(const MapCells& cells) {
    Steps lowest = INT32_MAX;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells.water[i] != world::Water::ocean) lowest = std::min(lowest, cells.elevation[i]);
    }
    return lowest;
}

void draw_sites(Canvas& canvas, const LayerPage& page, const Scene& scene, Backdrop backdrop) {
    const MapCells& cells = scene.data.cells;
    if (backdrop == Backdrop::paint) {
        canvas.set_colour(kNight);
        canvas.fill_page();
    }
    const double area = static_cast<double>(page.width) * page.height /
                        static_cast<double>(std::max<std::size_t>(1, cells.size()));
    const double radius = std::clamp(0.17 * std::sqrt(area), 0.4, 6.0);
    std::map<Rgb, std::vector<std::size_t>> by_colour;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        by_colour[mix(biome_colour(cells.biome[i]), 0xffffff, 0.25)].push_back(i);
    }
    for (const auto& [colour, list] : by_colour) {
        canvas.set_colour(colour);
        for (const std::size_t cell : list) canvas.dot(page.view.at(cells.site[cell]), radius);
        canvas.fill();
    }
}

/// Thin lines: the sides of cells, or what joins the sites of neighbours.
enum class Net : std::uint8_t { sides, sites };
void draw_net(Canvas& canvas, const LayerPage& page, const Scene& scene, Net net) {
    const bool between_sites = net == Net::sites;
    const MapCells& cells = scene.data.cells;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const std::uint32_t first = cells.ring_begin[cell], last = cells.ring_begin[cell + 1];
        for (std::uint32_t i = first; i < last; ++i) {
            const std::uint32_t other = cells.neighbour[i];
            if (other == MapCells::kNone ? between_sites : other < cell) continue;
            const std::array<GridPoint, 2> line =
                between_sites
                    ? std::array{cells.site[cell], cells.site[other]}
                    : std::array{cells.corner[i], cells.corner[i + 1 < last ? i + 1 : first]};
            canvas.trace(page.view, line);
        }
        // Long paths cost cairo more than their parts do.
        constexpr std::size_t kBatch = 256;
        if (cell % kBatch == kBatch - 1 || cell + 1 == cells.size())
            canvas.stroke(0.6 * unit_of(page));
    }
}

void draw_voronoi(Canvas& canvas, const LayerPage& page, const Scene& scene, Backdrop backdrop) {
    if (backdrop == Backdrop::paint) {
        paint_cells(canvas, page, scene, [&](std::size_t cell) {
            return mix(biome_colour(scene.data.cells.biome[cell]), kPaper, 0.45);
        });
    }
    canvas.set_colour(kInk, 0.55);
    draw_net(canvas, page, scene, Net::sides);
}

void draw_delaunay(Canvas& canvas, const LayerPage& page, const Scene& scene, Backdrop backdrop) {
    if (backdrop == Backdrop::paint) {
        canvas.set_colour(kNight);
        canvas.fill_page();
    }
    canvas.set_colour(0x9fd3e6, 0.75);
    draw_net(canvas, page, scene, Net::sites);
}

void draw_flow(Canvas& canvas, const LayerPage& page, const Scene& scene) {
    const MapCells& cells = scene.data.cells;
    const double high = std::max(1e-6, *std::max_element(cells.flow.begin(), cells.flow.end()));
    double low = high;
    for (const double flow : cells.flow) {
        if (flow > 0.0) low = std::min(low, flow);
    }
    paint_cells(canvas, page, scene, [&](std::size_t cell) {
        if (cells.water[cell] == world::Water::ocean) return Rgb{0x0c1620};
        return ramp(kFlow, log_share(cells.flow[cell], low, high));
    });
    draw_rivers(canvas, page.view, scene.data.rivers, 0xf2fdff, unit_of(page));
}

Image grid_image(const world::NavGrid& grid, FunctionRef<Rgb(std::size_t)> colour) {
    Image image{.width = grid.columns, .height = grid.rows, .argb = {}};
    const auto columns = static_cast<std::size_t>(grid.columns),
               rows = static_cast<std::size_t>(grid.rows);
    image.argb.reserve(columns * rows);
    for (std::size_t row = rows; row-- > 0;) {
        for (std::size_t column = 0; column < columns; ++column) {
            image.argb.push_back(0xff000000u | colour(row * columns + column));
        }
    }
    return image;
}

void paint_grid(Canvas& canvas, const View& view, const world::NavGrid& grid, const Image& image) {
    const Vec2d south_west = view.at(grid.origin);
    const double width = static_cast<double>(grid.cell) * grid.columns * view.scale;
    const double height = static_cast<double>(grid.cell) * grid.rows * view.scale;
    canvas.paint(image, south_west.x, south_west.y - height, width, height,
                 Canvas::Scaling::squares);
}

void draw_cost(Canvas& canvas, const LayerPage& page, const Scene& scene) {
    const auto cost = scene.data.cost.cost.span();
    const Image image = grid_image(scene.data.cost.grid, [&](std::size_t cell) {
        if (cost[cell] == world::CostGrid::kBlocked) return kBlocked;
        return ramp(kCost, log_share(cost[cell], 1.0, 100.0));
    });
    paint_grid(canvas, page.view, scene.data.cost.grid, image);
}

void draw_arrows(Canvas& canvas, const LayerPage& page, const world::DirectionField& field) {
    constexpr double kApart = 26.0;  ///< [pixels] on a page of 1,024
    const double unit = unit_of(page), cell = field.grid.cell * page.view.scale;
    const auto stride = static_cast<std::int32_t>(std::max(1.0, std::round(kApart * unit / cell)));
    const double length = 0.36 * stride * cell;
    constexpr double kHalf = 0.70710678118654752;
    constexpr std::array<Vec2d, 8> kWays = {Vec2d{1, 0},      {kHalf, -kHalf}, {0, -1},
                                            {-kHalf, -kHalf}, Vec2d{-1, 0},    {-kHalf, kHalf},
                                            {0, 1},           {kHalf, kHalf}};
    canvas.set_colour(0xffffff, 0.85);
    for (std::int32_t row = stride / 2; row < field.grid.rows; row += stride) {
        for (std::int32_t column = stride / 2; column < field.grid.columns; column += stride) {
            const auto index =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(field.grid.columns) +
                static_cast<std::size_t>(column);
            const std::uint8_t way = field.direction.span()[index];
            if (way >= world::DirectionField::kStay) continue;
            const Vec2d middle =
                page.view.at({field.grid.origin.x + column * field.grid.cell + field.grid.cell / 2,
                              field.grid.origin.y + row * field.grid.cell + field.grid.cell / 2});
            const Vec2d along = kWays[way], side = left_of(along);
            const Vec2d tip = middle + along * length, tail = middle - along * length;
            const std::array<Vec2d, 2> shaft = {tail, tip};
            const std::array<Vec2d, 2> barb_a = {
                tip, tip - along * (length * 0.6) + side * (length * 0.45)};
            const std::array<Vec2d, 2> barb_b = {
                tip, tip - along * (length * 0.6) - side * (length * 0.45)};
            canvas.trace_smooth(shaft);
            canvas.trace_smooth(barb_a);
            canvas.trace_smooth(barb_b);
        }
        canvas.stroke(1.1 * unit);
    }
}

void draw_field(Canvas& canvas, const LayerPage& page, const Scene& scene) {
    const auto value = scene.data.integration.value.span();
    std::uint32_t highest = 1;
    for (const std::uint32_t v : value) {
        if (v != world::IntegrationField::kUnreached) highest = std::max(highest, v);
    }
    const Image image = grid_image(scene.data.integration.grid, [&](std::size_t cell) {
        if (value[cell] == world::IntegrationField::kUnreached) return kBlocked;
        const double share = static_cast<double>(value[cell]) / highest;
        // Bands, as on a map with contour lines.
        constexpr double kBands = 24.0;
        const double band = std::floor(share * kBands);
        const Rgb colour = ramp(kField, share);
        return static_cast<int>(band) % 2 == 0 ? colour : mix(colour, 0xffffff, 0.09);
    });
    paint_grid(canvas, page.view, scene.data.integration.grid, image);
    if (!scene.data.directions.direction.empty()) draw_arrows(canvas, page, scene.data.directions);
}

Error missing(std::string_view layer) {
    return Error{.code = ErrorCode::not_found,
                 .stage = "picture",
                 .subject = layer,
                 .message = "this world has nothing to show there; choose another layer"};
}

}  // namespace

Rgb biome_colour(world::Biome biome) {
    return world::look_of(biome).rgb;
}

LayerPage layer_page(const Scene& scene) {
    const geometry::Raster& raster = scene.raster.raster;
    LayerPage page;
    page.width = (raster.columns + 1) / 2;
    page.height = (raster.rows + 1) / 2;
    page.view = {.origin = raster.origin,
                 .scale = 0.5 / raster.pixel,
                 .left = 0.0,
                 .bottom = raster.rows * 0.5};
    return page;
}

void paint_cells(Canvas& canvas, const LayerPage& page, const Scene& scene,
                 FunctionRef<Rgb(std::size_t)> colour) {
    const MapCells& cells = scene.data.cells;
    std::vector<Rgb> colours(cells.size());
    for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = colour(i);
    if (canvas.format() == PictureFormat::svg) {
        std::map<Rgb, std::vector<std::size_t>> by_colour;
        for (std::size_t i = 0; i < colours.size(); ++i) by_colour[colours[i]].push_back(i);
        for (const auto& [rgb, list] : by_colour) {
            // A hair's breadth over the edge: viewers show the page through seams.
            for (const bool edge : {true, false}) {
                canvas.set_colour(rgb);
                for (const std::size_t cell : list)
                    canvas.trace_closed(page.view, cells.ring(cell));
                if (edge) {
                    canvas.stroke(0.5);
                } else {
                    canvas.fill();
                }
            }
        }
        return;
    }
    const auto columns = static_cast<std::size_t>(scene.raster.raster.columns);
    const auto rows = static_cast<std::size_t>(scene.raster.raster.rows);
    Image image{.width = page.width, .height = page.height, .argb = {}};
    image.argb.reserve(static_cast<std::size_t>(page.width) *
                       static_cast<std::size_t>(page.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(page.height); ++y) {
        const std::size_t y1 = std::min(rows - 1, 2 * y + 1);
        for (std::size_t x = 0; x < static_cast<std::size_t>(page.width); ++x) {
            const std::size_t x1 = std::min(columns - 1, 2 * x + 1);
            const std::array<std::uint32_t, 4> under = {
                scene.raster.cell[2 * y * columns + 2 * x], scene.raster.cell[2 * y * columns + x1],
                scene.raster.cell[y1 * columns + 2 * x], scene.raster.cell[y1 * columns + x1]};
            std::uint32_t red = 2, green = 2, blue = 2;
            for (const std::uint32_t cell : under) {
                red += colours[cell] >> 16 & 255;
                green += colours[cell] >> 8 & 255;
                blue += colours[cell] & 255;
            }
            image.argb.push_back(0xff000000u | red / 4 << 16 | green / 4 << 8 | blue / 4);
        }
    }
    canvas.paint(image, 0, 0, page.width, page.height, Canvas::Scaling::squares);
}

const RoadStyle& road_style(world::RoadClass road_class) {
    static constexpr std::array<RoadStyle, world::kRoadClassCount> kStyles = {{
        {0x9c3b2e, 0xe8735a, 3.2},  // motorway
        {0xa5622a, 0xf2a35e, 2.8},  // trunk
        {0xa5822a, 0xf7cf6b, 2.4},  // primary
        {0x8d8455, 0xfbf0a8, 2.0},  // secondary
        {0x85796a, 0xfffdf4, 1.7},  // tertiary
        {0x85796a, 0xffffff, 1.3},  // residential
        {0x9a9084, 0xf7f4ee, 0.9},  // service
        {0x8f7752, 0xd8c39a, 0.8},  // track
        {0x8f8aa0, 0xe9e4f2, 1.0},  // pedestrian
        {0x5b7f6d, 0xb9dccb, 0.7},  // cycleway
        {0x8a7a66, 0xe0d2bd, 0.6},  // path
    }};
    return kStyles[static_cast<std::size_t>(road_class)];
}

void draw_roads(Canvas& canvas, const View& view, const std::vector<MapRoad>& roads, double unit) {
    const auto width_of = [&](const MapRoad& road) {
        const double least = road_style(road.attributes.road_class).least_width * unit;
        return std::max(least, road.attributes.width * view.scale);
    };
    const double edge = 0.8 * unit;
    // Levels from below; on each, all casings before all fills, so that junctions are open.
    for (int level = -5; level <= 5; ++level) {
        for (const bool casing : {true, false}) {
            for (std::size_t c = world::kRoadClassCount; c-- > 0;) {
                const RoadStyle& style = road_style(static_cast<world::RoadClass>(c));
                for (const MapRoad& road : roads) {
                    if (road.attributes.level != level ||
                        static_cast<std::size_t>(road.attributes.road_class) != c)
                        continue;
                    const bool tunnel = road.attributes.form == world::RoadForm::tunnel;
                    canvas.set_colour(casing ? style.casing : style.fill, tunnel ? 0.45 : 1.0);
                    canvas.trace(view, road.point);
                    canvas.stroke(width_of(road) + (casing ? 2 * edge : 0.0));
                }
            }
        }
    }
}

void draw_rivers(Canvas& canvas, const View& view, const std::vector<MapRiver>& rivers, Rgb colour,
                 double unit) {
    double highest = 0.0;
    for (const MapRiver& river : rivers) highest = std::max(highest, river.flow_end);
    const auto width_of = [&](double flow) {
        return (0.55 + 3.2 * std::sqrt(flow / highest)) * unit;
    };
    canvas.set_colour(colour);
    for (const MapRiver& river : rivers) {
        std::vector<Vec2d> points;
        points.reserve(river.point.size());
        for (const GridPoint point : river.point) points.push_back(view.at(point));
        // Bend by bend, each as wide as its part of the flow.
        const auto last = static_cast<double>(points.size());
        for (std::size_t i = 1; i + 1 < std::max<std::size_t>(3, points.size()); ++i) {
            canvas.trace_smooth(points, i, i + 1);
            const double share = static_cast<double>(i) / last;
            canvas.stroke(width_of(river.flow_begin + (river.flow_end - river.flow_begin) * share));
        }
    }
}

Status draw_layer(Canvas& canvas, const LayerPage& page, const Scene& scene, std::string_view layer,
                  Backdrop backdrop) {
    const MapCells& cells = scene.data.cells;
    if (layer == "sites") {
        draw_sites(canvas, page, scene, backdrop);
    } else if (layer == "delaunay") {
        draw_delaunay(canvas, page, scene, backdrop);
    } else if (layer == "voronoi") {
        draw_voronoi(canvas, page, scene, backdrop);
    } else if (layer == "elevation") {
        const Range range = height_range(cells);
        const Steps lowest_land = lowest_land_of(cells);
        paint_cells(canvas, page, scene, [&](std::size_t cell) {
            return elevation_colour(cells, cell, range, lowest_land);
        });
    } else if (layer == "moisture") {
        paint_cells(canvas, page, scene, [&](std::size_t cell) {
            return cells.water[cell] == world::Water::ocean
                       ? kNight
                       : ramp(kMoisture, cells.moisture[cell] / 65535.0);
        });
    } else if (layer == "biome") {
        paint_cells(canvas, page, scene,
                    [&](std::size_t cell) { return biome_colour(cells.biome[cell]); });
    } else if (layer == "flow") {
        draw_flow(canvas, page, scene);
    } else if (layer == "cost") {
        if (scene.data.cost.cost.empty()) return missing(layer);
        draw_cost(canvas, page, scene);
    } else if (layer == "field") {
        if (scene.data.integration.value.empty()) return missing(layer);
        draw_field(canvas, page, scene);
    } else if (layer == "roads") {
        if (scene.data.roads.empty()) return missing(layer);
        if (backdrop == Backdrop::paint) {
            canvas.set_colour(0xefe9db);
            canvas.fill_page();
        }
        draw_roads(canvas, page.view, scene.data.roads, unit_of(page));
    } else {
        return Error{.code = ErrorCode::invalid_option,
                     .stage = "picture",
                     .subject = layer,
                     .message =
                         "is no layer; take sites, delaunay, voronoi, elevation, moisture, biome, "
                         "flow, cost, "
                         "field, roads or map"};
    }
    return ok_status();
}

}  // namespace tw::io
