#pragma once
// Every drop finds a way: depressions are filled or breached, then rain runs downhill.

#include "terraway/core/id_set.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/terrain/relief.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace tw::terrain {

enum class Depressions : std::uint8_t {
    fill,   ///< raised to the height of their outlet, a step a cell more, so that water still falls
    carve,  ///< the way out of the pit is dug down; it may run level, never up
};

struct DrainageOptions {
    Depressions depressions = Depressions::fill;
    double rain = 0.8;  ///< [m/year] on every land cell, 0 … 20

    static constexpr auto fields() {
        return std::tuple{Field{"depressions", &DrainageOptions::depressions},
                          Field{"rain", &DrainageOptions::rain}};
    }
};

/// Water leaves each land cell to the neighbour that a rising sea comes from first: the one that is
/// lowest after filling, of equals the one of lower id. In pits that are carved, the flood runs
/// down to the bottom before it spreads, so that the bottom's water takes the short way out. With
/// an open border, a cell on the rectangle that has no lower neighbour is an outlet too, over its
/// first side there. A map without any outlet (no ocean, closed border) drains over the lowest
/// border cell. Elevations of ocean cells stay as they are; their discharge is 0. Lakes of the
/// relief that hold no water after filling (the outlet is no higher than their bed) are land.
/// Errors: invalid_option, too_large, cancelled. Cost: O(cells log cells). Source: Barnes et al.
/// 2014 (priority flood), Braun & Willett 2013 (ordering).
Result<world::Drainage> build_drainage(const world::PolygonMap&, const world::Relief&, Border,
                                       const DrainageOptions&, StageContext&);

/// What an update changed, each cell once.
struct DrainageChanges {
    IdSet<world::CellTag> elevation, downhill, discharge, water;
    IdSet<world::CornerTag> corner;
    std::vector<std::uint64_t> discharge_before;  ///< of each in `discharge`, in their order

    void reset(const world::PolygonMap&);
};

/// The second form: brings a drainage up to date with changed ground. It holds scratch memory and
/// what the map alone decides; the map must outlive it, and water of the relief must not change.
/// Closure: cells whose level after filling changes (a pit up to its outlet), their neighbours, and
/// the ways down from cells that drain elsewhere than before. Depressions carved: everything.
class DrainageUpdate {
public:
    DrainageUpdate(const world::PolygonMap&, Border, const DrainageOptions&);
    ~DrainageUpdate();
    DrainageUpdate(const DrainageUpdate&) = delete;
    DrainageUpdate& operator=(const DrainageUpdate&) = delete;

    /// `drainage` is build_drainage's of the ground before; `ground` the cells whose elevation in
    /// `relief` differs since. After an error the drainage is neither: take it back by its journal.
    /// Errors: cancelled. Cost: O(c log c) for a closure of c cells. Source: Ramalingam & Reps 1996
    /// (dynamic fixed points).
    Status run(const world::Relief& relief, std::span<const world::CellId> ground,
               world::Drainage& drainage, DrainageChanges&, StageContext&);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tw::terrain
