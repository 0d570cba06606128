#pragma once
// Corners that are too near or whose wedge would not turn left become one.

#include "voronoi_raw.hpp"

#include <cstdint>
#include <vector>

namespace tw::geometry::detail {

struct MergedCorners {
    std::vector<std::uint32_t> kept;  ///< by raw corner: the one it became; empty when none merged
    std::uint32_t merged = 0;         ///< corners that are gone
    std::uint32_t of(std::uint32_t corner) const { return kept.empty() ? corner : kept[corner]; }
};

/// Works in rounds: all bad sides of a round are found before any is merged, so that the result
/// does not depend on an order. After the first round only cells whose corners moved are looked at.
/// Errors: invalid_input (corners of different sides of the rectangle would merge).
Result<MergedCorners> merge_corners(const Delaunay& delaunay, const RawCells& raw,
                                    std::int32_t min_gap, Executor& executor);

}  // namespace tw::geometry::detail
