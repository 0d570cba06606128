#include "terraway/geometry/point_grid.hpp"

#include <algorithm>
#include <cmath>

namespace tw::geometry {

PointGrid::PointGrid(std::span<const GridPoint> points, std::int64_t square) {
    if (points.empty()) return;
    for (GridPoint p : points) bounds_.include(p);
    const auto count = static_cast<std::int64_t>(points.size());
    if (square <= 0) {
        const double area =
            static_cast<double>(bounds_.width() + 1) * static_cast<double>(bounds_.height() + 1);
        square = static_cast<std::int64_t>(std::sqrt(2.0 * area / static_cast<double>(count)));
    }
    square_ = std::max<std::int64_t>(square, 1);
    const auto lay_out = [&] {
        columns_ = bounds_.width() / square_ + 1;
        rows_ = bounds_.height() / square_ + 1;
        return columns_ <= 4 * count && rows_ <= 4 * count && columns_ * rows_ <= 4 * count;
    };
    while (!lay_out()) square_ *= 2;

    // Counting sort by bucket.
    const auto bucket_of = [&](GridPoint p) {
        return static_cast<std::size_t>(row_of(p.y) * columns_ + column_of(p.x));
    };
    begin_.assign(static_cast<std::size_t>(columns_ * rows_) + 1, 0);
    for (GridPoint p : points) ++begin_[bucket_of(p) + 1];
    for (std::size_t b = 1; b < begin_.size(); ++b) begin_[b] += begin_[b - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    id_.resize(points.size());
    point_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::uint32_t at = next[bucket_of(points[i])]++;
        id_[at] = static_cast<std::uint32_t>(i);
        point_[at] = points[i];
    }
}

std::int64_t PointGrid::column_of(std::int64_t x) const {
    return std::clamp(x - bounds_.lo.x, std::int64_t{0}, bounds_.width()) / square_;
}
std::int64_t PointGrid::row_of(std::int64_t y) const {
    return std::clamp(y - bounds_.lo.y, std::int64_t{0}, bounds_.height()) / square_;
}

template <class Visit>
void PointGrid::visit_window(const Window& window, Visit&& visit) const {
    for (std::int64_t row = window.first_row; row <= window.last_row; ++row) {
        const auto first = static_cast<std::size_t>(row * columns_ + window.first_column);
        const auto last = static_cast<std::size_t>(row * columns_ + window.last_column);
        for (std::uint32_t at = begin_[first]; at < begin_[last + 1]; ++at) visit(at);
    }
}

void PointGrid::for_each_within(GridPoint centre, std::int64_t radius,
                                FunctionRef<void(std::uint32_t)> visit) const {
    if (point_.empty() || radius < 0) return;
    const std::int64_t limit = radius * radius;
    const Window window{column_of(centre.x - radius), row_of(centre.y - radius),
                        column_of(centre.x + radius), row_of(centre.y + radius)};
    visit_window(window, [&](std::uint32_t at) {
        if (distance2(point_[at], centre) <= limit) visit(id_[at]);
    });
}

std::vector<std::uint32_t> PointGrid::within(GridPoint centre, std::int64_t radius) const {
    std::vector<std::uint32_t> found;
    for_each_within(centre, radius, [&](std::uint32_t id) { found.push_back(id); });
    std::sort(found.begin(), found.end());
    return found;
}

std::uint32_t PointGrid::nearest(GridPoint centre) const {
    std::uint32_t best = kNone;
    if (point_.empty()) return best;
    std::int64_t best_distance = std::numeric_limits<std::int64_t>::max();
    const auto look = [&](std::uint32_t at) {
        const std::int64_t distance = distance2(point_[at], centre);
        if (distance < best_distance || (distance == best_distance && id_[at] < best)) {
            best = id_[at];
            best_distance = distance;
        }
    };
    // Windows twice as wide each time. Points outside a window are farther than the step it took.
    for (std::int64_t reach = square_;; reach *= 2) {
        const Window window{column_of(centre.x - reach), row_of(centre.y - reach),
                            column_of(centre.x + reach), row_of(centre.y + reach)};
        visit_window(window, look);
        const bool everything = window.first_column == 0 && window.first_row == 0 &&
                                window.last_column == columns_ - 1 && window.last_row == rows_ - 1;
        if (everything || (best != kNone && best_distance <= reach * reach)) return best;
    }
}

}  // namespace tw::geometry
