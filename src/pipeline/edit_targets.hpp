#pragma once
// What edits are done to, and the stages that are nothing but edits.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/attributes.hpp"
#include "terraway/world/cell_index.hpp"
#include "terraway/world/edits.hpp"
#include "terraway/world/obstacles.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/roads.hpp"
#include "terraway/world/terrain.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

namespace tw::pipeline {

enum class EditTarget : std::uint8_t { ground, attributes, roads, obstacles };
EditTarget target_of(const world::EditAction& action);

/// The edits of one kind of target, in order.
struct TargetEdits {
    world::EditList list;
    std::vector<std::size_t> index;  ///< of each in the whole list: for errors, so it is not hashed

    static constexpr auto fields() { return std::tuple{Field{"list", &TargetEdits::list}}; }
};
/// Those of roads come with those of roads' attributes, whose roads must exist.
std::shared_ptr<const TargetEdits> edits_of(const world::EditList& edits, EditTarget target);

/// The error of the edit of this index: its subject is "edit 3 (raise)", counted from 1.
Error numbered(Error error, std::size_t index);

/// Error not_found: no line has this label. Cost: O(lines).
Status require_road(const world::RoadLines& lines, std::string_view label);

/// Error invalid_input: a tick that falls.
Status check_ticks(const world::EditList& edits);

/// The cells that an edit of their attributes speaks of, ascending.
std::vector<world::CellId> cells_of(const world::SetCellAttribute& edit,
                                    const world::PolygonMap& map, const world::CellIndex& index);

// Stages. Errors are numbered in the whole list.
Result<world::Relief> edit_relief(const world::PolygonMap&, const world::Relief&,
                                  const TargetEdits&, StageContext&);
Result<world::Attributes> build_attributes(const world::PolygonMap&, const TargetEdits&);
Result<world::RoadLines> edit_lines(const world::RoadLines&, const GridBox& bounds,
                                    const TargetEdits&);
Result<world::Obstacles> build_obstacles(const GridBox& bounds, const TargetEdits&);

}  // namespace tw::pipeline
