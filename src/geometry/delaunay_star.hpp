#pragma once
// One star of a triangulation from the points around it.

#include "delaunay_grid.hpp"
#include "delaunay_lanes.hpp"

#include <cstdint>
#include <span>

namespace tw::geometry::detail {

/// Builds stars one after another in memory of its own. A star is proved when the circles of all
/// its triangles lie within the disc whose points were looked at: no point outside can change it.
class StarBuilder {
public:
    explicit StarBuilder(const BucketGrid& grid) : grid_(grid), functions_(lane_functions()) {}

    /// Column and row are those of the point's bucket.
    /// Returns the ranks of the neighbours, counter-clockwise; empty when the star is not proved
    /// (at the hull, beside a gap, among too many points or on a duplicate). Valid until the next
    /// call.
    std::span<const std::uint32_t> build(std::uint32_t rank, std::int32_t column, std::int32_t row);

private:
    static constexpr std::int32_t kFirstRing = 2, kLastRing = 3;  // rows of buckets on each side

    struct Inverted {
        double u, v;  // x / (x² + y²), y / (x² + y²)
        std::uint32_t lane;
    };

    bool gather(std::int32_t column, std::int32_t row, std::int32_t ring);
    void sort_by_angle();
    bool precedes(std::uint32_t a, std::uint32_t b) const;
    void settle_near_angles();
    bool keeps(const Inverted& before, const Inverted& middle, const Inverted& after) const;
    void wrap();
    bool is_proved() const;

    const BucketGrid& grid_;
    const LaneFunctions functions_;
    GridPoint centre_;
    double doubt_ = 0.0;
    std::size_t count_ = 0, star_size_ = 0;
    StarLanes lanes_;
    std::uint32_t order_[kMaxLanes + 1];  // lanes by angle; the last takes what does not count
    Inverted star_[kMaxLanes + 1];
    std::uint32_t star_rank_[kMaxLanes];
};

}  // namespace tw::geometry::detail
