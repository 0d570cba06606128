#include "terraway/world/polygon_map.hpp"

#include "terraway/math/predicates.hpp"

#include "first_broken.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tw::world {
namespace {

constexpr std::int64_t kMinCornerGap = 6;  // [steps], as build_voronoi promises

Error broken(Subject subject, std::string message) {
    return {.code = ErrorCode::check_failed,
            .stage = "polygon map",
            .subject = std::move(subject),
            .message = std::move(message)};
}
Error broken(std::string message) {
    return broken(CellId(), std::move(message));
}

Status check_rows(const PolygonMap& map, Executor& executor) {
    const std::size_t cells = map.cell_count(), sides = map.side_count();
    if (cells == 0) return broken("the map has no cells; build it from at least one site");
    if (map.side_begin.size() != cells + 1 || map.twin.size() != sides ||
        map.cell_of_side.size() != sides) {
        return broken("the arrays' sizes do not match; rebuild the map");
    }
    if (map.side_begin[CellId(0)] != 0 || map.side_begin.span().back() != sides) {
        return broken("the cells' rows do not cover the sides; rebuild the map");
    }
    const Broken row = first_broken(executor, cells, [&](std::size_t i) -> const char* {
        const CellId cell = CellId::from_index(i);
        const std::uint32_t begin = map.side_begin[cell];
        const std::uint32_t end = map.side_begin[CellId(cell.value() + 1)];
        if (end < begin || end - begin < 3 || end > sides) {
            return "the cell has fewer than 3 sides; rebuild the map";
        }
        for (const SideId side : map.sides(cell)) {
            if (map.cell_of_side[side] != cell) {
                return "a side does not know its cell; rebuild the map";
            }
        }
        return nullptr;
    });
    if (row) return broken(CellId::from_index(row.index), row.why);
    return ok_status();
}

Status check_points(const PolygonMap& map, Executor& executor) {
    const GridBox& box = map.bounds;
    if (!on_grid(box.lo) || !on_grid(box.hi) || box.width() <= 0 || box.height() <= 0) {
        return broken("the bounds are empty or off the grid; rebuild the map");
    }
    const Broken site = first_broken(executor, map.cell_count(), [&](std::size_t i) {
        return box.contains(map.site[CellId::from_index(i)]) ? nullptr
                                                             : "the site is out of bounds";
    });
    if (site) return broken(CellId::from_index(site.index), site.why);
    const Broken side = first_broken(executor, map.side_count(), [&](std::size_t i) {
        return map.corner_point.contains(map.corner[SideId::from_index(i)])
                   ? nullptr
                   : "the side's corner does not exist; rebuild the map";
    });
    if (side) return broken(SideId::from_index(side.index), side.why);
    const Broken corner = first_broken(executor, map.corner_count(), [&](std::size_t i) {
        return box.contains(map.corner_point[CornerId::from_index(i)])
                   ? nullptr
                   : "the corner is out of bounds";
    });
    if (corner) return broken(CornerId::from_index(corner.index), corner.why);
    return ok_status();
}

Status check_corners_used(const PolygonMap& map) {
    std::vector<std::uint8_t> used(map.corner_count(), 0);
    for (const SideId side : map.corner.ids()) used[map.corner[side].index()] = 1;
    for (const CornerId corner : map.corner_point.ids()) {
        if (!used[corner.index()]) return broken(corner, "no cell uses the corner");
    }
    return ok_status();
}

/// No two sites nearer than map.spacing: rows as high as the spacing, each swept along x.
Status check_spacing(const PolygonMap& map) {
    struct Place {
        std::int64_t row;
        GridPoint point;
        CellId cell;
        auto operator<=>(const Place&) const = default;
    };
    std::vector<Place> places;
    places.reserve(map.cell_count());
    for (const CellId cell : map.site.ids()) {
        const GridPoint p = map.site[cell];
        places.push_back({(std::int64_t{p.y} - map.bounds.lo.y) / map.spacing, p, cell});
    }
    std::sort(places.begin(), places.end());
    const std::int64_t least = std::int64_t{map.spacing} * map.spacing;
    std::size_t above = 0;  // first place of the next row that is not too far west
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& a = places[i];
        const auto near = [&](std::size_t from, std::int64_t row) {
            for (std::size_t k = from; k < places.size(); ++k) {
                const Place& b = places[k];
                if (b.row != row || std::int64_t{b.point.x} - a.point.x >= map.spacing) break;
                if (distance2(a.point, b.point) < least) return b.cell;
            }
            return CellId();
        };
        while (above < places.size() &&
               (places[above].row <= a.row ||
                (places[above].row == a.row + 1 &&
                 std::int64_t{a.point.x} - places[above].point.x >= map.spacing))) {
            ++above;
        }
        const CellId same_row = near(i + 1, a.row);
        const CellId next_row = near(above, a.row + 1);
        if (same_row || next_row) {
            return broken(a.cell, "its site is nearer than the spacing to that of #" +
                                      std::to_string((same_row ? same_row : next_row).value()));
        }
    }
    return ok_status();
}

/// True if a → b runs along the rectangle counter-clockwise.
bool runs_along_rectangle(const GridBox& box, GridPoint a, GridPoint b) {
    return (a.y == box.lo.y && b.y == box.lo.y && a.x < b.x) ||
           (a.x == box.hi.x && b.x == box.hi.x && a.y < b.y) ||
           (a.y == box.hi.y && b.y == box.hi.y && a.x > b.x) ||
           (a.x == box.lo.x && b.x == box.lo.x && a.y > b.y);
}

struct Extent {
    std::int64_t area = 0;      ///< [square steps] twice that of wedges
    std::int64_t boundary = 0;  ///< [steps] of sides on the rectangle
};

/// What is wrong with the side, which ends at `end`; adds its wedge and its part of the boundary.
const char* check_side(const PolygonMap& map, GridPoint site, SideId side, CornerId end,
                       Extent& extent) {
    const GridPoint a = map.corner_point[map.corner[side]], b = map.corner_point[end];
    const std::int64_t wedge = orient2d(site, a, b);
    if (wedge <= 0) return "the wedge of the side does not turn left";
    extent.area += wedge;
    if (distance2(a, b) < kMinCornerGap * kMinCornerGap) return "the side is shorter than 6 steps";
    if (const SideId twin = map.twin[side]) {
        // That the twin ends where this side starts is looked at from the twin.
        const bool opposite =
            map.twin.contains(twin) && map.twin[twin] == side && map.corner[twin] == end;
        return opposite ? nullptr : "the side and its twin do not run opposite ways";
    }
    if (!runs_along_rectangle(map.bounds, a, b)) {
        return "the side has no twin and is not on the rectangle";
    }
    extent.boundary +=
        std::max(std::abs(std::int64_t{b.x} - a.x), std::abs(std::int64_t{b.y} - a.y));
    return nullptr;
}

/// The first broken side of the cells [begin, end).
Broken check_sides(const PolygonMap& map, IdRange<CellId> cells, std::int64_t whole,
                   Extent& extent) {
    for (const CellId cell : cells) {
        const GridPoint site = map.site[cell];
        const std::uint32_t begin = map.side_begin[cell];
        const std::uint32_t end = map.side_begin[CellId(cell.value() + 1)];
        for (std::uint32_t i = begin; i < end; ++i) {
            const CornerId to = map.corner[SideId(i + 1 < end ? i + 1 : begin)];
            if (const char* why = check_side(map, site, SideId(i), to, extent)) return {i, why};
            if (extent.area > whole) return {};  // before it can overflow
        }
    }
    return {};
}

/// Wedges that turn left, meet along twins and leave the rectangle alone as their boundary, run
/// once around it, cover each point once: the degree of the map from the surface to the plane is 1.
Status check_tiling(const PolygonMap& map, Executor& executor) {
    constexpr std::size_t kChunk = std::size_t{1} << 12;
    const std::int64_t whole = 2 * map.bounds.width() * map.bounds.height();
    const std::size_t cells = map.cell_count();
    std::vector<Extent> extents((cells + kChunk - 1) / kChunk);
    std::vector<Broken> found(extents.size());
    parallel_for(executor, cells, kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     Extent extent;
                     found[chunk] = check_sides(map, {begin, end}, whole, extent);
                     extents[chunk] = extent;
                 });
    Extent all;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (found[i]) return broken(SideId::from_index(found[i].index), found[i].why);
        all.area += extents[i].area;
        all.boundary += extents[i].boundary;
        if (all.area > whole) break;
    }
    if (all.area != whole) return broken("the cells' areas do not add up to the rectangle's");
    if (all.boundary != 2 * (map.bounds.width() + map.bounds.height())) {
        return broken("the outer sides do not run once around the rectangle");
    }
    return ok_status();
}

}  // namespace

std::int64_t double_area(const PolygonMap& map, CellId cell) {
    std::int64_t area = 0;
    const GridPoint site = map.site[cell];
    const SideId last(map.side_begin[CellId(cell.value() + 1)] - 1);
    GridPoint a = map.corner_point[map.corner[last]];
    for (const SideId side : map.sides(cell)) {
        const GridPoint b = map.corner_point[map.corner[side]];
        area += orient2d(site, a, b);
        a = b;
    }
    return area;
}

Status validate_tiling(const PolygonMap& map, Executor& executor) {
    TW_TRY(check_rows(map, executor));
    TW_TRY(check_points(map, executor));
    if (map.spacing <= 0) return broken("the spacing is not positive; rebuild the map");
    return check_tiling(map, executor);
}

Status validate(const PolygonMap& map) {
    SerialExecutor serial;
    TW_TRY(validate_tiling(map, serial));
    TW_TRY(check_corners_used(map));
    return check_spacing(map);
}

}  // namespace tw::world
