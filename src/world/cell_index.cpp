#include "terraway/world/cell_index.hpp"

namespace tw::world {

GridBox box_of(const PolygonMap& map, CellId cell) {
    GridBox box;
    for (const SideId side : map.sides(cell)) box.include(map.corner_point[map.corner[side]]);
    return box;
}

CellIndex::CellIndex(const PolygonMap& map) : bounds_(map.bounds) {
    const std::int64_t area = bounds_.width() * bounds_.height();
    const auto cells = static_cast<std::int64_t>(map.cell_count());
    while (shift_ < 30 && (std::int64_t{1} << (2 * shift_)) < area / cells) ++shift_;
    columns_ = static_cast<std::size_t>((bounds_.width() >> shift_) + 1);
    const auto rows = static_cast<std::size_t>((bounds_.height() >> shift_) + 1);

    const auto for_each_bucket = [&](CellId cell, auto&& visit) {
        const GridBox box = box_of(map, cell);
        const std::size_t right = column_of(box.hi.x + 1), top = row_of(box.hi.y + 1);
        for (std::size_t row = row_of(box.lo.y - 1); row <= top; ++row) {
            for (std::size_t column = column_of(box.lo.x - 1); column <= right; ++column) {
                visit(row * columns_ + column);
            }
        }
    };
    begin_.assign(columns_ * rows + 1, 0);
    for (const CellId cell : map.site.ids()) {
        for_each_bucket(cell, [&](std::size_t bucket) { ++begin_[bucket + 1]; });
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    cell_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const CellId cell : map.site.ids()) {
        for_each_bucket(cell, [&](std::size_t bucket) { cell_[next[bucket]++] = cell; });
    }
}

}  // namespace tw::world
