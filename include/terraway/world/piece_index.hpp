#pragma once
// Finds street pieces by place.

#include "terraway/math/grid.hpp"
#include "terraway/world/streets.hpp"

#include <vector>

namespace tw::world {

/// The box of a piece's rings.
GridBox box_of(const StreetSurface& streets, PieceId piece);

/// Pieces by their boxes; of one surface, as it was when this was made. Cost: O(vertices).
class PieceIndex {
public:
    explicit PieceIndex(const StreetSurface& streets);
    /// Brings it from the surface before to what it became. Cost: O(pieces).
    void follow(const StreetChanges& changes, const StreetSurface& streets);
    /// Ascending. Cost: O(pieces), four comparisons each.
    std::vector<PieceId> find(const GridBox& box) const;
    const GridBox& box(PieceId piece) const { return box_[piece.index()]; }

private:
    std::vector<GridBox> box_;
    std::vector<GridBox> spare_;  ///< memory for the next surface
};

}  // namespace tw::world
