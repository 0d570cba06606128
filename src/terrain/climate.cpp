#include "terraway/terrain/climate.hpp"

#include "terraway/core/id_heap.hpp"

#include "climate_ways.hpp"

#include <algorithm>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "climate";

constexpr double kOceanStrength = 0.7;  ///< how wet the air over the sea is, 0 … 1

/// Dryness of each cell that is not sea: way from the coast. Dijkstra from the whole coast at once,
/// in integers.
class Spread {
public:
    Spread(const PolygonMap& map, const Relief& relief)
        : map_(map), relief_(relief), dryness_(map.cell_count(), kFar) {}

    void add_source(CellId cell, std::uint64_t dryness) { relax(cell, dryness); }
    Status run(StageContext& context) {
        std::size_t count = 0;
        while (!queue_.empty()) {
            if (++count % 65536 == 0 && context.cancelled()) return cancelled_error(kStage);
            const auto entry = queue_.pop();
            if (entry.key != dryness_[entry.id.index()]) continue;  // a shorter way was found
            for (const SideId side : map_.sides(entry.id)) {
                const CellId other = map_.neighbour(side);
                if (!other || relief_.water[other] == Water::ocean) continue;
                relax(other, entry.key + way(map_, relief_.elevation, entry.id, other));
            }
        }
        return ok_status();
    }
    std::uint64_t dryness(CellId cell) const { return dryness_[cell.index()]; }

private:
    static constexpr std::uint64_t kFar = UINT64_MAX;

    void relax(CellId cell, std::uint64_t dryness) {
        if (dryness >= dryness_[cell.index()]) return;
        dryness_[cell.index()] = dryness;
        queue_.push({dryness, cell});
    }

    const PolygonMap& map_;
    const Relief& relief_;
    std::vector<std::uint64_t> dryness_;
    IdHeap<CellTag> queue_;
};

bool touches_sea(const PolygonMap& map, const IdArray<CellTag, Water>& water, CellId cell) {
    for (const SideId side : map.sides(cell)) {
        const CellId other = map.neighbour(side);
        if (other && water[other] == Water::ocean) return true;
    }
    return false;
}

bool is_coast_of_sea(const PolygonMap& map, const Relief& relief, CellId cell) {
    if (relief.water[cell] != Water::ocean) return false;
    for (const SideId side : map.sides(cell)) {
        const CellId other = map.neighbour(side);
        if (other && relief.water[other] != Water::ocean) return true;
    }
    return false;
}

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
bool is_beach(const PolygonMap& map, const Drainage& drainage, CellId cell) {
    constexpr std::int64_t kBeachSlope = 12;
    return drainage.elevation[cell] * kBeachSlope <= map.spacing &&
           touches_sea(map, drainage.water, cell);
}

Biome biome_of(const PolygonMap& map, const Drainage& drainage, const Moisture& moisture,
               const ClimateOptions& options, CellId cell) {
    if (drainage.water[cell] == Water::ocean) return Biome::ocean;
    if (drainage.water[cell] == Water::lake) return Biome::lake;
    if (is_beach(map, drainage, cell)) return Biome::beach;
    const double celsius =
        options.temperature - options.lapse * to_metres(drainage.elevation[cell]);
    return whittaker(celsius, moisture.moisture[cell] / kWettest);
}

}  // namespace

Result<Climate> build_climate(const PolygonMap& map, const Relief& relief,
                              const ClimateOptions& options, StageContext& context) {
    constexpr std::uint64_t kBytesPerCell = 40;
    TW_TRY(check_climate(options));
    TW_TRY(require_memory(context, kStage, kBytesPerCell * map.cell_count()));
    const double reach = reach_in_steps(map, options);
    Spread spread(map, relief);
    for (const CellId cell : map.site.ids()) {
        if (is_coast_of_sea(map, relief, cell)) {
            spread.add_source(cell, way_of(kOceanStrength, reach));
        }
    }
    TW_TRY(spread.run(context));

    std::vector<std::uint16_t> moisture(map.cell_count());
    parallel_for(*context.executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         const bool sea = relief.water[cell] == Water::ocean;
                         moisture[cell.index()] =
                             as_moisture(sea ? 1.0 : wetness(spread.dryness(cell), reach));
                     }
                 });
    context.progress.set(1.0);
    return Climate{IdArray<CellTag, std::uint16_t>(std::move(moisture))};
}

Result<Biomes> build_biomes(const PolygonMap& map, const Drainage& drainage,
                            const Moisture& moisture, const ClimateOptions& options,
                            StageContext& context) {
    TW_TRY(check_climate(options));
    if (context.cancelled()) return cancelled_error("biomes");
    std::vector<Biome> biome(map.cell_count());
    parallel_for(*context.executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         biome[cell.index()] = biome_of(map, drainage, moisture, options, cell);
                     }
                 });
    context.progress.set(1.0);
    return Biomes{IdArray<CellTag, Biome>(std::move(biome))};
}

void update_biomes(const PolygonMap& map, const Drainage& drainage, const Moisture& moisture,
                   const ClimateOptions& options, std::span<const CellId> cells, Biomes& biomes,
                   IdSet<CellTag>& changed) {
    for (const CellId cell : cells) {
        if (biomes.biome.set(cell, biome_of(map, drainage, moisture, options, cell))) {
            changed.insert(cell);
        }
    }
}

}  // namespace tw::terrain
