#pragma once
// The polygon map: cells that tile a rectangle, and the canonical surface's shape in plan.

#include "terraway/core/executor.hpp"
#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"

#include <cstdint>
#include <tuple>

namespace tw::world {

using CellId = Id<struct CellTag>;      ///< a polygon and its site
using CornerId = Id<struct CornerTag>;  ///< where cells meet
using SideId = Id<struct SideTag>;      ///< half-edge of a cell, from its corner to the next one's

/// Cells in compressed rows. The sides of a cell are contiguous and counter-clockwise; each runs
/// from its corner to the corner of the cell's next side. An inner side has a twin in the
/// neighbouring cell that runs the other way; a side on the rectangle has none.
/// Guarantees (validate): cells tile `bounds` exactly; every wedge (site, corner, next corner)
/// turns left; corners along a side are at least 6 steps apart.
struct PolygonMap {
    GridBox bounds;
    Steps spacing = 0;  ///< no two sites are nearer than this
    IdArray<CellTag, GridPoint> site;
    IdArray<CellTag, std::uint32_t> side_begin;  ///< cells + 1 entries
    IdArray<SideTag, CornerId> corner;           ///< where the side starts
    IdArray<SideTag, SideId> twin;               ///< none on the rectangle
    IdArray<SideTag, CellId> cell_of_side;
    IdArray<CornerTag, GridPoint> corner_point;

    std::size_t cell_count() const { return site.size(); }
    std::size_t side_count() const { return corner.size(); }
    std::size_t corner_count() const { return corner_point.size(); }

    IdRange<SideId> sides(CellId cell) const {
        return {side_begin[cell], side_begin[CellId(cell.value() + 1)]};
    }
    /// The cell's side after `side`, counter-clockwise.
    SideId next(SideId side) const {
        const CellId cell = cell_of_side[side];
        const SideId after(side.value() + 1);
        return after.value() == side_begin[CellId(cell.value() + 1)] ? SideId(side_begin[cell])
                                                                     : after;
    }
    /// The cell's side before `side`, which ends where that starts.
    SideId previous(SideId side) const {
        const CellId cell = cell_of_side[side];
        return side.value() == side_begin[cell] ? SideId(side_begin[CellId(cell.value() + 1)] - 1)
                                                : SideId(side.value() - 1);
    }
    CornerId end_corner(SideId side) const { return corner[next(side)]; }
    /// The cell across the side; none on the rectangle.
    CellId neighbour(SideId side) const {
        const SideId other = twin[side];
        return other ? cell_of_side[other] : CellId();
    }

    static constexpr auto fields() {
        return std::tuple{Field{"bounds", &PolygonMap::bounds},
                          Field{"spacing", &PolygonMap::spacing},
                          Field{"site", &PolygonMap::site},
                          Field{"side_begin", &PolygonMap::side_begin},
                          Field{"corner", &PolygonMap::corner},
                          Field{"twin", &PolygonMap::twin},
                          Field{"cell_of_side", &PolygonMap::cell_of_side},
                          Field{"corner_point", &PolygonMap::corner_point}};
    }
};

/// Calls visit(other, before) for every side that starts at the corner where `side` starts, and the
/// side before it in its cell; counter-clockwise, on the rectangle from its first one on.
template <class Visit>
void for_each_spoke(const PolygonMap& map, SideId side, Visit&& visit) {
    SideId first = side;
    for (SideId twin = map.twin[first]; twin; twin = map.twin[first]) {
        first = map.next(twin);
        if (first == side) break;
    }
    SideId at = first;
    do {
        const SideId before = map.previous(at);
        visit(at, before);
        at = map.twin[before];
    } while (at && at != first);
}

/// Twice the cell's area in square steps, exact.
std::int64_t double_area(const PolygonMap& map, CellId cell);

/// Checks every guarantee above. Error check_failed names the first element that breaks one.
Status validate(const PolygonMap& map);
/// The same but for the distance of sites and corners that no side uses: enough for any code that
/// reads or edits the map to run, and in parallel, for maps that come from outside. O(sides).
Status validate_tiling(const PolygonMap& map, Executor& executor);

}  // namespace tw::world
