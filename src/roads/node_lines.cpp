#include "terraway/geometry/segment.hpp"

#include "working_lines.hpp"

#include <algorithm>

namespace tw::roads {
namespace {

/// [steps] A vertex nearer than this to a segment lies on it. With one step both parts of a cut
/// segment are shorter than it, in whole square steps, so cutting ends.
constexpr std::int64_t kTouch = 1;
constexpr std::size_t kMostMeetings = std::size_t{1} << 23;
/// Rounding moves a segment by a step, which seldom makes a new meeting, and hardly ever twice.
constexpr int kMostRounds = 16;

struct Cut {
    std::uint32_t segment;
    std::int64_t along;  ///< squared distance from the segment's start
    GridPoint point;
    friend auto operator<=>(const Cut&, const Cut&) = default;
};

std::int64_t dot(GridPoint o, GridPoint a, GridPoint b) {
    return (std::int64_t{a.x} - o.x) * (std::int64_t{b.x} - o.x) +
           (std::int64_t{a.y} - o.y) * (std::int64_t{b.y} - o.y);
}

/// True if p projects strictly inside the segment and lies within kTouch of it.
bool lies_on(const Segment& s, GridPoint p) {
    if (!grown(geometry::box_of(s.a, s.b), static_cast<std::int32_t>(kTouch)).contains(p))
        return false;
    const std::int64_t length2 = distance2(s.a, s.b), along = dot(s.a, s.b, p);
    if (along <= 0 || along >= length2) return false;
    const std::int64_t area = orient2d(s.a, s.b, p);
    // |area| / length < kTouch, squared.
    return wide_product<Int128>(area, area) < wide_product<Int128>(kTouch * kTouch, length2);
}

/// The crossing of two segments that cross properly, rounded to the grid. The quotient is taken
/// from one segment's start, so that moving both moves the point.
GridPoint crossing(const Segment& s, const Segment& t) {
    const std::int64_t dx = std::int64_t{t.b.x} - t.a.x, dy = std::int64_t{t.b.y} - t.a.y;
    const std::int64_t sx = std::int64_t{s.b.x} - s.a.x, sy = std::int64_t{s.b.y} - s.a.y;
    std::int64_t numerator =
        (std::int64_t{t.a.x} - s.a.x) * dy - (std::int64_t{t.a.y} - s.a.y) * dx;
    std::int64_t denominator = sx * dy - sy * dx;
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    const auto part = [&](std::int64_t d) {
        const Int128 twice = wide_product<Int128>(2 * d, numerator) + Int128{denominator};
        return static_cast<std::int32_t>(floor_quotient<Int128>(twice, 2 * denominator));
    };
    return {s.a.x + part(sx), s.a.y + part(sy)};
}

class Meetings {
public:
    explicit Meetings(std::span<const Segment> segments) : segments_(segments) {}

    void meet(std::uint32_t i, std::uint32_t j) {
        const Segment &s = segments_[i], &t = segments_[j];
        bool touched = cut_at(i, t.a);
        touched = cut_at(i, t.b) || touched;
        touched = cut_at(j, s.a) || touched;
        touched = cut_at(j, s.b) || touched;
        if (touched || !geometry::segments_cross(s.a, s.b, t.a, t.b)) return;
        const GridPoint at = crossing(s, t);
        add(i, at);
        add(j, at);
    }
    std::vector<Cut> take() {
        std::sort(cuts_.begin(), cuts_.end());
        cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
        return std::move(cuts_);
    }
    std::size_t size() const { return cuts_.size(); }

private:
    bool cut_at(std::uint32_t segment, GridPoint p) {
        if (!lies_on(segments_[segment], p)) return false;
        add(segment, p);
        return true;
    }
    void add(std::uint32_t segment, GridPoint p) {
        const Segment& s = segments_[segment];
        if (p != s.a && p != s.b) cuts_.push_back({segment, dot(s.a, s.b, p), p});
    }
    std::span<const Segment> segments_;
    std::vector<Cut> cuts_;
};

Result<std::vector<Cut>> find_cuts(std::span<const Segment> segments,
                                   const std::vector<std::uint8_t>& fresh,
                                   const StageContext& ctx) {
    const geometry::RTree tree = tree_of(segments);
    Meetings meetings(segments);
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
        if (!fresh[segments[i].line]) continue;
        const GridBox box = grown(geometry::box_of(segments[i].a, segments[i].b),
                                  static_cast<std::int32_t>(kTouch));
        tree.for_each(box, [&](std::uint32_t j) {
            // A pair of fresh segments is met once, from the lower one.
            if (segments[i].level != segments[j].level || j == i) return;
            if (j < i && fresh[segments[j].line]) return;
            meetings.meet(std::min(i, j), std::max(i, j));
        });
        if (meetings.size() > kMostMeetings) {
            return Error{ErrorCode::too_large,
                         std::string(kStage),
                         {},
                         "the lines meet more than 8 million times; give fewer lines, or levels"};
        }
        if (i % 1024 == 0 && ctx.cancelled()) return cancelled_error(kStage);
    }
    return meetings.take();
}

/// Puts the cuts into their lines; true in `fresh` for each line that grew.
void apply(std::span<const Cut> cuts, std::span<const Segment> segments,
           std::vector<WorkingLine>& lines, std::vector<std::uint8_t>& fresh) {
    std::fill(fresh.begin(), fresh.end(), std::uint8_t{0});
    std::vector<Vertex> grown_line;
    for (std::size_t begin = 0; begin < cuts.size();) {
        const std::uint32_t l = segments[cuts[begin].segment].line;
        std::size_t end = begin;
        while (end < cuts.size() && segments[cuts[end].segment].line == l) ++end;
        grown_line.clear();
        std::size_t cut = begin;
        for (std::size_t i = 0; i < lines[l].vertex.size(); ++i) {
            grown_line.push_back(lines[l].vertex[i]);
            for (; cut < end && segments[cuts[cut].segment].index == i; ++cut) {
                grown_line.push_back({cuts[cut].point, kNoTie});
            }
        }
        lines[l].vertex = grown_line;
        fresh[l] = 1;
        begin = end;
    }
}

}  // namespace

std::vector<Segment> segments_of(const std::vector<WorkingLine>& lines) {
    std::vector<Segment> segments;
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const std::vector<Vertex>& v = lines[l].vertex;
        for (std::size_t i = 0; i + 1 < v.size(); ++i) {
            segments.push_back({v[i].point, v[i + 1].point, static_cast<std::uint32_t>(l),
                                static_cast<std::uint32_t>(i), lines[l].attributes.level});
        }
    }
    return segments;
}

geometry::RTree tree_of(std::span<const Segment> segments) {
    std::vector<GridBox> boxes;
    boxes.reserve(segments.size());
    for (const Segment& s : segments) boxes.push_back(geometry::box_of(s.a, s.b));
    return geometry::RTree(boxes);
}

Status node_lines(std::vector<WorkingLine>& lines, const StageContext& ctx) {
    std::vector<std::uint8_t> fresh(lines.size(), 1);
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<Segment> segments = segments_of(lines);
        TW_ASSIGN(const std::vector<Cut> cuts, find_cuts(segments, fresh, ctx));
        if (cuts.empty()) break;
        apply(cuts, segments, lines, fresh);
    }
    return ok_status();
}

}  // namespace tw::roads
