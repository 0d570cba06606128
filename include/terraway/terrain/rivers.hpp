#pragma once
// Cells that carry enough water become rivers.

#include "terraway/core/id_set.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/terrain/drainage.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <memory>
#include <tuple>

namespace tw::terrain {

struct RiverOptions {
    /// [m³/s] smallest flow that is a river, 0.001 … 100,000; 0: a 300th of what leaves all land
    double min_flow = 0.0;

    static constexpr auto fields() {
        return std::tuple{Field{"min_flow", &RiverOptions::min_flow}};
    }
};

/// Reaches between sources, confluences and mouths, by the guarantees of world::Rivers. A crossing
/// lies at the rounded middle of its side, half-way between the heights of both sites (0 at the
/// sea).
///
/// Why both parts of a split wedge turn left: the side is at least 6 steps long and at least about
/// spacing / 2 from the site, so its middle is 3 · spacing / (2 · d) steps from the rays to its
/// ends, d the distance of the farther one; rounding moves it by 0.71 at most. That holds for d up
/// to twice the spacing, and sites that leave no gaps have corners within about one. Elsewhere a
/// grid point beside the middle is taken. Errors: invalid_option; invalid_input (no grid point
/// beside a side's middle splits its wedges); too_large; cancelled. Cost: O(cells).
Result<world::Rivers> build_rivers(const world::PolygonMap&, const world::Relief&,
                                   const world::Drainage&, const RiverOptions&, StageContext&);

/// What an update changed.
struct RiverChanges {
    IdSet<world::CellTag> rim;     ///< cells with a crossing on their rim that came, went or moved
    IdSet<world::CellTag> source;  ///< cells whose river came or went, leaves elsewhere, or flows
                                   ///< otherwise
};

/// The second form. Closure: cells whose water changed and those that drain into them. What is
/// least a river stays: all rain leaves the land, so its sum is the map's. The map must outlive it.
class RiverUpdate {
public:
    explicit RiverUpdate(const world::PolygonMap&);
    ~RiverUpdate();
    RiverUpdate(const RiverUpdate&) = delete;
    RiverUpdate& operator=(const RiverUpdate&) = delete;

    /// `water`: what DrainageUpdate changed. Reaches stay as they are: list_reaches() follows once
    /// they are wanted. Errors: those of build_rivers; take the rivers back by their journal then.
    Status run(const world::Relief&, const world::Drainage&, const DrainageChanges& water,
               world::Rivers&, RiverChanges&);
    /// Lists all reaches anew (no smaller update yet): O(cells) bytes read and O(river cells).
    void list_reaches(const world::Relief&, const world::Drainage&, world::Rivers&);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tw::terrain
