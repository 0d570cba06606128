// The carved landscape against its definition, evaluated by brute force.

#include "terraway/terrain/drainage.hpp"

#include "support/point_sets.hpp"
#include "support/square_relief.hpp"
#include "support/terrain_world.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace tw::terrain {
namespace {

using namespace world;
using test::relief_of;
using test::squares;
using testing::value_or_fail;

Drainage carve(const PolygonMap& map, const Relief& relief, Border border = Border::ocean) {
    SerialExecutor executor;
    StageContext context(executor);
    const DrainageOptions options{.depressions = Depressions::carve};
    Drainage result = value_or_fail(build_drainage(map, relief, border, options, context));
    const Status status = validate(map, relief, result);
    EXPECT_TRUE(status.ok()) << to_string(status.error());
    return result;
}

/// What the definition says, found the slow way.
class Definition {
public:
    Definition(const PolygonMap& map, const Relief& relief, Border border)
        : map_(map), relief_(relief), border_(border), level(map.cell_count(), INT32_MAX) {
        find_outlets();
        find_levels();
        find_ways();
        find_elevations();
    }

private:
    const PolygonMap& map_;
    const Relief& relief_;
    Border border_;
    std::vector<std::uint8_t> outlet_;

public:
    std::vector<Steps> level, elevation;
    std::vector<CellId> below;  ///< none: over the rectangle

private:
    bool is_ocean(CellId cell) const { return relief_.water[cell] == Water::ocean; }
    bool on_rectangle(CellId cell) const {
        for (const SideId side : map_.sides(cell)) {
            if (!map_.twin[side]) return true;
        }
        return false;
    }
    std::vector<CellId> around(CellId cell) const {
        std::vector<CellId> out;
        for (const SideId side : map_.sides(cell)) {
            if (const CellId other = map_.neighbour(side)) out.push_back(other);
        }
        return out;
    }
    Steps level_of(CellId cell) const { return is_ocean(cell) ? 0 : level[cell.index()]; }

    void find_outlets() {
        outlet_.assign(map_.cell_count(), 0);
        bool sea = false;
        CellId lowest;
        for (const CellId cell : map_.site.ids()) {
            sea |= is_ocean(cell);
            if (!on_rectangle(cell) || is_ocean(cell)) continue;
            if (border_ == Border::open) outlet_[cell.index()] = 1;
            if (!lowest || relief_.elevation[cell] < relief_.elevation[lowest]) lowest = cell;
        }
        if (border_ == Border::ocean && !sea) outlet_[lowest.index()] = 1;
    }
    /// The highest ground on a way, least over all ways: Bellman and Ford.
    void find_levels() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const CellId cell : map_.site.ids()) {
                if (is_ocean(cell)) continue;
                Steps lowest = outlet_[cell.index()] ? relief_.elevation[cell] : INT32_MAX;
                for (const CellId other : around(cell)) lowest = std::min(lowest, level_of(other));
                const Steps now = std::max(relief_.elevation[cell], lowest);
                changed |= now < level[cell.index()];
                level[cell.index()] = std::min(level[cell.index()], now);
            }
        }
    }
    void find_ways() {
        below.assign(map_.cell_count(), CellId());
        std::vector<std::uint8_t> reached(map_.cell_count(), 0), spread(map_.cell_count(), 0);
        for (const CellId cell : map_.site.ids()) {
            if (is_ocean(cell)) continue;
            const auto rank = [&](CellId c) {
                return std::tuple{level_of(c), is_ocean(c) ? 0 : relief_.elevation[c], c};
            };
            for (const CellId other : around(cell)) {
                if (level_of(other) >= level_of(cell)) continue;
                CellId& best = below[cell.index()];
                if (!best || rank(other) < rank(best)) best = other;
            }
            reached[cell.index()] = below[cell.index()] || outlet_[cell.index()] ? 1 : 0;
        }
        // All flats at once: they don't touch.
        for (;;) {
            CellId next;
            for (const CellId cell : map_.site.ids()) {
                if (!reached[cell.index()] || spread[cell.index()]) continue;
                if (!next || relief_.elevation[cell] < relief_.elevation[next]) next = cell;
            }
            if (!next) break;
            spread[next.index()] = 1;
            for (const CellId other : around(next)) {
                if (is_ocean(other) || reached[other.index()]) continue;
                if (level_of(other) != level_of(next)) continue;
                reached[other.index()] = 1;
                below[other.index()] = next;
            }
        }
    }
    void find_elevations() {
        elevation = relief_.elevation.values();
        for (const CellId cell : map_.site.ids()) {
            if (is_ocean(cell)) continue;
            for (CellId at = cell; at && !is_ocean(at); at = below[at.index()]) {
                elevation[at.index()] = std::min(elevation[at.index()], relief_.elevation[cell]);
            }
        }
    }
};

void expect_defined(const PolygonMap& map, const Relief& relief, Border border) {
    const Drainage carved = carve(map, relief, border);
    const Definition defined(map, relief, border);
    EXPECT_EQ(carved.elevation.values(), defined.elevation);
    EXPECT_EQ(carved.water, relief.water);
    for (const CellId cell : map.site.ids()) {
        if (relief.water[cell] == Water::ocean) {
            EXPECT_EQ(carved.spill[cell], relief.elevation[cell]);
            continue;
        }
        EXPECT_EQ(carved.spill[cell], defined.level[cell.index()]);
        EXPECT_EQ(map.neighbour(carved.downhill[cell]), defined.below[cell.index()]);
    }
}

// From the bottom of 1 in the north two ways lead to the outlet of 5 in the south: over 4 and
// over 3.
TEST(CarvedDrainage, TheDitchFollowsThePitsDeepestWay) {
    const PolygonMap map = squares(5, 5);
    const Relief relief = relief_of({-1, -1, -1, -1, -1,  //
                                     9,  9,  5,  9,  9,   //
                                     9,  4,  5,  3,  9,   //
                                     9,  2,  9,  2,  9,   //
                                     9,  2,  1,  2,  9});
    const Drainage carved = carve(map, relief);
    for (const std::uint32_t id : {7u, 11u, 12u, 13u, 16u, 18u, 21u, 22u, 23u}) {
        EXPECT_EQ(carved.spill[CellId(id)], 5) << id;
    }
    EXPECT_EQ(carved.spill[CellId(10)], 9);
    const std::uint32_t ditch[] = {22, 23, 18, 13, 12, 7, 2};
    for (std::size_t i = 0; i + 1 < std::size(ditch); ++i) {
        EXPECT_EQ(map.neighbour(carved.downhill[CellId(ditch[i])]), CellId(ditch[i + 1]));
    }
    for (const std::uint32_t id : {23u, 18u, 13u, 12u, 7u}) {
        EXPECT_EQ(carved.elevation[CellId(id)], 1) << id;
    }
    EXPECT_EQ(carved.elevation[CellId(11)], 4);
    EXPECT_EQ(map.neighbour(carved.downhill[CellId(16)]), CellId(21));
}

TEST(CarvedDrainage, IsAsDefinedOnRandomGround) {
    testing::Dice dice(7);
    const PolygonMap map = squares(9, 8);
    for (int round = 0; round < 300; ++round) {
        // Few heights make flats and ties; many make pits within pits.
        const Steps highest = std::array{2, 4, 9, 90}[static_cast<std::size_t>(round % 4)];
        std::vector<Steps> heights(72);
        for (Steps& h : heights) h = dice.between(1, highest);
        if (round % 3 == 0) {
            for (std::uint32_t i = 0; i < 6; ++i) heights[dice.below(9)] = -dice.between(1, 9);
        }
        const auto border = round % 5 < 2 ? Border::open : Border::ocean;
        expect_defined(map, relief_of(heights), border);
        if (HasFailure()) FAIL() << "round " << round;
    }
}

}  // namespace
}  // namespace tw::terrain
