#pragma once
// Finds the cells near a place. Depends on the map alone, so edits never touch it.

#include "terraway/world/polygon_map.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tw::world {

/// Square buckets about as large as cells, each with the cells whose boxes meet it. The boxes have
/// a step of room, for crossings of rivers, which are rounded. Cost: O(cells); 6 bytes a cell or
/// so.
class CellIndex {
public:
    explicit CellIndex(const PolygonMap& map);

    /// Cells whose box comes near the point, ascending; the point must lie in the map's bounds.
    std::span<const CellId> near(GridPoint point) const {
        return in_bucket(column_of(point.x), row_of(point.y));
    }
    /// visit(cell) for cells whose box comes near `box`, many of them more than once.
    template <class Visit>
    void for_each(const GridBox& box, Visit&& visit) const {
        if (!box.intersects(bounds_)) return;
        const std::size_t left = column_of(box.lo.x), right = column_of(box.hi.x);
        const std::size_t top = row_of(box.hi.y);
        for (std::size_t row = row_of(box.lo.y); row <= top; ++row) {
            for (std::size_t column = left; column <= right; ++column) {
                for (const CellId cell : in_bucket(column, row)) visit(cell);
            }
        }
    }

private:
    std::size_t column_of(std::int32_t x) const {
        const std::int32_t inside = std::clamp(x, bounds_.lo.x, bounds_.hi.x);
        return static_cast<std::size_t>((std::int64_t{inside} - bounds_.lo.x) >> shift_);
    }
    std::size_t row_of(std::int32_t y) const {
        const std::int32_t inside = std::clamp(y, bounds_.lo.y, bounds_.hi.y);
        return static_cast<std::size_t>((std::int64_t{inside} - bounds_.lo.y) >> shift_);
    }
    std::span<const CellId> in_bucket(std::size_t column, std::size_t row) const {
        const std::size_t bucket = row * columns_ + column;
        return std::span(cell_).subspan(begin_[bucket], begin_[bucket + 1] - begin_[bucket]);
    }

    GridBox bounds_;
    std::int32_t shift_ = 0;  ///< a bucket is 2^shift_ steps wide
    std::size_t columns_ = 0;
    std::vector<std::uint32_t> begin_;
    std::vector<CellId> cell_;
};

/// The box of the cell's corners.
GridBox box_of(const PolygonMap& map, CellId cell);

}  // namespace tw::world
