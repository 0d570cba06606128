#include "terraway/world/polygon_map.hpp"

#include "support/lattice_map.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace tw::world {
namespace {

/// Squares of `side` steps; a cell's sides are south, east, north, west.
PolygonMap square_map(std::int32_t columns, std::int32_t rows, Steps side = 4096) {
    return test::lattice_map({.columns = columns, .rows = rows, .side = side});
}

TEST(PolygonMap, SquaresAreValidAndTheirAreasAreKnown) {
    const PolygonMap map = square_map(3, 2, 100);
    const Status status = validate(map);
    EXPECT_TRUE(status.ok()) << to_string(status.error());
    for (const CellId cell : map.site.ids()) EXPECT_EQ(double_area(map, cell), 2 * 100 * 100);
}

TEST(PolygonMap, SidesKnowTheirNeighboursAndEnds) {
    const PolygonMap map = square_map(3, 2);
    const CellId middle(1);
    EXPECT_FALSE(map.neighbour(SideId(4)));
    EXPECT_EQ(map.neighbour(SideId(5)), CellId(2));
    EXPECT_EQ(map.neighbour(SideId(6)), CellId(4));
    EXPECT_EQ(map.neighbour(SideId(7)), CellId(0));
    EXPECT_EQ(map.next(SideId(7)), SideId(4));
    for (const SideId side : map.sides(middle)) {
        EXPECT_EQ(map.end_corner(side), map.corner[map.next(side)]);
    }
}

struct Damage {
    const char* what;
    std::function<void(PolygonMap&)> make;
    const char* message;  ///< part of the error that must come
};

TEST(PolygonMap, EachBrokenGuaranteeIsNamed) {
    const Damage damages[] = {
        {"no cells", [](PolygonMap& m) { m = PolygonMap{}; }, "no cells"},
        {"a row is missing", [](PolygonMap& m) { m.side_begin.resize(4); }, "sizes do not match"},
        {"rows end early", [](PolygonMap& m) { m.side_begin.edit(CellId(9)) = 35; },
         "do not cover"},
        {"a cell of two sides", [](PolygonMap& m) { m.side_begin.edit(CellId(1)) = 2; },
         "fewer than 3 sides"},
        {"rows run backwards", [](PolygonMap& m) { m.side_begin.edit(CellId(2)) = 1000; },
         "fewer than 3 sides"},
        {"wrong cell of a side", [](PolygonMap& m) { m.cell_of_side.edit(SideId(5)) = CellId(0); },
         "does not know its cell"},
        {"site outside", [](PolygonMap& m) { m.site.edit(CellId(0)) = {-1, 50}; }, "site is out"},
        {"corner that does not exist",
         [](PolygonMap& m) { m.corner.edit(SideId(5)) = CornerId(99); }, "does not exist"},
        {"unused corner", [](PolygonMap& m) { m.corner_point.push_back({50, 50}); },
         "no cell uses"},
        {"corner outside", [](PolygonMap& m) { m.corner_point.edit(CornerId(0)) = {0, -1}; },
         "corner is out"},
        {"spacing too large", [](PolygonMap& m) { m.spacing = 101; }, "nearer than the spacing"},
        {"sites too near across rows", [](PolygonMap& m) { m.site.edit(CellId(4)) = {150, 149}; },
         "nearer than the spacing"},
        {"site behind a corner's side",
         [](PolygonMap& m) {
             m.spacing = 10;
             m.site.edit(CellId(4)) = {150, 205};
         },
         "does not turn left"},
        {"short side",
         [](PolygonMap& m) {
             m.spacing = 10;
             m.corner_point.edit(CornerId(5)) = {100, 5};
         },
         "shorter than 6 steps"},
        {"twin of another side", [](PolygonMap& m) { m.twin.edit(SideId(5)) = SideId(23); },
         "opposite ways"},
        {"inner side without a twin",
         [](PolygonMap& m) {
             m.twin.edit(SideId(5)) = SideId();
             m.twin.edit(SideId(11)) = SideId();
         },
         "not on the rectangle"},
        {"rectangle larger than the cells", [](PolygonMap& m) { m.bounds.hi.x = 301; },
         "not on the rectangle"},
    };
    for (const Damage& damage : damages) {
        PolygonMap map = square_map(3, 3, 100);
        damage.make(map);
        const Status status = validate(map);
        ASSERT_FALSE(status.ok()) << damage.what;
        EXPECT_EQ(status.error().code, ErrorCode::check_failed) << damage.what;
        EXPECT_NE(status.error().message.find(damage.message), std::string::npos)
            << damage.what << ": " << to_string(status.error());
    }
}

// Two squares on the same ground: every wedge turns left and all sides have twins or lie on the
// rectangle, but the plane is covered twice.
TEST(PolygonMap, CellsOnTopOfEachOtherAreFound) {
    PolygonMap once = square_map(1, 1, 100);
    PolygonMap twice = once;
    for (const CornerId corner : once.corner_point.ids()) {
        twice.corner_point.push_back(once.corner_point[corner]);
    }
    twice.site.push_back({50, 60});
    for (std::uint32_t i = 0; i < 4; ++i) {
        twice.corner.push_back(CornerId(4 + once.corner[SideId(i)].value()));
        twice.twin.push_back(SideId());
        twice.cell_of_side.push_back(CellId(1));
    }
    twice.side_begin.push_back(8);
    twice.spacing = 10;
    const Status status = validate(twice);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("areas do not add up"), std::string::npos);
}

TEST(PolygonMap, HashSeesEveryArray) {
    const PolygonMap map = square_map(2, 2);
    PolygonMap moved = map;
    moved.site.edit(CellId(0)).x += 1;
    PolygonMap turned = map;
    turned.twin.edit(SideId(1)) = SideId(0);
    EXPECT_NE(hash_of(map), hash_of(moved));
    EXPECT_NE(hash_of(map), hash_of(turned));
}

}  // namespace
}  // namespace tw::world
