#include "delaunay_grid.hpp"

#include "delaunay_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tw::geometry::detail {

namespace {

/// Of independent random points the counts' squares have the mean 1 + density.
struct Counts {
    std::vector<std::uint32_t> bucket_of;  ///< by point
    double mean_square = 0.0;              ///< sum of the squared counts by points
};

/// Lays buckets of about `density` points over the box and counts; false for a box so long that the
/// buckets of a single row would outnumber the points.
bool count_points(std::span<const GridPoint> points, const GridBox& box, double density,
                  BucketGrid& grid, Counts& counts) {
    const auto width = static_cast<double>(box.width() + 1);
    const auto height = static_cast<double>(box.height() + 1);
    const auto count = static_cast<double>(points.size());
    grid.low = box.lo;
    grid.side = std::sqrt(width * height * density / count);
    grid.inverse_side = 1.0 / grid.side;
    if (width < grid.side || height < grid.side) return false;
    grid.columns = static_cast<std::int32_t>(width / grid.side) + 1;
    grid.rows = static_cast<std::int32_t>(height / grid.side) + 1;
    grid.begin.assign(
        static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows) + 1, 0);
    counts.bucket_of.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::int32_t bucket =
            grid.row_of(points[i]) * grid.columns + grid.column_of(points[i]);
        counts.bucket_of[i] = static_cast<std::uint32_t>(bucket);
        ++grid.begin[counts.bucket_of[i]];
    }
    double squares = 0.0;
    for (const std::uint32_t in_bucket : grid.begin) {
        squares += static_cast<double>(in_bucket) * in_bucket;
    }
    counts.mean_square = squares / count;
    return true;
}

/// Ranks the points by bucket; the counts in grid.begin become first ranks.
void sort_by_bucket(std::span<const GridPoint> points, std::span<const std::uint32_t> bucket_of,
                    BucketGrid& grid) {
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : grid.begin) sum += std::exchange(begin, sum);
    grid.x.resize(points.size() + StarLanes::kOverrun);
    grid.y.resize(points.size() + StarLanes::kOverrun);
    grid.vertex.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::uint32_t rank = grid.begin[bucket_of[i]]++;
        grid.x[rank] = points[i].x;
        grid.y[rank] = points[i].y;
        grid.vertex[rank] = VertexId::from_index(i);
    }
    // Every begin has moved to its bucket's end, which is the next one's begin.
    std::shift_right(grid.begin.begin(), grid.begin.end(), 1);
    grid.begin[0] = 0;
}

}  // namespace

std::optional<BucketGrid> sort_into_even_grid(std::span<const GridPoint> points) {
    GridBox box;
    for (const GridPoint p : points) box.include(p);
    BucketGrid grid;
    Counts counts;
    if (!count_points(points, box, kDensity, grid, counts)) return std::nullopt;
    if (counts.mean_square > kMeanSquareInBox) {
        // Random points, or even ones that leave part of their box empty: a disc, a turned square.
        // Then smaller buckets have about the right number where there are any points.
        if (counts.mean_square > kMaxDensity) return std::nullopt;
        const double density = kDensity * kDensity / counts.mean_square;
        if (!count_points(points, box, density, grid, counts)) return std::nullopt;
        if (counts.mean_square > kMeanSquareInShape) return std::nullopt;
    }
    sort_by_bucket(points, counts.bucket_of, grid);
    return grid;
}

}  // namespace tw::geometry::detail
