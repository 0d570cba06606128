#pragma once
// Points that vertices of all lines are looked up in.

#include "box_set.hpp"

#include <algorithm>
#include <vector>

namespace tw::roads {

class PointSet {
public:
    static PointSet everything() {
        PointSet set;
        set.near_ = BoxSet::everything();
        return set;
    }
    PointSet() = default;
    explicit PointSet(std::vector<GridPoint> points) : point_(std::move(points)) {
        std::sort(point_.begin(), point_.end());
        point_.erase(std::unique(point_.begin(), point_.end()), point_.end());
        for (const GridPoint p : point_) {
            near_.add(box_at(p));
            whole_.include(p);
        }
        near_.seal();
    }
    bool contains(GridPoint p) const {
        if (near_.is_everything()) return true;
        return whole_.contains(p) && std::binary_search(point_.begin(), point_.end(), p);
    }
    const BoxSet& near() const { return near_; }
    const std::vector<GridPoint>& points() const { return point_; }

private:
    std::vector<GridPoint> point_;  ///< ascending
    GridBox whole_;
    BoxSet near_;
};

}  // namespace tw::roads
