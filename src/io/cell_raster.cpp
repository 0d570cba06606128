#include "cell_raster.hpp"

#include <algorithm>

namespace tw::io {
namespace {

constexpr std::int32_t kBand = 32;  ///< rows that one task fills

/// Cells whose rings reach into each band of rows.
std::vector<std::vector<std::uint32_t>> cells_of_bands(const MapCells& cells,
                                                       const geometry::Raster& raster) {
    std::vector<std::vector<std::uint32_t>> bands(
        static_cast<std::size_t>((raster.rows + kBand - 1) / kBand));
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        GridBox box;
        for (const GridPoint corner : cells.ring(cell)) box.include(corner);
        const std::int32_t low = std::clamp(raster.row_at(box.lo.y), 0, raster.rows - 1) / kBand;
        const std::int32_t high = std::clamp(raster.row_at(box.hi.y), 0, raster.rows - 1) / kBand;
        for (std::int32_t band = low; band <= high; ++band)
            bands[static_cast<std::size_t>(band)].push_back(cell);
    }
    return bands;
}

struct Edge {
    GridPoint from, to;
    friend auto operator<=>(const Edge&, const Edge&) = default;
};

}  // namespace

CellRaster build_cell_raster(const MapData& data, std::uint32_t longest, Executor& executor) {
    CellRaster out;
    out.raster = geometry::raster_over(data.bounds, longest);
    const geometry::Raster& raster = out.raster;
    const auto columns = static_cast<std::size_t>(raster.columns),
               rows = static_cast<std::size_t>(raster.rows);
    out.cell.assign(columns * rows, 0);
    out.height.assign(columns * rows, 0);
    const MapCells& cells = data.cells;
    const auto bands = cells_of_bands(cells, raster);
    executor.run(bands.size(), [&](std::size_t band) {
        const std::int32_t begin = static_cast<std::int32_t>(band) * kBand;
        const std::int32_t end = std::min(raster.rows, begin + kBand);
        for (const std::uint32_t cell : bands[band]) {
            const std::uint32_t first = cells.ring_begin[cell], last = cells.ring_begin[cell + 1];
            const geometry::RasterVertex site{cells.site[cell], cells.elevation[cell]};
            for (std::uint32_t i = first; i < last; ++i) {
                const std::uint32_t j = i + 1 < last ? i + 1 : first;
                geometry::scan_triangle(
                    raster,
                    {site, geometry::RasterVertex{cells.corner[i], cells.corner_elevation[i]},
                     geometry::RasterVertex{cells.corner[j], cells.corner_elevation[j]}},
                    begin, end, [&](std::int32_t column, std::int32_t row, Steps height) {
                        const std::size_t pixel =
                            (rows - 1 - static_cast<std::size_t>(row)) * columns +
                            static_cast<std::size_t>(column);
                        out.cell[pixel] = cell;
                        out.height[pixel] = height;
                    });
            }
        }
    });
    return out;
}

std::vector<std::vector<GridPoint>> outline_of(const MapCells& cells,
                                               FunctionRef<bool(std::size_t)> inside,
                                               Outline kind) {
    std::vector<Edge> edges;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (!inside(cell)) continue;
        const std::uint32_t first = cells.ring_begin[cell], last = cells.ring_begin[cell + 1];
        for (std::uint32_t i = first; i < last; ++i) {
            const std::uint32_t other = cells.neighbour[i];
            if (other == MapCells::kNone ? kind == Outline::without_rectangle : inside(other))
                continue;
            edges.push_back({cells.corner[i], cells.corner[i + 1 < last ? i + 1 : first]});
        }
    }
    std::sort(edges.begin(), edges.end());
    std::vector<std::uint8_t> used(edges.size(), 0), entered(edges.size(), 0);
    const auto next_of = [&](GridPoint from) {
        auto at =
            std::lower_bound(edges.begin(), edges.end(), from,
                             [](const Edge& edge, GridPoint point) { return edge.from < point; });
        while (at != edges.end() && at->from == from &&
               used[static_cast<std::size_t>(at - edges.begin())])
            ++at;
        return at != edges.end() && at->from == from ? static_cast<std::size_t>(at - edges.begin())
                                                     : edges.size();
    };
    for (const Edge& edge : edges) {
        const auto at =
            std::lower_bound(edges.begin(), edges.end(), edge.to,
                             [](const Edge& e, GridPoint point) { return e.from < point; });
        if (at != edges.end() && at->from == edge.to)
            entered[static_cast<std::size_t>(at - edges.begin())] = 1;
    }
    std::vector<std::vector<GridPoint>> lines;
    // Chains that begin at the rectangle first, so that closed ones are all that is left.
    for (const bool open : {true, false}) {
        for (std::size_t start = 0; start < edges.size(); ++start) {
            if (used[start] || (open && entered[start])) continue;
            std::vector<GridPoint> line = {edges[start].from};
            for (std::size_t edge = start; edge < edges.size(); edge = next_of(edges[edge].to)) {
                used[edge] = 1;
                line.push_back(edges[edge].to);
            }
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

}  // namespace tw::io
