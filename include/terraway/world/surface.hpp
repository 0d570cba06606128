#pragma once
// The canonical surface: one triangle (site, corner, next corner) per side of a cell, split in two
// where a river crosses the side. Every height query and every mesh reads it.

#include "terraway/world/cell_index.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <memory>

namespace tw::world {

/// A view; what it points at must outlive it. Rivers may be absent.
struct CanonicalSurface {
    const PolygonMap* map = nullptr;
    const Drainage* drainage = nullptr;
    const Rivers* rivers = nullptr;
};

/// Finds cells and heights on the surface, in O(1) a query where cells are evenly spaced.
class SurfaceQuery {
public:
    /// With an index of its own: O(cells).
    explicit SurfaceQuery(const CanonicalSurface& surface);
    /// With one that stands beside the map, and outlives this.
    SurfaceQuery(const CanonicalSurface& surface, const CellIndex& index)
        : surface_(surface), index_(&index) {}
    /// The cell whose wedges contain the point; points outside the rectangle are clamped to it. On
    /// a border between cells, the one of least id. A surface of a map alone is enough.
    CellId cell_at(GridPoint point) const;
    /// [steps] exact on the triangle that contains the point, rounded to the nearest step (halves
    /// up).
    Steps height_at(GridPoint point) const;
    /// The same, sooner where the point lies in the cell of the one before: `cell` becomes its own.
    Steps height_at(GridPoint point, CellId& cell) const;

private:
    GridPoint within_bounds(GridPoint point) const;
    template <class Visit>
    void locate(GridPoint point, Visit&& visit) const;

    CanonicalSurface surface_;
    std::shared_ptr<const CellIndex> own_;  ///< null: the index is someone else's
    const CellIndex* index_;
};

}  // namespace tw::world
