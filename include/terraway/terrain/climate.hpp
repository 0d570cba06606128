#pragma once
// A simple climate: wet near water, drier with distance and height; and what grows there.

#include "terraway/core/id_set.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/terrain/drainage.hpp"
#include "terraway/terrain/rivers.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <span>
#include <tuple>
#include <vector>

namespace tw::terrain {

struct ClimateOptions {
    double reach =
        0.0;  ///< [m] over which moisture from water falls to 1/e; 0: a tenth of the longer side
    double temperature = 12.0;  ///< [°C] mean at the sea, −40 … 45
    double lapse = 0.0065;      ///< [°C/m] cooling with height, 0 … 0.1

    static constexpr auto fields() {
        return std::tuple{Field{"reach", &ClimateOptions::reach},
                          Field{"temperature", &ClimateOptions::temperature},
                          Field{"lapse", &ClimateOptions::lapse}};
    }
};

/// The sea's air spreads over the cell graph and dries with the way it has come, ascents counted
/// three times; it is shortest ways in whole steps (Dijkstra), so no order of evaluation shows. It
/// reads the relief before edits, so that no edit changes the weather elsewhere.
/// Errors: invalid_option, too_large, cancelled. Cost: O(cells log cells).
Result<world::Climate> build_climate(const world::PolygonMap&, const world::Relief&,
                                     const ClimateOptions&, StageContext&);

/// Fresh water wets the slopes that drain to it: a river by the doublings of its flow since it
/// became one, a lake more, both less with the way that the slope's water comes, ascents counted
/// three times. The ground is as wet as the wetter of that and the sea's air make it; water itself
/// is soaked. Errors: invalid_option, too_large, cancelled. Cost: O(cells).
Result<world::Moisture> build_moisture(const world::PolygonMap&, const world::Drainage&,
                                       const world::Rivers&, const world::Climate&,
                                       const ClimateOptions&, StageContext&);

/// The second form. Closure: cells whose water, way down or height changed, and the slopes above
/// them up to the next river or lake. The map must outlive it.
class MoistureUpdate {
public:
    MoistureUpdate(const world::PolygonMap&, const ClimateOptions&);
    /// `changed` becomes the cells whose moisture differs. Cost: O(closure).
    void run(const world::Drainage&, const world::Rivers&, const world::Climate&,
             const DrainageChanges&, const RiverChanges&, world::Moisture&,
             IdSet<world::CellTag>& changed);

private:
    template <class Visit>
    void for_each_drained_by(const world::Drainage&, world::CellId cell, Visit&& visit) const;
    void collect(const world::Drainage&, const DrainageChanges&, const RiverChanges&);

    const world::PolygonMap& map_;
    double reach_;
    IdSet<world::CellTag> seed_;  ///< cells whose rule reads something else than before
    std::vector<world::CellId> stack_;
};

/// Whittaker's scheme by temperature and moisture, in the zones of Patel's polygon maps (2010), and
/// snow wherever the mean is below freezing; coast cells that lie low are beaches. Errors:
/// invalid_option, cancelled. Cost: O(cells).
Result<world::Biomes> build_biomes(const world::PolygonMap&, const world::Drainage&,
                                   const world::Moisture&, const ClimateOptions&, StageContext&);

/// The second form, for cells whose water, elevation or moisture changed; adds those whose biome
/// differs to `changed`. Cost: O(cells given).
void update_biomes(const world::PolygonMap&, const world::Drainage&, const world::Moisture&,
                   const ClimateOptions&, std::span<const world::CellId> cells, world::Biomes&,
                   IdSet<world::CellTag>& changed);

}  // namespace tw::terrain
