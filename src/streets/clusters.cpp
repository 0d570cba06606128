#include "clusters.hpp"

#include "terraway/math/functions.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tw::streets {
namespace {

using world::RoadId;
using world::RoadNodeId;

constexpr double kMetre = kStepsPerMetre;
constexpr double kShortestCorridor = 0.75 * kMetre;
constexpr double kClearance = 0.03 * kMetre;  ///< between a gate and another arm's surface
constexpr double kGap = 2.0 * kMetre;         ///< arms that part for less than this have not parted
constexpr double kNear = 40.0 * kMetre, kFar = 400.0 * kMetre;
constexpr double kParallel = 6.0;    ///< [widths] arms that overlap for longer may be parallel
constexpr double kLeastShare = 0.7;  ///< below this they part at an angle
constexpr double kNarrowest = 0.4;   ///< of its width is left to a road
constexpr double kSharp = 4.0;       ///< 1 / sine of an angle that gets no fillet
constexpr double kNose = 40.0;       ///< [steps] between the kerbs of arms that part
constexpr std::size_t kCrowdedPairs = std::size_t{1} << 18;
constexpr int kMostRounds = 200, kMostNarrowings = 8;

}  // namespace

Clusters::Clusters(StreetGraph& graph, const StreetOptions& options, std::vector<NodeRole> role)
    : graph_(graph),
      corner_radius_(options.corner_radius),
      role_(std::move(role)),
      root_(graph.network().node_count()),
      state_(graph.network().node_count()),
      inner_(graph.network().road_count(), 0),
      narrowed_(graph.network().road_count(), 0),
      detached_(graph.half_count(), 0),
      clear_(graph.half_count(), 0.0),
      room_(graph.half_count(), 0.0),
      given_(graph.half_count(), 0.0),
      grew_(graph.network().node_count(), 0) {
    for (const RoadNodeId node : graph.network().node_point.ids()) {
        root_[node.index()] = node;
        state_[node.index()].nodes = {node};
        dirty_.push_back(node);
    }
}

bool Clusters::is_plain(RoadNodeId node) const {
    const ClusterState& state = state_[node.index()];
    if (state.nodes.size() != 1 || state.merged || state.pushed || state.lost_arm) return false;
    const auto halves = graph_.halves(node);
    return std::none_of(halves.begin(), halves.end(),
                        [&](HalfId half) { return is_narrowed(road_of(half)); });
}

bool Clusters::leads_outside(RoadId road) const {
    return role(graph_.node_of(half_of(road, 0))) == NodeRole::outside ||
           role(graph_.node_of(half_of(road, 1))) == NodeRole::outside;
}

bool Clusters::is_dead_end(RoadNodeId node) const {
    return state_[root(node).index()].nodes.size() == 1 && graph_.halves(node).size() == 1;
}

std::vector<HalfId> Clusters::arms(RoadNodeId cluster) const {
    std::vector<HalfId> out;
    for (const RoadNodeId node : state_[cluster.index()].nodes) {
        for (const HalfId half : graph_.halves(node)) {
            if (!is_inner(road_of(half)) && !is_detached(half)) out.push_back(half);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<RoadId> Clusters::inner_roads(RoadNodeId cluster) const {
    std::vector<RoadId> out;
    for (const RoadNodeId node : state_[cluster.index()].nodes) {
        for (const HalfId half : graph_.halves(node)) {
            if (end_of(half) == 0 && is_inner(road_of(half))) out.push_back(road_of(half));
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

GridPoint Clusters::origin(RoadNodeId cluster) const {
    const auto& points = graph_.network().node_point;
    GridPoint least = points[state_[cluster.index()].nodes.front()];
    for (const RoadNodeId node : state_[cluster.index()].nodes)
        least = std::min(least, points[node]);
    return least;
}

double Clusters::gate(HalfId half) const {
    const double distance = clear_[half.index()] + given_[half.index()];
    const double limit = graph_.length(road_of(half)) - kShortestCorridor -
                         clear_[other_end(half).index()] - given_[other_end(half).index()];
    const double moved = beyond_bends(half, distance);
    return moved <= distance + std::max(0.0, (limit - distance) / 2) ? moved : distance;
}

void Clusters::absorb(HalfId arm) {
    const RoadId road = road_of(arm);
    inner_[road.index()] = 1;
    detached_[arm.index()] = detached_[other_end(arm).index()] = 0;
    const RoadNodeId a = root(graph_.node_of(arm)), b = root(graph_.node_of(other_end(arm)));
    // The larger keeps its name, so that few nodes are told.
    const bool first =
        std::pair(state_[b.index()].nodes.size(), a) < std::pair(state_[a.index()].nodes.size(), b);
    const RoadNodeId keep = first ? a : b, gone = first ? b : a;
    ClusterState& state = state_[keep.index()];
    state.merged = true;
    if (keep != gone) {
        std::vector<RoadNodeId>& more = state_[gone.index()].nodes;
        for (const RoadNodeId node : more) root_[node.index()] = keep;
        state.nodes.insert(state.nodes.end(), more.begin(), more.end());
        std::sort(state.nodes.begin(), state.nodes.end());
        more.clear();
        state.pushed = state.pushed || state_[gone.index()].pushed;
        state.lost_arm = state.lost_arm || state_[gone.index()].lost_arm;
        grew_[keep.index()] = grew_[keep.index()] | grew_[gone.index()];
    }
    touch(keep);
}

void Clusters::detach(HalfId arm) {
    detached_[arm.index()] = 1;
    const RoadNodeId cluster = root(graph_.node_of(arm));
    state_[cluster.index()].lost_arm = true;
    touch(cluster);
}

void Clusters::push(RoadNodeId cluster) {
    state_[cluster.index()].pushed = true;
    for (const HalfId half : arms(cluster)) {
        room_[half.index()] += graph_.half_width(road_of(half)) + kMetre;
        share_room(road_of(half));
    }
}

/// Past the mitre of any bend that a cross-section there would run into.
double Clusters::beyond_bends(HalfId half, double distance) const {
    const RoadId road = road_of(half);
    const std::span<const GridPoint> p = graph_.network().points(road);
    const double h = graph_.half_width(road);
    const std::size_t last = p.size() - 1;
    const auto point = [&](std::size_t i) { return p[end_of(half) ? last - i : i]; };
    const double from = distance;
    double along = 0.0;
    for (std::size_t i = 1; i < last && along < distance + 2 * h; ++i) {
        const Vec2d in = to_local(point(i), point(i - 1)), out = to_local(point(i + 1), point(i));
        along += tw::length(in);
        const double mitre = h * half_tangent(normalized(in), normalized(out), 1.0) + 16.0;
        if (distance > along - mitre && distance < along + mitre) distance = along + mitre;
        if (distance > from + 3 * h) return from;
    }
    return distance;
}

/// The strips of the cluster's arms, up to `reach`, then of its inner roads.
void Clusters::lay_strips(RoadNodeId cluster, std::span<const HalfId> arms,
                          std::span<const RoadId> inner, double reach) {
    const GridPoint frame = origin(cluster);
    boxes_.clear();
    box_begin_.clear();
    std::uint32_t owner = 0;
    for (const HalfId arm : arms) {
        const RoadId road = road_of(arm);
        const bool returns = root(graph_.node_of(other_end(arm))) == cluster;
        const double whole = graph_.length(road);
        box_begin_.push_back(static_cast<std::uint32_t>(boxes_.size()));
        graph_.line(arm, std::min(reach, returns ? whole / 2 : whole), frame, line_);
        append_strip(line_, graph_.half_width(road), owner++, boxes_);
    }
    for (const RoadId road : inner) {
        box_begin_.push_back(static_cast<std::uint32_t>(boxes_.size()));
        graph_.line(half_of(road, 0), graph_.length(road), frame, line_);
        append_strip(line_, graph_.half_width(road), owner++, boxes_);
    }
    box_begin_.push_back(static_cast<std::uint32_t>(boxes_.size()));
}

/// For each arm the first place where it has left all other strips. False if one has not within
/// reach.
bool Clusters::find_clear_places(std::span<const HalfId> arms, double reach) {
    bool all_end = true;
    last_owner_.assign(arms.size(), UINT32_MAX);
    for (std::size_t i = 0; i < arms.size(); ++i) {
        stretches_.clear();
        double covered_from_start = 0.0;
        for (std::uint32_t a = box_begin_[i]; a < box_begin_[i + 1]; ++a) {
            for (const StripBox& b : boxes_) {
                if (b.owner == i) continue;
                const Stretch s = covered(boxes_[a], b, kClearance);
                if (s.begin > s.end || s.end <= covered_from_start) continue;
                if (s.begin <= 0.0) covered_from_start = s.end;
                stretches_.push_back({s, b.owner});
            }
        }
        std::sort(stretches_.begin(), stretches_.end(),
                  [](const OwnedStretch& a, const OwnedStretch& b) {
                      return std::tuple{a.stretch.begin, a.stretch.end, a.owner} <
                             std::tuple{b.stretch.begin, b.stretch.end, b.owner};
                  });
        double end = 0.0;
        for (const OwnedStretch& s : stretches_) {
            if (s.stretch.begin > end + kGap) break;
            if (s.stretch.end <= end) continue;
            end = s.stretch.end;
            last_owner_[i] = s.owner;
        }
        clear_[arms[i].index()] = end + kClearance;
        if (end >= reach - kGap && graph_.length(road_of(arms[i])) > reach) all_end = false;
    }
    return all_end;
}

double Clusters::distance_to(std::size_t owner, Vec2d point) const {
    double least = 0x1p40;
    for (std::uint32_t b = box_begin_[owner]; b < box_begin_[owner + 1]; ++b) {
        const StripBox& box = boxes_[b];
        const double along = dot(point - box.start, box.direction);
        const Vec2d nearest =
            box.start + box.direction * std::min(std::max(along, 0.0), box.length);
        least = std::min(least, dot(point - nearest, point - nearest));
    }
    return std::sqrt(least);
}

/// Carriageways drawn nearer to each other than they are wide would overlap without end: both give
/// way. True if any did.
bool Clusters::narrow_parallel(std::span<const HalfId> arms) {
    bool any = false;
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const std::uint32_t owner = last_owner_[i];
        if (owner >= arms.size() || road_of(arms[owner]) == road_of(arms[i])) continue;
        const RoadId a = road_of(arms[i]), b = road_of(arms[owner]);
        const double together = graph_.half_width(a) + graph_.half_width(b);
        const double end = clear_[arms[i].index()];
        if (end < kParallel * together) continue;
        const double share = (least_distance(i, owner, end / 2, end) - 2 * kClearance) / together;
        if (share < kLeastShare || share >= 1.0) continue;
        for (const RoadId road : {a, b}) {
            const double left = graph_.half_width(road) * share;
            if (left < graph_.network().attributes[road].width / 2.0 * kNarrowest) continue;
            graph_.set_half_width(road, left);
            narrowed_[road.index()] = 1;
            touch(root(graph_.node_of(half_of(road, 0))));
            touch(root(graph_.node_of(half_of(road, 1))));
            any = true;
        }
    }
    return any;
}

/// How near an arm comes to another between two places along it.
double Clusters::least_distance(std::size_t arm, std::size_t other, double from, double to) const {
    double least = 0x1p40;
    for (std::uint32_t k = box_begin_[arm]; k < box_begin_[arm + 1]; ++k) {
        const StripBox& box = boxes_[k];
        const double first = std::max(from, box.along), last = std::min(to, box.along + box.length);
        if (first > last) continue;
        for (const double at : {first, (first + last) / 2, last}) {
            least =
                std::min(least, distance_to(other, box.start + box.direction * (at - box.along)));
        }
    }
    return least;
}

void Clusters::find_gates(RoadNodeId cluster) {
    const std::vector<HalfId> leaving = arms(cluster);
    for (const HalfId half : leaving) clear_[half.index()] = room_[half.index()] = 0.0;
    if (leaving.empty() || is_dead_end(state_[cluster.index()].nodes.front())) return;
    const std::vector<RoadId> inner = inner_roads(cluster);
    if (leaving.size() * (leaving.size() + inner.size()) > kCrowdedPairs) {
        // So many arms find room on a circle, and nobody can look at all pairs of them.
        double round = 0.0;
        for (const HalfId half : leaving) round += 2.0 * graph_.half_width(road_of(half));
        for (const HalfId half : leaving) clear_[half.index()] = round / (2.0 * kPi);
    } else {
        for (int pass = 0; pass < kMostNarrowings; ++pass) {
            lay_strips(cluster, leaving, inner, kNear);
            if (!find_clear_places(leaving, kNear)) {
                lay_strips(cluster, leaving, inner, kFar);
                find_clear_places(leaving, kFar);
            }
            if (!narrow_parallel(leaving)) break;
        }
    }
    give_room(leaving, leaving.size() == 2 && inner.empty());
    if (state_[cluster.index()].pushed) push(cluster);
}

/// Room for fillets beyond the clear places, to be cut where a road is short.
void Clusters::give_room(std::span<const HalfId> arms, bool is_seam) {
    double widest = 0.0, second = 0.0;
    for (const HalfId half : arms) {
        const double h = graph_.half_width(road_of(half));
        second = std::max(second, std::min(widest, h));
        widest = std::max(widest, h);
    }
    for (const HalfId half : arms) {
        const double h = graph_.half_width(road_of(half));
        const double other = h == widest ? second : widest;
        double& room = room_[half.index()];
        if (is_seam) {
            // As short as a taper of two to three allows.
            room = 0.25 * kMetre + 0.75 * (h > other ? h - other : other - h);
        } else {
            // Arms that part at a sharp angle have no use for a fillet; their kerbs should end as
            // soon as there is a hand's breadth between them.
            const double sharpness = clear_[half.index()] / (h + other);
            const double share = std::min(std::max((kSharp - sharpness) / 2.0, 0.0), 1.0);
            room = std::max(2.0 * corner_radius_ * std::min(h, other) * share, kNose * sharpness);
        }
        clear_[half.index()] = beyond_bends(half, clear_[half.index()]);
    }
}

double Clusters::excess(RoadId road) const {
    return clear_[half_of(road, 0).index()] + clear_[half_of(road, 1).index()] + kShortestCorridor -
           graph_.length(road);
}

/// Gives the room that the road has left to the corners at its ends.
void Clusters::share_room(RoadId road) {
    const HalfId a = half_of(road, 0), b = half_of(road, 1);
    const double wanted = room_[a.index()] + room_[b.index()], left = std::max(0.0, -excess(road));
    const double share = wanted > left ? left / wanted : 1.0;
    given_[a.index()] = room_[a.index()] * share;
    given_[b.index()] = room_[b.index()] * share;
}

std::vector<RoadId> Clusters::roads_of(std::span<const RoadNodeId> roots) const {
    std::vector<RoadId> roads;
    for (const RoadNodeId cluster : roots) {
        for (const HalfId half : arms(cluster)) {
            if (!leads_outside(road_of(half))) roads.push_back(road_of(half));
        }
    }
    std::sort(roads.begin(), roads.end());
    roads.erase(std::unique(roads.begin(), roads.end()), roads.end());
    return roads;
}

Status Clusters::settle(const StageContext& ctx) {
    for (int round = 0; !dirty_.empty() && round < kMostRounds; ++round) {
        std::vector<RoadNodeId> work;
        work.reserve(dirty_.size());
        for (const RoadNodeId node : dirty_) work.push_back(root(node));
        dirty_.clear();
        std::sort(work.begin(), work.end());
        work.erase(std::unique(work.begin(), work.end()), work.end());
        std::erase_if(work, [&](RoadNodeId node) { return role(node) == NodeRole::outside; });
        for (const RoadNodeId cluster : work) {
            find_gates(cluster);
            if (ctx.cancelled()) return cancelled_error(kStage);
        }
        std::vector<std::pair<double, RoadId>> conflicts;
        for (const RoadId road : roads_of(work)) {
            if (excess(road) > 0.0) {
                conflicts.emplace_back(-excess(road), road);
            } else {
                share_room(road);
            }
        }
        // The worst first, and each cluster once a round: the gates of what grew are found anew.
        std::sort(conflicts.begin(), conflicts.end());
        std::vector<RoadNodeId> grown;
        for (const auto& [depth, road] : conflicts) {
            const HalfId half = half_of(road, 0);
            const RoadNodeId a = root(graph_.node_of(half)),
                             b = root(graph_.node_of(other_end(half)));
            if (is_dead_end(a) || is_dead_end(b)) {
                absorb(half);
                continue;
            }
            if (grew_[a.index()] || grew_[b.index()]) {
                touch(a);
                touch(b);
                continue;
            }
            absorb(half);
            grown.push_back(root(a));
            grew_[root(a).index()] = 1;
        }
        for (const RoadNodeId node : grown) grew_[node.index()] = 0;
    }
    return ok_status();
}

}  // namespace tw::streets
