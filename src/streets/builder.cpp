#include "builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tw::streets {

using world::RoadId;
using world::RoadNodeId;

namespace {

constexpr int kMostRounds = 500;
constexpr std::size_t kManyNodes = 24;  ///< in one junction
constexpr std::size_t kManyArms = 256;  ///< that are not joined one by one
constexpr double kFarAway = 150.0 * kStepsPerMetre;

}  // namespace

StreetBuilder::StreetBuilder(const world::RoadNetwork& network, const StreetOptions& options,
                             std::vector<NodeRole> role, StageContext& ctx)
    : graph_(network),
      clusters_(graph_, options, std::move(role)),
      options_(options),
      ctx_(ctx),
      shape_(network.node_count()),
      corridor_(network.road_count()) {}

Status StreetBuilder::run() {
    for (int round = 0; round < kMostRounds; ++round) {
        TW_TRY(clusters_.settle(ctx_));
        shape_junctions();
        if (ctx_.cancelled()) return cancelled_error(kStage);
        if (help_junctions()) continue;
        shape_corridors();
        if (absorb_failed_corridors()) continue;
        settled_ = clusters_.is_settled();
        break;
    }
    return ok_status();
}

std::vector<RoadNodeId> StreetBuilder::roots() const {
    std::vector<RoadNodeId> out;
    for (const RoadNodeId node : graph_.network().node_point.ids()) {
        if (clusters_.role(node) == NodeRole::inner && !clusters_.state(node).nodes.empty() &&
            !clusters_.is_dead_end(node)) {
            out.push_back(node);
        }
    }
    return out;
}
std::uint64_t StreetBuilder::hash_of_gates(RoadNodeId root) const {
    Hasher hasher;
    hasher.add(std::uint64_t{clusters_.state(root).nodes.size()});
    for (const HalfId arm : clusters_.arms(root)) hasher.add(arm).add(clusters_.gate(arm));
    return hasher.finish();
}
void StreetBuilder::shape_junctions() {
    changed_.clear();
    for (const RoadNodeId root : roots()) {
        const std::uint64_t from = hash_of_gates(root);
        if (shape_[root.index()].made_from == from) continue;
        shape_[root.index()].made_from = from;
        changed_.push_back(root);
    }
    parallel_for(*ctx_.executor, changed_.size(), 64,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (std::size_t i = begin; i < end; ++i) shape(changed_[i]);
                 });
}
void StreetBuilder::shape(RoadNodeId root) {
    Shape& shape = shape_[root.index()];
    if (clusters_.arms(root).empty()) {
        shape.outline = {};
        shape.outline.ring = hull_outline(graph_, clusters_, root);
        shape.kerbs = Kerbs::sharp;
        return;
    }
    for (const Kerbs kerbs : {Kerbs::rounded, Kerbs::sharp, Kerbs::straight}) {
        shape.kerbs = kerbs;
        shape.outline = outline(graph_, clusters_, root, options_.corner_radius, kerbs);
        if (!shape.outline.ring.empty() || !shape.outline.enclosed.empty()) return;
    }
}
/// Where no kerbs do, gates move outward; then the junction grows. True if anything changed.
bool StreetBuilder::help_junctions() {
    bool helped = false;
    for (const RoadNodeId root : changed_) {
        const Outline& made = shape_[root.index()].outline;
        if (clusters_.root(root) != root) continue;
        for (const HalfId arm : made.enclosed) {
            if (clusters_.is_inner(road_of(arm))) continue;
            if (is_small(root) && graph_.length(road_of(arm)) < kFarAway) {
                clusters_.absorb(arm);
            } else {
                clusters_.detach(arm);
            }
            helped = true;
        }
        if (made.enclosed.empty() && made.ring.empty()) helped = help(root) || helped;
    }
    return helped;
}
bool StreetBuilder::is_small(RoadNodeId root) const {
    return clusters_.state(clusters_.root(root)).nodes.size() < kManyNodes;
}
bool StreetBuilder::help(RoadNodeId root) {
    const std::vector<HalfId> all = clusters_.arms(root);
    if (all.empty()) return false;
    if (all.size() > kManyArms) {
        for (const HalfId arm : all) {
            const bool ends = clusters_.is_dead_end(graph_.node_of(other_end(arm)));
            ends ? clusters_.absorb(arm) : clusters_.detach(arm);
        }
        return true;
    }
    if (!clusters_.state(root).pushed) {
        clusters_.push(root);
        return true;
    }
    // Arms of one level are drawn together; of several, the one furthest from the ground goes.
    const world::RoadNetwork& network = graph_.network();
    const auto level = [&](HalfId arm) {
        const int of_road = network.attributes[road_of(arm)].level;
        return of_road < 0 ? -of_road : of_road;
    };
    const std::vector<HalfId>& arms = shape_[root.index()].outline.crossing;
    HalfId shortest = arms.front(), furthest = arms.front();
    bool one_level = true;
    for (const HalfId arm : arms) {
        if (graph_.length(road_of(arm)) < graph_.length(road_of(shortest))) shortest = arm;
        one_level = one_level && network.attributes[road_of(arm)].level ==
                                     network.attributes[road_of(arms.front())].level;
        if (level(arm) > level(furthest)) furthest = arm;
    }
    if (one_level && is_small(root) && graph_.length(road_of(shortest)) < kFarAway) {
        clusters_.absorb(shortest);
    } else {
        clusters_.detach(one_level ? shortest : furthest);
    }
    return true;
}

GatePoints StreetBuilder::gate_of(HalfId half) const {
    const RoadNodeId node = graph_.node_of(half);
    if (clusters_.is_dead_end(node)) {
        return gate_points(graph_, half, 0.0, graph_.network().points(road_of(half)).front());
    }
    return gate_points(graph_, half, clusters_.gate(half), clusters_.origin(clusters_.root(node)));
}
CorridorEnds StreetBuilder::ends_of(RoadId road) const {
    const HalfId a = half_of(road, 0), b = half_of(road, 1);
    const GatePoints back = gate_of(b);
    const auto free = [&](HalfId half) { return clusters_.is_dead_end(graph_.node_of(half)); };
    return {.from = free(a) ? 0.0 : clusters_.gate(a),
            .to = graph_.length(road) - (free(b) ? 0.0 : clusters_.gate(b)),
            .start = gate_of(a),
            .end = {back.right, back.left},
            .start_free = free(a),
            .end_free = free(b)};
}
/// A road with a surface of its own, if an inner node has a part in it.
bool StreetBuilder::has_corridor(RoadId road) const {
    const auto inner = [&](unsigned end) {
        return clusters_.role(graph_.node_of(half_of(road, end))) == NodeRole::inner;
    };
    return !clusters_.is_inner(road) && (inner(0) || inner(1));
}
void StreetBuilder::shape_corridors() {
    parallel_for(*ctx_.executor, corridor_.size(), 256,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (std::size_t i = begin; i < end; ++i) {
                         const RoadId road = RoadId::from_index(i);
                         if (!clusters_.is_inner(road)) shape_corridor(road);
                     }
                 });
}
void StreetBuilder::shape_corridor(RoadId road) {
    MadeCorridor& made = corridor_[road.index()];
    const CorridorEnds ends = ends_of(road);
    if (made.made && made.ends == ends) return;
    made.ends = ends;
    made.corridor = corridor(graph_, road, ends, options_.section_length * kStepsPerMetre);
    made.made = true;
}
/// A road that has no surface of its own belongs to the junctions at its ends.
bool StreetBuilder::absorb_failed_corridors() {
    bool absorbed = false;
    for (const RoadId road : graph_.network().id.ids()) {
        if (!has_corridor(road) || !corridor_[road.index()].corridor.ring.empty()) continue;
        clusters_.absorb(half_of(road, 0));
        absorbed = true;
    }
    return absorbed;
}

std::string StreetBuilder::note_of(RoadNodeId root) const {
    std::string note;
    const auto add = [&note](std::string_view text) {
        if (!note.empty()) note += "; ";
        note += text;
    };
    const ClusterState& state = clusters_.state(root);
    const Shape& shape = shape_[root.index()];
    if (state.merged) add("merged: gates would pass each other");
    if (state.lost_arm) add("an arm is not joined: roads of other levels cross it here");
    if (state.pushed) add("gates moved outward: kerbs crossed");
    if (shape.kerbs == Kerbs::sharp && !shape.outline.gates.empty()) {
        add("corners not rounded: no room");
    }
    if (shape.kerbs == Kerbs::straight) add("gates joined by straight lines: kerbs crossed");
    return note;
}
std::string StreetBuilder::note_of(RoadId road, const Corridor& made) const {
    if (made.narrowed) return "narrowed: the road lies on itself";
    return clusters_.is_narrowed(road) ? "narrowed: another road lies too near" : "";
}

void StreetBuilder::trace(StreetTrace& trace) const {
    for (const RoadNodeId node : graph_.network().node_point.ids()) {
        trace.cluster.push_back(clusters_.state(clusters_.root(node)).nodes.front());
        trace.plain.push_back(clusters_.is_plain(node) ? 1 : 0);
    }
    trace.settled = settled_;
}

Status StreetBuilder::write(SurfaceWriter& writer) const {
    std::vector<RoadNodeId> order = roots();
    std::sort(order.begin(), order.end(), [&](RoadNodeId a, RoadNodeId b) {
        return clusters_.state(a).nodes.front() < clusters_.state(b).nodes.front();
    });
    for (const RoadNodeId root : order) {
        const Outline& outline = shape_[root.index()].outline;
        if (outline.ring.empty()) continue;
        TW_TRY(writer.add_junction(clusters_.state(root).nodes, clusters_.inner_roads(root),
                                   outline, note_of(root)));
    }
    for (const RoadId road : graph_.network().id.ids()) {
        const Corridor& made = corridor_[road.index()].corridor;
        if (!has_corridor(road) || made.ring.empty()) continue;
        writer.add_corridor(road, made, note_of(road, made));
    }
    return ok_status();
}

}  // namespace tw::streets
