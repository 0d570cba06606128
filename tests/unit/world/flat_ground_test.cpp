#include "terraway/world/flat_ground.hpp"

#include <gtest/gtest.h>

namespace tw::world {
namespace {

TEST(FlatGround, IsAMapThatHoldsItsGuaranteesAndIsLevel) {
    for (const GridBox& bounds :
         {GridBox{{-51'200, -3}, {51'200, 102'401}}, GridBox{{0, 0}, {2, 2}}}) {
        const FlatGround ground = flat_ground(bounds);
        EXPECT_EQ(double_area(ground.map, CellId(0)), 2 * bounds.width() * bounds.height());
        const SurfaceQuery query(ground.surface());
        for (const GridPoint p :
             {bounds.lo, bounds.hi, GridPoint{1, 1}, GridPoint{-1'000'000, 0}}) {
            EXPECT_EQ(query.height_at(p), 0);
            EXPECT_EQ(query.cell_at(p), CellId(0));
        }
    }
    EXPECT_TRUE(validate(flat_ground({{-51'200, -3}, {51'200, 102'401}}).map).ok());
}

}  // namespace
}  // namespace tw::world
