// The second form of the drainage: after any edit it is what building gives, and it says what
// differs.

#include "terraway/core/hash.hpp"
#include "terraway/core/progress.hpp"
#include "terraway/terrain/drainage.hpp"

#include "support/point_sets.hpp"
#include "support/square_relief.hpp"
#include "support/terrain_world.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using namespace world;
using test::relief_of;
using test::squares;
using testing::value_or_fail;

Drainage build(const PolygonMap& map, const Relief& relief, Border border,
               const DrainageOptions& options) {
    SerialExecutor executor;
    StageContext context(executor);
    return value_or_fail(build_drainage(map, relief, border, options, context));
}

template <class Tag, class T>
std::vector<Id<Tag>> differing(const IdArray<Tag, T>& a, const IdArray<Tag, T>& b) {
    std::vector<Id<Tag>> out;
    for (const Id<Tag> id : a.ids()) {
        if (a[id] != b[id]) out.push_back(id);
    }
    return out;
}
template <class Tag>
std::vector<Id<Tag>> sorted(const IdSet<Tag>& set) {
    std::vector<Id<Tag>> out(set.ids().begin(), set.ids().end());
    std::ranges::sort(out);
    return out;
}

void expect_changes(const Drainage& before, const Drainage& after, const DrainageChanges& changes) {
    EXPECT_EQ(sorted(changes.elevation), differing(before.elevation, after.elevation));
    EXPECT_EQ(sorted(changes.downhill), differing(before.downhill, after.downhill));
    EXPECT_EQ(sorted(changes.discharge), differing(before.discharge, after.discharge));
    EXPECT_EQ(sorted(changes.water), differing(before.water, after.water));
    EXPECT_EQ(sorted(changes.corner), differing(before.corner_elevation, after.corner_elevation));
    const auto cells = changes.discharge.ids();
    ASSERT_EQ(changes.discharge_before.size(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        EXPECT_EQ(changes.discharge_before[i], before.discharge[cells[i]]);
    }
}

struct UpdateCase {
    Depressions depressions;
    Border border;
    bool sea;
    Steps highest;  ///< few heights make flats and ties; many make pits within pits
};

class DrainageUpdates : public ::testing::TestWithParam<UpdateCase> {
protected:
    DrainageUpdates() : map(squares(12, 10)), dice(11) {
        std::vector<Steps> heights(120);
        for (Steps& h : heights) h = dice.between(1, GetParam().highest);
        if (GetParam().sea) {
            for (std::size_t i = 0; i < 9; ++i) heights[i] = -dice.between(1, 9);
        }
        relief = relief_of(heights);
        for (std::uint32_t i = 30; i < 50; ++i) {
            if (dice.below(2) == 0) relief.water.edit(CellId(i)) = Water::lake;
        }
    }
    /// A block of cells up or down, or some cells to any height.
    std::vector<CellId> edit() {
        const Steps highest = GetParam().highest;
        const std::uint32_t x = dice.below(12), y = dice.below(10);
        const std::uint32_t width = 1 + dice.below(5), height = 1 + dice.below(5);
        const Steps by = dice.between(-highest, highest);
        const bool any = dice.below(2) == 0;
        std::vector<CellId> changed;
        for (std::uint32_t row = y; row < std::min(10u, y + height); ++row) {
            for (std::uint32_t column = x; column < std::min(12u, x + width); ++column) {
                const CellId cell(row * 12 + column);
                const Steps is = relief.elevation[cell];
                const Steps to = any ? dice.between(1, highest) : std::max(1, std::abs(is) + by);
                const Steps now = relief.water[cell] == Water::ocean ? -to : to;
                if (relief.elevation.set(cell, now)) changed.push_back(cell);
            }
        }
        return changed;
    }

    PolygonMap map;
    Relief relief;
    testing::Dice dice;
};

TEST_P(DrainageUpdates, AreWhatBuildingGives) {
    const Border border = GetParam().border;
    const DrainageOptions options{.depressions = GetParam().depressions};
    Drainage drainage = build(map, relief, border, options);
    DrainageUpdate update(map, border, options);
    DrainageChanges changes;
    SerialExecutor executor;
    StageContext context(executor);
    for (int round = 0; round < 300; ++round) {
        const Drainage before = drainage;
        const std::vector<CellId> ground = edit();
        ASSERT_TRUE(update.run(relief, ground, drainage, changes, context).ok());
        const Drainage built = build(map, relief, border, options);
        EXPECT_EQ(differing(drainage.spill, built.spill), std::vector<CellId>());
        EXPECT_EQ(differing(drainage.elevation, built.elevation), std::vector<CellId>());
        EXPECT_EQ(differing(drainage.downhill, built.downhill), std::vector<CellId>());
        EXPECT_EQ(hash_of(drainage), hash_of(built));
        expect_changes(before, built, changes);
        if (HasFailure()) FAIL() << "round " << round;
    }
}

std::vector<UpdateCase> update_cases() {
    std::vector<UpdateCase> all;
    for (const Depressions depressions : {Depressions::fill, Depressions::carve}) {
        for (const Border border : {Border::ocean, Border::open}) {
            for (const bool sea : {false, true}) {
                for (const Steps highest : {2, 5, 60}) {
                    all.push_back({depressions, border, sea, highest});
                }
            }
        }
    }
    return all;
}
std::string name_of(const ::testing::TestParamInfo<UpdateCase>& each) {
    const UpdateCase& it = each.param;
    return std::string(it.depressions == Depressions::fill ? "Fill" : "Carve") +
           (it.border == Border::open ? "Open" : "Closed") + (it.sea ? "Sea" : "Land") +
           std::to_string(it.highest);
}
INSTANTIATE_TEST_SUITE_P(All, DrainageUpdates, ::testing::ValuesIn(update_cases()), name_of);

/// A plain of 4000 within walls of 9000 by the sea, that drains over a gap of `gap`.
Relief walled_plain(std::int32_t side, Steps gap) {
    std::vector<Steps> heights(static_cast<std::size_t>(side) * static_cast<std::size_t>(side),
                               9000);
    const auto at = [&](std::int32_t x, std::int32_t y) -> Steps& {
        return heights[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) +
                       static_cast<std::size_t>(x)];
    };
    for (std::int32_t x = 0; x < side; ++x) at(x, 0) = -1;
    for (std::int32_t y = 2; y < side - 1; ++y) {
        for (std::int32_t x = 1; x < side - 1; ++x) at(x, y) = 4000;
    }
    at(side / 2, 1) = gap;
    return relief_of(heights);
}

// A wall across the gap lifts the level of the whole plain: long enough to be cancelled on the way.
TEST(DrainageUpdate, StartsAnewAfterItWasCancelled) {
    constexpr std::int32_t kSide = 150;
    const PolygonMap map = squares(kSide, kSide);
    const CellId gap(kSide + kSide / 2);
    for (const Depressions depressions : {Depressions::fill, Depressions::carve}) {
        const DrainageOptions options{.depressions = depressions};
        const Relief relief = walled_plain(kSide, 7000);
        const Drainage before = build(map, walled_plain(kSide, 5000), Border::ocean, options);
        DrainageUpdate update(map, Border::ocean, options);
        DrainageChanges changes;
        SerialExecutor executor;
        StageContext context(executor);
        CancelFlag cancel;
        cancel.cancel();
        context.cancel = &cancel;
        Drainage drainage = before;
        const Status status = update.run(relief, std::array{gap}, drainage, changes, context);
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, ErrorCode::cancelled);

        context.cancel = nullptr;
        drainage = before;
        ASSERT_TRUE(update.run(relief, std::array{gap}, drainage, changes, context).ok());
        const Drainage built = build(map, relief, Border::ocean, options);
        EXPECT_EQ(hash_of(drainage), hash_of(built));
        EXPECT_EQ(drainage.spill[CellId(50 * kSide + 50)], 7000);
        expect_changes(before, built, changes);
    }
}

}  // namespace
}  // namespace tw::terrain
