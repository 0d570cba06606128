#include "terraway/pipeline/bake.hpp"

#include "stage_table.hpp"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

namespace tw::pipeline {
namespace {

/// What the sizes of all stages follow from.
struct Sizes {
    std::uint64_t cells = 0;
    std::uint64_t road_points = 0;
    std::uint64_t pixels = 0;
    std::uint64_t nav_cells = 0;
    std::uint64_t edit_points = 0;  ///< of roads and obstacles
    std::uint64_t columns = 0;      ///< of cells' attributes
};

/// Cells of a grid with `longest` along the longer side of the world, whose shape may not be known
/// yet.
std::uint64_t grid_cells(const WorldRecipe& recipe, std::uint64_t longest) {
    const auto& size = recipe.placement.size;
    if (!size) return longest * longest;
    const double longer = std::max((*size)[0], (*size)[1]);
    const double shorter = std::min((*size)[0], (*size)[1]);
    if (!(longer > 0.0) || !(shorter > 0.0)) return longest * longest;
    const double rows = static_cast<double>(longest) * (shorter / longer);
    return longest * (static_cast<std::uint64_t>(rows) + 1);
}

/// Bytes per cell: a cell has about 6 sides and 2 corners; per road point: joining and crossings
/// multiply them, a corridor's section has 2 vertices and 2 triangles.
StageEstimate estimate(StageName name, const Sizes& n) {
    const auto of = [name](std::uint64_t output, std::uint64_t scratch) {
        return StageEstimate{info_of(name).name, output, scratch};
    };
    switch (name) {
        case StageName::placement:
            return of(256, 0);
        case StageName::sites:
            return of(8 * n.cells, 64 * n.cells);
        case StageName::cells:
            return of(104 * n.cells, 600 * n.cells);
        case StageName::relief:
            return of(5 * n.cells, 24 * n.cells);
        case StageName::climate:
            return of(2 * n.cells, 48 * n.cells);
        case StageName::edits:
            return of(5 * n.cells, 24 * n.cells);
        case StageName::drainage:
            return of(33 * n.cells, 96 * n.cells);
        case StageName::rivers:
            return of(24 * n.cells, 48 * n.cells);
        case StageName::moisture:
            return of(6 * n.cells, 8 * n.cells);
        case StageName::biomes:
            return of(n.cells, 0);
        case StageName::attributes:
            return of(9 * n.cells * n.columns, 32 * n.cells);
        case StageName::lines:
        case StageName::road_edits:
            return of(32 * n.road_points, 64 * n.road_points);
        case StageName::network:
            return of(96 * n.road_points, 400 * n.road_points);
        case StageName::streets:
            return of(400 * n.road_points, 1200 * n.road_points);
        case StageName::street_heights:
            return of(40 * n.road_points, n.road_points > 0 ? 32 * n.cells : 0);
        case StageName::obstacles:
            return of(16 * n.edit_points, 0);
        case StageName::meshes:
            return of(270 * n.cells + 300 * n.road_points, 270 * n.cells + 300 * n.road_points);
        case StageName::raster:
            return of(8 * n.pixels, 8 * n.pixels + 16 * n.cells);
        case StageName::cost:
            return of(n.nav_cells, 8 * n.nav_cells + 32 * n.cells);
        case StageName::integration:
            return of(4 * n.nav_cells, 16 * n.nav_cells);
        case StageName::directions:
            return of(n.nav_cells, 0);
    }
    return {};
}

/// What edits add.
void add_edits(const world::EditList& edits, Sizes& sizes) {
    std::vector<std::string_view> columns;
    for (const world::Edit& edit : edits.edit) {
        if (const auto* set = std::get_if<world::SetCellAttribute>(&edit.action)) {
            if (std::find(columns.begin(), columns.end(), set->column) == columns.end()) {
                columns.push_back(set->column);
            }
        } else if (const auto* road = std::get_if<world::AddRoad>(&edit.action)) {
            sizes.road_points += road->path.size();
        } else if (const auto* obstacle = std::get_if<world::PutObstacle>(&edit.action)) {
            sizes.edit_points += obstacle->ring.size();
        }
    }
    sizes.columns = columns.size();
}

bool in_street_bake(StageName name) {
    return name == StageName::placement || (name >= StageName::lines && name <= StageName::streets);
}

}  // namespace

std::vector<StageEstimate> estimate_bytes(const WorldRecipe& recipe, const Imports& imports,
                                          BakeTargets targets) {
    Sizes sizes;
    sizes.cells = recipe.sites.cells;
    const auto& lines = imports.lines ? imports.lines : recipe.roads_lines;
    sizes.road_points = lines ? lines->x.size() : 0;
    if (imports.edits) add_edits(*imports.edits, sizes);
    sizes.pixels = grid_cells(recipe, recipe.raster.longest);
    sizes.nav_cells = grid_cells(recipe, recipe.cost.longest);

    std::vector<StageEstimate> estimates;
    for (std::size_t i = 0; i < kStageCount; ++i) {
        const auto name = static_cast<StageName>(i);
        if (targets == BakeTargets::streets && !in_street_bake(name)) continue;
        estimates.push_back(estimate(name, sizes));
    }
    return estimates;
}

bool has_roads(const WorldRecipe& recipe, const Imports& imports) {
    if (imports.lines || recipe.roads_lines) return true;
    return imports.edits &&
           std::any_of(imports.edits->edit.begin(), imports.edits->edit.end(),
                       [](const world::Edit& edit) {
                           return std::holds_alternative<world::AddRoad>(edit.action);
                       });
}

std::uint64_t total_bytes(const std::vector<StageEstimate>& estimates) {
    // Of the stages that run at the same time, two take much.
    std::uint64_t outputs = 0, most = 0, second = 0;
    for (const StageEstimate& stage : estimates) {
        outputs += stage.output;
        second = std::max(second, std::min(most, stage.scratch));
        most = std::max(most, stage.scratch);
    }
    return outputs + most + second;
}

}  // namespace tw::pipeline
