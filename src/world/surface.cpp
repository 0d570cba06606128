#include "terraway/world/surface.hpp"

#include "terraway/math/int128.hpp"
#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <optional>

namespace tw::world {
namespace {

/// A vertex of a cell's rim: a corner, or where a river crosses a side.
struct RimVertex {
    GridPoint point;
    CornerId corner;
    CellId river;  ///< whose river crosses here; none: a corner
};
struct RimPiece {
    RimVertex start, end;
};

RimVertex corner_vertex(const PolygonMap& map, SideId side) {
    const CornerId corner = map.corner[side];
    return {map.corner_point[corner], corner, {}};
}

/// Calls visit(vertex) for the vertices of the cell's rim, counter-clockwise, the first one again
/// at the end; stops when it returns true.
template <class Visit>
bool any_rim_vertex(const CanonicalSurface& surface, CellId cell, Visit&& visit) {
    const PolygonMap& map = *surface.map;
    const IdRange<SideId> sides = map.sides(cell);
    for (const SideId side : sides) {
        if (visit(corner_vertex(map, side))) return true;
        const CellId river = surface.rivers ? surface.rivers->over(map, side) : CellId();
        if (river && visit(RimVertex{surface.rivers->crossing[river], {}, river})) return true;
    }
    return visit(corner_vertex(map, *sides.begin()));
}

/// The piece of the cell's rim whose triangle with the site contains the point, if any.
std::optional<RimPiece> find_piece(const CanonicalSurface& surface, CellId cell, GridPoint p) {
    const GridPoint site = surface.map->site[cell];
    RimVertex start;
    std::int64_t side_of_start = -1;  // of the ray from the site: > 0 when p lies to its left
    RimPiece piece;
    const bool found = any_rim_vertex(surface, cell, [&](const RimVertex& end) {
        const std::int64_t side_of_end = orient2d(site, end.point, p);
        if (side_of_start >= 0 && side_of_end <= 0 && orient2d(start.point, end.point, p) >= 0) {
            piece = {start, end};
            return true;
        }
        start = end;
        side_of_start = side_of_end;
        return false;
    });
    return found ? std::optional(piece) : std::nullopt;
}

/// The height at `p` on the plane of a site and a piece of its rim, to the nearest step, halves up.
Steps height_on(const CanonicalSurface& surface, CellId cell, const RimPiece& piece, GridPoint p) {
    const auto elevation = [&](const RimVertex& vertex) {
        return std::int64_t{vertex.river ? surface.rivers->crossing_elevation[vertex.river]
                                         : surface.drainage->corner_elevation[vertex.corner]};
    };
    const GridPoint a = surface.map->site[cell], b = piece.start.point, c = piece.end.point;
    const Steps base = surface.drainage->elevation[cell];
    const std::int64_t wb = orient2d(a, p, c), wc = orient2d(a, b, p), whole = orient2d(a, b, c);
    const std::int64_t rise_b = elevation(piece.start) - base, rise_c = elevation(piece.end) - base;
    // The weights lie within 0 … whole, the rises within 2³³: most triangles fit 64 bits.
    if (whole < std::int64_t{1} << 28) {
        return base + static_cast<Steps>(floor_quotient<std::int64_t>(
                          wb * rise_b + wc * rise_c + whole / 2, whole));
    }
    const Int128 rise =
        wide_product<Int128>(wb, rise_b) + wide_product<Int128>(wc, rise_c) + Int128{whole / 2};
    return base + static_cast<Steps>(floor_quotient<Int128>(rise, whole));
}

}  // namespace

SurfaceQuery::SurfaceQuery(const CanonicalSurface& surface)
    : surface_(surface),
      own_(std::make_shared<const CellIndex>(*surface.map)),
      index_(own_.get()) {}

GridPoint SurfaceQuery::within_bounds(GridPoint point) const {
    const GridBox& bounds = surface_.map->bounds;
    return {std::clamp(point.x, bounds.lo.x, bounds.hi.x),
            std::clamp(point.y, bounds.lo.y, bounds.hi.y)};
}

/// Calls visit(cell, piece, point within bounds) for the cell of least id that contains the point.
template <class Visit>
void SurfaceQuery::locate(GridPoint point, Visit&& visit) const {
    const GridPoint p = within_bounds(point);
    for (const CellId cell : index_->near(p)) {
        if (const std::optional<RimPiece> piece = find_piece(surface_, cell, p)) {
            return visit(cell, *piece, p);
        }
    }
}

CellId SurfaceQuery::cell_at(GridPoint point) const {
    CellId found;
    locate(point, [&](CellId cell, const RimPiece&, GridPoint) { found = cell; });
    return found;
}

Steps SurfaceQuery::height_at(GridPoint point) const {
    Steps height = 0;
    locate(point, [&](CellId cell, const RimPiece& piece, GridPoint p) {
        height = height_on(surface_, cell, piece, p);
    });
    return height;
}

Steps SurfaceQuery::height_at(GridPoint point, CellId& cell) const {
    if (cell) {
        const GridPoint p = within_bounds(point);
        const std::optional<RimPiece> piece = find_piece(surface_, cell, p);
        // Off its rim a cell has its points for itself.
        if (piece && orient2d(piece->start.point, piece->end.point, p) > 0) {
            return height_on(surface_, cell, *piece, p);
        }
    }
    Steps height = 0;
    locate(point, [&](CellId found, const RimPiece& piece, GridPoint p) {
        cell = found;
        height = height_on(surface_, found, piece, p);
    });
    return height;
}

}  // namespace tw::world
