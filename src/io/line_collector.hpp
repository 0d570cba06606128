#pragma once
// Gathers imported lines one by one.

#include "terraway/world/imported.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tw::io {

struct LinePoint {
    std::int64_t x = 0, y = 0;  ///< in the frame of the import
    std::uint64_t node = world::ImportedLines::kNoNode;
    friend bool operator==(const LinePoint&, const LinePoint&) = default;
};

class LineCollector {
public:
    explicit LineCollector(world::Frame frame) {
        lines_.frame = frame;
        lines_.point_begin.push_back(0);
    }
    /// `points` are at least two.
    void add(std::string label, const world::RoadAttributes& attributes,
             std::span<const LinePoint> points) {
        lines_.label.push_back(std::move(label));
        lines_.attributes.push_back(attributes);
        for (const LinePoint& point : points) {
            lines_.x.push_back(point.x);
            lines_.y.push_back(point.y);
            lines_.node.push_back(point.node);
        }
        lines_.point_begin.push_back(static_cast<std::uint32_t>(lines_.x.size()));
    }
    std::size_t line_count() const { return lines_.label.size(); }
    std::size_t point_count() const { return lines_.x.size(); }
    world::ImportedLines take() && { return std::move(lines_); }

private:
    world::ImportedLines lines_;
};

/// More of either is refused: dense ids are 32 bits, and a town is a thousandth of it.
inline constexpr std::size_t kMaxLines = 10'000'000, kMaxLinePoints = 200'000'000;

}  // namespace tw::io
