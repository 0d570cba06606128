#include "terraway/streets/streets.hpp"

#include "assembly.hpp"
#include "builder.hpp"
#include "closure.hpp"
#include "patch.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tw::streets {
namespace {

using world::GateId;
using world::PieceId;
using world::RoadId;
using world::RoadNodeId;
using world::StreetSurface;
using world::StreetVertexId;

/// Corridors before, by road; none: the road has no surface of its own.
std::vector<PieceId> corridors_by_road(const StreetsBefore& before) {
    std::vector<PieceId> out(before.network->road_count());
    for (std::size_t i = before.trace->junction.size(); i < before.surface->piece_count(); ++i) {
        const PieceId piece = PieceId::from_index(i);
        out[before.surface->road[piece].index()] = piece;
    }
    return out;
}

/// Where a vertex was made, if it stood on a foreign one and moved.
GridPoint made_at(const StreetsBefore& before, StreetVertexId v) {
    const std::vector<Standing>& standing = before.trace->standing;
    const auto at =
        std::lower_bound(standing.begin(), standing.end(), v,
                         [](const Standing& a, StreetVertexId b) { return a.vertex < b; });
    return at != standing.end() && at->vertex == v ? at->point : before.surface->vertex[v];
}

/// Gates at the rim belong to junctions that stay.
void add_foreign_gates(const StreetsBefore& before, const world::NetworkChanges& changes,
                       SurfaceWriter& writer, WindowPieces& out) {
    const Window& window = *out.window;
    out.corridor_before = corridors_by_road(before);
    out.foreign_junction.resize(2 * window.road.size());
    const auto role_at = [&](RoadId road, unsigned end) {
        const RoadNodeId node = end ? window.network.to[road] : window.network.from[road];
        return window.role[node.index()];
    };
    for (const RoadId road : window.network.id.ids()) {
        for (const unsigned end : {0u, 1u}) {
            if (role_at(road, end) != NodeRole::rim || role_at(road, 1 - end) != NodeRole::inner) {
                continue;
            }
            const RoadId was = changes.road[window.road[road.index()].index()];
            const PieceId piece = out.corridor_before[was.index()];
            const GateId gate =
                GateId::from_index(2 * (piece.index() - before.trace->junction.size()) + end);
            const StreetSurface& surface = *before.surface;
            if (!surface.gate_junction[gate]) continue;
            // A half at the road's end looks back along it.
            StreetVertexId left = surface.gate_left[gate], right = surface.gate_right[gate];
            if (end == 1) std::swap(left, right);
            const HalfId half = half_of(road, end);
            out.foreign_junction[half.index()] = surface.gate_junction[gate];
            out.foreign.push_back(left);
            out.foreign.push_back(right);
            writer.add_foreign_gate(half, {made_at(before, left), made_at(before, right)});
        }
    }
}

/// The closure's pieces. None: its rim did not hold, and grew.
Result<std::optional<WindowPieces>> build_window(const StreetsBefore& before,
                                                 const world::NetworkChanges& changes,
                                                 const Window& window, const StreetOptions& options,
                                                 Closure& closure, StageContext& ctx) {
    StreetBuilder builder(window.network, options, window.role, ctx);
    TW_TRY(builder.run());
    bool held = true;
    for (const RoadNodeId node : window.network.node_point.ids()) {
        const RoadNodeId whole = window.node[node.index()];
        const bool is_rim = window.role[node.index()] == NodeRole::rim;
        if (!(is_rim || closure.is_ring(whole)) || builder.clusters().is_plain(node)) continue;
        closure.include(whole);
        held = false;
    }
    if (!held) return std::optional<WindowPieces>();
    WindowPieces out;
    out.window = &window;
    builder.trace(out.trace);
    SurfaceWriter writer(builder.graph());
    add_foreign_gates(before, changes, writer, out);
    TW_TRY(builder.write(writer));
    writer.trace(out.trace);
    out.surface = std::move(writer).take();
    return std::optional(std::move(out));
}

/// What the trace knows of nodes.
void trace_nodes(const StreetsBefore& before, const world::NetworkChanges& changes,
                 const Closure& closure, const WindowPieces& fresh, StreetTrace& trace) {
    trace.cluster.resize(changes.node.size());
    trace.plain.resize(changes.node.size());
    for (std::size_t i = 0; i < changes.node.size(); ++i) {
        const RoadNodeId was = changes.node[i];
        if (!was || closure.builds(RoadNodeId::from_index(i))) continue;
        trace.cluster[i] = closure.node_after(before.trace->cluster[was.index()]);
        trace.plain[i] = before.trace->plain[was.index()];
    }
    const Window& window = *fresh.window;
    for (std::size_t i = 0; i < window.node.size(); ++i) {
        if (window.role[i] != NodeRole::inner) continue;
        trace.cluster[window.node[i].index()] = window.node[fresh.trace.cluster[i].index()];
        trace.plain[window.node[i].index()] = fresh.trace.plain[i];
    }
}

GridBox grown(GridBox box) {
    constexpr GridPoint kRoom{kSeparateReach, kSeparateReach};
    return {box.lo - kRoom, box.hi + kRoom};
}

/// True if vertices that stand on foreign ones may have to do with what changed. `before` are the
/// boxes of pieces before, and what stood then.
bool must_separate(const StreetTrace& before, const world::StreetChanges& changes,
                   const StreetSurface& now, const StreetTrace& trace) {
    std::vector<PieceId> fresh, near;
    GridBox all;
    for (std::size_t i = 0; i < changes.piece.size(); ++i) {
        if (changes.piece[i]) continue;
        fresh.push_back(PieceId::from_index(i));
        all.include(trace.box[i].lo);
        all.include(trace.box[i].hi);
    }
    const auto in_reach = [&](const Standing& each) {
        const auto meets = [&](const StreetTrace& of) {
            return [&](PieceId piece) { return of.box[piece.index()].intersects(each.reach); };
        };
        return std::any_of(fresh.begin(), fresh.end(), meets(trace)) ||
               std::any_of(changes.lost.begin(), changes.lost.end(), meets(before));
    };
    if (std::any_of(before.standing.begin(), before.standing.end(), in_reach)) return true;
    if (fresh.empty()) return false;
    all = grown(all);
    for (std::size_t i = 0; i < changes.piece.size(); ++i) {
        if (trace.box[i].intersects(all)) near.push_back(PieceId::from_index(i));
    }
    return stands_on_foreign(now, near, fresh);
}

/// Runs without the elements that now are `gone`, ascending.
std::vector<Run> without(std::span<const Run> runs,
                         std::span<const std::pair<StreetVertexId, GridPoint>> gone) {
    std::vector<Run> out;
    auto next = gone.begin();
    for (Run run : runs) {
        const std::uint32_t end = run.to + (run.end - run.begin);
        while (next != gone.end() && next->first.value() < run.to) ++next;
        for (; next != gone.end() && next->first.value() < end; ++next) {
            const std::uint32_t stay = next->first.value() - run.to;
            if (stay > 0) out.push_back({run.begin, run.begin + stay, run.to});
            run = {run.begin + stay + 1, run.end, run.to + stay + 1};
        }
        if (run.begin < run.end) out.push_back(run);
    }
    return out;
}

/// Looks again at vertices near what changed; pieces whose vertices come to stand elsewhere
/// changed.
void separate_near(const StreetTrace& before, StreetSurface& surface, StreetTrace& trace,
                   StreetPatch& patch, world::StreetChanges& changes) {
    std::vector<GridBox> changed;
    for (std::size_t i = 0; i < changes.piece.size(); ++i) {
        if (!changes.piece[i]) changed.push_back(trace.box[i]);
    }
    for (const PieceId piece : changes.lost) changed.push_back(before.box[piece.index()]);
    SeparatedAgain again = separate_again(surface, std::move(trace.standing), changed, trace.box);
    trace.standing = std::move(again.standing);
    patch.moved = std::move(again.moved);
    changes.vertex = without(changes.vertex, patch.moved);
    for (const PieceId piece : again.piece) {
        const PieceId was = std::exchange(changes.piece[piece.index()], PieceId());
        if (!was) continue;
        changes.lost.push_back(was);
        changes.box.push_back(grown(trace.box[piece.index()]));
    }
    std::sort(changes.lost.begin(), changes.lost.end());
}

/// No piece is known to be what it was.
world::StreetChanges all_changed(const StreetTrace& before, const StreetTrace& now) {
    world::StreetChanges out;
    out.piece.resize(now.box.size());
    for (std::size_t i = 0; i < before.box.size(); ++i) out.lost.push_back(PieceId::from_index(i));
    out.box = now.box;
    out.box.insert(out.box.end(), before.box.begin(), before.box.end());
    return out;
}

Result<StreetPatch> build_all(const world::RoadNetwork& network, const StreetOptions& options,
                              StageContext& ctx) {
    StreetPatch patch;
    TW_ASSIGN(patch.surface, build_streets(network, options, patch.trace, ctx));
    patch.pieces = static_cast<std::uint32_t>(patch.surface.piece_count());
    patch.vertices = static_cast<std::uint32_t>(patch.surface.vertex.size());
    patch.ring_vertices = static_cast<std::uint32_t>(patch.surface.ring_vertex.size());
    patch.triangles = static_cast<std::uint32_t>(patch.surface.triangle.size());
    return patch;
}

/// What turns the surface before into that of `network`, but for vertices on foreign ones.
Result<StreetPatch> plan(const StreetsBefore& before, const world::RoadNetwork& network,
                         const world::NetworkChanges& changes, const StreetOptions& options,
                         world::StreetChanges& out, StageContext& ctx) {
    Closure closure(before, network, changes);
    while (before.trace->settled) {
        closure.grow();
        if (closure.size() * 2 > network.node_count()) break;
        const Window window(network, closure);
        TW_ASSIGN(const std::optional<WindowPieces> fresh,
                  build_window(before, changes, window, options, closure, ctx));
        if (!fresh) continue;
        if (!fresh->trace.settled) break;
        out = {};
        StreetPatch patch = assemble(before, closure, *fresh, out);
        trace_nodes(before, changes, closure, *fresh, patch.trace);
        return patch;
    }
    TW_ASSIGN(StreetPatch patch, build_all(network, options, ctx));
    out = all_changed(*before.trace, patch.trace);
    return patch;
}

}  // namespace

StreetUpdate::StreetUpdate(const StreetOptions& options) : options_(options) {}
StreetUpdate::~StreetUpdate() = default;

Result<std::shared_ptr<StreetPatch>> StreetUpdate::run(const world::RoadNetwork& before,
                                                       const world::RoadNetwork& network,
                                                       const world::NetworkChanges& changes,
                                                       StreetSurface& surface,
                                                       world::StreetChanges& out,
                                                       StageContext& ctx) {
    if (!trace_) {
        auto trace = std::make_unique<StreetTrace>();
        TW_ASSIGN(const StreetSurface built, build_streets(before, options_, *trace, ctx));
        if (!(built == surface)) {
            return Error{.code = ErrorCode::check_failed,
                         .stage = std::string(kStage),
                         .subject = {},
                         .message = "the streets are not of this network; bake the world again"};
        }
        trace_ = std::move(trace);
    }
    TW_ASSIGN(StreetPatch step,
              plan({&before, &surface, trace_.get()}, network, changes, options_, out, ctx));
    auto patch = std::make_shared<StreetPatch>(std::move(step));
    const bool whole = patch->piece.empty();
    patch->swap(surface, *trace_);
    if (!whole && must_separate(patch->trace, out, surface, *trace_)) {
        separate_near(patch->trace, surface, *trace_, *patch, out);
    }
    if (!whole) {
        patch->pack(surface, *trace_,
                    runs_from(std::span<const RoadNodeId>(changes.node), before.node_count()));
    }
    return patch;
}

void StreetUpdate::swap(StreetPatch& step, StreetSurface& surface) {
    step.swap(surface, *trace_);
}

}  // namespace tw::streets
