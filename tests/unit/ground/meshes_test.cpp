#include "terraway/ground/meshes.hpp"

#include "terraway/core/thread_pool.hpp"
#include "terraway/ground/street_meshes.hpp"
#include "terraway/math/vec.hpp"

#include "support/river_map.hpp"

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tw::ground {
namespace {

using test::RiverMap;
using world::GroundMeshes;
using world::MeshChunk;
using world::NamedSurface;

using Place = std::array<std::int64_t, 3>;  ///< [steps] in the world's frame

Place place_of(const MeshChunk& chunk, world::MeshVertexId vertex) {
    const auto& at = chunk.position[vertex];
    return {std::int64_t{chunk.origin.x} + at[0], std::int64_t{chunk.origin.y} + at[1], at[2]};
}

Vec3d face_normal(const Place& a, const Place& b, const Place& c) {
    const auto offset = [&](const Place& to) {
        return Vec3d{static_cast<double>(to[0] - a[0]), static_cast<double>(to[1] - a[1]),
                     static_cast<double>(to[2] - a[2])};
    };
    return cross(offset(b), offset(c));
}

/// What must hold for every surface: unit normals that no triangle turns its back on, equal at
/// equal places; nothing faces down; edges of two triangles run opposite ways. Returns the edges of
/// one triangle, and the area in plan.
struct Audit {
    std::map<std::pair<Place, Place>, int> boundary;
    double plan_area = 0.0;
    std::size_t triangles = 0;
};
Audit audit(const NamedSurface& surface) {
    Audit out;
    std::map<Place, Vec3f> normal_at;
    std::map<std::pair<Place, Place>, int> edges;
    GridPoint before{INT32_MIN, INT32_MIN};
    for (const MeshChunk& chunk : surface.chunk) {
        EXPECT_GT(chunk.triangle.size(), 0u);
        EXPECT_EQ(chunk.origin.x % world::kChunkSize, 0);
        EXPECT_EQ(chunk.origin.y % world::kChunkSize, 0);
        if (surface.name != "water") {  // there the sea's chunks come first, then those of lakes
            EXPECT_LT(std::pair(before.y, before.x), std::pair(chunk.origin.y, chunk.origin.x));
        }
        before = chunk.origin;
        EXPECT_EQ(chunk.position.size(), chunk.normal.size());
        EXPECT_EQ(chunk.position.size(), chunk.rgba.size());
        for (const auto vertex : chunk.position.ids()) {
            const Place place = place_of(chunk, vertex);
            EXPECT_NEAR(length(chunk.normal[vertex]), 1.0f, 1e-6f);
            const auto [entry, is_new] = normal_at.emplace(place, chunk.normal[vertex]);
            EXPECT_TRUE(is_new || entry->second == chunk.normal[vertex]) << "a seam's normals";
        }
        for (const auto& triangle : chunk.triangle.span()) {
            const Place p[3] = {place_of(chunk, triangle[0]), place_of(chunk, triangle[1]),
                                place_of(chunk, triangle[2])};
            const Vec3d face = face_normal(p[0], p[1], p[2]);
            EXPECT_GT(face.z, 0.0);
            out.plan_area += face.z / 2;
            ++out.triangles;
            for (int k = 0; k < 3; ++k) {
                const Vec3f n = chunk.normal[triangle[static_cast<std::size_t>(k)]];
                EXPECT_GT(dot(Vec3d{n.x, n.y, n.z}, face), 0.0);
                ++edges[{p[k], p[(k + 1) % 3]}];
            }
        }
    }
    for (const auto& [edge, uses] : edges) {
        EXPECT_EQ(uses, 1) << "two triangles run along an edge the same way";
        if (!edges.contains({edge.second, edge.first})) out.boundary.emplace(edge, uses);
    }
    return out;
}

GroundMeshes meshes_of(const RiverMap& world, const world::CanonicalSurface& surface,
                       unsigned threads = 1) {
    ThreadPool executor(threads);
    StageContext context(executor);
    auto meshes = build_meshes(surface, world.relief, world.biomes, nullptr, nullptr, context);
    EXPECT_TRUE(meshes.ok());
    return std::move(meshes).value();
}

const NamedSurface& named(const GroundMeshes& meshes, std::string_view name) {
    for (const NamedSurface& surface : meshes.surface) {
        if (surface.name == name) return surface;
    }
    ADD_FAILURE() << "no surface " << name;
    return meshes.surface.front();
}

/// A map over several chunks on both sides of the axes.
test::RiverMapOptions wide() {
    test::RiverMapOptions options;
    options.lattice = {.columns = 14,
                       .rows = 12,
                       .side = 1 << 20,
                       .jitter = 100'000,
                       .origin = {-7'000'000, -5'500'001}};
    options.fall = 200'000;
    return options;
}

TEST(Meshes, TerrainIsOneSurfaceOverTheRectangle) {
    const RiverMap world = test::river_map(wide());
    const GroundMeshes meshes = meshes_of(world, world.surface());
    const NamedSurface& terrain = named(meshes, "terrain");
    EXPECT_GT(terrain.chunk.size(), 6u);
    const Audit result = audit(terrain);
    std::size_t split = 0;
    for (const auto side : world.map.corner.ids()) {
        split += world.rivers.over(world.map, side).is_none() ? 0 : 1;
    }
    ASSERT_GT(split, 50u);
    EXPECT_EQ(result.triangles, world.map.side_count() + split);
    const GridBox& bounds = world.map.bounds;
    EXPECT_EQ(result.plan_area,
              static_cast<double>(bounds.width()) * static_cast<double>(bounds.height()));
    EXPECT_EQ(result.boundary.size(), 2u * (14 + 12));
    for (const auto& [edge, uses] : result.boundary) {
        const bool vertical = edge.first[0] == edge.second[0] &&
                              (edge.first[0] == bounds.lo.x || edge.first[0] == bounds.hi.x);
        const bool level = edge.first[1] == edge.second[1] &&
                           (edge.first[1] == bounds.lo.y || edge.first[1] == bounds.hi.y);
        EXPECT_TRUE(vertical || level);
    }
}

TEST(Meshes, RiverVerticesAreInTheTerrain) {
    const RiverMap world = test::river_map();
    const GroundMeshes meshes = meshes_of(world, world.surface());
    std::set<Place> places;
    for (const MeshChunk& chunk : named(meshes, "terrain").chunk) {
        for (const auto vertex : chunk.position.ids()) places.insert(place_of(chunk, vertex));
    }
    for (const auto cell : world.map.site.ids()) {
        if (!world.rivers.side[cell]) continue;
        const GridPoint at = world.rivers.crossing[cell];
        EXPECT_TRUE(places.contains({at.x, at.y, world.rivers.crossing_elevation[cell]}));
    }
}

TEST(Meshes, NormalsOfAPlaneAreThePlanes) {
    RiverMap world = test::river_map();
    const auto plane = [](GridPoint p) { return 2 * p.x - p.y; };
    for (const auto cell : world.map.site.ids()) {
        world.drainage.elevation.edit(cell) = plane(world.map.site[cell]);
    }
    for (const auto corner : world.map.corner_point.ids()) {
        world.drainage.corner_elevation.edit(corner) = plane(world.map.corner_point[corner]);
    }
    const GroundMeshes meshes = meshes_of(world, world.dry_surface());
    const double size = std::sqrt(2.0 * 2.0 + 1.0 + 1.0);
    for (const MeshChunk& chunk : named(meshes, "terrain").chunk) {
        for (const Vec3f& normal : chunk.normal.span()) {
            EXPECT_NEAR(normal.x, -2.0 / size, 1e-6);
            EXPECT_NEAR(normal.y, 1.0 / size, 1e-6);
            EXPECT_NEAR(normal.z, 1.0 / size, 1e-6);
        }
    }
}

TEST(Meshes, NormalsSeeAllTheirTrianglesOnCliffs) {
    RiverMap world = test::river_map();
    RandomStream random(Seed{5}, Purpose("cliffs"), 0);
    for (const auto cell : world.map.site.ids()) {
        world.drainage.elevation.edit(cell) = static_cast<Steps>(random.below(9'000'000));
    }
    for (const auto corner : world.map.corner_point.ids()) {
        world.drainage.corner_elevation.edit(corner) = static_cast<Steps>(random.below(9'000'000));
    }
    audit(named(meshes_of(world, world.dry_surface()), "terrain"));
}

TEST(Meshes, WaterLiesLevel) {
    RiverMap world = test::river_map();
    // Two lakes that touch at a corner only, each of two cells: (3, 3) (4, 3) and (5, 4) (6, 4).
    const std::uint32_t columns = 24;
    const std::vector<world::CellId> low{world::CellId(3 * columns + 3),
                                         world::CellId(3 * columns + 4)};
    const std::vector<world::CellId> high{world::CellId(4 * columns + 5),
                                          world::CellId(4 * columns + 6)};
    for (const auto& lake : {low, high}) {
        for (const world::CellId cell : lake) {
            world.relief.water.edit(cell) = world.drainage.water.edit(cell) = world::Water::lake;
        }
    }
    world.drainage.elevation.edit(low[0]) = 50'000;
    world.drainage.elevation.edit(low[1]) = 50'001;
    world.drainage.elevation.edit(high[0]) = 60'000;
    world.drainage.elevation.edit(high[1]) = 59'999;
    const GroundMeshes meshes = meshes_of(world, world.surface());
    const NamedSurface& water = named(meshes, "water");
    const Audit result = audit(water);
    std::map<std::int64_t, std::size_t> triangles_at;
    for (const MeshChunk& chunk : water.chunk) {
        for (const auto& triangle : chunk.triangle.span()) {
            const std::int64_t z = chunk.position[triangle[0]][2];
            EXPECT_EQ(chunk.position[triangle[1]][2], z);
            EXPECT_EQ(chunk.position[triangle[2]][2], z);
            ++triangles_at[z];
        }
    }
    // 16 rows of sea; each lake flat, between its highest cell and a metre above it.
    ASSERT_EQ(triangles_at.size(), 3u);
    EXPECT_EQ(triangles_at[0], 16u * 4);
    const auto second = std::next(triangles_at.begin()), third = std::next(second);
    EXPECT_GE(second->first, 50'001);
    EXPECT_LE(second->first, 50'001 + kStepsPerMetre);
    EXPECT_GE(third->first, 60'000);
    EXPECT_LE(third->first, 60'000 + kStepsPerMetre);
    EXPECT_EQ(second->second, 8u);
    EXPECT_EQ(third->second, 8u);
    EXPECT_EQ(result.boundary.size(), 2u * (16 + 1) + 6 + 6);
}

TEST(Meshes, ColoursAreOfBiomes) {
    RiverMap world = test::river_map();
    const GroundMeshes meshes = meshes_of(world, world.dry_surface());
    const auto rgba = [](world::Biome biome) {
        const std::uint32_t rgb = world::look_of(biome).rgb;
        return 0xff000000u | (rgb & 255u) << 16 | (rgb & 0xff00u) | rgb >> 16;
    };
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> colour;
    for (const MeshChunk& chunk : named(meshes, "terrain").chunk) {
        for (const auto vertex : chunk.rgba.ids()) {
            const Place place = place_of(chunk, vertex);
            colour[{place[0], place[1]}] = chunk.rgba[vertex];
        }
    }
    for (const world::CellId cell : world.map.site.ids()) {
        const GridPoint at = world.map.site[cell];
        EXPECT_EQ((colour[{at.x, at.y}]), rgba(world.biomes.biome[cell]));
    }
    // A corner between four cells of grass is grass, in the middle of the sea it is sea.
    const GridPoint inland = world.map.corner_point[world::CornerId(25 + 5)];
    EXPECT_EQ((colour[{inland.x, inland.y}]), rgba(world::Biome::grassland));
    const GridPoint at_sea = world.map.corner_point[world::CornerId(24)];
    EXPECT_EQ((colour[{at_sea.x, at_sea.y}]), rgba(world::Biome::ocean));
}

TEST(Meshes, ThreadsDontMatter) {
    const RiverMap world = test::river_map(wide());
    EXPECT_EQ(hash_of(meshes_of(world, world.surface(), 1)),
              hash_of(meshes_of(world, world.surface(), 3)));
}

TEST(Meshes, CellsTooLargeForFloatsAreRefused) {
    test::RiverMapOptions options;
    options.lattice = {.columns = 3, .rows = 1, .side = 1 << 26, .jitter = 0};
    const RiverMap world = test::river_map(options);
    SerialExecutor executor;
    StageContext context(executor);
    const auto meshes =
        build_meshes(world.dry_surface(), world.relief, world.biomes, nullptr, nullptr, context);
    ASSERT_FALSE(meshes.ok());
    EXPECT_EQ(meshes.error().code, ErrorCode::too_large);
}

/// Four squares of road in a row: junction, corridor, bridge, junction; each shares its gate with
/// the next.
struct Row {
    world::StreetSurface streets;
    world::StreetHeights heights;
};
Row row_of_pieces() {
    using namespace world;
    Row row;
    for (std::int32_t x = 0; x <= 4; ++x) {
        row.streets.vertex.push_back({x * 10'000 - 12'000, 0});
        row.streets.vertex.push_back({x * 10'000 - 12'000, 8000});
        for (int i = 0; i < 2; ++i) row.heights.height.push_back(x * x * 300);
    }
    row.streets.triangle_begin.push_back(0);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const bool corridor = i == 1 || i == 2;
        row.streets.kind.push_back(corridor ? PieceKind::corridor : PieceKind::junction);
        row.streets.form.push_back(i >= 2 ? RoadForm::bridge : RoadForm::ground);
        row.streets.road_class.push_back(i == 2 ? RoadClass::motorway : RoadClass::residential);
        const auto v = [&](std::uint32_t k) { return StreetVertexId(2 * i + k); };
        row.streets.triangle.push_back({v(0), v(2), v(3)});
        row.streets.triangle.push_back({v(0), v(3), v(1)});
        row.streets.triangle_begin.push_back(2 * (i + 1));
    }
    return row;
}

TEST(Meshes, StreetPiecesGoToTheirSurfaces) {
    const RiverMap world = test::river_map();
    const Row row = row_of_pieces();
    SerialExecutor executor;
    StageContext context(executor);
    const auto built = build_meshes(world.surface(), world.relief, world.biomes, &row.streets,
                                    &row.heights, context);
    ASSERT_TRUE(built.ok());
    std::vector<std::string> names;
    std::map<Place, Vec3f> normal_at;
    for (const NamedSurface& surface : built->surface) {
        names.push_back(surface.name);
        audit(surface);
        if (surface.name == "terrain" || surface.name == "water") continue;
        for (const MeshChunk& chunk : surface.chunk) {
            for (const auto vertex : chunk.position.ids()) {
                const auto [entry, is_new] =
                    normal_at.emplace(place_of(chunk, vertex), chunk.normal[vertex]);
                EXPECT_EQ(entry->second, chunk.normal[vertex]) << "pieces shade alike at gates";
            }
        }
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"terrain", "water", "junctions", "corridors", "bridges"}));
    EXPECT_EQ(normal_at.size(), 10u);
    const auto alone = build_street_meshes(row.streets, row.heights, context);
    ASSERT_TRUE(alone.ok());
    ASSERT_EQ(alone->surface.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(hash_of(alone->surface[i]), hash_of(built->surface[i + 2]));
    }
    EXPECT_EQ(audit(named(*built, "junctions")).triangles, 4u);
    // The junction at x < 0 belongs to the chunk west of the axis.
    EXPECT_EQ(named(*built, "junctions").chunk.size(), 2u);
    EXPECT_EQ(named(*built, "junctions").chunk[0].origin, (GridPoint{-world::kChunkSize, 0}));
    EXPECT_NE(named(*built, "bridges").chunk[0].rgba.span()[0],
              named(*built, "corridors").chunk[0].rgba.span()[0]);
}

}  // namespace
}  // namespace tw::ground
