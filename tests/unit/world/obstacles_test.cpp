#include "terraway/world/obstacles.hpp"

#include "terraway/core/hash.hpp"

#include <gtest/gtest.h>

namespace tw::world {
namespace {

PutObstacle put(std::string name, std::int32_t side) {
    return {.obstacle = std::move(name), .ring = {{0, 0}, {side, 0}, {0, side}}};
}
std::string names(const Obstacles& obstacles) {
    std::string all;
    for (const Obstacle& obstacle : obstacles.obstacle) all += obstacle.name + " ";
    return all;
}

TEST(Obstacles, StandInOrderOfTheirNames) {
    Obstacles obstacles;
    for (const char* name : {"m", "a", "z", "b"}) {
        ASSERT_TRUE(apply_edit(put(name, 9), obstacles).ok());
    }
    EXPECT_EQ(names(obstacles), "a b m z ");
    ASSERT_TRUE(apply_edit(TakeObstacle{"b"}, obstacles).ok());
    ASSERT_TRUE(apply_edit(TakeObstacle{"z"}, obstacles).ok());
    EXPECT_EQ(names(obstacles), "a m ");
    EXPECT_TRUE(validate(obstacles).ok());
}

TEST(Obstacles, TakenDownTheyMayBePutUpElsewhere) {
    Obstacles obstacles;
    ASSERT_TRUE(apply_edit(put("wall", 9), obstacles).ok());
    ASSERT_TRUE(apply_edit(TakeObstacle{"wall"}, obstacles).ok());
    EXPECT_EQ(hash_of(obstacles), hash_of(Obstacles{}));
    ASSERT_TRUE(apply_edit(put("wall", 12), obstacles).ok());
    EXPECT_EQ(obstacles.obstacle[0].ring[1], (GridPoint{12, 0}));
}

TEST(Obstacles, RefusalsChangeNothing) {
    Obstacles obstacles;
    ASSERT_TRUE(apply_edit(put("wall", 9), obstacles).ok());
    const std::uint64_t before = hash_of(obstacles);
    const Status twice = apply_edit(put("wall", 12), obstacles);
    ASSERT_FALSE(twice.ok());
    EXPECT_EQ(twice.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(twice.error().subject.text(), "wall");
    for (const char* name : {"wal", "walls", "x"}) {
        const Status none = apply_edit(TakeObstacle{name}, obstacles);
        ASSERT_FALSE(none.ok());
        EXPECT_EQ(none.error().code, ErrorCode::not_found);
        EXPECT_EQ(none.error().subject.text(), name);
    }
    EXPECT_EQ(hash_of(obstacles), before);
}

TEST(Obstacles, ValidateFindsWhatNoEditMakes) {
    const Obstacle good{.name = "a", .ring = {{0, 0}, {9, 0}, {0, 9}}};
    const Obstacle other{.name = "b", .ring = good.ring};
    EXPECT_TRUE(validate(Obstacles{{good, other}}).ok());
    EXPECT_FALSE(validate(Obstacles{{other, good}}).ok());
    EXPECT_FALSE(validate(Obstacles{{good, good}}).ok());
    EXPECT_FALSE(validate(Obstacles{{{.name = "", .ring = good.ring}}}).ok());
    EXPECT_FALSE(validate(Obstacles{{{.name = "a", .ring = {{0, 0}, {9, 0}}}}}).ok());
    EXPECT_FALSE(
        validate(Obstacles{{{.name = "a", .ring = {{0, 0}, {9, 0}, {kMaxCoordinate + 1, 9}}}}})
            .ok());
}

}  // namespace
}  // namespace tw::world
