#pragma once
// A packed R-tree over boxes: built once, then asked. Kamel & Faloutsos 1993 (Hilbert packing).

#include "terraway/core/function_ref.hpp"
#include "terraway/math/grid.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tw::geometry {

/// Squared distance from p to the closed box, in square steps; 0 inside.
std::int64_t distance2(const GridBox& box, GridPoint p);

/// Ids are indices into the span that it was built from. Empty boxes are allowed and never found.
class RTree {
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    RTree() = default;
    /// Copies the boxes. Cost: O(n log n) time, about 22 bytes a box.
    explicit RTree(std::span<const GridBox> boxes);

    std::size_t size() const { return item_.size(); }
    /// Calls visit(id) for every box that meets `box` (closed), in no useful but always the same
    /// order. Cost: O(log n + found) for boxes that overlap little.
    void for_each(const GridBox& box, FunctionRef<void(std::uint32_t)> visit) const;
    /// The ids of for_each(), ascending.
    std::vector<std::uint32_t> find(const GridBox& box) const;
    /// The box nearest to p, the least id among equals; kNone in an empty tree.
    std::uint32_t nearest(GridPoint p) const;
    /// The thing nearest to p by its own measure: `distance(id)` in square steps, nowhere less than
    /// that of its box. The least id among equals.
    std::uint32_t nearest(GridPoint p, FunctionRef<double(std::uint32_t)> distance) const;

private:
    template <class Distance, class Measure>
    std::uint32_t search(GridPoint p, Measure&& measure) const;

    std::vector<std::uint32_t> item_;  ///< ids in Hilbert order
    std::vector<GridBox> box_;         ///< of items, then of each level's nodes, the root last
    std::vector<std::size_t> level_;   ///< where each level begins in box_, and the end
};

}  // namespace tw::geometry
