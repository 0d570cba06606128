#pragma once
// Finds street pieces by place.

#include "terraway/geometry/rtree.hpp"
#include "terraway/world/streets.hpp"

#include <vector>

namespace tw::world {

/// The box of a piece's rings.
GridBox box_of(const StreetSurface& streets, PieceId piece);

/// Pieces by their boxes; of one surface, as it was when this was made. Cost: O(n log n).
class PieceIndex {
public:
    explicit PieceIndex(const StreetSurface& streets);
    /// Ascending.
    std::vector<PieceId> find(const GridBox& box) const;

private:
    geometry::RTree tree_;
};

}  // namespace tw::world
