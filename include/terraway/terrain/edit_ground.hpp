#pragma once
// Edits of the ground: after the relief is made, before water runs.

#include "terraway/core/id_set.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/world/cell_index.hpp"
#include "terraway/world/edits.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <span>
#include <vector>

namespace tw::terrain {

/// No edit lifts ground above this, or sinks it below its negative; float positions end there.
inline constexpr Steps kHighestEdit = 16'000 * kStepsPerMetre;

/// Applies edits to the relief, one after another. It reads places and the edited elevation alone,
/// so the result depends on nothing that comes later. Land stays a step above the sea, the sea's
/// floor a step below. It holds scratch memory; map and index must outlive it.
class GroundEditor {
public:
    GroundEditor(const world::PolygonMap& map, const world::CellIndex& index);

    /// Adds the cells whose elevation differs to `changed`. `action` must be valid for the map's
    /// bounds (world::validate); one that does not edit the ground does nothing. Cost: O(cells near
    /// the path · its segments there).
    void apply(const world::EditAction& action, world::Relief& relief,
               IdSet<world::CellTag>& changed);

private:
    struct Near {
        world::CellId cell;
        double distance = 0.0;      ///< [steps] of the site from the path
        double along = 0.0;         ///< part of the segment before the nearest place
        std::uint32_t segment = 0;  ///< of the path
        bool crossed = false;       ///< the path runs through the cell
    };
    void find_sites(std::span<const GridPoint> path, double reach);
    void find_crossed(std::span<const GridPoint> path);
    Near& add(world::CellId cell, std::span<const GridPoint> path, std::uint32_t segment);
    void raise(const world::RaiseGround&, world::Relief&, IdSet<world::CellTag>&);
    void flatten(const world::FlattenGround&, world::Relief&, IdSet<world::CellTag>&);
    void set_line(const world::SetLineHeight&, world::Relief&, IdSet<world::CellTag>&);
    void dig(const world::DigChannel&, world::Relief&, IdSet<world::CellTag>&);

    const world::PolygonMap& map_;
    const world::CellIndex& index_;
    std::vector<std::uint32_t> slot_;  ///< by cell: its place in near_, plus one
    std::vector<Near> near_;
    std::vector<double> along_;  ///< [steps] of a path's points from its first
};

/// The relief with all edits of the ground, in order. Errors: those of world::validate, naming the
/// edit by its number; too_large, cancelled. Cost: O(cells), and what each edit costs.
Result<world::Relief> edit_relief(const world::PolygonMap&, const world::Relief&,
                                  const world::EditList&, StageContext&);

}  // namespace tw::terrain
