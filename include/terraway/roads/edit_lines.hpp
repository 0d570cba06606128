#pragma once
// Edits of centre lines, before they become a network.

#include "terraway/core/result.hpp"
#include "terraway/world/edits.hpp"
#include "terraway/world/roads.hpp"

namespace tw::roads {

/// Applies AddRoad, DeleteRoad, SetRoadWidth, AddRoadNode, MoveRoadNode and DeleteRoadNode as
/// world/edits.hpp says; other actions change nothing. The action is valid (world::validate) and
/// the lines fit together, as project_lines() gives them.
///
/// A road against its direction is added the other way round, as imported ones are. A node is moved
/// with everything that meets in it: points of an equal node, wherever they stand, and points of
/// its place on the levels that any of these lie on. A new point has no node of its own; ids of
/// parts follow from labels, so moving keeps them.
///
/// Errors, after which nothing has changed: not_found (no road of that label, no point within a
/// metre), invalid_input (a label that is taken or that two roads have, two equal points in a row),
/// too_large. Cost: O(points); moving, adding a road and setting a width touch the pages alone that
/// change.
Status apply_edit(const world::EditAction& action, world::RoadLines& lines);

}  // namespace tw::roads
