#include "terraway/world/piece_index.hpp"

namespace tw::world {

GridBox box_of(const StreetSurface& streets, PieceId piece) {
    GridBox box;
    for (const RingId ring : streets.rings(piece)) {
        for (const StreetVertexId vertex : streets.ring(ring)) box.include(streets.vertex[vertex]);
    }
    return box;
}

PieceIndex::PieceIndex(const StreetSurface& streets) {
    std::vector<GridBox> boxes;
    boxes.reserve(streets.piece_count());
    for (const PieceId piece : streets.kind.ids()) boxes.push_back(box_of(streets, piece));
    tree_ = geometry::RTree(boxes);
}

std::vector<PieceId> PieceIndex::find(const GridBox& box) const {
    std::vector<PieceId> pieces;
    for (const std::uint32_t piece : tree_.find(box)) pieces.push_back(PieceId(piece));
    return pieces;
}

}  // namespace tw::world
