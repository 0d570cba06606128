#pragma once
// Centre lines become a network: joined where they meet, split where they cross.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/roads.hpp"

#include <memory>
#include <tuple>
#include <vector>

namespace tw::roads {

struct NetworkOptions {
    double join = 2.0;  ///< [m] an end this near to a node or to another road's middle is joined to
                        ///< it, 0 … 50

    static constexpr auto fields() { return std::tuple{Field{"join", &NetworkOptions::join}}; }
};

/// Lines meet where they share a node, end within `join` of a node or of another line of their
/// level, or cross a line of their level. Duplicate points and lines of no length are dropped;
/// lines that stand there twice are kept once. Parts of a line are numbered along it and keep
/// stable ids. The result does not depend on the order of lines. Errors: invalid_option,
/// invalid_input (a width <= 0), too_large, cancelled. Cost: O((n + k) log n) for n segments with k
/// meetings.
Result<world::RoadNetwork> build_network(const world::RoadLines&, const NetworkOptions&,
                                         StageContext&);

class NetworkTrace;  ///< what a network was made of, for updating it: a value that never changes

struct TracedNetwork {
    world::RoadNetwork network;
    std::shared_ptr<const NetworkTrace> trace;
};

/// build_network() that keeps what an update needs: about 200 bytes a point.
Result<TracedNetwork> trace_network(const world::RoadLines&, const NetworkOptions&, StageContext&);

/// The network of `lines`, made from the network of other lines and its trace: equal, bit for bit,
/// to trace_network(lines). The trace before stays good, for an undo or another update.
///
/// Which lines changed is found by comparing all. Looked at anew are they, the lines that share a
/// node with a point of theirs that moved, came or went, lines that these touched or touch on their
/// level, ends within `join` of a segment that came or went, and what any of these does in turn; a
/// line that comes out as before ends it. Roads are strung together anew where a line of theirs is
/// cut or joined otherwise than before.
///
/// Cost: O(n) for comparing and copying, a few ns a point, and the work of a build for what is
/// looked at anew. A build is made where a line that changed or is cut otherwise has another's
/// label or two nodes of its own in one place, where `join` is another, where 16 rounds of cutting
/// did not suffice, and after more lines have come and gone than there are. Errors: as
/// build_network(); `changes` is then undefined.
Result<TracedNetwork> update_network(const world::RoadNetwork& before, const NetworkTrace& trace,
                                     const world::RoadLines& lines, const NetworkOptions&,
                                     world::NetworkChanges& changes, StageContext&);

/// What a network and its trace were before an update, kept by what they are since: a step of undo
/// that holds no array whole.
class NetworkPatch {
public:
    NetworkPatch(const world::RoadNetwork& before, const NetworkTrace& old,
                 const world::RoadNetwork& now, const NetworkTrace& trace,
                 const world::NetworkChanges&);
    NetworkPatch(NetworkPatch&&) noexcept;
    ~NetworkPatch();
    /// Takes the update back, or does it again. Cost: O(n) copying.
    void swap(world::RoadNetwork&, std::shared_ptr<const NetworkTrace>&);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tw::roads
