#include "terraway/terrain/climate.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/math/floor_sqrt.hpp"
#include "terraway/math/functions.hpp"

#include "flood_queue.hpp"

#include <algorithm>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "climate";
constexpr double kWettest = 65535.0;

Status check_options(const ClimateOptions& options) {
    if (options.reach != 0.0) {
        TW_TRY(require_range(kStage, "reach", options.reach, 1.0, 1'000'000.0));
    }
    TW_TRY(require_range(kStage, "temperature", options.temperature, -40.0, 45.0));
    return require_range(kStage, "lapse", options.lapse, 0.0, 0.1);
}

double reach_in_steps(const PolygonMap& map, const ClimateOptions& options) {
    if (options.reach > 0.0) return options.reach * kStepsPerMetre;
    return static_cast<double>(std::max(map.bounds.width(), map.bounds.height())) / 10;
}

/// How wet the air over water is, 0 … 1: over rivers by the doublings of their flow since they
/// became one.
constexpr double kOceanStrength = 0.7, kLakeStrength = 0.9;
double river_strength(std::uint64_t flow, std::uint64_t least_flow) {
    const double doublings =
        math::log2(static_cast<double>(flow) / static_cast<double>(least_flow));
    return std::min(0.5 + 0.06 * doublings, 1.0);
}

/// Dryness of each land cell: way from the nearest water in steps, ascents counted kClimb times,
/// and what weaker water starts with. Dijkstra from all water at once, in integers.
class Spread {
public:
    Spread(const PolygonMap& map, const Relief& relief, const Drainage& drainage, double reach)
        : map_(map),
          relief_(relief),
          drainage_(drainage),
          reach_(reach),
          dryness_(map.cell_count(), kFar) {}

    void add_source(CellId cell, double strength) {
        relax(cell, static_cast<std::uint64_t>(-math::log(strength) * reach_ + 0.5));
    }
    Status run(StageContext& context) {
        std::size_t count = 0;
        while (!queue_.empty()) {
            if (++count % 65536 == 0 && context.cancelled()) return cancelled_error(kStage);
            const FloodEntry entry = queue_.pop();
            if (entry.key != dryness_[entry.cell.index()]) continue;  // a shorter way was found
            for (const SideId side : map_.sides(entry.cell)) {
                const CellId other = map_.neighbour(side);
                if (!other || relief_.water[other] != Water::land) continue;
                relax(other, entry.key + way(entry.cell, other));
            }
        }
        return ok_status();
    }
    std::uint64_t dryness(CellId cell) const { return dryness_[cell.index()]; }

private:
    static constexpr std::uint64_t kFar = UINT64_MAX;
    static constexpr std::int64_t kClimb = 3;

    std::uint64_t way(CellId from, CellId to) const {
        const std::int64_t rise = drainage_.elevation[to] - std::max(0, drainage_.elevation[from]);
        return static_cast<std::uint64_t>(floor_sqrt(distance2(map_.site[from], map_.site[to])) +
                                          kClimb * std::max<std::int64_t>(0, rise));
    }
    void relax(CellId cell, std::uint64_t dryness) {
        if (dryness >= dryness_[cell.index()]) return;
        dryness_[cell.index()] = dryness;
        queue_.push({dryness, cell});
    }

    const PolygonMap& map_;
    const Relief& relief_;
    const Drainage& drainage_;
    double reach_;  ///< [steps]
    std::vector<std::uint64_t> dryness_;
    FloodQueue queue_;
};

bool touches(const PolygonMap& map, const Relief& relief, CellId cell, Water water) {
    for (const SideId side : map.sides(cell)) {
        const CellId other = map.neighbour(side);
        if (other && relief.water[other] == water) return true;
    }
    return false;
}

void add_sources(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                 const Rivers& rivers, Spread& spread) {
    const auto is_river = [&](CellId cell) {
        return relief.water[cell] == Water::land && rivers.vertex_of_side[drainage.downhill[cell]];
    };
    std::uint64_t least_flow = UINT64_MAX;
    for (const CellId cell : map.site.ids()) {
        if (is_river(cell)) least_flow = std::min(least_flow, drainage.discharge[cell]);
    }
    for (const CellId cell : map.site.ids()) {
        if (relief.water[cell] == Water::lake) {
            spread.add_source(cell, kLakeStrength);
        } else if (is_river(cell)) {
            spread.add_source(cell, river_strength(drainage.discharge[cell], least_flow));
        } else if (relief.water[cell] == Water::ocean && touches(map, relief, cell, Water::land)) {
            spread.add_source(cell, kOceanStrength);
        }
    }
}

/// Whittaker's scheme: bands of temperature, each parted by moisture (0 … 1); where the mean of the
/// year is below freezing, little snow is enough. So no bare ground lies above snow.
Biome whittaker(double celsius, double moisture) {
    if (celsius < 0.0) return Biome::snow;
    if (celsius < 3.5) return moisture > 0.20 ? Biome::tundra : Biome::alpine_desert;
    if (celsius < 7.0) {
        if (moisture > 0.50) return Biome::taiga;
        return moisture > 0.20 ? Biome::shrubland : Biome::temperate_desert;
    }
    if (celsius < 16.0) {
        if (moisture > 0.66) return Biome::temperate_rain_forest;
        if (moisture > 0.42) return Biome::temperate_forest;
        return moisture > 0.16 ? Biome::grassland : Biome::temperate_desert;
    }
    if (moisture > 0.65) return Biome::tropical_rain_forest;
    if (moisture > 0.35) return Biome::tropical_forest;
    return moisture > 0.15 ? Biome::grassland : Biome::subtropical_desert;
}

/// Low, flat coast: the site lies less than a twelfth of the spacing above the sea.
bool is_beach(const PolygonMap& map, const Relief& relief, const Drainage& drainage, CellId cell) {
    constexpr std::int64_t kBeachSlope = 12;
    return drainage.elevation[cell] * kBeachSlope <= map.spacing &&
           touches(map, relief, cell, Water::ocean);
}

}  // namespace

Result<Climate> build_climate(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                              const Rivers& rivers, const ClimateOptions& options,
                              StageContext& context) {
    constexpr std::uint64_t kBytesPerCell = 40;
    TW_TRY(check_options(options));
    TW_TRY(require_memory(context, kStage, kBytesPerCell * map.cell_count()));
    const double reach = reach_in_steps(map, options);
    Spread spread(map, relief, drainage, reach);
    add_sources(map, relief, drainage, rivers, spread);
    TW_TRY(spread.run(context));

    std::vector<std::uint16_t> moisture(map.cell_count());
    parallel_for(*context.executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         const double wet =
                             relief.water[cell] == Water::land
                                 ? math::exp(-static_cast<double>(spread.dryness(cell)) / reach)
                                 : 1.0;
                         moisture[cell.index()] = static_cast<std::uint16_t>(wet * kWettest + 0.5);
                     }
                 });
    context.progress.set(1.0);
    return Climate{IdArray<CellTag, std::uint16_t>(std::move(moisture))};
}

Result<Biomes> build_biomes(const PolygonMap& map, const Relief& relief, const Drainage& drainage,
                            const Climate& climate, const ClimateOptions& options,
                            StageContext& context) {
    TW_TRY(check_options(options));
    if (context.cancelled()) return cancelled_error("biomes");
    std::vector<Biome> biome(map.cell_count());
    parallel_for(*context.executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         Biome& result = biome[cell.index()];
                         if (relief.water[cell] == Water::ocean) {
                             result = Biome::ocean;
                         } else if (relief.water[cell] == Water::lake) {
                             result = Biome::lake;
                         } else if (is_beach(map, relief, drainage, cell)) {
                             result = Biome::beach;
                         } else {
                             const double celsius =
                                 options.temperature -
                                 options.lapse * to_metres(drainage.elevation[cell]);
                             result = whittaker(celsius, climate.moisture[cell] / kWettest);
                         }
                     }
                 });
    context.progress.set(1.0);
    return Biomes{IdArray<CellTag, Biome>(std::move(biome))};
}

}  // namespace tw::terrain
