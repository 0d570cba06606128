#pragma once
// Centre lines become a network: joined where they meet, split where they cross.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/roads.hpp"

#include <tuple>

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

}  // namespace tw::roads
