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

/// Every land cell has a level: the least height of the way out over which its water leaves. With
/// an open border cells on the rectangle are outlets, over their first side there, if no neighbour
/// has a lower level. A map without any outlet (no ocean, closed border) drains over the lowest
/// border cell. Elevations of ocean cells stay as they are; their discharge is 0.
///
/// Filled: a cell lies a step above the lowest neighbour, or at its ground where that is higher,
/// and drains to that neighbour, of equals to the one of lower id. Lakes of the relief that hold no
/// water then (the outlet is no higher than their bed) are land.
///
/// Carved: a level is the least of the highest grounds of all ways out. A cell drains to the
/// neighbour of lower level, of several to the one of least level, ground and id. Cells without one
/// (a pit, a plain) are reached from those of their level that have one, always from the lowest
/// cell that is reached, of equals from the one of lower id: the flood runs down to a pit's bottom
/// before it spreads, so that the bottom's water takes the deepest way out. Then every cell is dug
/// as deep as the lowest one that drains through it.
///
/// Errors: invalid_option, too_large, cancelled. Cost: O(cells log cells). Source: Barnes et al.
/// 2014 (priority flood), Braun & Willett 2013 (ordering).
Result<world::Drainage> build_drainage(const world::PolygonMap&, const world::Relief&, Border,
                                       const DrainageOptions&, StageContext&);

/// Whether levels, ways, standing water and ground are those of build_drainage(), for a drainage
/// whose ways run in no circle (world::validate_references). Error: check_failed. Cost: O(cells),
/// 10 ns each.
Status check_drainage(const world::PolygonMap&, const world::Relief&, const world::Drainage&,
                      Border, const DrainageOptions&, Executor&);

/// What an update changed, each cell once.
struct DrainageChanges {
    IdSet<world::CellTag> elevation, downhill, discharge, water;
    IdSet<world::CornerTag> corner;
    std::vector<std::uint64_t> discharge_before;  ///< of each in `discharge`, in their order

    void reset(const world::PolygonMap&);
};

/// The second form: brings a drainage up to date with changed ground. It holds scratch memory and
/// what the map alone decides; the map must outlive it, and water of the relief must not change.
/// Closure: cells whose level changes (a pit up to its outlet), their neighbours, and the ways down
/// from cells that drain elsewhere than before. Carved, also the whole of every flat (the cells of
/// one level that touch: a pit up to its outlet, a plain) where a cell's ground changed, or that a
/// cell came to or left, or where one has a lower neighbour that had none or the other way round;
/// and the ways down from changed ground, for they are dug.
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
