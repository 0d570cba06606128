#include "terraway/roads/network.hpp"

#include "terraway/core/option_range.hpp"

#include "revision.hpp"

#include <algorithm>
#include <tuple>

namespace tw::roads {
namespace {

using world::RoadId;
using world::RoadLines;
using world::RoadNetwork;
using world::RoadNodeId;

RoadNetwork no_network() {
    RoadNetwork network;
    network.point_begin.push_back(0);
    return network;
}

/// Without a trace where what changed needs a network from nothing.
Result<TracedNetwork> revise(const RoadNetwork& before, const NetworkTrace& old,
                             const RoadLines& lines, const NetworkOptions& options,
                             world::NetworkChanges& changes, StageContext& ctx) {
    const auto trace = std::make_shared<NetworkTrace>();
    trace->options = options;
    Revision revision(old);
    const bool whole = revision.whole();
    TW_ASSIGN(const bool prepared, prepare_lines(lines, revision, *trace));
    if (!prepared) return TracedNetwork{};
    TW_TRY(node_lines(revision, 0, *trace, ctx));
    ctx.progress.set(0.4);
    if (join_ends(revision, to_steps(options.join), *trace)) {
        TW_TRY(node_lines(revision, kJoined, *trace, ctx));
    }
    if (trace->unsettled && !whole) return TracedNetwork{};
    ctx.progress.set(0.8);
    const Touched touched = mark_lines(revision);
    const NewRoads roads = string_roads(revision, touched);
    if (roads.twins && !whole) return TracedNetwork{};
    changes = {};
    RoadNetwork network = assemble(before, revision, touched, roads, *trace, changes);
    std::move(revision).store(*trace);
    ctx.progress.set(1.0);
    return TracedNetwork{std::move(network), trace};
}

/// What two networks have in common, without knowing how one came from the other.
world::NetworkChanges compare(const RoadNetwork& before, const RoadNetwork& now) {
    world::NetworkChanges changes;
    const auto matches = [](const auto& old_ids, const auto& ids, auto&& equal, auto& out) {
        using AnyId = typename std::decay_t<decltype(out)>::value_type;
        std::vector<std::pair<StableId, AnyId>> known;
        for (const AnyId i : old_ids.ids()) known.emplace_back(old_ids[i], i);
        std::sort(known.begin(), known.end());
        for (const AnyId i : ids.ids()) {
            auto at = std::lower_bound(known.begin(), known.end(), std::pair{ids[i], AnyId(0)});
            while (at != known.end() && at->first == ids[i] && !equal(at->second, i)) ++at;
            out.push_back(at != known.end() && at->first == ids[i] ? at->second : AnyId());
        }
    };
    matches(
        before.id, now.id,
        [&](RoadId a, RoadId b) {
            return before.label[a] == now.label[b] && before.attributes[a] == now.attributes[b] &&
                   std::ranges::equal(before.points(a), now.points(b));
        },
        changes.road);
    matches(
        before.node_id, now.node_id,
        [&](RoadNodeId a, RoadNodeId b) { return before.node_point[a] == now.node_point[b]; },
        changes.node);
    return changes;
}

Status check_options(const RoadLines& lines, const NetworkOptions& options,
                     const StageContext& ctx) {
    TW_TRY(require_range(kStage, "join", options.join, 0.0, 50.0));
    return require_memory(ctx, kStage, lines.point.size() * 400);
}

/// True if a network from nothing is the better way.
bool is_spent(const NetworkTrace& trace, const NetworkOptions& options) {
    const std::size_t keys = trace.order->position.size(), lines = trace.order->key.size();
    return lines == 0 || trace.unsettled || trace.options.join != options.join ||
           keys > 2 * lines + 64;
}

}  // namespace

Result<TracedNetwork> trace_network(const RoadLines& lines, const NetworkOptions& options,
                                    StageContext& ctx) {
    TW_TRY(check_options(lines, options, ctx));
    const NetworkTrace none;
    world::NetworkChanges changes;
    return revise(no_network(), none, lines, options, changes, ctx);
}

Result<RoadNetwork> build_network(const RoadLines& lines, const NetworkOptions& options,
                                  StageContext& ctx) {
    TW_ASSIGN(TracedNetwork made, trace_network(lines, options, ctx));
    return std::move(made.network);
}

Result<TracedNetwork> update_network(const RoadNetwork& before, const NetworkTrace& trace,
                                     const RoadLines& lines, const NetworkOptions& options,
                                     world::NetworkChanges& changes, StageContext& ctx) {
    TW_TRY(check_options(lines, options, ctx));
    if (!is_spent(trace, options)) {
        auto made = revise(before, trace, lines, options, changes, ctx);
        if (!made && made.error().code != ErrorCode::too_large) return made.error();
        if (made && made->trace) return made;
    }
    TW_ASSIGN(TracedNetwork made, trace_network(lines, options, ctx));
    changes = compare(before, made.network);
    return made;
}

}  // namespace tw::roads
