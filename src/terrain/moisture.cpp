#include "climate_ways.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "moisture";
constexpr std::uint32_t kNoWater = Moisture::kNoWater;

/// How wet lakes and rivers make the ground, 0 … 1. Rivers by whole doublings of their flow, so
/// that a little more or less of it changes nothing.
constexpr double kLakeStrength = 0.9;
double river_strength(std::uint64_t flow, std::uint64_t least_flow) {
    const int doublings = std::bit_width(flow / least_flow) - 1;
    return std::min(0.5 + 0.06 * doublings, 1.0);
}

std::uint32_t saturated(std::uint64_t dryness) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(dryness, kNoWater - 1));
}

/// What decides on a cell, given the one that it drains to.
class MoistureRules {
public:
    MoistureRules(const PolygonMap& map, const Drainage& drainage, const Rivers& rivers,
                  const Climate& climate, double reach)
        : map_(map), drainage_(drainage), rivers_(rivers), climate_(climate), reach_(reach) {}

    /// True if fresh water stands or runs here: what is below does not count.
    bool is_source(CellId cell) const {
        return drainage_.water[cell] == Water::lake || static_cast<bool>(rivers_.side[cell]);
    }
    /// The land or lake that the cell drains to; none: the sea, or out of the map.
    CellId below(CellId cell) const {
        const SideId side = drainage_.downhill[cell];
        const CellId to = side ? map_.neighbour(side) : CellId();
        return to && drainage_.water[to] != Water::ocean ? to : CellId();
    }
    std::uint32_t dryness(CellId cell, const IdArray<CellTag, std::uint32_t>& known) const {
        if (drainage_.water[cell] == Water::lake) return saturated(way_of(kLakeStrength, reach_));
        if (rivers_.side[cell]) {
            const double strength = river_strength(drainage_.discharge[cell], rivers_.least_flow);
            return saturated(way_of(strength, reach_));
        }
        const CellId to = below(cell);
        if (!to || known[to] == kNoWater) return kNoWater;
        return saturated(known[to] + way(map_, drainage_.elevation, to, cell));
    }
    std::uint16_t moisture(CellId cell, std::uint32_t dryness) const {
        if (drainage_.water[cell] != Water::land) return as_moisture(1.0);
        const std::uint16_t by_sea = climate_.moisture[cell];
        if (dryness == kNoWater) return by_sea;
        return std::max(by_sea, as_moisture(wetness(dryness, reach_)));
    }

private:
    const PolygonMap& map_;
    const Drainage& drainage_;
    const Rivers& rivers_;
    const Climate& climate_;
    double reach_;  ///< [steps]
};

}  // namespace

Result<Moisture> build_moisture(const PolygonMap& map, const Drainage& drainage,
                                const Rivers& rivers, const Climate& climate,
                                const ClimateOptions& options, StageContext& context) {
    constexpr std::uint64_t kBytesPerCell = 16;
    TW_TRY(check_climate(options));
    TW_TRY(require_memory(context, kStage, kBytesPerCell * map.cell_count()));
    const MoistureRules rules(map, drainage, rivers, climate, reach_in_steps(map, options));
    Moisture out{.dryness = IdArray<CellTag, std::uint32_t>(map.cell_count(), kNoWater),
                 .moisture = IdArray<CellTag, std::uint16_t>(map.cell_count())};
    const std::span<std::uint32_t> dryness = out.dryness.edit_all();
    std::vector<std::uint8_t> known(map.cell_count(), 0);
    std::vector<CellId> way_down;
    for (const CellId first : map.site.ids()) {
        if (context.cancelled()) return cancelled_error(kStage);
        for (CellId cell = first; cell && !known[cell.index()]; cell = rules.below(cell)) {
            known[cell.index()] = 1;
            way_down.push_back(cell);
            if (rules.is_source(cell)) break;
        }
        for (; !way_down.empty(); way_down.pop_back()) {
            const CellId cell = way_down.back();
            dryness[cell.index()] = rules.dryness(cell, out.dryness);
        }
    }
    const std::span<std::uint16_t> moisture = out.moisture.edit_all();
    parallel_for(*context.executor, map.cell_count(), 4096,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (const CellId cell : IdRange<CellId>(begin, end)) {
                         moisture[cell.index()] = rules.moisture(cell, dryness[cell.index()]);
                     }
                 });
    context.progress.set(1.0);
    return out;
}

MoistureUpdate::MoistureUpdate(const PolygonMap& map, const ClimateOptions& options)
    : map_(map), reach_(reach_in_steps(map, options)) {
    seed_.reset(map.cell_count());
}

template <class Visit>
void MoistureUpdate::for_each_drained_by(const Drainage& drainage, CellId cell,
                                         Visit&& visit) const {
    for (const SideId side : map_.sides(cell)) {
        const SideId twin = map_.twin[side];
        if (!twin) continue;
        const CellId above = map_.cell_of_side[twin];
        if (drainage.downhill[above] == twin) visit(above);
    }
}

void MoistureUpdate::collect(const Drainage& drainage, const DrainageChanges& water,
                             const RiverChanges& river) {
    seed_.reset(map_.cell_count());
    for (const IdSet<CellTag>* set : {&water.downhill, &water.water, &river.source}) {
        for (const CellId cell : set->ids()) seed_.insert(cell);
    }
    for (const CellId cell : water.elevation.ids()) {
        seed_.insert(cell);
        for_each_drained_by(drainage, cell, [this](CellId above) { seed_.insert(above); });
    }
    // From the top of the stack: lower cells first, so that what a cell reads is settled.
    stack_.assign(seed_.ids().begin(), seed_.ids().end());
    std::sort(stack_.begin(), stack_.end(), [&](CellId a, CellId b) {
        const Steps ha = drainage.elevation[a], hb = drainage.elevation[b];
        return ha != hb ? ha > hb : a > b;
    });
}

void MoistureUpdate::run(const Drainage& drainage, const Rivers& rivers, const Climate& climate,
                         const DrainageChanges& water, const RiverChanges& river,
                         Moisture& moisture, IdSet<CellTag>& changed) {
    changed.reset(map_.cell_count());
    const MoistureRules rules(map_, drainage, rivers, climate, reach_);
    collect(drainage, water, river);
    while (!stack_.empty()) {
        const CellId cell = stack_.back();
        stack_.pop_back();
        const std::uint32_t dryness = rules.dryness(cell, moisture.dryness);
        const bool differs = moisture.dryness.set(cell, dryness);
        if (!differs && !water.water.contains(cell)) continue;
        if (moisture.moisture.set(cell, rules.moisture(cell, dryness))) changed.insert(cell);
        if (!differs) continue;
        // The slope above reads this cell; where fresh water is, it stops reading further.
        for_each_drained_by(drainage, cell, [this](CellId above) { stack_.push_back(above); });
    }
}

}  // namespace tw::terrain
