#pragma once
// Boxes of which one wants to know whether any is near.

#include "terraway/geometry/rtree.hpp"
#include "terraway/geometry/segment.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tw::roads {

/// Room round a box; boxes of grid points have space for it on 32 bits.
inline GridBox grown(GridBox box, std::int32_t by) {
    return {box.lo - GridPoint{by, by}, box.hi + GridPoint{by, by}};
}
inline GridBox box_at(GridPoint p) {
    return {p, p};
}

/// Points as numbers in their order, for sorting.
inline std::uint64_t order_key(GridPoint p) {
    const auto part = [](std::int32_t c) {
        return std::uint64_t{static_cast<std::uint32_t>(c) ^ 0x8000'0000u};
    };
    return part(p.x) << 32 | part(p.y);
}

class BoxSet {
public:
    static BoxSet everything() {
        BoxSet set;
        set.everything_ = true;
        return set;
    }
    void add(const GridBox& box) {
        box_.push_back(box);
        whole_.include(box.lo);
        whole_.include(box.hi);
    }
    /// After the last add() and before the first touches().
    void seal() {
        if (box_.size() > kFew) tree_ = geometry::RTree(box_);
    }
    bool empty() const { return !everything_ && box_.empty(); }
    const GridBox& whole() const { return whole_; }  ///< round all boxes
    bool is_everything() const { return everything_; }
    bool touches(const GridBox& box) const {
        if (everything_) return true;
        if (whole_.empty() || !whole_.intersects(box)) return false;
        bool found = false;
        if (box_.size() > kFew) {
            tree_.for_each(box, [&](std::uint32_t) { found = true; });
            return found;
        }
        return std::any_of(box_.begin(), box_.end(),
                           [&](const GridBox& b) { return b.intersects(box); });
    }

private:
    static constexpr std::size_t kFew = 24;  ///< asking each is faster than a tree
    bool everything_ = false;
    std::vector<GridBox> box_;
    GridBox whole_;
    geometry::RTree tree_;
};

}  // namespace tw::roads
