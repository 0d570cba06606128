#include "terraway/pipeline/session.hpp"

#include "terraway/core/thread_pool.hpp"
#include "terraway/world/imported.hpp"
#include "terraway/world/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw::pipeline {
namespace {

using world::CellId;
using world::SideId;
using world::Water;

constexpr Steps kMetre = kStepsPerMetre;

/// A crater on an island of 2 km: a lake in its middle, a rim of 60 m around it with a gap in the
/// west where the lake overflows, and a slope to the sea, a little uneven.
std::shared_ptr<const world::ImportedHeights> crater() {
    world::ImportedHeights heights;
    heights.has_place = 1;
    heights.columns = heights.rows = 80;
    heights.pixel = 25.0;
    heights.west = heights.south = -1000.0;
    for (int row = 0; row < 80; ++row) {
        for (int column = 0; column < 80; ++column) {
            const double x = column - 39.5, y = row - 39.5;
            const double r = std::sqrt(x * x + y * y) * 25.0;
            double height = 60.0 - (r - 400.0) * 0.15;
            if (r < 400.0) height = -50.0 + (r / 400.0) * (r / 400.0) * 110.0;
            if (x < 0.0 && std::abs(y) < 3.0 && r < 700.0)
                height = std::min(height, 15.0 - r / 100.0);
            height += 2.0 * ((column * 7 + row * 13) % 5) / 5.0;
            heights.height.push_back(to_steps(height));
        }
    }
    return std::make_shared<const world::ImportedHeights>(std::move(heights));
}

struct Island {
    WorldRecipe recipe;
    Imports imports;
    BakedWorld baked;
    std::unique_ptr<Session> session;
};

Island island(Executor* executor = nullptr, const CancelFlag* cancel = nullptr,
              terrain::Depressions depressions = terrain::Depressions::fill) {
    Island out;
    out.recipe.drainage.depressions = depressions;
    out.recipe.sites.cells = 1500;
    out.recipe.placement.size = std::array{2000.0, 2000.0};
    out.recipe.rivers.min_flow = 0.001;
    out.recipe.cost.longest = 128;
    out.recipe.raster.longest = 128;
    out.imports.heights = crater();
    auto baked = bake(out.recipe, out.imports);
    EXPECT_TRUE(baked.ok()) << to_string(baked.error());
    out.baked = std::move(baked).value();
    auto session = Session::create(out.recipe, out.baked, {.executor = executor, .cancel = cancel});
    EXPECT_TRUE(session.ok());
    out.session = std::move(session).value();
    return out;
}

std::uint64_t count(const BakedWorld& world, Water water) {
    const auto all = world.drainage->water.span();
    return static_cast<std::uint64_t>(std::count(all.begin(), all.end(), water));
}

/// Cells that differ in any value of any stage.
std::vector<CellId> differing_cells(const BakedWorld& a, const BakedWorld& b) {
    std::vector<CellId> out;
    for (const CellId cell : a.map->site.ids()) {
        const bool same =
            a.edited_relief->elevation[cell] == b.edited_relief->elevation[cell] &&
            a.drainage->elevation[cell] == b.drainage->elevation[cell] &&
            a.drainage->spill[cell] == b.drainage->spill[cell] &&
            a.drainage->downhill[cell] == b.drainage->downhill[cell] &&
            a.drainage->discharge[cell] == b.drainage->discharge[cell] &&
            a.drainage->water[cell] == b.drainage->water[cell] &&
            a.rivers->side[cell] == b.rivers->side[cell] &&
            a.rivers->crossing[cell] == b.rivers->crossing[cell] &&
            a.rivers->crossing_elevation[cell] == b.rivers->crossing_elevation[cell] &&
            a.rivers->rim_crossings[cell] == b.rivers->rim_crossings[cell] &&
            a.moisture->dryness[cell] == b.moisture->dryness[cell] &&
            a.moisture->moisture[cell] == b.moisture->moisture[cell] &&
            a.biomes->biome[cell] == b.biomes->biome[cell];
        if (!same) out.push_back(cell);
    }
    return out;
}

/// The last land cell on the way down: cells with an equal one are a basin.
CellId mouth_of(const BakedWorld& world, CellId cell) {
    for (;;) {
        const SideId side = world.drainage->downhill[cell];
        const CellId below = side ? world.map->neighbour(side) : CellId();
        if (!below || world.drainage->water[below] == Water::ocean) return cell;
        cell = below;
    }
}

world::Edit channel_to_the_sea() {
    world::DigChannel channel;
    channel.path = {{0, 0}, {950 * kMetre, 40 * kMetre}};
    channel.bed_from = 1;
    channel.bed_to = 1;
    return {0, channel};
}

TEST(Session, AChannelToTheSeaEmptiesALakeAndTouchesTwoBasinsOnly) {
    Island island = pipeline::island();
    const std::uint64_t lake = count(island.baked, Water::lake);
    ASSERT_GT(lake, 50u);
    const Status done = island.session->apply(channel_to_the_sea());
    ASSERT_TRUE(done.ok()) << to_string(done.error());
    const ChangeList changes = island.session->changes();
    const BakedWorld& after = island.session->world();

    // The lake: next to nothing stands in it. Its cells are land of another biome, and can be
    // walked on.
    EXPECT_LT(count(after, Water::lake), lake / 10);
    std::uint64_t dry = 0, drier = 0;
    for (const CellId cell : island.baked.map->site.ids()) {
        if (island.baked.drainage->water[cell] != Water::lake ||
            after.drainage->water[cell] != Water::land) {
            continue;
        }
        ++dry;
        EXPECT_NE(after.biomes->biome[cell], world::Biome::lake);
        drier += after.moisture->moisture[cell] < island.baked.moisture->moisture[cell] ? 1 : 0;
    }
    EXPECT_GT(dry, lake / 2);
    EXPECT_GT(drier, dry / 2);
    std::uint64_t opened = 0;
    for (const world::NavCellId square : changes.squares) {
        opened += island.baked.cost->cost[square] == world::CostGrid::kBlocked &&
                          after.cost->cost[square] != world::CostGrid::kBlocked
                      ? 1
                      : 0;
    }
    EXPECT_GT(opened, 50u);
    // The river: its water leaves by the channel's mouth, where next to none left before.
    const auto place = world::SurfaceQuery({island.baked.map.get(), nullptr, nullptr});
    const CellId mouth = mouth_of(after, place.cell_at({0, 0}));
    EXPECT_GT(island.baked.map->site[mouth].x, 600 * kMetre);
    EXPECT_GT(after.drainage->discharge[mouth], 10 * island.baked.drainage->discharge[mouth]);
    EXPECT_TRUE(after.rivers->side[mouth]);

    // What is listed is what differs, and all of it drains, or drained, with the lake, with what
    // the channel runs through, or with cells beside it that now drain into it.
    EXPECT_EQ(changes.cells, differing_cells(island.baked, after));
    std::set<CellId> basins;
    for (const CellId cell : island.baked.map->site.ids()) {
        const bool dug =
            island.baked.edited_relief->elevation[cell] != after.edited_relief->elevation[cell];
        const bool turned = island.baked.drainage->downhill[cell] != after.drainage->downhill[cell];
        if (!dug && !turned && island.baked.drainage->water[cell] != Water::lake) continue;
        const auto [x, y] = island.baked.map->site[cell];
        EXPECT_TRUE(std::abs(y) < 450 * kMetre && x > -450 * kMetre) << "ways turn near by only";
        basins.insert(mouth_of(island.baked, cell));
        basins.insert(mouth_of(after, cell));
    }
    // In the sea only mouths of rivers come and go.
    const auto at_a_mouth = [&](CellId sea) {
        for (const SideId side : island.baked.map->sides(sea)) {
            if (basins.contains(island.baked.map->neighbour(side))) return true;
        }
        return false;
    };
    for (const CellId cell : changes.cells) {
        if (after.drainage->water[cell] == Water::ocean) {
            EXPECT_TRUE(at_a_mouth(cell));
            continue;
        }
        EXPECT_TRUE(basins.contains(mouth_of(island.baked, cell)) ||
                    basins.contains(mouth_of(after, cell)))
            << cell.value() << " at " << to_metres(island.baked.map->site[cell].x) << " "
            << to_metres(island.baked.map->site[cell].y);
    }
    EXPECT_LT(changes.cells.size(), island.baked.map->cell_count() / 2);
}

/// A reader's copy of the meshes, patched by what change lists say.
struct Mirror {
    world::GroundMeshes meshes;

    void patch(const ChangeList& changes, const world::GroundMeshes& now) {
        for (const MeshRange& range : changes.meshes) {
            const world::MeshChunk& from = chunk(now, range);
            world::MeshChunk& to = const_cast<world::MeshChunk&>(chunk(meshes, range));
            to.position.resize(from.position.size());
            to.normal.resize(from.normal.size());
            to.rgba.resize(from.rgba.size());
            to.triangle.resize(from.triangle.size());
            for (std::uint32_t v = range.vertex_begin; v < range.vertex_end; ++v) {
                const world::MeshVertexId id(v);
                to.position.set(id, from.position[id]);
                to.normal.set(id, from.normal[id]);
                to.rgba.set(id, from.rgba[id]);
            }
            for (std::uint32_t t = range.triangle_begin; t < range.triangle_end; ++t) {
                const world::MeshTriangleId id(t);
                to.triangle.set(id, from.triangle[id]);
            }
        }
    }
    static const world::MeshChunk& chunk(const world::GroundMeshes& meshes,
                                         const MeshRange& range) {
        const auto surface = std::find_if(meshes.surface.begin(), meshes.surface.end(),
                                          [&](const auto& s) { return s.name == range.surface; });
        return surface->chunk[range.chunk];
    }
};

TEST(Session, MeshRangesAreAllThatAReaderNeeds) {
    Island island = pipeline::island();
    Mirror mirror{*island.baked.meshes};
    const auto expect_mirrored = [&](const Status& done) {
        ASSERT_TRUE(done.ok());
        mirror.patch(island.session->changes(), *island.session->world().meshes);
        EXPECT_EQ(hash_of(mirror.meshes), hash_of(*island.session->world().meshes));
    };
    expect_mirrored(island.session->apply(channel_to_the_sea()));
    expect_mirrored(island.session->apply(
        world::Edit{0, world::RaiseGround{{{-600 * kMetre, 0}}, {60 * kMetre}, 5 * kMetre}}));
    expect_mirrored(island.session->undo());
    std::uint64_t vertices = 0;
    for (const MeshRange& range : island.session->changes().meshes)
        vertices += range.vertex_end - range.vertex_begin;
    EXPECT_GT(vertices, 0u);
    expect_mirrored(island.session->undo());
    expect_mirrored(island.session->redo());
}

TEST(Session, UndoOfEverythingGivesTheFirstHashAndRedoTheLast) {
    Island island = pipeline::island();
    std::vector<std::uint64_t> hashes{island.session->hash()};
    EXPECT_EQ(hashes[0], island.baked.hash);
    for (int i = 0; i < 8; ++i) {
        const GridPoint at{(i - 4) * 150 * kMetre, 300 * kMetre};
        const world::RaiseGround raise{{at}, {(50 + 10 * i) * kMetre}, (i % 2 ? -20 : 30) * kMetre};
        ASSERT_TRUE(island.session->apply(world::Edit{0, raise}).ok());
        hashes.push_back(island.session->hash());
        EXPECT_NE(hashes.back(), hashes[hashes.size() - 2]);
    }
    for (std::size_t i = hashes.size() - 1; i-- > 0;) {
        ASSERT_TRUE(island.session->undo().ok());
        EXPECT_EQ(island.session->hash(), hashes[i]);
    }
    EXPECT_EQ(island.session->undo().error().code, ErrorCode::not_found);
    for (std::size_t i = 1; i < hashes.size(); ++i) {
        ASSERT_TRUE(island.session->redo().ok());
        EXPECT_EQ(island.session->hash(), hashes[i]);
    }
    EXPECT_EQ(island.session->redo().error().code, ErrorCode::not_found);
}

TEST(Session, WhatIsRefusedLeavesNothingBehind) {
    Island island = pipeline::island();
    const std::uint64_t before = island.session->hash();
    const world::Edit good{5, world::RaiseGround{{{0, 0}}, {90 * kMetre}, 9 * kMetre}};
    const world::Edit bad[] = {
        {5, world::RaiseGround{{{9000 * kMetre, 0}}, {90 * kMetre}, kMetre}},   // outside the map
        {5, world::RaiseGround{{{0, 0}}, {1000 * 1000 * kMetre}, kMetre}},      // a vast brush
        {5, world::RaiseGround{{}, {90 * kMetre}, kMetre}},                     // nowhere
        {5, world::DeleteRoad{"no such road"}},                                 //
        {5, world::TakeObstacle{"no such wall"}},                               //
        {5, world::SetRoadAttribute{"no such road", "toll", std::int64_t{1}}},  //
        {5, world::SetCellAttribute{{0, 0}, 0, "x", std::numeric_limits<double>::quiet_NaN()}},
        {4, world::RaiseGround{{{0, 0}}, {90 * kMetre}, kMetre}},  // before the good one
    };
    for (const world::Edit& edit : bad) {
        const std::vector<world::Edit> step{good, edit};
        const auto result = island.session->apply(step);
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().subject.text().substr(0, 6), "edit 2")
            << to_string(result.error());
        EXPECT_EQ(island.session->hash(), before);
        EXPECT_EQ(island.session->undo_count(), 0u);
        EXPECT_TRUE(island.session->edits().edit.empty());
    }
    EXPECT_TRUE(island.session->apply(good).ok());
}

TEST(Session, ACancelledStepLeavesNothingBehind) {
    CancelFlag cancel;
    Island island = pipeline::island(nullptr, &cancel);
    const std::uint64_t before = island.session->hash();
    cancel.cancel();
    const auto result = island.session->apply(channel_to_the_sea());
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
    EXPECT_EQ(island.session->hash(), before);
    EXPECT_EQ(island.session->hash(), island.baked.hash);
}

TEST(Session, ThreadsDontMatter) {
    ThreadPool threads(3);
    Island one = pipeline::island(), three = pipeline::island(&threads);
    for (Island* each : {&one, &three}) {
        ASSERT_TRUE(each->session->apply(channel_to_the_sea()).ok());
    }
    EXPECT_EQ(one.session->hash(), three.session->hash());
}

/// The stages that a step says it changed.
std::set<std::string> stages_of(const ChangeList& changes) {
    std::set<std::string> names;
    for (const StageChange& change : changes.stages) names.emplace(change.stage);
    return names;
}

world::AddRoad short_road() {
    world::AddRoad road;
    road.road = "r";
    road.attributes.width = 6 * kMetre;
    road.path = {{-600 * kMetre, 500 * kMetre}, {-300 * kMetre, 500 * kMetre}};
    return road;
}

TEST(Session, OnlyWhatCameOutOtherwiseIsListedOfRoads) {
    Island island = pipeline::island();
    ASSERT_TRUE(island.session->apply(world::Edit{0, short_road()}).ok());
    EXPECT_EQ(island.session->changes().roads, std::vector<std::string>{"r/0"});
    EXPECT_EQ(island.session->changes().streets, 1);
    EXPECT_TRUE(stages_of(island.session->changes()).contains("network"));
    const auto raise = [&](Steps y) {
        const world::RaiseGround edit{{{-450 * kMetre, y}}, {80 * kMetre}, 4 * kMetre};
        EXPECT_TRUE(island.session->apply(world::Edit{0, edit}).ok());
        return island.session->changes();
    };
    const ChangeList under = raise(500 * kMetre), far = raise(-500 * kMetre);
    EXPECT_EQ(under.streets, 1);
    EXPECT_TRUE(under.roads.empty());
    EXPECT_TRUE(stages_of(under).contains("street_heights"));
    EXPECT_FALSE(stages_of(under).contains("network"));
    EXPECT_EQ(far.streets, 0);
    EXPECT_FALSE(stages_of(far).contains("street_heights"));
}

TEST(Session, NeedsAWholeWorld) {
    Island island = pipeline::island();
    island.baked.cost = nullptr;
    const auto session = Session::create(island.recipe, island.baked);
    ASSERT_FALSE(session.ok());
    EXPECT_EQ(session.error().subject.text(), "cost");
}

TEST(Session, RoadsThatDoNotComeFromTheirLinesAreNotEdited) {
    Island island = pipeline::island();
    ASSERT_TRUE(island.session->apply(world::Edit{0, short_road()}).ok());
    BakedWorld forged = island.session->world();
    auto network = std::make_shared<world::RoadNetwork>(*forged.network);
    network->label.edit(world::RoadId(0)) = "another";
    forged.network = std::move(network);
    auto session = Session::create(island.recipe, std::move(forged));
    ASSERT_TRUE(session.ok());
    const std::uint64_t before = (*session)->hash();
    const Status done = (*session)->apply(world::Edit{0, world::SetRoadWidth{"r", 4 * kMetre}});
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::check_failed);
    EXPECT_EQ((*session)->hash(), before);
}

TEST(Session, GroundIsNotEditedUnderAForgedDrainage) {
    for (const auto depressions : {terrain::Depressions::fill, terrain::Depressions::carve}) {
        const Island island = pipeline::island(nullptr, nullptr, depressions);
        const world::Drainage& honest = *island.baked.drainage;
        CellId wet = CellId(0);
        while (honest.water[wet] == Water::ocean || honest.spill[wet] <= 40 * kMetre) {
            wet = CellId(wet.value() + 1);
        }
        const auto expect_refused = [&](auto&& forge) {
            auto drainage = std::make_shared<world::Drainage>(honest);
            forge(*drainage);
            BakedWorld forged = island.baked;
            forged.drainage = std::move(drainage);
            auto session = Session::create(island.recipe, std::move(forged));
            ASSERT_TRUE(session.ok());
            const std::uint64_t before = (*session)->hash();
            const Status done = (*session)->apply(
                world::Edit{0, world::RaiseGround{{{0, 0}}, {50 * kMetre}, kMetre}});
            ASSERT_FALSE(done.ok());
            EXPECT_EQ(done.error().code, ErrorCode::check_failed);
            EXPECT_EQ((*session)->hash(), before);
        };
        expect_refused([&](world::Drainage& d) { ++d.elevation.edit(wet); });
        expect_refused([&](world::Drainage& d) { ++d.spill.edit(wet); });
        expect_refused([&](world::Drainage& d) {
            const SideId first(island.baked.map->side_begin[wet]);
            const SideId other = honest.downhill[wet] == first ? SideId(first.value() + 1) : first;
            d.downhill.edit(wet) = other;
        });
    }
}

}  // namespace
}  // namespace tw::pipeline
