// Street meshes that are brought up to date equal those that are built, whatever is done to roads
// and heights.

#include "terraway/ground/street_meshes.hpp"
#include "terraway/roads/edit_lines.hpp"
#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"

#include "support/network_history.hpp"
#include "support/road_mess.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tw::ground {
namespace {

using world::GroundMeshes;
using world::MeshChunk;
using world::PieceId;
using world::StreetChanges;
using world::StreetHeights;
using world::StreetSurface;
using world::StreetVertexId;
using Chunk = StreetMeshUpdate::Chunk;

const MeshChunk* find(const GroundMeshes& meshes, const Chunk& chunk) {
    for (const world::NamedSurface& surface : meshes.surface) {
        if (surface.name != chunk.surface) continue;
        for (const MeshChunk& each : surface.chunk) {
            if (each.origin == chunk.origin) return &each;
        }
    }
    return nullptr;
}

bool equal(const MeshChunk* a, const MeshChunk* b) {
    if (!a || !b) return a == b;
    return a->position == b->position && a->normal == b->normal && a->rgba == b->rgba &&
           a->triangle == b->triangle;
}

std::vector<Chunk> chunks_of(const GroundMeshes& meshes) {
    std::vector<Chunk> out;
    for (const world::NamedSurface& surface : meshes.surface) {
        for (const MeshChunk& chunk : surface.chunk) out.push_back({surface.name, chunk.origin});
    }
    return out;
}

/// Where two meshes differ; empty: they are equal, their order included.
std::string difference(const GroundMeshes& a, const GroundMeshes& b) {
    if (chunks_of(a) != chunks_of(b)) return "chunks";
    for (const Chunk& chunk : chunks_of(a)) {
        if (!equal(find(a, chunk), find(b, chunk))) {
            return std::string(chunk.surface) + " at " + std::to_string(chunk.origin.x) + " " +
                   std::to_string(chunk.origin.y);
        }
    }
    return "";
}

/// Chunks that differ are among those that a step says it touches, each once.
void expect_told(const GroundMeshes& before, const GroundMeshes& now,
                 const std::vector<Chunk>& told) {
    const std::set<Chunk> all(told.begin(), told.end());
    EXPECT_EQ(all.size(), told.size());
    for (const GroundMeshes* side : {&before, &now}) {
        for (const Chunk& chunk : chunks_of(*side)) {
            if (!equal(find(before, chunk), find(now, chunk))) {
                ASSERT_TRUE(all.contains(chunk)) << chunk.surface;
            }
        }
    }
}

/// Surfaces that are not of streets, whose arrays must stay where they are.
GroundMeshes with_others(GroundMeshes streets) {
    GroundMeshes out;
    for (const char* name : {"terrain", "water"}) {
        out.surface.push_back({name, std::vector<MeshChunk>(2)});
    }
    std::move(streets.surface.begin(), streets.surface.end(), std::back_inserter(out.surface));
    return out;
}
std::vector<const MeshChunk*> others(const GroundMeshes& meshes) {
    return {meshes.surface[0].chunk.data(), meshes.surface[1].chunk.data()};
}

GroundMeshes built(const StreetSurface& streets, const StreetHeights& heights) {
    SerialExecutor executor;
    StageContext ctx(executor);
    auto meshes = build_street_meshes(streets, heights, ctx);
    EXPECT_TRUE(meshes.ok());
    return with_others(std::move(*meshes));
}

/// Steep enough that normals lean every way.
Steps height_at(GridPoint p) {
    return ((p.x / 7 + p.y / 3) % 9000) - ((p.x / 2 - p.y) % 4001);
}
StreetHeights heights_of(const StreetSurface& streets) {
    std::vector<Steps> out;
    for (const GridPoint p : streets.vertex.span()) out.push_back(height_at(p));
    return {IdArray<world::StreetVertexTag, Steps>(std::move(out))};
}
/// What stayed keeps its height.
StreetHeights heights_after(const StreetHeights& before, const StreetChanges& changes,
                            const StreetSurface& streets) {
    StreetHeights out = heights_of(streets);
    for (const Run& run : changes.vertex) {
        for (std::uint32_t v = run.begin; v < run.end; ++v) {
            out.height.set(StreetVertexId(run.to + (v - run.begin)),
                           before.height[StreetVertexId(v)]);
        }
    }
    return out;
}
StreetChanges nothing_changed(const StreetSurface& streets) {
    StreetChanges out;
    for (const PieceId piece : streets.kind.ids()) out.piece.push_back(piece);
    out.vertex = {{0, static_cast<std::uint32_t>(streets.vertex.size()), 0}};
    return out;
}
std::vector<StreetVertexId> raise_some(RandomStream& random, std::uint32_t most,
                                       StreetHeights& heights) {
    const auto all = static_cast<std::uint32_t>(heights.height.size());
    std::set<StreetVertexId> raised;
    for (std::uint32_t i = random.below(most + 1); i > 0; --i) {
        raised.insert(StreetVertexId(random.below(all)));
    }
    for (const StreetVertexId v : raised)
        heights.height.edit(v) += static_cast<Steps>(3 + random.below(3000));
    std::vector<StreetVertexId> out(raised.begin(), raised.end());
    if (random.below(2) == 0) std::reverse(out.begin(), out.end());
    return out;
}

/// Where towns stand: in one chunk, about a corner of four, or over many.
void place(std::uint64_t seed, world::RoadLines& lines) {
    const auto scaled = [&](GridPoint p) -> GridPoint {
        if (seed % 3 == 0) return p;
        if (seed % 3 == 1) return p - GridPoint{to_steps(200), to_steps(250)};
        return {p.x * 14 - to_steps(3000), p.y * 14 - to_steps(2500)};
    };
    for (GridPoint& point : lines.point.edit_all()) point = scaled(point);
}

class Chain {
public:
    explicit Chain(std::uint64_t seed)
        : mess_(seed), random_(Seed{seed}, Purpose("street.meshes"), 0), lines_(mess_.lines()) {
        place(seed, lines_);
        auto network = roads::build_network(lines_, {}, ctx_);
        EXPECT_TRUE(network.ok());
        network_ = std::move(*network);
        auto surface = streets::build_streets(network_, {}, ctx_);
        EXPECT_TRUE(surface.ok());
        surface_ = std::move(*surface);
        heights_ = heights_of(surface_);
        meshes_ = built(surface_, heights_);
        others_ = others(meshes_);
        // Without it, the first step of other streets makes all anew.
        if (seed % 2 == 0) {
            EXPECT_TRUE(update_.learn(surface_, meshes_).ok());
        }
    }
    void step() {
        StreetChanges changes = nothing_changed(surface_);
        const bool roads = random_.below(4) != 0;
        if (roads && !edit(changes)) return;
        std::vector<StreetVertexId> raised;
        if (!roads || random_.below(3) == 0) raised = raise_some(random_, 6, heights_);
        const GroundMeshes before = meshes_;
        auto patch = update_.run(surface_, heights_, changes, raised, meshes_);
        ASSERT_TRUE(patch.ok());
        const GroundMeshes now = built(surface_, heights_);
        ASSERT_EQ(difference(meshes_, now), "");
        expect_told(before, now, StreetMeshUpdate::chunks_of(**patch));
        steps_.push_back({std::move(*patch), before, now});
        if (random_.below(8) == 0) walk_back();
        ASSERT_EQ(others(meshes_), others_);
        chunks_ = std::max(chunks_, chunks_of(now).size());
        for (const world::NamedSurface& each : now.surface) names_.insert(each.name);
    }
    std::size_t chunks() const { return chunks_; }
    const std::set<std::string>& names() const { return names_; }

private:
    struct Step {
        std::shared_ptr<StreetMeshPatch> patch;
        GroundMeshes before, now;
    };

    bool edit(StreetChanges& changes) {
        if (!roads::apply_edit(mess_.edit(lines_), lines_)) return false;
        auto next = roads::build_network(lines_, {}, ctx_);
        EXPECT_TRUE(next.ok());
        const auto between = test::compared(network_, *next);
        changes = {};
        EXPECT_TRUE(streets_.run(network_, *next, between, surface_, changes, ctx_).ok());
        network_ = std::move(*next);
        heights_ = heights_after(heights_, changes, surface_);
        return true;
    }
    /// Some steps back, and all of them again.
    void walk_back() {
        const std::size_t some =
            1 + random_.below(static_cast<std::uint32_t>(std::min<std::size_t>(steps_.size(), 5)));
        for (std::size_t i = 0; i < some; ++i) {
            Step& step = steps_[steps_.size() - 1 - i];
            update_.swap(*step.patch, meshes_);
            ASSERT_EQ(difference(meshes_, step.before), "");
        }
        for (std::size_t i = some; i > 0; --i) {
            Step& step = steps_[steps_.size() - i];
            update_.swap(*step.patch, meshes_);
            ASSERT_EQ(difference(meshes_, step.now), "");
        }
    }

    SerialExecutor executor_;
    StageContext ctx_{executor_};
    test::RoadMess mess_;
    RandomStream random_;
    world::RoadLines lines_;
    world::RoadNetwork network_;
    StreetSurface surface_;
    StreetHeights heights_;
    GroundMeshes meshes_;
    std::vector<const MeshChunk*> others_;
    streets::StreetUpdate streets_{streets::StreetOptions{}};
    StreetMeshUpdate update_;
    std::vector<Step> steps_;
    std::size_t chunks_ = 0;
    std::set<std::string> names_;
};

TEST(StreetMeshesUpdate, EqualsABuildAfterAnyEditAndIsTakenBack) {
    std::size_t chunks = 0;
    std::set<std::string> names;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Chain chain(seed);
        for (int step = 0; step < 30; ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            chain.step();
            if (testing::Test::HasFailure()) return;
        }
        chunks = std::max(chunks, chain.chunks());
        names.insert(chain.names().begin(), chain.names().end());
    }
    EXPECT_GT(chunks, 20u);
    EXPECT_EQ(names.size(), 6u) << "bridges and tunnels come up";
}

StreetSurface town(int blocks) {
    SerialExecutor executor;
    StageContext ctx(executor);
    const auto network = roads::build_network(test::lines_from(test::town(blocks)), {}, ctx);
    EXPECT_TRUE(network.ok());
    auto streets = streets::build_streets(*network, {}, ctx);
    EXPECT_TRUE(streets.ok());
    return std::move(*streets);
}

/// All vertices stay. Meshes read neither rings nor roads.
StreetSurface without(const StreetSurface& from, PieceId gone, StreetChanges& changes) {
    StreetSurface out;
    out.vertex = from.vertex;
    out.triangle_begin.push_back(0);
    std::vector<PieceId> now(from.piece_count());
    changes = {};
    for (const PieceId piece : from.kind.ids()) {
        if (piece == gone) continue;
        now[piece.index()] = out.kind.push_back(from.kind[piece]);
        out.form.push_back(from.form[piece]);
        out.road_class.push_back(from.road_class[piece]);
        for (const auto& triangle : from.triangles(piece)) out.triangle.push_back(triangle);
        out.triangle_begin.push_back(static_cast<std::uint32_t>(out.triangle.size()));
        changes.piece.push_back(piece);
    }
    for (const world::GateId gate : from.gate_corridor.ids()) {
        if (from.gate_corridor[gate] == gone) continue;
        const PieceId junction = from.gate_junction[gate];
        out.gate_corridor.push_back(now[from.gate_corridor[gate].index()]);
        out.gate_junction.push_back(junction ? now[junction.index()] : PieceId());
        out.gate_left.push_back(from.gate_left[gate]);
        out.gate_right.push_back(from.gate_right[gate]);
    }
    changes.lost = {gone};
    changes.vertex = {{0, static_cast<std::uint32_t>(from.vertex.size()), 0}};
    return out;
}

TEST(StreetMeshesUpdate, MeshesOfOtherStreetsAreRefused) {
    const StreetSurface three = town(3), four = town(4);
    GroundMeshes meshes = built(three, heights_of(three));
    StreetMeshUpdate update;
    EXPECT_EQ(update.learn(four, meshes).error().code, ErrorCode::check_failed);
    EXPECT_TRUE(update.learn(three, meshes).ok());
}

TEST(StreetMeshesUpdate, NeighboursOfAPieceThatGoesAreShadedAnew) {
    const StreetSurface all = town(3);
    StreetHeights heights = heights_of(all);
    for (const PieceId gone : all.kind.ids()) {
        SCOPED_TRACE(gone.value());
        StreetMeshUpdate update;
        GroundMeshes meshes = built(all, heights);
        ASSERT_TRUE(update.learn(all, meshes).ok());
        const GroundMeshes before = meshes;
        StreetChanges changes;
        const StreetSurface rest = without(all, gone, changes);
        auto patch = update.run(rest, heights, changes, {}, meshes);
        ASSERT_TRUE(patch.ok());
        ASSERT_EQ(difference(meshes, built(rest, heights)), "");

        // Where it was, vertices are at gates no more.
        StreetHeights other = heights;
        std::vector<StreetVertexId> raised;
        for (const auto& triangle : all.triangles(gone)) {
            for (const StreetVertexId v : triangle) {
                if (other.height.set(v, heights.height[v] + 777)) raised.push_back(v);
            }
        }
        auto second = update.run(rest, other, nothing_changed(rest), raised, meshes);
        ASSERT_TRUE(second.ok());
        ASSERT_EQ(difference(meshes, built(rest, other)), "");
        update.swap(**second, meshes);
        update.swap(**patch, meshes);
        ASSERT_EQ(difference(meshes, before), "");
    }
}

TEST(StreetMeshesUpdate, NothingChangesWhereAPieceIsOutOfReach) {
    const StreetSurface all = town(3);
    StreetHeights heights = heights_of(all);
    GroundMeshes meshes = built(all, heights);
    const GroundMeshes before = meshes;
    StreetMeshUpdate update;
    const StreetVertexId vertex(7);
    const Steps height = heights.height[vertex];
    heights.height.edit(vertex) = (1 << 24) + 1;
    const auto refused =
        update.run(all, heights, nothing_changed(all), std::span(&vertex, 1), meshes);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    EXPECT_EQ(difference(meshes, before), "");

    heights.height.edit(vertex) = height + 5000;
    ASSERT_TRUE(update.run(all, heights, nothing_changed(all), std::span(&vertex, 1), meshes));
    EXPECT_EQ(difference(meshes, built(all, heights)), "");
}

}  // namespace
}  // namespace tw::ground
