#pragma once
// Which cell lies under each pixel, and how high it is there; and the outlines of groups of cells.

#include "terraway/core/executor.hpp"
#include "terraway/core/function_ref.hpp"
#include "terraway/geometry/raster.hpp"

#include "map_data.hpp"

#include <cstdint>
#include <vector>

namespace tw::io {

struct CellRaster {
    geometry::Raster raster;
    std::vector<std::uint32_t> cell;  ///< row by row from the north
    std::vector<Steps> height;
};

/// Cost: O(pixels + corners).
CellRaster build_cell_raster(const MapData& data, std::uint32_t longest, Executor& executor);

enum class Outline : std::uint8_t {
    closed,             ///< rings, those along the rectangle included
    without_rectangle,  ///< lines may begin and end on the rectangle
};
/// Borders of the union of cells for which `inside` says true, the inside on their left.
std::vector<std::vector<GridPoint>> outline_of(const MapCells& cells,
                                               FunctionRef<bool(std::size_t)> inside, Outline kind);

}  // namespace tw::io
