#include "draw_map.hpp"

#include "relief_shading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace tw::io {
namespace {

constexpr Rgb kInk = 0x2b2a26, kSoftInk = 0x6b665a, kPanel = 0xf7f2e6, kFrame = 0x4a4436;
constexpr Rgb kCoast = 0x35546b, kRiver = 0x3d7fae, kLake = 0x6fb1d3;
constexpr double kDesignSize = 2048.0;  ///< what sizes below are meant for

/// The legend's column and the writing position in it.
struct Panel {
    double left, width, unit;
    double y;
};

std::string with_commas(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
    return text;
}

/// With a tenth below ten, where it is not zero.
std::string short_number(double value) {
    const long long tenths = std::llround(value * 10.0);
    if (tenths >= 100) return std::to_string(std::llround(value));
    const std::string rest = tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10);
    return std::to_string(tenths / 10) + rest;
}

std::string length_text(double metres) {
    return metres >= 1000.0 ? short_number(metres / 1000.0) + " km"
                            : std::to_string(std::llround(metres)) + " m";
}

std::string spoken(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

void heading(Canvas& canvas, Panel& panel, std::string_view text) {
    panel.y += 56 * panel.unit;
    canvas.set_colour(kSoftInk);
    canvas.text(text, panel.left, panel.y, {.size = 21 * panel.unit, .bold = true});
    panel.y += 12 * panel.unit;
    canvas.set_colour(kSoftInk, 0.5);
    canvas.rectangle(panel.left, panel.y, panel.width, std::max(1.0, 1.5 * panel.unit));
    canvas.fill();
    panel.y += 10 * panel.unit;
}

/// Text beside a sample that `draw` paints in a box 56 wide and 26 high.
template <class Draw>
void entry(Canvas& canvas, Panel& panel, std::string_view text, std::string_view right,
           Draw&& draw) {
    const double u = panel.unit;
    panel.y += 35 * u;
    draw(panel.left, panel.y - 20 * u, 56 * u, 26 * u);
    canvas.set_colour(kInk);
    canvas.text(text, panel.left + 74 * u, panel.y, {.size = 22 * u});
    canvas.set_colour(kSoftInk);
    canvas.text(right, panel.left + panel.width, panel.y, {.size = 20 * u, .align = 1.0});
}

void biome_legend(Canvas& canvas, Panel& panel, const MapCells& cells) {
    std::array<std::size_t, world::kBiomeCount> count{};
    std::size_t land = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells.water[i] == world::Water::ocean) continue;
        ++count[static_cast<std::size_t>(cells.biome[i])];
        ++land;
    }
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < count.size(); ++b) {
        if (count[b] > 0) order.push_back(b);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return count[a] != count[b] ? count[a] > count[b] : a < b;
    });
    if (order.empty()) return;
    heading(canvas, panel, "LAND");
    for (const std::size_t b : order) {
        const auto biome = static_cast<world::Biome>(b);
        const double percent = 100.0 * static_cast<double>(count[b]) / static_cast<double>(land);
        const std::string share =
            percent < 1.0 ? "< 1 %" : std::to_string(std::llround(percent)) + " %";
        entry(canvas, panel, spoken(world::look_of(biome).name), share,
              [&](double x, double y, double w, double h) {
                  canvas.rounded_rectangle(x, y, w, h, 5 * panel.unit);
                  canvas.set_colour(biome_colour(biome));
                  canvas.fill();
                  canvas.rounded_rectangle(x, y, w, h, 5 * panel.unit);
                  canvas.set_colour(kInk, 0.35);
                  canvas.stroke(1.2 * panel.unit);
              });
    }
}

void water_legend(Canvas& canvas, Panel& panel, const MapData& data) {
    const bool ocean = std::find(data.cells.water.begin(), data.cells.water.end(),
                                 world::Water::ocean) != data.cells.water.end();
    if (!ocean && data.rivers.empty()) return;
    heading(canvas, panel, "WATER");
    if (ocean) {
        entry(canvas, panel, "Sea, shallow to deep", "",
              [&](double x, double y, double w, double h) {
                  constexpr int kBands = 14;
                  for (int i = 0; i < kBands; ++i) {
                      canvas.rectangle(x + w * i / kBands, y, w / kBands + 0.5, h);
                      canvas.set_colour(sea_colour((i + 0.5) / kBands));
                      canvas.fill();
                  }
              });
    }
    if (!data.rivers.empty()) {
        double most = 0.0;
        for (const MapRiver& river : data.rivers) most = std::max(most, river.flow_end);
        entry(canvas, panel, "River, by flow", "up to " + short_number(most) + " m³/s",
              [&](double x, double y, double w, double h) {
                  const std::array<Vec2d, 5> bend = {Vec2d{x, y + h * 0.7},
                                                     {x + w * 0.25, y + h * 0.1},
                                                     {x + w * 0.5, y + h * 0.6},
                                                     {x + w * 0.75, y + h},
                                                     {x + w, y + h * 0.3}};
                  canvas.set_colour(kRiver);
                  for (std::size_t i = 1; i + 1 < bend.size(); ++i) {
                      canvas.trace_smooth(bend, i, i + 1);
                      canvas.stroke((1.5 + 2.2 * static_cast<double>(i)) * panel.unit);
                  }
              });
    }
}

void road_legend(Canvas& canvas, Panel& panel, const std::vector<MapRoad>& roads) {
    std::array<double, world::kRoadClassCount> metres{};
    for (const MapRoad& road : roads) {
        for (std::size_t i = 1; i < road.point.size(); ++i) {
            metres[static_cast<std::size_t>(road.attributes.road_class)] +=
                std::sqrt(static_cast<double>(distance2(road.point[i - 1], road.point[i]))) *
                kMetresPerStep;
        }
    }
    if (std::all_of(metres.begin(), metres.end(), [](double m) { return m == 0.0; })) return;
    heading(canvas, panel, "ROADS");
    for (std::size_t c = 0; c < metres.size(); ++c) {
        if (metres[c] == 0.0) continue;
        const auto road_class = static_cast<world::RoadClass>(c);
        entry(canvas, panel, spoken(world::to_string(road_class)), length_text(metres[c]),
              [&](double x, double y, double w, double h) {
                  const RoadStyle& style = road_style(road_class);
                  for (const bool casing : {true, false}) {
                      const std::array<Vec2d, 2> line = {Vec2d{x + 4 * panel.unit, y + h / 2},
                                                         {x + w - 4 * panel.unit, y + h / 2}};
                      canvas.trace_smooth(line);
                      canvas.set_colour(casing ? style.casing : style.fill);
                      canvas.stroke((2.2 * style.least_width + (casing ? 4.0 : 1.0)) * panel.unit);
                  }
              });
    }
}

void scale_bar(Canvas& canvas, const Panel& panel, double pixels_per_metre, double bottom) {
    // The longest of 1, 2, 5 times a power of ten that fits.
    const double room = panel.width / pixels_per_metre;
    double metres = std::pow(10.0, std::floor(std::log10(room)));
    for (const double factor : {5.0, 2.0}) {
        if (metres * factor <= room) {
            metres *= factor;
            break;
        }
    }
    const double u = panel.unit, width = metres * pixels_per_metre, y = bottom - 14 * u;
    constexpr int kParts = 4;
    for (int i = 0; i < kParts; ++i) {
        canvas.rectangle(panel.left + width * i / kParts, y, width / kParts, 12 * u);
        canvas.set_colour(i % 2 == 0 ? kInk : kPanel);
        canvas.fill();
    }
    canvas.rectangle(panel.left, y, width, 12 * u);
    canvas.set_colour(kInk);
    canvas.stroke(1.6 * u);
    canvas.text("0", panel.left, y - 10 * u, {.size = 20 * u});
    canvas.text(length_text(metres), panel.left + width, y - 10 * u,
                {.size = 20 * u, .align = 1.0});
}

void north_arrow(Canvas& canvas, const Panel& panel, double top) {
    const double u = panel.unit, x = panel.left + panel.width - 16 * u;
    for (const double side : {-1.0, 1.0}) {
        const std::array<Vec2d, 2> edge = {Vec2d{x, top}, {x + side * 15 * u, top + 46 * u}};
        const std::array<Vec2d, 2> back = {Vec2d{x + side * 15 * u, top + 46 * u},
                                           {x, top + 35 * u}};
        canvas.set_colour(kInk);
        canvas.trace_smooth(edge);
        canvas.trace_smooth(back);
        canvas.stroke(2.4 * u);
    }
    canvas.text("N", x + 7 * u, top + 72 * u, {.size = 22 * u, .bold = true, .align = 1.0});
}

void draw_panel(Canvas& canvas, const MapData& data, const std::string& title, double left,
                double width, double unit, double pixels_per_step) {
    canvas.rectangle(left, 0, width, canvas.height());
    canvas.set_colour(kPanel);
    canvas.fill();
    canvas.rectangle(left, 0, std::max(1.0, 3 * unit), canvas.height());
    canvas.set_colour(kFrame);
    canvas.fill();
    Panel panel{.left = left + 40 * unit, .width = width - 80 * unit, .unit = unit, .y = 84 * unit};
    canvas.set_colour(kInk);
    double size = 50 * unit;
    // A long title is set smaller, about half an em a letter.
    size = std::min(size, 1.75 * (panel.width - 50 * unit) /
                              static_cast<double>(std::max<std::size_t>(1, title.size())));
    canvas.text(title, panel.left, panel.y, {.size = size, .bold = true, .serif = true});
    north_arrow(canvas, panel, 34 * unit);
    panel.y += 40 * unit;
    canvas.set_colour(kSoftInk);
    const std::string extent = length_text(to_metres(data.bounds.width())) + " × " +
                               length_text(to_metres(data.bounds.height()));
    canvas.text(extent + "  ·  " + with_commas(data.cells.size()) + " cells", panel.left, panel.y,
                {.size = 22 * unit});
    Steps highest = 0;
    for (const Steps height : data.cells.elevation) highest = std::max(highest, height);
    panel.y += 31 * unit;
    canvas.text("highest point " +
                    with_commas(static_cast<std::uint64_t>(std::llround(to_metres(highest)))) +
                    " m",
                panel.left, panel.y, {.size = 22 * unit});
    biome_legend(canvas, panel, data.cells);
    water_legend(canvas, panel, data);
    road_legend(canvas, panel, data.roads);
    scale_bar(canvas, panel, pixels_per_step * kStepsPerMetre, canvas.height() - 40 * unit);
}

/// Sea by bands of depth, land by biome: whole regions as one shape each.
void paint_regions(Canvas& canvas, const View& view, const MapCells& cells) {
    constexpr int kBands = 6;
    Steps deepest = -1;
    for (const Steps height : cells.elevation) deepest = std::min(deepest, height);
    const auto band_of = [&](std::size_t cell) {
        return std::min(
            kBands - 1,
            static_cast<int>(
                std::sqrt(static_cast<double>(std::min(0, cells.elevation[cell])) / deepest) *
                kBands));
    };
    const auto region = [&](Rgb colour, FunctionRef<bool(std::size_t)> inside) {
        const auto outline = outline_of(cells, inside, Outline::closed);
        if (outline.empty()) return;
        canvas.set_colour(colour);
        for (const auto& ring : outline) canvas.trace_closed(view, ring);
        canvas.fill();
        for (const auto& ring : outline) canvas.trace_closed(view, ring);
        canvas.stroke(0.6);  // closes the seams between neighbours
    };
    for (int band = 0; band < kBands; ++band) {
        region(sea_colour((band + 0.5) * (band + 0.5) / (kBands * kBands)), [&](std::size_t cell) {
            return cells.water[cell] == world::Water::ocean && band_of(cell) == band;
        });
    }
    for (std::size_t b = 0; b < world::kBiomeCount; ++b) {
        const auto biome = static_cast<world::Biome>(b);
        region(biome_colour(biome), [&](std::size_t cell) {
            return cells.water[cell] != world::Water::ocean && cells.biome[cell] == biome;
        });
    }
}

void draw_waters(Canvas& canvas, const View& view, const MapData& data, double unit) {
    const MapCells& cells = data.cells;
    const auto lakes = outline_of(
        cells, [&](std::size_t cell) { return cells.water[cell] == world::Water::lake; },
        Outline::closed);
    for (const auto& ring : lakes) canvas.trace_closed(view, ring);
    canvas.set_colour(kLake);
    canvas.fill();
    draw_rivers(canvas, view, data.rivers, kRiver, unit);
    for (const auto& ring : lakes) canvas.trace_closed(view, ring);
    canvas.set_colour(kCoast, 0.8);
    canvas.stroke(1.0 * unit);
    const auto coast = outline_of(
        cells, [&](std::size_t cell) { return cells.water[cell] != world::Water::ocean; },
        Outline::without_rectangle);
    canvas.set_colour(kCoast);
    for (const auto& line : coast) {
        canvas.trace(view, line);
        canvas.stroke(1.25 * unit);
    }
}

}  // namespace

Result<Bytes> draw_map(const Scene& scene, PictureFormat format, const std::string& title) {
    constexpr double kPanelWidth = 480.0, kLeastHeight = 1180.0;
    const geometry::Raster& raster = scene.raster.raster;
    const double unit = std::max(raster.columns, raster.rows) / kDesignSize;
    const double panel_width = std::round(kPanelWidth * unit);
    const int height = std::max(raster.rows, static_cast<int>(kLeastHeight * unit));
    Canvas canvas(format, raster.columns + static_cast<int>(panel_width), height);
    canvas.set_colour(kPanel);
    canvas.fill_page();
    const int above = (height - raster.rows) / 2;  // whole, so that pixels stay sharp
    const double top = above;
    const View view{.origin = raster.origin,
                    .scale = 1.0 / raster.pixel,
                    .left = 0.0,
                    .bottom = top + raster.rows};
    const std::vector<float> shade = shade_relief(scene);
    if (format == PictureFormat::png) {
        canvas.paint(paint_ground(scene, shade), 0, top, raster.columns, raster.rows,
                     Canvas::Scaling::squares);
    } else {
        paint_regions(canvas, view, scene.data.cells);
        canvas.paint(paint_shade(scene, shade), 0, top, raster.columns, raster.rows,
                     Canvas::Scaling::smooth);
    }
    draw_waters(canvas, view, scene.data, 2 * unit);
    draw_roads(canvas, view, scene.data.roads, 1.6 * unit);
    canvas.rectangle(0, top, raster.columns, raster.rows);
    canvas.set_colour(kFrame);
    canvas.stroke(4 * unit);
    draw_panel(canvas, scene.data, title.empty() ? "Terraway" : title, raster.columns, panel_width,
               unit, view.scale);
    return canvas.finish();
}

}  // namespace tw::io
