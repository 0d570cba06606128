#include "terraway/world/terrain.hpp"

#include "support/river_map.hpp"

#include <functional>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tw::world {
namespace {

struct Damage {
    const char* what;
    std::function<void(test::RiverMap&)> make;
    const char* message;  ///< part of the error that must come
};

/// The coast of river_map(), where two of its rivers meet.
test::RiverMap coast_with_confluence() {
    const test::RiverMapOptions options;
    test::RiverMap m;
    m.map = test::lattice_map(options.lattice);
    test::detail::add_heights(m, options);
    const auto cell = [](std::uint32_t column, std::uint32_t row) {
        return CellId(24 * row + column);
    };
    const Steps below = m.drainage.elevation[cell(11, 5)];
    m.drainage.elevation.edit(cell(10, 5)) = below + 1;
    m.drainage.elevation.edit(cell(11, 4)) = below + 2;
    test::detail::add_drainage(m);
    test::detail::add_rivers(m, options.river_from);
    return m;
}

using Check = std::function<Status(const test::RiverMap&)>;

void expect_found(std::span<const Damage> damages, const Check& check) {
    const test::RiverMap sound = coast_with_confluence();
    const Status status = check(sound);
    ASSERT_TRUE(status.ok()) << to_string(status.error());
    for (const Damage& damage : damages) {
        test::RiverMap m = sound;
        damage.make(m);
        const Status found = check(m);
        ASSERT_FALSE(found.ok()) << damage.what;
        EXPECT_EQ(found.error().code, ErrorCode::check_failed) << damage.what;
        EXPECT_NE(found.error().message.find(damage.message), std::string::npos)
            << damage.what << ": " << to_string(found.error());
    }
}

constexpr CellId kSea(23), kCoast(22), kInland(5);

TEST(ReliefCheck, EachBrokenGuaranteeIsNamed) {
    const Damage damages[] = {
        {"a height is missing", [](auto& m) { m.relief.elevation.resize(3); }, "sizes"},
        {"a water is missing", [](auto& m) { m.relief.water.resize(3); }, "sizes"},
        {"land at the sea's level", [](auto& m) { m.relief.elevation.edit(kInland) = 0; },
         "must lie"},
        {"sea at its level", [](auto& m) { m.relief.elevation.edit(kSea) = 0; }, "must lie"},
        {"no kind of water", [](auto& m) { m.relief.water.edit(kInland) = static_cast<Water>(3); },
         "of no kind"},
        {"ocean inside the land",
         [](auto& m) {
             const CellId cell(24 * 5 + 5);
             m.relief.water.edit(cell) = Water::ocean;
             m.relief.elevation.edit(cell) = -5;
         },
         "cut off"},
    };
    expect_found(damages, [](const test::RiverMap& m) { return validate(m.map, m.relief); });
}

TEST(DrainageCheck, EachBrokenGuaranteeIsNamed) {
    const Damage damages[] = {
        {"a height is missing", [](auto& m) { m.drainage.elevation.resize(3); }, "sizes"},
        {"a corner is missing", [](auto& m) { m.drainage.corner_elevation.resize(3); }, "sizes"},
        {"water leaves the sea",
         [](auto& m) { m.drainage.downhill.edit(kSea) = SideId(4 * kSea.value()); },
         "leaves an ocean"},
        {"sea at its level", [](auto& m) { m.drainage.elevation.edit(kSea) = 0; }, "sea must lie"},
        {"land below the sea", [](auto& m) { m.drainage.elevation.edit(kInland) = -1; },
         "land must lie"},
        {"no way out", [](auto& m) { m.drainage.downhill.edit(kInland) = SideId(); },
         "does not leave"},
        {"a side of another cell", [](auto& m) { m.drainage.downhill.edit(kInland) = SideId(0); },
         "does not leave"},
        {"uphill",
         [](auto& m) {
             const CellId below = m.map.neighbour(m.drainage.downhill[kInland]);
             m.drainage.elevation.edit(below) = m.drainage.elevation[kInland] + 1;
         },
         "uphill"},
        {"lost water",
         [](auto& m) {
             const CellId below = m.map.neighbour(m.drainage.downhill[kInland]);
             m.drainage.discharge.edit(below) = m.drainage.discharge[kInland] - 1;
         },
         "lost"},
        {"two cells that drain into each other",
         [](auto& m) {
             const SideId down = m.drainage.downhill[kInland];
             const CellId below = m.map.neighbour(down);
             m.drainage.downhill.edit(below) = m.map.twin[down];
             m.drainage.elevation.edit(below) = m.drainage.elevation[kInland];
             m.drainage.discharge.edit(below) = m.drainage.discharge[kInland];
         },
         "in a circle"},
        {"a lake that the relief lacks",
         [](auto& m) { m.drainage.water.edit(kInland) = Water::lake; }, "not the relief's"},
        {"a coast above the sea",
         [](auto& m) {
             // The north corner of the side between the coast and the sea.
             m.drainage.corner_elevation.edit(m.map.corner[SideId(4 * kCoast.value() + 2)]) = 1;
         },
         "0 at the coast"},
        {"land's corner in the sea",
         [](auto& m) { m.drainage.corner_elevation.edit(CornerId(0)) = 0; }, "above on land"},
    };
    expect_found(damages,
                 [](const test::RiverMap& m) { return validate(m.map, m.relief, m.drainage); });
}

SideId side_with_river(const test::RiverMap& m) {
    for (const SideId side : m.map.corner.ids()) {
        if (m.rivers.over(m.map, side) == m.map.cell_of_side[side] && m.map.twin[side]) return side;
    }
    return {};
}
CellId some_river(const test::RiverMap& m) {
    return m.map.cell_of_side[side_with_river(m)];
}
ReachId reach_with_next(const test::RiverMap& m) {
    for (const ReachId reach : m.rivers.reach_next.ids()) {
        if (m.rivers.reach_next[reach]) return reach;
    }
    return {};
}

TEST(RiversCheck, EachBrokenGuaranteeIsNamed) {
    const Damage damages[] = {
        {"a height is missing", [](auto& m) { m.rivers.crossing_elevation.resize(1); }, "sizes"},
        {"an order is missing", [](auto& m) { m.rivers.reach_order.push_back(1); }, "sizes"},
        {"a river over another side",
         [](auto& m) {
             const CellId cell = some_river(m);
             m.rivers.side.edit(cell) = m.map.next(m.rivers.side[cell]);
         },
         "another side"},
        {"a river of a trickle",
         [](auto& m) { m.drainage.discharge.edit(some_river(m)) = m.rivers.least_flow - 1; },
         "too small"},
        {"a crossing without a river", [](auto& m) { m.rivers.crossing.edit(kSea) = {1, 1}; },
         "without a river"},
        {"a crossing on a corner",
         [](auto& m) {
             const SideId side = side_with_river(m);
             m.rivers.crossing.edit(some_river(m)) = m.map.corner_point[m.map.corner[side]];
         },
         "2 steps"},
        {"a crossing far away",
         [](auto& m) { m.rivers.crossing.edit(some_river(m)) = m.map.bounds.hi; },
         "do not turn left"},
        {"a rim with a crossing too many",
         [](auto& m) { ++m.rivers.rim_crossings.edit(some_river(m)); }, "miscounted"},
        {"a reach that starts nowhere",
         [](auto& m) { m.rivers.reach_start.edit(ReachId(0)) = CellId(); }, "starts nowhere"},
        {"a reach without cells", [](auto& m) { m.rivers.reach_cells.edit(ReachId(0)) = 0; },
         "too few cells"},
        {"a crossing too high",
         [](auto& m) { m.rivers.crossing_elevation.edit(some_river(m)) = 1 << 24; }, "rises"},
        {"a crossing too low",
         [](auto& m) { m.rivers.crossing_elevation.edit(some_river(m)) = -(1 << 24); }, "rises"},
        {"a reach that goes on too long",
         [](auto& m) { m.rivers.reach_cells.edit(reach_with_next(m)) += 1; }, "where the next"},
        {"a reach that forgets the next",
         [](auto& m) { m.rivers.reach_next.edit(reach_with_next(m)) = ReachId(); }, "ends on land"},
        {"a reach into one that does not exist",
         [](auto& m) { m.rivers.reach_next.edit(reach_with_next(m)) = ReachId(9999); },
         "where the next"},
    };
    expect_found(damages,
                 [](const test::RiverMap& m) { return validate(m.map, m.drainage, m.rivers); });
}

TEST(Biomes, HaveNamesAndColoursOfTheirOwn) {
    std::set<std::string_view> names;
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i < kBiomeCount; ++i) {
        const BiomeLook& look = look_of(static_cast<Biome>(i));
        EXPECT_FALSE(look.name.empty());
        EXPECT_LE(look.rgb, 0xffffffu);
        names.insert(look.name);
        colours.insert(look.rgb);
    }
    EXPECT_EQ(names.size(), kBiomeCount);
    EXPECT_EQ(colours.size(), kBiomeCount);
    EXPECT_EQ(look_of(Biome::snow).name, "snow");
    EXPECT_EQ(look_of(Biome::temperate_forest).name, "temperate_forest");
}

}  // namespace
}  // namespace tw::world
