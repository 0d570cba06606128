#include "world_file_checks.hpp"

#include "terraway/geometry/raster.hpp"
#include "terraway/math/grid.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace tw::recipe {
namespace {

using pipeline::BakedWorld;

Error broken(std::string_view what) {
    return {.code = ErrorCode::check_failed,
            .stage = "world file",
            .subject = std::string(what),
            .message = "its parts do not fit each other; bake the world again or take a copy"};
}
Status holds(bool true_of_it, std::string_view what) {
    return true_of_it ? ok_status() : Status(broken(what));
}

/// True if `one(index)` is true of all below `count`; all threads look.
template <class One>
bool all_below(Executor& executor, std::size_t count, One one) {
    constexpr std::size_t kChunk = std::size_t{1} << 16;
    std::vector<std::uint8_t> held((count + kChunk - 1) / kChunk, 1);
    parallel_for(executor, count, kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     bool all = true;
                     for (std::size_t i = begin; i < end; ++i) all = one(i) && all;
                     held[chunk] = all;
                 });
    return std::ranges::all_of(held, [](std::uint8_t each) { return each != 0; });
}
template <class T, class One>
bool all_of(Executor& executor, std::span<const T> values, One one) {
    return all_below(executor, values.size(), [&](std::size_t i) { return one(values[i]); });
}

/// `begin` has one entry more than there are things, and cuts [0, size) into their parts.
template <class Tag>
bool is_partition(const IdArray<Tag, std::uint32_t>& begin, std::size_t things, std::size_t size) {
    const std::span<const std::uint32_t> b = begin.span();
    return b.size() == things + 1 && b.front() == 0 && b.back() == size &&
           std::ranges::is_sorted(b);
}

bool is_box(const GridBox& box) {
    return on_grid(box.lo) && on_grid(box.hi) && box.width() > 0 && box.height() > 0;
}

Status check_water(const BakedWorld& w, Executor& executor) {
    using namespace world;
    if (!w.relief) return broken("relief");
    TW_TRY(validate_references(*w.map, *w.relief, executor));
    if (w.edited_relief) {
        TW_TRY(validate_references(*w.map, *w.edited_relief, executor));
        if (!(w.edited_relief->water == w.relief->water)) return broken("edits");
    }
    if (w.drainage) TW_TRY(validate_references(*w.map, *w.relief, *w.drainage, executor));
    if (!w.rivers) return ok_status();
    if (!w.drainage) return broken("rivers");
    return validate_references(*w.map, *w.drainage, *w.rivers, executor);
}

Status check_cells(const BakedWorld& w, Executor& executor) {
    if (!w.map) {
        const bool alone = !w.relief && !w.edited_relief && !w.drainage && !w.rivers &&
                           !w.climate && !w.moisture && !w.biomes && !w.attributes;
        return holds(alone, "cells");
    }
    const std::size_t cells = w.map->cell_count();
    if (w.climate && w.climate->moisture.size() != cells) return broken("climate");
    if (w.moisture &&
        (w.moisture->moisture.size() != cells || w.moisture->dryness.size() != cells)) {
        return broken("moisture");
    }
    if (w.biomes && w.biomes->biome.size() != cells) return broken("biomes");
    if (w.attributes) TW_TRY(world::validate(*w.attributes, cells));
    return w.relief || w.edited_relief || w.drainage || w.rivers ? check_water(w, executor)
                                                                 : ok_status();
}

Status check_lines(const world::RoadLines& lines, std::string_view section) {
    const std::size_t count = lines.label.size();
    const bool fits = lines.attributes.size() == count &&
                      is_partition(lines.point_begin, count, lines.point.size()) &&
                      lines.node.size() == lines.point.size() &&
                      std::ranges::all_of(lines.point.span(), on_grid);
    return holds(fits, section);
}

/// What edits made, and the edits themselves.
Status check_edits(const BakedWorld& w) {
    if (w.obstacles) TW_TRY(world::validate(*w.obstacles));
    if (!w.edits) return ok_status();
    if (!w.placement) return broken("edit_list");
    std::uint64_t tick = 0;
    for (const world::Edit& edit : w.edits->edit) {
        TW_TRY(world::validate(edit, w.placement->bounds));
        if (edit.tick < tick) return broken("edit_list");
        tick = edit.tick;
    }
    return ok_status();
}

Status check_roads(const BakedWorld& w) {
    using namespace world;
    if (w.lines) TW_TRY(check_lines(*w.lines, "lines"));
    if (w.edited_lines) TW_TRY(check_lines(*w.edited_lines, "road_edits"));
    if (w.network) TW_TRY(validate(*w.network));
    if (const auto& streets = w.streets) {
        if (!w.network) return broken("streets");
        const bool fits = std::ranges::all_of(streets->vertex.span(), on_grid) &&
                          std::ranges::all_of(
                              streets->road.span(),
                              [&](RoadId road) { return !road || w.network->id.contains(road); }) &&
                          std::ranges::all_of(streets->gate_node.span(), [&](RoadNodeId node) {
                              return w.network->node_point.contains(node);
                          });
        if (!fits) return broken("streets");
        TW_TRY(validate(*streets));
    }
    if (w.street_heights) {
        return holds(w.streets && w.street_heights->height.size() == w.streets->vertex.size(),
                     "street_heights");
    }
    return ok_status();
}

Status check_chunk(const world::MeshChunk& chunk, Executor& executor) {
    const std::size_t vertices = chunk.position.size();
    const auto exists = [&](const std::array<world::MeshVertexId, 3>& t) {
        return t[0].index() < vertices && t[1].index() < vertices && t[2].index() < vertices;
    };
    return holds(chunk.normal.size() == vertices && chunk.rgba.size() == vertices &&
                     on_grid(chunk.origin) && all_of(executor, chunk.triangle.span(), exists),
                 "meshes");
}

/// Chunks of water are those of squares with sea, then those of squares with lakes.
bool fits_squares(const world::NamedSurface& water, const SurfacePatches& terrain,
                  const world::Relief& relief) {
    std::size_t squares = 0;
    for (std::size_t i = 0; i < terrain.chunk_count(); ++i) {
        bool sea = false, lake = false;
        for (const world::CellId cell : terrain.cells(i)) {
            sea |= relief.water[cell] == world::Water::ocean;
            lake |= relief.water[cell] == world::Water::lake;
        }
        squares += (sea ? 1 : 0) + (lake ? 1 : 0);
    }
    return water.chunk.size() == squares;
}

Status check_meshes(const BakedWorld& w, const SurfacePatches* terrain, Executor& executor) {
    if (!w.meshes) return ok_status();
    for (const world::NamedSurface& surface : w.meshes->surface) {
        for (const world::MeshChunk& chunk : surface.chunk) TW_TRY(check_chunk(chunk, executor));
        if (surface.name == "terrain") {
            const bool whole =
                terrain && terrain->has_all_of(surface.chunk, w.map->cell_count(), executor);
            if (!whole) return broken("meshes");
        }
    }
    for (const world::NamedSurface& surface : w.meshes->surface) {
        if (surface.name != "water") continue;
        if (!terrain || !w.relief || w.relief->water.size() != w.map->cell_count() ||
            !fits_squares(surface, *terrain, *w.relief)) {
            return broken("meshes");
        }
    }
    return ok_status();
}

/// Grids lie over the map as builds lay them: edits paint squares by where cells are.
bool lies_over(const geometry::Raster& raster, const world::PolygonMap* map, std::size_t size) {
    return map && raster.pixel > 0 && raster.pixel % 2 == 0 &&
           raster == geometry::raster_of_pixels(map->bounds, raster.pixel) &&
           static_cast<std::uint64_t>(raster.columns) * static_cast<std::uint64_t>(raster.rows) ==
               size;
}

Status check_grids(const BakedWorld& w) {
    const auto fits = [&](const world::NavGrid& grid, std::size_t size) {
        return lies_over({grid.origin, grid.cell, grid.columns, grid.rows}, w.map.get(), size);
    };
    if (const auto& raster = w.raster) {
        TW_TRY(holds(lies_over({raster->origin, raster->pixel, raster->columns, raster->rows},
                               w.map.get(), raster->height.size()) &&
                         raster->uncarved.size() == raster->height.size(),
                     "raster"));
    }
    if (w.cost) {
        TW_TRY(holds(fits(w.cost->grid, w.cost->cost.size()) &&
                         std::ranges::find(w.cost->cost.span(), 0) == w.cost->cost.span().end(),
                     "cost"));
    }
    if (const auto& field = w.integration) {
        TW_TRY(
            holds(w.cost && field->grid == w.cost->grid && fits(field->grid, field->value.size()),
                  "integration"));
    }
    if (const auto& field = w.directions) {
        TW_TRY(holds(w.cost && field->grid == w.cost->grid &&
                         fits(field->grid, field->direction.size()) &&
                         std::ranges::all_of(field->direction.span(),
                                             [](std::uint8_t direction) {
                                                 return direction <= world::DirectionField::kStay;
                                             }),
                     "directions"));
    }
    return ok_status();
}

}  // namespace

Status check_references(const BakedWorld& world, const SurfacePatches* terrain,
                        Executor& executor) {
    if (world.placement) TW_TRY(holds(is_box(world.placement->bounds), "placement"));
    if (world.map) TW_TRY(validate_tiling(*world.map, executor));
    const std::array<std::function<Status()>, 5> checks{
        [&] { return check_cells(world, executor); },
        [&] { return check_meshes(world, terrain, executor); },
        [&] { return check_roads(world); },
        [&] { return check_grids(world); },
        [&] { return check_edits(world); },
    };
    std::array<Status, checks.size()> found{ok_status(), ok_status(), ok_status(), ok_status(),
                                            ok_status()};
    executor.run(checks.size(), [&](std::size_t i) { found[i] = checks[i](); });
    for (const Status& status : found) {
        if (!status) return status;
    }
    return ok_status();
}

}  // namespace tw::recipe
