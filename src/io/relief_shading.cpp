#include "relief_shading.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tw::io {
namespace {

constexpr std::array<Rgb, 4> kSea = {0xb4d9e2, 0x86bdd4, 0x5a97bd, 0x3f77a3};

/// A box blur along rows and columns: every pixel becomes the mean of those within `radius`.
class Blur {
public:
    Blur(std::size_t columns, std::size_t rows)
        : columns_(columns), rows_(rows), other_(columns * rows) {}
    void apply(std::vector<float>& values, std::size_t radius) {
        if (radius == 0) return;
        run(values.data(), other_.data(), columns_, rows_, radius);
        run(other_.data(), values.data(), rows_, columns_, radius);
    }

private:
    /// Blurs lines of `length` and writes them as columns, so that two runs do both directions.
    static void run(const float* in, float* out, std::size_t length, std::size_t lines,
                    std::size_t radius) {
        radius = std::min(radius, length - 1);
        for (std::size_t line = 0; line < lines; ++line, in += length) {
            float sum = 0.0f;
            std::size_t count = radius;
            for (std::size_t i = 0; i < radius; ++i) sum += in[i];
            for (std::size_t i = 0; i < length; ++i) {
                if (i + radius < length) {
                    sum += in[i + radius];
                    ++count;
                }
                out[i * lines + line] = sum / static_cast<float>(count);
                if (i >= radius) {
                    sum -= in[i - radius];
                    --count;
                }
            }
        }
    }
    std::size_t columns_, rows_;
    std::vector<float> other_;
};

struct Grid {
    std::size_t columns, rows;
    double cell;  ///< [pixels] side of a cell, about
    explicit Grid(const Scene& scene)
        : columns(static_cast<std::size_t>(scene.raster.raster.columns)),
          rows(static_cast<std::size_t>(scene.raster.raster.rows)),
          cell(std::sqrt(static_cast<double>(columns * rows) /
                         static_cast<double>(std::max<std::size_t>(1, scene.data.cells.size())))) {}
    std::size_t size() const { return columns * rows; }
    std::size_t radius(double cells) const {
        return static_cast<std::size_t>(std::clamp(cells * cell, 0.0, 64.0) + 0.5);
    }
};

bool is_ocean(const Scene& scene, std::size_t pixel) {
    return scene.data.cells.water[scene.raster.cell[pixel]] == world::Water::ocean;
}

Rgb shaded(Rgb colour, double shade) {
    return shade < 0.5 ? mix(colour, 0x1a2433, (0.5 - shade) * 1.15)
                       : mix(colour, 0xfffdf2, (shade - 0.5) * 0.75);
}

/// Share of land around each pixel, and the land's colours blurred under it.
struct SoftLand {
    std::vector<float> land, red, green, blue;
};

SoftLand soften(const Scene& scene, const Grid& grid, std::size_t radius) {
    SoftLand soft;
    for (auto* plane : {&soft.land, &soft.red, &soft.green, &soft.blue})
        plane->assign(grid.size(), 0.0f);
    std::vector<Rgb> colour(scene.data.cells.size());
    for (std::size_t i = 0; i < colour.size(); ++i)
        colour[i] = biome_colour(scene.data.cells.biome[i]);
    for (std::size_t i = 0; i < grid.size(); ++i) {
        if (is_ocean(scene, i)) continue;
        const Rgb rgb = colour[scene.raster.cell[i]];
        soft.land[i] = 1.0f;
        soft.red[i] = static_cast<float>(rgb >> 16 & 255);
        soft.green[i] = static_cast<float>(rgb >> 8 & 255);
        soft.blue[i] = static_cast<float>(rgb & 255);
    }
    Blur blur(grid.columns, grid.rows);
    for (auto* plane : {&soft.land, &soft.red, &soft.green, &soft.blue}) blur.apply(*plane, radius);
    return soft;
}

}  // namespace

Rgb sea_colour(double share) {
    return ramp(kSea, std::sqrt(std::clamp(share, 0.0, 1.0)));
}

std::vector<float> shade_relief(const Scene& scene) {
    const Grid grid(scene);
    std::vector<float> height(grid.size());
    for (std::size_t i = 0; i < height.size(); ++i) {
        height[i] = static_cast<float>(scene.raster.height[i]);
    }
    Blur blur(grid.columns, grid.rows);
    for (int pass = 0; pass < 2; ++pass) blur.apply(height, grid.radius(0.22));
    // Rise over run to the east and to the south.
    const auto pixel = static_cast<float>(scene.raster.raster.pixel);
    const auto slope = [&](std::size_t x, std::size_t y) {
        const std::size_t x0 = x > 0 ? x - 1 : x, x1 = std::min(x + 1, grid.columns - 1);
        const std::size_t y0 = y > 0 ? y - 1 : y, y1 = std::min(y + 1, grid.rows - 1);
        const float run_x = pixel * static_cast<float>(x1 - x0),
                    run_y = pixel * static_cast<float>(y1 - y0);
        return Vec2f{
            (height[y * grid.columns + x1] - height[y * grid.columns + x0]) / std::max(run_x, 1.0f),
            (height[y1 * grid.columns + x] - height[y0 * grid.columns + x]) /
                std::max(run_y, 1.0f)};
    };
    // Exaggerated until the steeper land is as steep as a roof: flat worlds have relief too.
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t y = 0; y < grid.rows; y += 4) {
        for (std::size_t x = 0; x < grid.columns; x += 4) {
            if (is_ocean(scene, y * grid.columns + x)) continue;
            const Vec2f s = slope(x, y);
            sum += dot(s, s);
            ++count;
        }
    }
    constexpr double kRoof = 0.55, kMost = 40.0;
    const double typical = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, count)));
    const auto exaggeration = static_cast<float>(std::min(kMost, kRoof / std::max(typical, 1e-9)));
    constexpr float kLight = 0.57735027f;  // north-west, 35 degrees up
    std::vector<float> shade(grid.size());
    for (std::size_t y = 0; y < grid.rows; ++y) {
        for (std::size_t x = 0; x < grid.columns; ++x) {
            const Vec2f s = slope(x, y) * exaggeration;
            const float lambert = kLight * (1.0f + s.x + s.y) / std::sqrt(1.0f + dot(s, s));
            shade[y * grid.columns + x] = std::clamp(0.5f + 0.62f * (lambert - kLight), 0.0f, 1.0f);
        }
    }
    return shade;
}

Image paint_ground(const Scene& scene, const std::vector<float>& shade) {
    const Grid grid(scene);
    const SoftLand soft = soften(scene, grid, grid.radius(0.55));
    std::vector<float> depth(grid.size());
    Steps deepest = -1;
    for (std::size_t i = 0; i < depth.size(); ++i) {
        const Steps height = is_ocean(scene, i) ? scene.raster.height[i] : 0;
        deepest = std::min(deepest, height);
        depth[i] = static_cast<float>(height);
    }
    Blur blur(grid.columns, grid.rows);
    blur.apply(depth, grid.radius(0.6));
    Image image{.width = static_cast<std::int32_t>(grid.columns),
                .height = static_cast<std::int32_t>(grid.rows),
                .argb = std::vector<std::uint32_t>(grid.size())};
    for (std::size_t i = 0; i < grid.size(); ++i) {
        Rgb colour = 0;
        if (is_ocean(scene, i)) {
            // A pale rim along the coast, from the land that the blur has brought near.
            colour = mix(sea_colour(depth[i] / static_cast<float>(deepest)), 0xe4f3f3,
                         0.9 * soft.land[i]);
            colour = shaded(colour, 0.5 + 0.12 * (shade[i] - 0.5));
        } else {
            const float share = std::max(soft.land[i], 1e-3f);
            const auto channel = [&](float sum) {
                return static_cast<Rgb>(std::min(255.0f, sum / share + 0.5f));
            };
            colour =
                channel(soft.red[i]) << 16 | channel(soft.green[i]) << 8 | channel(soft.blue[i]);
            colour = shaded(colour, shade[i]);
        }
        image.argb[i] = 0xff000000u | colour;
    }
    return image;
}

Image paint_shade(const Scene& scene, const std::vector<float>& shade) {
    const Grid grid(scene);
    const std::size_t columns = (grid.columns + 1) / 2, rows = (grid.rows + 1) / 2;
    Image image{.width = static_cast<std::int32_t>(columns),
                .height = static_cast<std::int32_t>(rows),
                .argb = {}};
    image.argb.reserve(columns * rows);
    for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < columns; ++x) {
            const std::size_t pixel = 2 * y * grid.columns + 2 * x;
            const double s = is_ocean(scene, pixel) ? 0.5 : static_cast<double>(shade[pixel]);
            const double alpha = s < 0.5 ? (0.5 - s) * 1.15 : (s - 0.5) * 0.75;
            const auto a = static_cast<std::uint32_t>(alpha * 255.0 + 0.5);
            image.argb.push_back(s < 0.5 ? a << 24 : a << 24 | a << 16 | a << 8 | a);
        }
    }
    return image;
}

}  // namespace tw::io
