#pragma once
// What a step costs, from slope, water, biome and roads.

#include "terraway/core/id_set.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/geometry/raster.hpp"
#include "terraway/world/cell_index.hpp"
#include "terraway/world/navigation.hpp"
#include "terraway/world/obstacles.hpp"
#include "terraway/world/piece_index.hpp"
#include "terraway/world/streets.hpp"
#include "terraway/world/surface.hpp"

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace tw::navigation {

struct CostOptions {
    std::uint32_t longest = 512;  ///< cells along the longer side, 8 … 8,192
    double steepest = 1.0;        ///< rise over run that blocks, 0.05 … 10
    double ford_flow = 20.0;      ///< [m³/s] rivers that carry more block, 0 … 1,000,000

    static constexpr auto fields() {
        return std::tuple{Field{"longest", &CostOptions::longest},
                          Field{"steepest", &CostOptions::steepest},
                          Field{"ford_flow", &CostOptions::ford_flow}};
    }
};

/// What the grid is made from. Streets and obstacles may be null.
struct CostSources {
    world::CanonicalSurface surface;
    const world::Biomes* biomes = nullptr;
    const world::StreetSurface* streets = nullptr;
    const world::Obstacles* obstacles = nullptr;
};

/// Roads cost 1 and cross rivers; land by biome, dearer with slope; sea, lakes and large rivers
/// block, and so do obstacles, whatever they stand on. Errors: invalid_option, too_large,
/// cancelled. Cost: O(grid cells + street triangles).
Result<world::CostGrid> build_cost_grid(const CostSources&, const CostOptions&, StageContext&);

/// True if the cell's river is too large to ford.
bool blocks_way(const world::Rivers&, world::CellId cell, std::uint64_t discharge,
                const CostOptions&);

struct CostChanges {
    std::span<const world::CellId> shape;  ///< cells any of whose triangles differs
    std::span<const world::CellId> other;  ///< cells of another biome or water; both cells of
                                           ///< rivers that block now, or no longer
    std::span<const GridBox> boxes;        ///< of street pieces and obstacles that came or went
};

/// The second form. Closure: the squares that come near what changed; each is painted anew. It
/// holds scratch memory; the index must outlive it. Cost: O(those squares, cells and pieces there).
class CostUpdate {
public:
    CostUpdate(const world::CellIndex& index, const CostOptions& options)
        : index_(index), options_(options) {}
    /// `pieces`: of the streets; may be null without them. `changed` becomes the squares whose cost
    /// differs.
    void run(const CostSources&, const CostChanges&, const world::PieceIndex* pieces,
             world::CostGrid&, IdSet<world::NavCellTag>& changed);

private:
    void add_box(const geometry::Raster&, const GridBox&);

    const world::CellIndex& index_;
    CostOptions options_;
    IdSet<world::NavCellTag> square_;
    IdSet<world::CellTag> river_;      ///< cells with crossings near the squares
    std::vector<std::uint8_t> fresh_;  ///< by square
};

}  // namespace tw::navigation
