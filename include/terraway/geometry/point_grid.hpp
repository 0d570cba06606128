#pragma once
// Buckets over points: what lies near a place, for points that are spread fairly evenly.

#include "terraway/core/function_ref.hpp"
#include "terraway/math/grid.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tw::geometry {

/// Points by the square that they lie in, in compressed rows. Ids are indices into the span it was
/// built from. Points and questions may be any grid points; equal points are kept apart.
class PointGrid {
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    PointGrid() = default;
    /// `square` [steps]: side of a bucket; 0 chooses one that holds about two points. It grows
    /// where there would be more than four buckets a point. Copies the points. Cost: O(n).
    explicit PointGrid(std::span<const GridPoint> points, std::int64_t square = 0);

    std::size_t size() const { return point_.size(); }
    /// Calls visit(id) for every point at most `radius` steps (0 … 2³¹) from `centre`, exactly, in
    /// an order that depends on the points alone. Cost: the buckets and points in the circle's box.
    void for_each_within(GridPoint centre, std::int64_t radius,
                         FunctionRef<void(std::uint32_t)> visit) const;
    /// The ids of for_each_within(), ascending.
    std::vector<std::uint32_t> within(GridPoint centre, std::int64_t radius) const;
    /// The nearest point, the least id among equals; kNone without points.
    std::uint32_t nearest(GridPoint centre) const;

private:
    struct Window {
        std::int64_t first_column, first_row, last_column, last_row;
    };
    std::int64_t column_of(std::int64_t x) const;
    std::int64_t row_of(std::int64_t y) const;
    template <class Visit>
    void visit_window(const Window& window, Visit&& visit) const;

    GridBox bounds_;
    std::int64_t square_ = 1, columns_ = 0, rows_ = 0;
    std::vector<std::uint32_t> begin_;  ///< buckets + 1
    std::vector<std::uint32_t> id_;     ///< by bucket, ascending within it
    std::vector<GridPoint> point_;      ///< beside id_
};

}  // namespace tw::geometry
