#pragma once
// The canonical surface triangle by triangle, in bands of raster rows that threads share.

#include "terraway/core/stage_context.hpp"
#include "terraway/geometry/raster.hpp"
#include "terraway/world/surface.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tw::world {

using SurfaceTriangle = std::array<geometry::RasterVertex, 3>;

/// Calls visit(triangle) for each triangle of the cell, counter-clockwise.
template <class Visit>
void for_each_triangle(const CanonicalSurface& surface, CellId cell, Visit&& visit) {
    const PolygonMap& map = *surface.map;
    const Drainage& drainage = *surface.drainage;
    const auto corner = [&](SideId side) {
        const CornerId id = map.corner[side];
        return geometry::RasterVertex{map.corner_point[id], drainage.corner_elevation[id]};
    };
    const geometry::RasterVertex site{map.site[cell], drainage.elevation[cell]};
    const IdRange<SideId> sides = map.sides(cell);
    geometry::RasterVertex from = corner(*sides.begin());
    for (const SideId side : sides) {
        const geometry::RasterVertex end = corner(map.next(side));
        const CellId river = surface.rivers ? surface.rivers->over(map, side) : CellId();
        // Visited in one place, so that what it does is inlined here.
        for (bool at_end = river.is_none();; at_end = true) {
            const geometry::RasterVertex to =
                at_end ? end
                       : geometry::RasterVertex{surface.rivers->crossing[river],
                                                surface.rivers->crossing_elevation[river]};
            visit(SurfaceTriangle{site, from, to});
            from = to;
            if (at_end) break;
        }
    }
}

/// Which cells meet which band of raster rows.
class RowBands {
public:
    static constexpr std::int32_t kRows = 64;  ///< of a band

    /// Cost: O(sides).
    RowBands(const CanonicalSurface& surface, const geometry::Raster& raster);
    std::size_t count() const { return begin_.size() - 1; }
    std::span<const CellId> cells(std::size_t band) const {
        return std::span(cell_).subspan(begin_[band], begin_[band + 1] - begin_[band]);
    }

private:
    std::vector<std::uint32_t> begin_;
    std::vector<CellId> cell_;  ///< ascending within a band
};

/// Calls visit(cell, triangle, row_begin, row_end) for each triangle that may cover middles in
/// those rows: what writes to squares of these rows alone runs without locks. Error cancelled, with
/// `stage`.
template <class Visit>
Status scan_surface(const CanonicalSurface& surface, const geometry::Raster& raster,
                    std::string_view stage, StageContext& context, Visit&& visit) {
    const RowBands bands(surface, raster);
    context.executor->run(bands.count(), [&](std::size_t band) {
        if (context.cancelled()) return;
        const auto row_begin = static_cast<std::int32_t>(band) * RowBands::kRows;
        const std::int32_t row_end = std::min(raster.rows, row_begin + RowBands::kRows);
        for (const CellId cell : bands.cells(band)) {
            for_each_triangle(surface, cell, [&](const SurfaceTriangle& triangle) {
                visit(cell, triangle, row_begin, row_end);
            });
        }
    });
    if (context.cancelled()) return cancelled_error(stage);
    return ok_status();
}

}  // namespace tw::world
