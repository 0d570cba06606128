#include "terraway/world/surface.hpp"

#include "terraway/math/int128.hpp"
#include "terraway/math/predicates.hpp"

#include "support/point_sets.hpp"
#include "support/river_map.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tw::world {
namespace {

struct Corner3 {
    GridPoint point;
    std::int64_t height;
};
struct Triangle {
    CellId cell;
    Corner3 a, b, c;
};

/// Every triangle of the surface, the wedges that a river crosses in two.
std::vector<Triangle> all_triangles(const CanonicalSurface& surface) {
    const PolygonMap& map = *surface.map;
    std::vector<Triangle> triangles;
    for (const SideId side : map.corner.ids()) {
        const CellId cell = map.cell_of_side[side];
        const auto corner = [&](CornerId id) {
            return Corner3{map.corner_point[id], surface.drainage->corner_elevation[id]};
        };
        const Corner3 site{map.site[cell], surface.drainage->elevation[cell]};
        const Corner3 start = corner(map.corner[side]), end = corner(map.end_corner(side));
        const CellId river = surface.rivers ? surface.rivers->over(map, side) : CellId();
        if (river) {
            const Corner3 split{surface.rivers->crossing[river],
                                surface.rivers->crossing_elevation[river]};
            triangles.push_back({cell, site, start, split});
            triangles.push_back({cell, site, split, end});
        } else {
            triangles.push_back({cell, site, start, end});
        }
    }
    return triangles;
}

bool contains(const Triangle& t, GridPoint p) {
    return orient2d(t.a.point, t.b.point, p) >= 0 && orient2d(t.b.point, t.c.point, p) >= 0 &&
           orient2d(t.c.point, t.a.point, p) >= 0;
}

/// The nearest whole height, halves up: the only h with 2 z − 1 < 2 h <= 2 z + 1 for the exact
/// rational z, found without dividing.
bool is_rounded_height(const Triangle& t, GridPoint p, std::int64_t height) {
    const std::int64_t area = orient2d(t.a.point, t.b.point, t.c.point);
    const PortableInt128 z =
        wide_product<PortableInt128>(orient2d(t.b.point, t.c.point, p), 2 * t.a.height) +
        wide_product<PortableInt128>(orient2d(t.c.point, t.a.point, p), 2 * t.b.height) +
        wide_product<PortableInt128>(orient2d(t.a.point, t.b.point, p), 2 * t.c.height);
    const PortableInt128 twice = wide_product<PortableInt128>(area, 2 * height);
    return z - PortableInt128(area) < twice && twice <= z + PortableInt128(area);
}

void expect_like_brute_force(const CanonicalSurface& surface, std::span<const GridPoint> points) {
    const std::vector<Triangle> triangles = all_triangles(surface);
    const SurfaceQuery query(surface);
    for (const GridPoint p : points) {
        CellId least;
        const Steps height = query.height_at(p);
        for (const Triangle& t : triangles) {
            if (!contains(t, p)) continue;
            least = std::min(least, t.cell);
            EXPECT_TRUE(is_rounded_height(t, p, height)) << p.x << ' ' << p.y << ' ' << height;
        }
        EXPECT_EQ(query.cell_at(p), least) << p.x << ' ' << p.y;
    }
}

/// Random points, and all the places where triangles meet.
std::vector<GridPoint> probes_of(const CanonicalSurface& surface, std::size_t count) {
    testing::Dice dice(3);
    const GridBox& box = surface.map->bounds;
    std::vector<GridPoint> points;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t x = dice.between(box.lo.x, box.hi.x);
        const std::int32_t y = dice.between(box.lo.y, box.hi.y);
        points.push_back({x, y});
    }
    for (const GridPoint p : surface.map->site.span()) points.push_back(p);
    for (const GridPoint p : surface.map->corner_point.span()) points.push_back(p);
    if (surface.rivers) {
        for (const CellId cell : surface.map->site.ids()) {
            if (surface.rivers->side[cell]) points.push_back(surface.rivers->crossing[cell]);
        }
    }
    return points;
}

TEST(SurfaceQuery, AgreesWithAllTrianglesOnRivers) {
    const test::RiverMap m = test::river_map(
        {.lattice = {
             .columns = 12, .rows = 9, .side = 4096, .jitter = 400, .origin = {-20'000, 1000}}});
    ASSERT_FALSE(m.rivers.reach_start.empty());
    expect_like_brute_force(m.surface(), probes_of(m.surface(), 3000));
    expect_like_brute_force(m.dry_surface(), probes_of(m.dry_surface(), 1000));
}

// Cells of 100 km: the exact height needs more than 64 bits.
TEST(SurfaceQuery, IsExactOnTheWidestTriangles) {
    test::RiverMap m = test::river_map({.lattice = {.columns = 9,
                                                    .rows = 5,
                                                    .side = 100'000'000,
                                                    .jitter = 10'000'000,
                                                    .origin = {-450'000'000, -250'000'000}},
                                        .fall = 1'000'000});
    expect_like_brute_force(m.surface(), probes_of(m.surface(), 2000));
}

TEST(SurfaceQuery, VerticesHaveTheirOwnHeights) {
    const test::RiverMap m = test::river_map({});
    const SurfaceQuery query(m.surface());
    for (const CellId cell : m.map.site.ids()) {
        EXPECT_EQ(query.cell_at(m.map.site[cell]), cell);
        EXPECT_EQ(query.height_at(m.map.site[cell]), m.drainage.elevation[cell]);
    }
    for (const CornerId corner : m.map.corner_point.ids()) {
        EXPECT_EQ(query.height_at(m.map.corner_point[corner]), m.drainage.corner_elevation[corner]);
    }
    for (const CellId cell : m.map.site.ids()) {
        if (!m.rivers.side[cell]) continue;
        EXPECT_EQ(query.height_at(m.rivers.crossing[cell]), m.rivers.crossing_elevation[cell]);
    }
}

TEST(SurfaceQuery, PointsOutsideAreClamped) {
    const test::RiverMap m = test::river_map({});
    const SurfaceQuery query(m.surface());
    const GridBox& box = m.map.bounds;
    EXPECT_EQ(query.cell_at({box.lo.x - 1000, box.lo.y - 1000}), query.cell_at(box.lo));
    EXPECT_EQ(query.height_at({box.hi.x + 5, box.lo.y + 700}),
              query.height_at({box.hi.x, box.lo.y + 700}));
    EXPECT_EQ(query.cell_at({kMaxCoordinate, kMaxCoordinate}), query.cell_at(box.hi));
}

TEST(SurfaceQuery, OneCellIsAMap) {
    PolygonMap map = test::lattice_map({.columns = 1, .rows = 1, .side = 1000});
    Drainage drainage;
    drainage.elevation = {80};
    drainage.corner_elevation = {0, 0, 40, 40};
    const SurfaceQuery query(CanonicalSurface{&map, &drainage, nullptr});
    EXPECT_EQ(query.cell_at({1, 999}), CellId(0));
    EXPECT_EQ(query.height_at({500, 500}), 80);
    EXPECT_EQ(query.height_at({500, 250}), 40);
    EXPECT_EQ(query.height_at({500, 0}), 0);
}

}  // namespace
}  // namespace tw::world
