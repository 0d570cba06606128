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
    RiverVertexId river;  ///< none: a corner
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
        const RiverVertexId river =
            surface.rivers ? surface.rivers->vertex_of_side[side] : RiverVertexId();
        if (river && visit(RimVertex{surface.rivers->vertex_point[river], {}, river})) return true;
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
        return std::int64_t{vertex.river ? surface.rivers->vertex_elevation[vertex.river]
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

GridBox box_of(const CanonicalSurface& surface, CellId cell) {
    GridBox box;
    any_rim_vertex(surface, cell, [&](const RimVertex& vertex) {
        box.include(vertex.point);
        return false;
    });
    return box;
}

}  // namespace

SurfaceQuery::SurfaceQuery(const CanonicalSurface& surface)
    : surface_(surface), origin_(surface.map->bounds.lo) {
    const PolygonMap& map = *surface.map;
    const GridBox& bounds = map.bounds;
    // Buckets about as large as cells, so that few cells share one and few buckets share a cell.
    const std::int64_t area = bounds.width() * bounds.height();
    const auto cells = static_cast<std::int64_t>(map.cell_count());
    while (shift_ < 30 && (std::int64_t{1} << (2 * shift_)) < area / cells) ++shift_;
    columns_ = static_cast<std::int32_t>((bounds.width() >> shift_) + 1);
    rows_ = static_cast<std::int32_t>((bounds.height() >> shift_) + 1);

    const auto for_each_bucket = [&](CellId cell, auto&& visit) {
        const GridBox box = box_of(surface, cell);
        const auto bucket = [&](std::int32_t c, std::int32_t lo) { return (c - lo) >> shift_; };
        for (std::int32_t row = bucket(box.lo.y, origin_.y); row <= bucket(box.hi.y, origin_.y);
             ++row) {
            for (std::int32_t column = bucket(box.lo.x, origin_.x);
                 column <= bucket(box.hi.x, origin_.x); ++column) {
                visit(static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column));
            }
        }
    };
    bucket_begin_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1,
                         0);
    for (const CellId cell : map.site.ids()) {
        for_each_bucket(cell, [&](std::size_t bucket) { ++bucket_begin_[bucket + 1]; });
    }
    for (std::size_t i = 1; i < bucket_begin_.size(); ++i) bucket_begin_[i] += bucket_begin_[i - 1];
    cell_in_bucket_.resize(bucket_begin_.back());
    std::vector<std::uint32_t> next(bucket_begin_.begin(), bucket_begin_.end() - 1);
    for (const CellId cell : map.site.ids()) {
        for_each_bucket(cell, [&](std::size_t bucket) { cell_in_bucket_[next[bucket]++] = cell; });
    }
}

/// Calls visit(cell, piece, point within bounds) for the cell of least id that contains the point.
template <class Visit>
void SurfaceQuery::locate(GridPoint point, Visit&& visit) const {
    const GridBox& bounds = surface_.map->bounds;
    const GridPoint p{std::clamp(point.x, bounds.lo.x, bounds.hi.x),
                      std::clamp(point.y, bounds.lo.y, bounds.hi.y)};
    const auto column = static_cast<std::size_t>((std::int64_t{p.x} - origin_.x) >> shift_);
    const auto row = static_cast<std::size_t>((std::int64_t{p.y} - origin_.y) >> shift_);
    const std::size_t bucket = row * static_cast<std::size_t>(columns_) + column;
    for (std::uint32_t i = bucket_begin_[bucket]; i < bucket_begin_[bucket + 1]; ++i) {
        const CellId cell = cell_in_bucket_[i];
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

}  // namespace tw::world
