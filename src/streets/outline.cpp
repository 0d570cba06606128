#include "outline.hpp"

#include "terraway/geometry/polygon.hpp"

#include "offset_curve.hpp"

#include <algorithm>

namespace tw::streets {
namespace {

using world::RoadId;
using world::RoadNodeId;

constexpr std::int64_t kApart = 6;  ///< [steps] least distance between vertices of a contour
constexpr std::size_t kFew = 8;     ///< inner roads whose own outline is tried before the hull

/// Walks round one face of a cluster, arms being dead ends that stop at their gates.
class FaceWalk {
public:
    FaceWalk(const StreetGraph& graph, const Clusters& clusters, GridPoint frame, double radius,
             Kerbs kerbs)
        : graph_(graph), clusters_(clusters), frame_(frame), radius_(radius), kerbs_(kerbs) {}

    /// The face to the left of `arm`, from its gate on round to the gate again.
    void from_arm(HalfId arm) {
        const HalfId first = arm;
        do {
            visited_.push_back(arm);
            add_gate(arm);
            begin_walk(arm);
            HalfId out = graph_.turn_left(arm);
            while (clusters_.is_inner(road_of(out)) || clusters_.is_detached(out)) {
                if (clusters_.is_inner(road_of(out))) {
                    follow_inner(out);
                    out = other_end(out);
                }
                out = graph_.turn_left(out);
            }
            follow_arm(out);
            add_kerb();
            arm = out;
        } while (arm != first);
        close();
    }

    /// The face to the right of an inner road, walked from `half`'s node.
    void from_inner(HalfId half) {
        const HalfId first = half;
        walk_.clear();
        do {
            visited_.push_back(half);
            follow_inner(half);
            half = graph_.turn_left(other_end(half));
            while (clusters_.is_detached(half)) half = graph_.turn_left(half);
        } while (half != first);
        const std::vector<CurvePoint> curve = without_loops(offset_right(walk_), Loops::all);
        for (const CurvePoint& p : curve) add(from_local(p.point, frame_));
        close();
    }

    std::vector<GridPoint> ring;
    std::vector<GateEdge> gates;
    const std::vector<HalfId>& visited() const { return visited_; }

private:
    void add(GridPoint p) {
        if (!ring.empty() && distance2(ring.back(), p) < kApart * kApart) return;
        ring.push_back(p);
    }
    void add_gate(HalfId arm) {
        const GatePoints gate = gate_points(graph_, arm, clusters_.gate(arm), frame_);
        // A kerb's last vertex gives way to the gate.
        const std::size_t fixed = gates.empty() ? 0 : gates.back().right + 2;
        while (ring.size() > fixed && distance2(ring.back(), gate.right) < kApart * kApart) {
            ring.pop_back();
        }
        gates.push_back({arm, static_cast<std::uint32_t>(ring.size())});
        ring.push_back(gate.right);
        ring.push_back(gate.left);
    }
    void close() {
        const std::size_t fixed = gates.empty() ? 1 : gates.back().right + 2;
        while (ring.size() > fixed && distance2(ring.back(), ring.front()) < kApart * kApart) {
            ring.pop_back();
        }
    }
    void begin_walk(HalfId arm) {
        graph_.line(arm, clusters_.gate(arm), frame_, line_);
        const double h = graph_.half_width(road_of(arm));
        walk_.clear();
        for (std::size_t i = line_.size(); i-- > 0;) walk_.push_back({line_[i], h});
    }
    void follow(double h) {
        for (const Vec2d p : line_) {
            if (!walk_.empty()) walk_.back().half_width = h;
            if (walk_.empty() || walk_.back().point != p) walk_.push_back({p, h});
        }
    }
    void follow_inner(HalfId half) {
        graph_.line(half, graph_.length(road_of(half)), frame_, line_);
        follow(graph_.half_width(road_of(half)));
    }
    void follow_arm(HalfId arm) {
        graph_.line(arm, clusters_.gate(arm), frame_, line_);
        follow(graph_.half_width(road_of(arm)));
    }
    /// The kerb of the walk, without its ends, which are vertices of gates.
    void add_kerb() {
        if (kerbs_ == Kerbs::straight) return;
        std::vector<CurvePoint> curve = without_loops(offset_right(walk_), Loops::all);
        for (CurvePoint& p : curve) p.room *= radius_;
        if (kerbs_ == Kerbs::rounded) curve = rounded(curve);
        for (std::size_t i = 1; i + 1 < curve.size(); ++i) add(from_local(curve[i].point, frame_));
    }

    const StreetGraph& graph_;
    const Clusters& clusters_;
    GridPoint frame_;
    double radius_;
    Kerbs kerbs_;
    std::vector<HalfId> visited_;
    std::vector<WalkPoint> walk_;
    std::vector<Vec2d> line_;
};

bool is_good(std::span<const GridPoint> ring) {
    return ring.size() >= 3 && geometry::is_simple(ring) && geometry::double_area(ring) > 0;
}

/// The arms before and after both edges that touch; all of them if the ring is not even a ring.
std::vector<HalfId> beside_contact(const Outline& made) {
    std::vector<HalfId> arms;
    const auto contact = geometry::find_self_contact(made.ring);
    const std::size_t n = made.gates.size();
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t begin = made.gates[i].right;
        const std::uint32_t end =
            i + 1 < n ? made.gates[i + 1].right : static_cast<std::uint32_t>(made.ring.size());
        const auto holds = [&](std::uint32_t edge) { return edge >= begin && edge < end; };
        if (contact && !holds(contact->first) && !holds(contact->second)) continue;
        arms.push_back(made.gates[i].half);
        arms.push_back(made.gates[i + 1 < n ? i + 1 : 0].half);
    }
    std::sort(arms.begin(), arms.end());
    arms.erase(std::unique(arms.begin(), arms.end()), arms.end());
    return arms;
}

}  // namespace

GatePoints gate_points(const StreetGraph& graph, HalfId half, double distance, GridPoint frame) {
    const Station at = graph.at(half, distance, frame);
    const Vec2d across = left_of(at.direction) * graph.half_width(road_of(half));
    return {from_local(at.point + across, frame), from_local(at.point - across, frame)};
}

Outline outline(const StreetGraph& graph, const Clusters& clusters, RoadNodeId root,
                double corner_radius, Kerbs kerbs) {
    const GridPoint frame = clusters.origin(root);
    const std::vector<HalfId> arms = clusters.arms(root);
    Outline best;
    std::vector<HalfId> seen;
    std::int64_t best_area = 0;
    for (const HalfId arm : arms) {
        if (std::find(seen.begin(), seen.end(), arm) != seen.end()) continue;
        FaceWalk walk(graph, clusters, frame, corner_radius, kerbs);
        walk.from_arm(arm);
        seen.insert(seen.end(), walk.visited().begin(), walk.visited().end());
        const std::int64_t area = geometry::double_area(walk.ring);
        if (best.gates.empty() || area > best_area) {
            best_area = area;
            best.ring = std::move(walk.ring);
            best.gates = std::move(walk.gates);
        }
    }
    for (const HalfId arm : arms) {
        const bool outside = std::any_of(best.gates.begin(), best.gates.end(),
                                         [&](const GateEdge& gate) { return gate.half == arm; });
        if (!outside) best.enclosed.push_back(arm);
    }
    if (!is_good(best.ring)) {
        best.crossing = beside_contact(best);
        best.ring.clear();
    }
    return best;
}

std::vector<GridPoint> hull_outline(const StreetGraph& graph, const Clusters& clusters,
                                    RoadNodeId root) {
    const GridPoint frame = clusters.origin(root);
    const std::vector<RoadId> inner = clusters.inner_roads(root);
    if (inner.empty()) return {};
    for (const RoadId road : std::span(inner).first(inner.size() <= kFew ? inner.size() : 0)) {
        for (unsigned end = 0; end < 2; ++end) {
            FaceWalk walk(graph, clusters, frame, 0.0, Kerbs::sharp);
            walk.from_inner(half_of(road, end));
            if (is_good(walk.ring)) return std::move(walk.ring);
        }
    }
    std::vector<GridPoint> points;
    std::vector<StripBox> boxes;
    std::vector<Vec2d> line;
    for (const RoadId road : inner) {
        boxes.clear();
        graph.line(half_of(road, 0), graph.length(road), frame, line);
        append_strip(line, graph.half_width(road), 0, boxes);
        for (const StripBox& box : boxes) {
            const Vec2d across = left_of(box.direction) * box.half_width;
            const Vec2d end = box.start + box.direction * box.length;
            for (const Vec2d p :
                 {box.start + across, box.start - across, end + across, end - across}) {
                points.push_back(from_local(p, frame));
            }
        }
    }
    return geometry::convex_hull(points);
}

}  // namespace tw::streets
