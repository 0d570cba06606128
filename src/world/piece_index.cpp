#include "terraway/world/piece_index.hpp"

#include <utility>

namespace tw::world {

GridBox box_of(const StreetSurface& streets, PieceId piece) {
    GridBox box;
    for (const RingId ring : streets.rings(piece)) {
        for (const StreetVertexId vertex : streets.ring(ring)) box.include(streets.vertex[vertex]);
    }
    return box;
}

PieceIndex::PieceIndex(const StreetSurface& streets) {
    box_.reserve(streets.piece_count());
    for (const PieceId piece : streets.kind.ids()) box_.push_back(box_of(streets, piece));
}

void PieceIndex::follow(const StreetChanges& changes, const StreetSurface& streets) {
    spare_.resize(changes.piece.size());
    for (std::size_t i = 0; i < changes.piece.size(); ++i) {
        const PieceId was = changes.piece[i];
        spare_[i] = was ? box_[was.index()] : box_of(streets, PieceId::from_index(i));
    }
    std::swap(box_, spare_);
}

std::vector<PieceId> PieceIndex::find(const GridBox& box) const {
    std::vector<PieceId> pieces;
    for (std::size_t i = 0; i < box_.size(); ++i) {
        if (box_[i].intersects(box)) pieces.push_back(PieceId::from_index(i));
    }
    return pieces;
}

}  // namespace tw::world
