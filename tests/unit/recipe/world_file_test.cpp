#include "terraway/recipe/world_file.hpp"

#include "terraway/core/thread_pool.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/glb.hpp"
#include "terraway/recipe/recipe.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw::recipe {
namespace {

/// More than one page of cells, sides and triangles, and a last page that is not full.
constexpr std::string_view kIsland = R"({"terraway": 1, "seed": 7, "size": [4000, 4000],
    "terrain": {"cells": 6000, "shape": "island", "highest": 300}, "water": {"min_flow": 0.01}})";
constexpr std::string_view kTown = R"({"terraway": 1, "seed": 5, "size": [600, 600],
    "terrain": {"cells": 300, "shape": "plain", "border": "open", "highest": 12},
    "navigation": {"longest": 64}, "output": {"raster_longest": 64},
    "roads": {"lines": [
      {"id": "north", "from": "middle", "to": "n", "width": 10, "points": [[0, 0], [8, 90], [0, 280]]},
      {"id": "south", "from": "s", "to": "middle", "width": 10, "points": [[-20, -280], [0, 0]]},
      {"id": "east", "from": "middle", "width": 7, "points": [[0, 0], [120, 12], [280, -30]]},
      {"id": "over", "width": 8, "level": 1, "form": "bridge", "points": [[-200, -140], [200, -140]]}]}})";

WorldFile baked(std::string_view text) {
    const auto recipe = parse_recipe(text, "test.json");
    EXPECT_TRUE(recipe.ok()) << to_string(recipe.error());
    auto world = pipeline::bake(recipe->world, {});
    EXPECT_TRUE(world.ok()) << to_string(world.error());
    return {.recipe = to_text(*recipe), .world = std::move(world).value()};
}
const WorldFile& island() {
    static const WorldFile* const kFile = new WorldFile(baked(kIsland));
    return *kFile;
}
const WorldFile& town() {
    static const WorldFile* const kFile = new WorldFile(baked(kTown));
    return *kFile;
}

world::Bytes written(const WorldFile& file) {
    SerialExecutor serial;
    StageContext context(serial);
    auto bytes = write_world_file(file, context);
    EXPECT_TRUE(bytes.ok()) << to_string(bytes.error());
    return std::move(bytes).value();
}
Result<WorldFile> read_again(std::span<const std::byte> bytes) {
    SerialExecutor serial;
    StageContext context(serial);
    return read_world_file(bytes, context);
}

template <class T>
T number_at(const world::Bytes& bytes, std::size_t offset) {
    T number;
    std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}
template <class T>
void put_at(world::Bytes& bytes, std::size_t offset, T number) {
    std::memcpy(bytes.data() + offset, &number, sizeof number);
}

/// Where the directory stands, by docs/formats.md.
struct Place {
    std::size_t begin, size;
};
Place directory_of(const world::Bytes& bytes) {
    const auto size = static_cast<std::size_t>(number_at<std::uint64_t>(bytes, bytes.size() - 24));
    return {bytes.size() - 24 - size, size};
}
/// Makes the checksum of a directory that was changed right again.
void seal(world::Bytes& bytes) {
    const Place place = directory_of(bytes);
    put_at(bytes, bytes.size() - 16, hash_bytes(std::span(bytes).subspan(place.begin, place.size)));
}
/// The first occurrence of `text` in the directory.
std::size_t find_in_directory(const world::Bytes& bytes, std::string_view text) {
    const Place place = directory_of(bytes);
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(place.begin);
    const auto wanted = std::as_bytes(std::span(text));
    return static_cast<std::size_t>(std::search(begin, bytes.end(), wanted.begin(), wanted.end()) -
                                    bytes.begin());
}

void expect_equal(const WorldFile& a, const WorldFile& b) {
    EXPECT_EQ(a.recipe, b.recipe);
    EXPECT_EQ(a.world.hash, b.world.hash);
    ASSERT_EQ(a.world.stages.size(), b.world.stages.size());
    for (std::size_t i = 0; i < a.world.stages.size(); ++i) {
        EXPECT_EQ(a.world.stages[i].name, b.world.stages[i].name);
        EXPECT_EQ(a.world.stages[i].hash, b.world.stages[i].hash);
    }
}

/// The world with one value changed, hashed and sealed as a liar would.
template <class T, class Change>
WorldFile with(const WorldFile& file, std::shared_ptr<const T> pipeline::BakedWorld::* member,
               std::string_view stage, Change change) {
    WorldFile changed = file;
    T value = *(file.world.*member);
    change(value);
    for (pipeline::StageReport& report : changed.world.stages) {
        if (report.name == stage) report.hash = hash_of(value);
    }
    changed.world.*member = std::make_shared<const T>(std::move(value));
    return changed;
}

TEST(WorldFile, AnIslandReadsBackEqual) {
    const auto again = read_again(written(island()));
    ASSERT_TRUE(again.ok()) << to_string(again.error());
    expect_equal(*again, island());
    EXPECT_EQ(again->world.map->twin, island().world.map->twin);
    EXPECT_EQ(again->world.map->bounds, island().world.map->bounds);
    EXPECT_EQ(again->world.drainage->discharge, island().world.drainage->discharge);
    EXPECT_EQ(again->world.biomes->biome, island().world.biomes->biome);
    EXPECT_EQ(hash_of(*again->world.meshes), hash_of(*island().world.meshes));
    EXPECT_FALSE(again->world.has_roads());
    EXPECT_TRUE(world::validate(*again->world.map).ok());
}

TEST(WorldFile, ATownReadsBackEqual) {
    const auto again = read_again(written(town()));
    ASSERT_TRUE(again.ok()) << to_string(again.error());
    expect_equal(*again, town());
    EXPECT_EQ(again->world.network->label, town().world.network->label);
    EXPECT_EQ(again->world.network->attributes, town().world.network->attributes);
    EXPECT_EQ(again->world.streets->note, town().world.streets->note);
    EXPECT_EQ(again->world.streets->triangle, town().world.streets->triangle);
    EXPECT_EQ(again->world.meshes->surface.size(), town().world.meshes->surface.size());
}

TEST(WorldFile, SavedLoadedAndSavedIsTheSameFile) {
    for (const WorldFile* file : {&island(), &town()}) {
        const world::Bytes bytes = written(*file);
        const auto again = read_again(bytes);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(written(*again), bytes);
    }
}

TEST(WorldFile, WhatAWorldSaysTwiceIsWrittenOnce) {
    const world::Bytes bytes = written(island());
    const auto part = [&](std::uint64_t offset, std::span<std::byte> to) {
        std::ranges::copy(std::span(bytes).subspan(offset, to.size()), to.begin());
        return ok_status();
    };
    const auto info = describe_world_file({.size = bytes.size(), .read = part});
    ASSERT_TRUE(info.ok());
    const auto bytes_of = [&](std::string_view name) {
        return std::ranges::find(info->section, name, &WorldFileSection::name)->bytes;
    };
    // Without edits the stage `edits` is the relief; half of a mesh's numbers are the map's.
    EXPECT_LT(bytes_of("edits"), 100u);
    std::size_t triangles = 0;
    for (const auto& surface : island().world.meshes->surface) {
        for (const auto& chunk : surface.chunk) triangles += chunk.triangle.size();
    }
    EXPECT_LT(bytes_of("meshes"), 12 * triangles);
}

TEST(WorldFile, WhatDiffersFromWhatOtherPartsSayIsKept) {
    using pipeline::BakedWorld;
    // From one word in a page to all of them; corners of triangles that a river may move.
    for (const std::uint32_t every : {1u, 2u, 7u, 40u, 5000u}) {
        const WorldFile edited =
            with(island(), &BakedWorld::edited_relief, "edits", [&](world::Relief& relief) {
                for (const world::CellId cell : relief.elevation.ids()) {
                    if (cell.value() % every != 0) continue;
                    relief.elevation.edit(cell) += relief.elevation[cell] > 0 ? 5 : -5;
                }
            });
        const auto again = read_again(written(edited));
        ASSERT_TRUE(again.ok()) << to_string(again.error());
        EXPECT_EQ(again->world.edited_relief->elevation, edited.world.edited_relief->elevation);
        const WorldFile moved =
            with(island(), &BakedWorld::meshes, "meshes", [&](world::GroundMeshes& meshes) {
                for (world::NamedSurface& surface : meshes.surface) {
                    for (world::MeshChunk& chunk : surface.chunk) {
                        for (const world::MeshVertexId v : chunk.position.ids()) {
                            if (v.value() % every == 0) chunk.position.edit(v)[2] += 3;
                        }
                        for (const world::MeshTriangleId t : chunk.triangle.ids()) {
                            if (t.value() % every != 0) continue;
                            chunk.triangle.edit(t)[2] = world::MeshVertexId(0);
                        }
                    }
                }
            });
        const auto moved_again = read_again(written(moved));
        ASSERT_TRUE(moved_again.ok()) << to_string(moved_again.error());
        EXPECT_EQ(hash_of(*moved_again->world.meshes), hash_of(*moved.world.meshes));
    }
}

TEST(WorldFile, ThreadsNeverChangeItsBytes) {
    const world::Bytes bytes = written(island());
    ThreadPool pool(3);
    StageContext context(pool);
    const auto with_three = write_world_file(island(), context);
    ASSERT_TRUE(with_three.ok());
    EXPECT_EQ(*with_three, bytes);
    const auto again = read_world_file(bytes, context);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->world.hash, island().world.hash);
}

TEST(WorldFile, AWorldOfFewStagesIsAFileToo) {
    const WorldFile nothing{.recipe = "{}", .world = {}};
    const auto again = read_again(written(nothing));
    ASSERT_TRUE(again.ok()) << to_string(again.error());
    EXPECT_EQ(again->recipe, "{}");
    EXPECT_FALSE(again->world.map);

    WorldFile streets;
    const auto recipe = parse_recipe(kTown, "test.json");
    auto world = pipeline::bake(recipe->world, {}, {}, pipeline::BakeTargets::streets);
    ASSERT_TRUE(world.ok());
    streets.world = std::move(world).value();
    const auto streets_again = read_again(written(streets));
    ASSERT_TRUE(streets_again.ok()) << to_string(streets_again.error());
    EXPECT_EQ(streets_again->world.hash, streets.world.hash);
}

TEST(WorldFile, BeginsAndEndsAsTheFormatSays) {
    const world::Bytes bytes = written(town());
    EXPECT_EQ(std::memcmp(bytes.data(), "TWWD\x02\0\0\0", 8), 0);
    const Place place = directory_of(bytes);
    EXPECT_EQ(number_at<std::uint64_t>(bytes, bytes.size() - 8), bytes.size());
    EXPECT_EQ(number_at<std::uint64_t>(bytes, bytes.size() - 16),
              hash_bytes(std::span(bytes).subspan(place.begin, place.size)));
    EXPECT_EQ(number_at<std::uint64_t>(bytes, place.begin), town().recipe.size());
    EXPECT_EQ(
        std::memcmp(bytes.data() + place.begin + 8, town().recipe.data(), town().recipe.size()), 0);
}

TEST(WorldFile, TheDirectoryTellsWhatIsInside) {
    const world::Bytes bytes = written(island());
    std::size_t read = 0;
    const auto part = [&](std::uint64_t offset, std::span<std::byte> to) {
        read += to.size();
        std::ranges::copy(std::span(bytes).subspan(offset, to.size()), to.begin());
        return ok_status();
    };
    const auto info = describe_world_file({.size = bytes.size(), .read = part});
    ASSERT_TRUE(info.ok()) << to_string(info.error());
    EXPECT_LT(read, bytes.size() / 10) << "pages are not read";
    EXPECT_EQ(info->hash, island().world.hash);
    EXPECT_EQ(info->recipe, island().recipe);
    const auto relief = std::ranges::find(info->section, "relief", &WorldFileSection::name);
    ASSERT_NE(relief, info->section.end());
    EXPECT_EQ(relief->hash, hash_of(*island().world.relief));
    const std::size_t cells = island().world.map->cell_count();
    EXPECT_EQ(relief->pages, 2 * ((cells + kPageSize - 1) / kPageSize));
    EXPECT_GT(relief->version, 0u);
}

TEST(WorldFile, CutShortAnywhereItIsRefused) {
    const world::Bytes bytes = written(town());
    for (std::size_t size = 0; size < bytes.size(); size += 97) {
        const auto again = read_again(std::span(bytes).first(size));
        ASSERT_FALSE(again.ok()) << size;
        EXPECT_EQ(again.error().code, ErrorCode::invalid_input) << size;
        EXPECT_NE(again.error().message.find("; "), std::string::npos) << "a remedy";
    }
    world::Bytes longer = bytes;
    longer.push_back(std::byte(0));
    EXPECT_FALSE(read_again(longer).ok());
}

TEST(WorldFile, AFlippedByteIsRefusedOrSaysTheSame) {
    // Packed pages may hold bytes that mean nothing (how far back a repeat is taken from, say).
    const world::Bytes bytes = written(town());
    std::size_t refused = 0, tried = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 101, ++tried) {
        world::Bytes flipped = bytes;
        flipped[at] ^= std::byte(1u << (at % 8));
        const auto again = read_again(flipped);
        if (again) {
            EXPECT_EQ(again->world.hash, town().world.hash) << at;
        } else {
            ++refused;
        }
    }
    EXPECT_GT(refused * 100, tried * 99);
}

TEST(WorldFile, ADamagedPageIsNamed) {
    world::Bytes bytes = written(island());
    for (std::size_t i = 0; i < 64; ++i) bytes[8 + i] = ~bytes[8 + i];
    const auto again = read_again(bytes);
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().subject.text(), "cells page 0");
    EXPECT_EQ(again.error().code, ErrorCode::invalid_input);
}

TEST(WorldFile, WhatIsNotAWorldIsRefused) {
    const std::string text = "{\"terraway\": 1, \"seed\": 7, \"size\": [4000, 4000]}";
    const auto again = read_again(std::as_bytes(std::span(text)));
    ASSERT_FALSE(again.ok());
    EXPECT_NE(again.error().message.find("no baked world"), std::string::npos);
}

TEST(WorldFile, TheFutureIsRefusedAsSuch) {
    const world::Bytes bytes = written(town());
    const auto expect_newer = [](world::Bytes changed) {
        const auto again = read_again(changed);
        ASSERT_FALSE(again.ok());
        EXPECT_EQ(again.error().code, ErrorCode::unsupported);
        EXPECT_NE(again.error().message.find("use a newer program"), std::string::npos);
    };
    world::Bytes version = bytes;
    put_at(version, 4, kWorldFileVersion + 1);
    expect_newer(version);

    // An entry of the directory: length of the name, name, version, length of the layout, layout.
    world::Bytes section = bytes;
    const std::size_t layout = find_in_directory(bytes, "elevation:4* water:1* ");
    ASSERT_LT(layout, bytes.size());
    const std::size_t name = layout - 8 - 4 - 6;
    ASSERT_EQ(std::memcmp(bytes.data() + name, "relief", 6), 0);
    section[name] = std::byte('b');
    seal(section);
    expect_newer(section);  // no such section

    world::Bytes algorithm = bytes;
    put_at(algorithm, layout - 12, number_at<std::uint32_t>(bytes, layout - 12) + 1);
    seal(algorithm);
    expect_newer(algorithm);

    world::Bytes fields = bytes;
    fields[layout] = std::byte('E');
    seal(fields);
    expect_newer(fields);
}

TEST(WorldFile, ASectionOfAnOlderAlgorithmLoads) {
    world::Bytes bytes = written(town());
    const std::size_t layout = find_in_directory(bytes, "elevation:4* water:1* ");
    ASSERT_GT(number_at<std::uint32_t>(bytes, layout - 12), 1u);
    put_at(bytes, layout - 12, std::uint32_t{1});
    seal(bytes);
    const auto again = read_again(bytes);
    ASSERT_TRUE(again.ok()) << to_string(again.error());
    EXPECT_EQ(again->world.hash, town().world.hash);
}

TEST(WorldFile, ALengthThatLiesTakesNoMemory) {
    // The number of cells in the values of `relief`, with everything about it sealed again.
    world::Bytes bytes = written(town());
    const std::size_t layout = find_in_directory(bytes, "elevation:4* water:1* ");
    const std::size_t values = layout + std::strlen("elevation:4* water:1* ") + 8 + 8;
    ASSERT_EQ(number_at<std::uint64_t>(bytes, values), town().world.map->cell_count());
    for (const std::uint64_t lie : {~std::uint64_t{0}, std::uint64_t{1} << 40,
                                    std::uint64_t{1} << 32, std::uint64_t{4096 * 4}}) {
        put_at(bytes, values, lie);
        seal(bytes);
        const auto again = read_again(bytes);
        ASSERT_FALSE(again.ok());
        EXPECT_EQ(again.error().code, ErrorCode::invalid_input);
    }
}

TEST(WorldFile, TheMemoryLimitHolds) {
    const world::Bytes bytes = written(island());
    SerialExecutor serial;
    StageContext context(serial);
    context.memory_limit = 1000;
    const auto again = read_world_file(bytes, context);
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().code, ErrorCode::too_large);
}

TEST(WorldFile, CancellingStops) {
    SerialExecutor serial;
    StageContext context(serial);
    CancelFlag cancel;
    context.cancel = &cancel;
    const world::Bytes bytes = written(town());
    cancel.cancel();
    EXPECT_EQ(write_world_file(town(), context).error().code, ErrorCode::cancelled);
    EXPECT_EQ(read_world_file(bytes, context).error().code, ErrorCode::cancelled);
}

void expect_refused(const WorldFile& lie, std::string_view what) {
    const auto again = read_again(written(lie));
    ASSERT_FALSE(again.ok()) << what;
    EXPECT_TRUE(again.error().code == ErrorCode::check_failed ||
                again.error().code == ErrorCode::invalid_input)
        << what;
}

TEST(WorldFile, PartsThatDoNotFitAreRefusedThoughTheirHashesAgree) {
    using pipeline::BakedWorld;
    using namespace world;
    constexpr std::uint32_t kFar = 1u << 30;
    expect_refused(with(town(), &BakedWorld::map, "cells",
                        [](PolygonMap& map) { map.twin.edit(SideId(3)) = SideId(kFar); }),
                   "twin");
    expect_refused(with(town(), &BakedWorld::map, "cells",
                        [](PolygonMap& map) { map.corner.edit(SideId(3)) = CornerId(); }),
                   "corner");
    expect_refused(with(town(), &BakedWorld::map, "cells",
                        [](PolygonMap& map) { map.side_begin.edit(CellId(7)) = kFar; }),
                   "side_begin");
    expect_refused(with(town(), &BakedWorld::drainage, "drainage",
                        [](Drainage& drainage) { drainage.discharge.resize(5); }),
                   "discharge");
    expect_refused(with(town(), &BakedWorld::relief, "relief",
                        [](Relief& relief) { relief.water.edit(CellId(0)) = Water(7); }),
                   "water");
    expect_refused(with(town(), &BakedWorld::biomes, "biomes",
                        [](Biomes& biomes) { biomes.biome.edit(CellId(0)) = Biome(77); }),
                   "biome");
    expect_refused(with(town(), &BakedWorld::meshes, "meshes",
                        [](GroundMeshes& meshes) {
                            auto& triangle = meshes.surface[0].chunk[0].triangle;
                            triangle.edit(MeshTriangleId(0))[1] = MeshVertexId(kFar);
                        }),
                   "triangle");
    expect_refused(with(town(), &BakedWorld::meshes, "meshes",
                        [](GroundMeshes& meshes) {
                            auto& triangle = meshes.surface[0].chunk[0].triangle;
                            std::swap(triangle.edit(MeshTriangleId(0))[0],
                                      triangle.edit(MeshTriangleId(0))[1]);
                        }),
                   "triangle of another cell");
    expect_refused(with(town(), &BakedWorld::map, "cells",
                        [](PolygonMap& map) {
                            SideId inner(0);
                            while (!map.twin[inner]) inner = SideId(inner.value() + 1);
                            map.twin.edit(inner) = {};
                        }),
                   "inner side without a twin");
    expect_refused(with(town(), &BakedWorld::drainage, "drainage",
                        [](Drainage& drainage) { drainage.elevation.edit(CellId(9)) = 1 << 30; }),
                   "height");
    expect_refused(with(town(), &BakedWorld::cost, "cost",
                        [](CostGrid& cost) { cost.grid.origin.x = kMaxCoordinate; }),
                   "grid off the map");
    expect_refused(
        with(town(), &BakedWorld::cost, "cost", [](CostGrid& cost) { cost.grid.origin.x += 2; }),
        "grid beside the map");
    expect_refused(with(town(), &BakedWorld::network, "network",
                        [](RoadNetwork& network) {
                            network.attributes.edit(RoadId(0)).road_class = RoadClass(200);
                        }),
                   "class");
    expect_refused(
        with(town(), &BakedWorld::network, "network",
             [](RoadNetwork& network) { network.to.edit(RoadId(0)) = RoadNodeId(kFar); }),
        "to");
    expect_refused(
        with(town(), &BakedWorld::streets, "streets",
             [](StreetSurface& streets) { streets.gate_node.edit(GateId(0)) = RoadNodeId(kFar); }),
        "gate");
    expect_refused(with(town(), &BakedWorld::raster, "raster",
                        [](HeightRaster& raster) { raster.columns *= 2; }),
                   "raster");
    expect_refused(
        with(town(), &BakedWorld::cost, "cost", [](CostGrid& cost) { cost.grid.rows = -1; }),
        "cost");
    expect_refused(with(town(), &BakedWorld::placement, "placement",
                        [](Placement& placement) { placement.bounds.hi = placement.bounds.lo; }),
                   "placement");
}

/// Overwrites a few bytes of a random element in one of the arrays of integers, ids and enums.
class Vandal {
public:
    explicit Vandal(std::uint64_t seed) : seed_(seed) {}
    template <class T>
    void visit(T& value) {
        if constexpr (world::detail::IsIdArray<T>::value) {
            using Element = typename T::value_type;
            if constexpr (PlainBytes<Element>) {
                if (!value.empty()) arrays_.push_back(std::as_writable_bytes(value.edit_all()));
            }
        } else if constexpr (tw::core::detail::IsVector<T>::value) {
            for (auto& element : value) visit(element);
        } else if constexpr (HasFields<T> && !PlainBytes<T>) {
            for_each_field(value, [this](std::string_view, auto& field) { this->visit(field); });
        }
    }
    void strike() {
        if (arrays_.empty()) return;
        const std::span<std::byte> array = arrays_[draw() % arrays_.size()];
        const std::size_t at = draw() % array.size();
        const std::uint64_t value = draw() % 2 == 0 ? draw() : draw() % 64;
        std::memcpy(array.data() + at, &value,
                    std::min<std::size_t>(1 + draw() % 4, array.size() - at));
    }

private:
    std::uint64_t draw() { return hash_text("vandal", seed_ + ++draws_); }
    std::uint64_t seed_, draws_ = 0;
    std::vector<std::span<std::byte>> arrays_;
};

/// Takes from the world what programs take, so that a bad id that came through is met.
void use(const pipeline::BakedWorld& world) {
    EXPECT_TRUE(to_glb(*world.meshes).ok());
    for (const world::ReachId reach : world.rivers->reach_start.ids()) {
        EXPECT_FALSE(world::reach_line(*world.map, *world.drainage, *world.rivers, reach).empty());
    }
    if (world.streets) {
        EXPECT_TRUE(world::validate(*world.streets).ok());
    }
    (void)world::validate(*world.map);
}

TEST(WorldFile, RandomLiesAreRefusedOrDoNoHarm) {
    using pipeline::BakedWorld;
    const WorldFile islet = baked(
        R"({"terraway": 1, "seed": 7, "size": [2000, 2000], "output": {"raster_longest": 16},
            "terrain": {"cells": 300, "shape": "island"}, "water": {"min_flow": 0.001}})");
    ASSERT_FALSE(islet.world.rivers->reach_start.empty());
    int accepted = 0, refused = 0;
    const auto lie = [&](const WorldFile& truth, auto member, std::string_view stage,
                         std::uint64_t seed) {
        const auto again = read_again(written(with(truth, member, stage, [&](auto& value) {
            Vandal vandal(seed);
            vandal.visit(value);
            vandal.strike();
        })));
        ++(again ? accepted : refused);
        if (again) use(again->world);
    };
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        lie(town(), &BakedWorld::map, "cells", seed);
        lie(town(), &BakedWorld::drainage, "drainage", seed);
        lie(town(), &BakedWorld::meshes, "meshes", seed);
        lie(town(), &BakedWorld::network, "network", seed);
        lie(town(), &BakedWorld::streets, "streets", seed);
        lie(islet, &BakedWorld::rivers, "rivers", seed);
    }
    EXPECT_GT(accepted, 0);
    EXPECT_GT(refused, accepted / 4);
}

TEST(WorldFile, AHashThatIsNotThatOfTheValueIsRefused) {
    WorldFile lie = town();
    lie.world.stages.back().hash ^= 1;
    const auto again = read_again(written(lie));
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().subject.text(), lie.world.stages.back().name);
}

}  // namespace
}  // namespace tw::recipe
