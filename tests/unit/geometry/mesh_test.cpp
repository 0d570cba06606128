#include "terraway/geometry/mesh.hpp"

#include "terraway/geometry/ear_clipping.hpp"

#include "unit/geometry/random_points.hpp"

#include <gtest/gtest.h>

namespace {

using tw::geometry::Mesh;
using tw::geometry::MeshEdge;
using tw::geometry::MeshReport;
using tw::geometry::TVertex;
using Ids = std::vector<std::uint32_t>;
using Loops = std::vector<Ids>;

/// A square of four triangles about its middle.
Mesh pyramid() {
    return {{{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}, {4, 4, 5}},
            {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
}

TEST(Mesh, AnOpenSheetHasOneLoop) {
    const MeshReport report = validate(pyramid());
    EXPECT_TRUE(report.sound());
    EXPECT_FALSE(report.closed());
    EXPECT_EQ(report.boundary, (Loops{{0, 1, 2, 3}}));
}

TEST(Mesh, AClosedBodyHasNoBoundary) {
    Mesh mesh = pyramid();
    mesh.triangle.push_back({0, 2, 1});
    mesh.triangle.push_back({0, 3, 2});
    const MeshReport report = validate(mesh);
    EXPECT_TRUE(report.closed());
    EXPECT_EQ(report.facing_down, (Ids{4, 5}));  // the floor does
    EXPECT_TRUE(report.degenerate.empty());
}

TEST(Mesh, HolesAndFansHaveTheirOwnLoops) {
    // A ring of eight triangles about a hole.
    const Mesh ring{
        {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}, {3, 3, 0}, {6, 3, 0}, {6, 6, 0}, {3, 6, 0}},
        {{0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}}};
    EXPECT_TRUE(validate(ring).sound());
    EXPECT_EQ(validate(ring).boundary, (Loops{{0, 1, 2, 3}, {4, 7, 6, 5}}));
    // Two triangles that share a vertex only: two loops, not one crossing itself.
    const Mesh bow{{{0, 0, 0}, {4, 0, 0}, {2, 2, 0}, {4, 4, 0}, {0, 4, 0}}, {{0, 1, 2}, {2, 3, 4}}};
    EXPECT_TRUE(validate(bow).sound());
    EXPECT_EQ(validate(bow).boundary, (Loops{{0, 1, 2}, {2, 3, 4}}));
}

TEST(Mesh, NonManifoldAndInconsistentEdges) {
    Mesh mesh = pyramid();
    mesh.position.push_back({4, -4, 9});
    mesh.triangle.push_back({1, 4, 5});  // a third wing on 1–4
    const MeshReport wing = validate(mesh);
    EXPECT_EQ(wing.non_manifold, (std::vector<MeshEdge>{{1, 4}}));
    EXPECT_FALSE(wing.sound());

    Mesh turned = pyramid();
    turned.triangle[1] = {2, 1, 4};
    const MeshReport report = validate(turned);
    EXPECT_EQ(report.inconsistent, (std::vector<MeshEdge>{{1, 4}, {4, 2}}));
    EXPECT_EQ(report.facing_down, Ids{1});
    EXPECT_FALSE(report.closed());
    EXPECT_FALSE(report.sound());
}

TEST(Mesh, TVerticesAreFoundInSpace) {
    // The right half has a vertex in the middle of the common edge that the left half lacks.
    Mesh mesh{{{0, 0, 0}, {8, 0, 8}, {8, 8, 16}, {0, 8, 8}, {16, 4, 0}, {8, 4, 12}},
              {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {5, 4, 2}}};
    EXPECT_EQ(validate(mesh).t_vertices, (std::vector<TVertex>{{5, {1, 2}}}));
    mesh.position[5].z = 13;  // above the edge: a crack, not a T
    EXPECT_TRUE(validate(mesh).t_vertices.empty());
    mesh.position[5] = {8, 4, 12};
    mesh.triangle[0] = {0, 1, 5};  // mended
    mesh.triangle.push_back({0, 5, 2});
    EXPECT_TRUE(validate(mesh).sound());
    // On a vertical edge, where the plan sees one point.
    const Mesh wall{{{0, 0, 0}, {0, 0, 10}, {5, 0, 0}, {0, 0, 4}, {0, 7, 0}},
                    {{0, 2, 1}, {3, 4, 2}}};
    EXPECT_EQ(validate(wall).t_vertices, (std::vector<TVertex>{{3, {1, 0}}}));
}

TEST(Mesh, TrianglesWithoutAreaAndTwins) {
    Mesh mesh = pyramid();
    mesh.position.push_back({16, 0, 0});
    mesh.triangle.push_back({0, 1, 5});  // on one line
    mesh.triangle.push_back({0, 0, 1});  // a corner twice
    mesh.triangle.push_back({4, 0, 1});  // the first again
    mesh.triangle.push_back({1, 0, 4});  // and from below
    mesh.triangle.push_back({0, 1, 9});  // no such vertex
    const MeshReport report = validate(mesh);
    EXPECT_EQ(report.degenerate, (Ids{4, 5}));
    EXPECT_EQ(report.duplicate, (Ids{6, 7}));
    EXPECT_EQ(report.facing_down, (Ids{7}));
    EXPECT_EQ(report.out_of_range, (Ids{8}));
    // Vertical is neither without area nor facing down.
    const Mesh wall{{{0, 0, 0}, {4, 4, 0}, {4, 4, 9}}, {{0, 1, 2}}};
    EXPECT_TRUE(validate(wall).sound());
    // One step off a line across the whole grid.
    const std::int32_t m = tw::kMaxCoordinate;
    const Mesh thin{{{-m, -m, -m}, {m, m, m}, {0, 0, 1}}, {{0, 1, 2}}};
    EXPECT_TRUE(validate(thin).degenerate.empty());
    const Mesh flat{{{-m, -m, -m}, {m, m, m}, {0, 0, 0}}, {{0, 1, 2}}};
    EXPECT_EQ(validate(flat).degenerate, Ids{0});
}

TEST(Mesh, RepeatedPositions) {
    Mesh mesh = pyramid();
    mesh.position.push_back({8, 8, 0});
    mesh.position.push_back({8, 8, 0});
    EXPECT_EQ(validate(mesh).repeated_position, (Ids{5, 6}));
    mesh.triangle[1] = {1, 5, 4};  // torn along 2–4
    const MeshReport report = validate(mesh);
    EXPECT_EQ(report.boundary, (Loops{{0, 1, 5, 4, 2, 3}}));
}

TEST(Mesh, TriangulatedRingsAreSoundAndTheirBoundaryIsTheRing) {
    for (std::uint64_t id = 0; id < 30; ++id) {
        auto ring = tw::testing::random_ring(40, 1000, id);
        Mesh mesh;
        for (tw::GridPoint p : ring) mesh.position.push_back({p.x, p.y, p.x / 3 - p.y / 5});
        mesh.triangle = *tw::geometry::triangulate(ring);
        const MeshReport report = validate(mesh);
        EXPECT_TRUE(report.sound());
        ASSERT_EQ(report.boundary.size(), 1u);
        Ids loop = report.boundary[0];
        if (loop[1] != 1) std::reverse(loop.begin() + 1, loop.end());  // the ring was clockwise
        Ids expected(ring.size());
        for (std::uint32_t i = 0; i < ring.size(); ++i) expected[i] = i;
        EXPECT_EQ(loop, expected);
    }
}

TEST(Mesh, NothingIsFine) {
    EXPECT_TRUE(validate(Mesh{}).sound());
    EXPECT_TRUE(validate(Mesh{}).closed());
}

}  // namespace
