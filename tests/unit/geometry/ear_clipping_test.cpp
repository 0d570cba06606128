#include "terraway/geometry/ear_clipping.hpp"

#include "terraway/geometry/polygon.hpp"
#include "terraway/math/predicates.hpp"
#include "terraway/math/vec.hpp"

#include "unit/geometry/random_points.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace {

using tw::GridPoint;
using tw::geometry::Triangle;
using Ring = std::vector<GridPoint>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Everything that a triangulation of these rings must be: counts, areas, edges, empty circles.
void expect_triangulation(const std::vector<Ring>& rings, const std::vector<Triangle>& triangles) {
    Ring point;
    std::map<Edge, int> ring_edge;  // 1 as the ring has it with the inside on its left
    std::int64_t area = 0;
    for (std::size_t r = 0; r < rings.size(); ++r) {
        const auto first = static_cast<std::uint32_t>(point.size());
        const auto n = static_cast<std::uint32_t>(rings[r].size());
        const std::int64_t own = tw::geometry::double_area(rings[r]);
        area += r == 0 ? std::abs(own) : -std::abs(own);
        for (std::uint32_t i = 0; i < n; ++i) {
            const Edge edge{first + i, first + (i + 1) % n};
            ring_edge[(own > 0) == (r == 0) ? edge : Edge{edge.second, edge.first}] = 1;
            point.push_back(rings[r][i]);
        }
    }
    EXPECT_EQ(triangles.size(), point.size() + 2 * (rings.size() - 1) - 2);
    std::map<Edge, std::uint32_t> apex;  // of the triangle to the left of each directed edge
    std::int64_t covered = 0;
    for (const Triangle& t : triangles) {
        const std::int64_t own = orient2d(point[t[0]], point[t[1]], point[t[2]]);
        EXPECT_GT(own, 0);
        covered += own;
        for (std::size_t k = 0; k < 3; ++k) {
            const Edge edge{t[k], t[(k + 1) % 3]};
            EXPECT_TRUE(apex.emplace(edge, t[(k + 2) % 3]).second) << "used twice in one direction";
        }
    }
    EXPECT_EQ(covered, area);
    for (const auto& [edge, left] : apex) {
        const Edge back{edge.second, edge.first};
        const auto other = apex.find(back);
        EXPECT_EQ(other == apex.end(), ring_edge.contains(edge))
            << edge.first << " " << edge.second;
        if (other == apex.end()) continue;
        EXPECT_LE(
            incircle(point[edge.first], point[edge.second], point[left], point[other->second]), 0);
    }
    for (const auto& [edge, one] : ring_edge) EXPECT_TRUE(apex.contains(edge));
    EXPECT_TRUE(std::is_sorted(triangles.begin(), triangles.end()));
}

void expect_triangulates(const Ring& ring) {
    const auto result = tw::geometry::triangulate(ring);
    ASSERT_TRUE(result.ok()) << to_string(result.error());
    expect_triangulation({ring}, *result);
}
void expect_triangulates(const Ring& outer, const std::vector<Ring>& holes) {
    const auto result = tw::geometry::triangulate(outer, holes);
    ASSERT_TRUE(result.ok()) << to_string(result.error());
    std::vector<Ring> rings{outer};
    rings.insert(rings.end(), holes.begin(), holes.end());
    expect_triangulation(rings, *result);
}

Ring rectangle(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1) {
    return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

TEST(EarClipping, SmallRings) {
    expect_triangulates({{0, 0}, {1, 0}, {0, 1}});
    expect_triangulates(rectangle(0, 0, 5, 5));
    expect_triangulates({{0, 0}, {10, 0}, {10, 10}, {5, 1}, {0, 10}});
    const std::int32_t m = tw::kMaxCoordinate;
    expect_triangulates({{-m, -m}, {m, -m}, {m, m}, {0, -m + 1}, {-m, m}});
}

TEST(EarClipping, VerticesOnStraightSidesBecomeCorners) {
    expect_triangulates({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}});
    // Every side of a square cut in ten: no triangle may lie along one.
    Ring ring;
    for (std::int32_t i = 0; i < 10; ++i) ring.push_back({i, 0});
    for (std::int32_t i = 0; i < 10; ++i) ring.push_back({10, i});
    for (std::int32_t i = 10; i > 0; --i) ring.push_back({i, 10});
    for (std::int32_t i = 10; i > 0; --i) ring.push_back({0, i});
    expect_triangulates(ring);
    // All but one corner on one line.
    Ring fan;
    for (std::int32_t i = 0; i <= 50; ++i) fan.push_back({i, 0});
    fan.push_back({25, 1});
    expect_triangulates(fan);
}

TEST(EarClipping, RandomRingsOfAllSizes) {
    for (std::uint64_t id = 0; id < 300; ++id) {
        SCOPED_TRACE(id);
        const Ring ring =
            tw::testing::random_ring(4 + id % 60, id % 3 == 0 ? 8 : 100'000, 1000 + id);
        if (ring.size() >= 3) expect_triangulates(ring);
    }
    expect_triangulates(tw::testing::random_ring(400, 5000, 2000));
}

TEST(EarClipping, SpiralsAndCombs) {
    Ring spiral;  // a corridor two wide that winds inwards
    for (std::int32_t k = 0; k < 20; ++k) {
        const std::int32_t r = 100 - 4 * k;
        for (GridPoint corner : {GridPoint{-r, -r}, {r, -r}, {r, r}, {-r, r - 4}})
            spiral.push_back(corner);
    }
    Ring inner;
    for (std::int32_t k = 0; k < 20; ++k) {
        const std::int32_t r = 98 - 4 * k;
        for (GridPoint corner : {GridPoint{-r, -r}, {r, -r}, {r, r}, {-r, r - 4}})
            inner.push_back(corner);
    }
    spiral.insert(spiral.end(), inner.rbegin(), inner.rend());
    ASSERT_TRUE(tw::geometry::is_simple(spiral));
    expect_triangulates(spiral);
    Ring comb{{0, -10}};
    for (std::int32_t i = 100; i >= 0; --i) comb.push_back({i * 10, i % 2 == 0 ? 1000 : 0});
    comb.insert(comb.begin() + 1, {1000, -10});
    expect_triangulates(comb);
}

TEST(EarClipping, TheResultDependsOnThePointsAlone) {
    for (std::uint64_t id = 0; id < 40; ++id) {
        // Few places, so that many points lie on circles.
        const Ring ring = tw::testing::random_ring(20, id % 2 == 0 ? 6 : 500, 3000 + id);
        const auto as_points = [](const Ring& r, const std::vector<Triangle>& triangles) {
            std::vector<std::array<GridPoint, 3>> all;
            for (const Triangle& t : triangles) {
                std::array<GridPoint, 3> corners{r[t[0]], r[t[1]], r[t[2]]};
                std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()),
                            corners.end());
                all.push_back(corners);
            }
            std::sort(all.begin(), all.end());
            return all;
        };
        const auto whole = as_points(ring, *tw::geometry::triangulate(ring));
        Ring turned = ring;
        for (std::size_t k = 0; k < ring.size(); ++k) {
            std::rotate(turned.begin(), turned.begin() + 1, turned.end());
            EXPECT_EQ(as_points(turned, *tw::geometry::triangulate(turned)), whole);
        }
        std::reverse(turned.begin(), turned.end());
        EXPECT_EQ(as_points(turned, *tw::geometry::triangulate(turned)), whole);
        Ring moved = ring;
        for (GridPoint& p : moved) p = p + GridPoint{123'456'789, -98'765'432};
        EXPECT_EQ(*tw::geometry::triangulate(moved), *tw::geometry::triangulate(ring));
    }
}

TEST(EarClipping, Holes) {
    expect_triangulates(rectangle(0, 0, 30, 30), {rectangle(10, 10, 20, 20)});
    Ring clockwise = rectangle(10, 10, 20, 20);
    std::reverse(clockwise.begin(), clockwise.end());
    expect_triangulates(rectangle(0, 0, 30, 30), {clockwise});
    // In a row, so that bridges go from hole to hole along one line; and one above the other.
    std::vector<Ring> row, column;
    for (std::int32_t i = 0; i < 6; ++i) {
        row.push_back(rectangle(10 + 10 * i, 10, 15 + 10 * i, 15));
        column.push_back(rectangle(10, 10 + 10 * i, 15, 15 + 10 * i));
    }
    expect_triangulates(rectangle(0, 0, 100, 25), row);
    expect_triangulates(rectangle(0, 0, 25, 100), column);
    std::reverse(row.begin(), row.end());
    expect_triangulates(rectangle(0, 0, 100, 25), row);
    // A grid of diamonds whose tips share rows and columns.
    std::vector<Ring> grid;
    for (std::int32_t i = 0; i < 5; ++i) {
        for (std::int32_t j = 0; j < 5; ++j) {
            const std::int32_t x = 10 + 10 * i, y = 10 + 10 * j;
            grid.push_back({{x - 4, y}, {x, y - 4}, {x + 4, y}, {x, y + 4}});
        }
    }
    expect_triangulates(rectangle(0, 0, 60, 60), grid);
    // A hole that nearly fills the ring, and one in a crook.
    expect_triangulates(rectangle(0, 0, 100, 100), {rectangle(1, 1, 99, 99)});
    expect_triangulates(
        {{0, 0}, {40, 0}, {40, 40}, {30, 40}, {30, 10}, {10, 10}, {10, 40}, {0, 40}},
        {rectangle(32, 20, 38, 30), rectangle(2, 20, 8, 30), rectangle(15, 2, 25, 8)});
}

TEST(EarClipping, RandomHolesInRandomRings) {
    int with_holes = 0;
    for (std::uint64_t id = 0; id < 120; ++id) {
        SCOPED_TRACE(id);
        const Ring outer = tw::testing::random_ring(24, 1000, 5000 + id);
        std::vector<Ring> holes;
        for (std::uint64_t k = 0; k < 25; ++k) {
            Ring hole = tw::testing::random_ring(5, 60, 6000 + 100 * id + k);
            if (hole.size() < 3) continue;
            const GridPoint by = tw::testing::random_points(1, 900, 9000 + 100 * id + k)[0];
            for (GridPoint& p : hole) p = p + by;
            std::vector<Ring> more = holes;
            more.push_back(hole);
            if (tw::geometry::triangulate(outer, more).ok()) holes = more;
        }
        with_holes += !holes.empty();
        expect_triangulates(outer, holes);
    }
    EXPECT_GT(with_holes, 60);
}

TEST(EarClipping, WhatCannotBeTriangulatedIsRefused) {
    const auto refused = [](const Ring& outer, const std::vector<Ring>& holes,
                            std::string_view subject) {
        const auto result = tw::geometry::triangulate(outer, holes);
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, tw::ErrorCode::invalid_input);
        EXPECT_EQ(result.error().subject.text(), subject);
    };
    const Ring square = rectangle(0, 0, 30, 30);
    refused({}, {}, "edge 0");
    refused({{0, 0}, {5, 0}}, {}, "edge 0");
    refused({{0, 0}, {5, 0}, {9, 0}}, {}, "edge 0");
    refused({{0, 0}, {9, 9}, {9, 0}, {0, 9}}, {}, "edge 0");
    refused({{0, 0}, {9, 0}, {9, 9}, {9, 9}}, {}, "edge 2");
    refused({{0, 0}, {1 << 30, 0}, {9, 9}}, {}, "a vertex");
    refused(square, {rectangle(10, 10, 40, 20)}, "hole 0, edge 0");  // leaves the ring
    refused(square, {rectangle(0, 10, 20, 20)}, "hole 0, edge 0");   // touches it in a vertex
    refused(square, {rectangle(40, 40, 50, 50)}, "hole 0");          // outside
    refused(square, {rectangle(5, 5, 25, 25), rectangle(10, 10, 20, 20)}, "hole 1");
    refused(square, {rectangle(5, 5, 15, 15), rectangle(15, 5, 25, 15)}, "hole 1, edge 0");
    refused(square, {{{10, 10}, {12, 10}, {11, 10}}}, "hole 0, edge 0");
}

}  // namespace
