#include "terraway/streets/streets.hpp"

#include "terraway/core/option_range.hpp"

#include "clusters.hpp"
#include "corridor.hpp"
#include "outline.hpp"
#include "separate.hpp"
#include "surface_writer.hpp"

#include <algorithm>
#include <array>

namespace tw::streets {
namespace {

using world::RoadId;
using world::RoadNodeId;

constexpr int kMostRounds = 500;
constexpr std::size_t kManyNodes = 24;  ///< in one junction
constexpr std::size_t kManyArms = 256;  ///< that are not joined one by one
constexpr double kFarAway = 150.0 * kStepsPerMetre;

class Builder {
public:
    Builder(const world::RoadNetwork& network, const StreetOptions& options, StageContext& ctx)
        : graph_(network),
          clusters_(graph_, options),
          options_(options),
          ctx_(ctx),
          shape_(network.node_count()),
          corridor_(network.road_count()) {}

    Result<world::StreetSurface> run() {
        for (int round = 0; round < kMostRounds; ++round) {
            TW_TRY(clusters_.settle(ctx_));
            shape_junctions();
            if (ctx_.cancelled()) return cancelled_error(kStage);
            if (help_junctions()) continue;
            shape_corridors();
            if (!absorb_failed_corridors()) break;
        }
        ctx_.progress.set(0.9);
        return write();
    }

private:
    struct Shape {
        std::uint64_t made_from = 0;  ///< hash of the gates
        Outline outline;
        Kerbs kerbs = Kerbs::rounded;
    };
    struct MadeCorridor {
        CorridorEnds ends;
        Corridor corridor;
        bool made = false;
    };

    std::vector<RoadNodeId> roots() const {
        std::vector<RoadNodeId> out;
        for (const RoadNodeId node : graph_.network().node_point.ids()) {
            if (!clusters_.state(node).nodes.empty() && !clusters_.is_dead_end(node)) {
                out.push_back(node);
            }
        }
        return out;
    }
    std::uint64_t hash_of_gates(RoadNodeId root) const {
        Hasher hasher;
        hasher.add(std::uint64_t{clusters_.state(root).nodes.size()});
        for (const HalfId arm : clusters_.arms(root)) hasher.add(arm).add(clusters_.gate(arm));
        return hasher.finish();
    }
    void shape_junctions() {
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
    void shape(RoadNodeId root) {
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
    bool help_junctions() {
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
    bool is_small(RoadNodeId root) const {
        return clusters_.state(clusters_.root(root)).nodes.size() < kManyNodes;
    }
    bool help(RoadNodeId root) {
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

    GatePoints gate_of(HalfId half) const {
        const RoadNodeId node = graph_.node_of(half);
        if (clusters_.is_dead_end(node)) {
            return gate_points(graph_, half, 0.0, graph_.network().points(road_of(half)).front());
        }
        return gate_points(graph_, half, clusters_.gate(half),
                           clusters_.origin(clusters_.root(node)));
    }
    CorridorEnds ends_of(RoadId road) const {
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
    void shape_corridors() {
        parallel_for(*ctx_.executor, corridor_.size(), 256,
                     [&](std::size_t begin, std::size_t end, std::size_t) {
                         for (std::size_t i = begin; i < end; ++i) {
                             const RoadId road = RoadId::from_index(i);
                             if (!clusters_.is_inner(road)) shape_corridor(road);
                         }
                     });
    }
    void shape_corridor(RoadId road) {
        MadeCorridor& made = corridor_[road.index()];
        const CorridorEnds ends = ends_of(road);
        if (made.made && made.ends == ends) return;
        made.ends = ends;
        made.corridor = corridor(graph_, road, ends, options_.section_length * kStepsPerMetre);
        made.made = true;
    }
    /// A road that has no surface of its own belongs to the junctions at its ends.
    bool absorb_failed_corridors() {
        bool absorbed = false;
        for (const RoadId road : graph_.network().id.ids()) {
            if (clusters_.is_inner(road) || !corridor_[road.index()].corridor.ring.empty())
                continue;
            clusters_.absorb(half_of(road, 0));
            absorbed = true;
        }
        return absorbed;
    }

    std::string note_of(RoadNodeId root) const {
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
    std::string note_of(RoadId road, const Corridor& made) const {
        if (made.narrowed) return "narrowed: the road lies on itself";
        return clusters_.is_narrowed(road) ? "narrowed: another road lies too near" : "";
    }
    Result<world::StreetSurface> write() {
        SurfaceWriter writer(graph_);
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
            if (clusters_.is_inner(road) || made.ring.empty()) continue;
            writer.add_corridor(road, made, note_of(road, made));
        }
        world::StreetSurface surface = std::move(writer).take();
        separate_foreign_vertices(surface);
        return surface;
    }

    StreetGraph graph_;
    Clusters clusters_;
    StreetOptions options_;
    StageContext& ctx_;
    std::vector<Shape> shape_;
    std::vector<MadeCorridor> corridor_;
    std::vector<RoadNodeId> changed_;
};

}  // namespace

Result<world::StreetSurface> build_streets(const world::RoadNetwork& network,
                                           const StreetOptions& options, StageContext& ctx) {
    TW_TRY(require_range(kStage, "corner_radius", options.corner_radius, 0.0, 2.0));
    TW_TRY(require_range(kStage, "section_length", options.section_length, 1.0, 1000.0));
    TW_TRY(require_memory(ctx, kStage, network.point.size() * 200 + network.road_count() * 2000));
    return Builder(network, options, ctx).run();
}

}  // namespace tw::streets
