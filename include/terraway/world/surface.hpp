#pragma once
// The canonical surface: one triangle (site, corner, next corner) per side of a cell, split in two
// where a river crosses the side. Every height query and every mesh reads it.

#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

namespace tw::world {

/// A view; what it points at must outlive it. Rivers may be absent.
struct CanonicalSurface {
    const PolygonMap* map = nullptr;
    const Drainage* drainage = nullptr;
    const Rivers* rivers = nullptr;
};

/// Finds cells and heights on the surface; built once, O(cells), then O(1) a query where cells are
/// evenly spaced.
class SurfaceQuery {
public:
    explicit SurfaceQuery(const CanonicalSurface& surface);
    /// The cell whose wedges contain the point; points outside the rectangle are clamped to it. On
    /// a border between cells, the one of least id.
    CellId cell_at(GridPoint point) const;
    /// [steps] exact on the triangle that contains the point, rounded to the nearest step (halves
    /// up).
    Steps height_at(GridPoint point) const;

private:
    template <class Visit>
    void locate(GridPoint point, Visit&& visit) const;

    CanonicalSurface surface_;
    GridPoint origin_;
    std::int32_t shift_ = 0;  ///< a bucket is 2^shift_ steps wide
    std::int32_t columns_ = 0, rows_ = 0;
    std::vector<std::uint32_t> bucket_begin_;
    std::vector<CellId> cell_in_bucket_;  ///< cells whose box meets the bucket, ascending
};

}  // namespace tw::world
