#include "terraway/world/surface_scan.hpp"

namespace tw::world {

RowBands::RowBands(const CanonicalSurface& surface, const geometry::Raster& raster) {
    const std::int32_t last_band = (raster.rows - 1) / kRows;
    const auto band_of = [&](std::int32_t y) {
        return std::clamp(raster.row_at(y), 0, raster.rows - 1) / kRows;
    };
    struct Reach {
        std::int32_t first, last;
    };
    const PolygonMap& map = *surface.map;
    std::vector<Reach> reach(map.cell_count());
    begin_.assign(static_cast<std::size_t>(last_band) + 2, 0);
    for (const CellId cell : map.site.ids()) {
        std::int32_t south = map.site[cell].y, north = south;
        for (const SideId side : map.sides(cell)) {
            const std::int32_t y = map.corner_point[map.corner[side]].y;
            south = std::min(south, y);
            north = std::max(north, y);
        }
        // A river's vertex may stand a step outside the box of the corners: it was rounded.
        reach[cell.index()] = {band_of(south - 1), band_of(north + 1)};
        for (auto band = reach[cell.index()].first; band <= reach[cell.index()].last; ++band) {
            ++begin_[static_cast<std::size_t>(band) + 1];
        }
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    cell_.resize(begin_.back());
    std::vector<std::uint32_t> at(begin_.begin(), begin_.end() - 1);
    for (const CellId cell : map.site.ids()) {
        for (auto band = reach[cell.index()].first; band <= reach[cell.index()].last; ++band) {
            cell_[at[static_cast<std::size_t>(band)]++] = cell;
        }
    }
}

}  // namespace tw::world
