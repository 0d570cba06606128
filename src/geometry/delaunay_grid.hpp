#pragma once
// Points sorted into square buckets, about one to a bucket.

#include "terraway/geometry/delaunay.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tw::geometry::detail {

/// Ranks run along rows of buckets.
struct BucketGrid {
    GridPoint low;
    double side = 1.0;  ///< [steps]
    double inverse_side = 1.0;
    std::int32_t columns = 0, rows = 0;
    std::vector<std::uint32_t> begin;  ///< by bucket: its first rank; buckets + 1
    std::vector<std::int32_t> x, y;    ///< by rank, and some more that vectors may read
    std::vector<VertexId> vertex;      ///< by rank

    GridPoint point(std::uint32_t rank) const { return {x[rank], y[rank]}; }

    std::int32_t column_of(GridPoint p) const { return cell(p.x, low.x, columns); }
    std::int32_t row_of(GridPoint p) const { return cell(p.y, low.y, rows); }

private:
    std::int32_t cell(std::int32_t at, std::int32_t from, std::int32_t count) const {
        const auto index = static_cast<std::int32_t>(static_cast<double>(at - from) * inverse_side);
        return index < count ? index : count - 1;
    }
};

/// Points a bucket. Poisson discs of radius r fill 0.7 / r² or more: two rows of such buckets then
/// cover the 2 r within which all neighbours lie.
inline constexpr double kDensity = 0.75;
/// Mean square of the buckets' counts, by points. Independent random points have 1 + density: 1.75,
/// then 1.32 in the smaller buckets of the second try; a square grid has 1.
inline constexpr double kMeanSquareInBox = 1.45, kMeanSquareInShape = 1.22;
inline constexpr double kMaxDensity = 8.0;  ///< where there are points; less than the whole box

/// Nothing when the points are not evenly spaced by these numbers.
std::optional<BucketGrid> sort_into_even_grid(std::span<const GridPoint> points);

}  // namespace tw::geometry::detail
