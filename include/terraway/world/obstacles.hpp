#pragma once
// What stands in the way by edits: rings with names. Navigation blocks the squares that they touch.

#include "terraway/core/fields.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/world/edits.hpp"

#include <string>
#include <tuple>
#include <vector>

namespace tw::world {

struct Obstacle {
    std::string name;
    std::vector<GridPoint> ring;  ///< simple, three points or more, either way round

    static constexpr auto fields() {
        return std::tuple{Field{"name", &Obstacle::name}, Field{"ring", &Obstacle::ring}};
    }
};

struct Obstacles {
    std::vector<Obstacle> obstacle;  ///< ascending by name, none twice

    static constexpr auto fields() { return std::tuple{Field{"obstacle", &Obstacles::obstacle}}; }
};

/// The box of its ring.
inline GridBox box_of(const Obstacle& obstacle) {
    GridBox box;
    for (const GridPoint point : obstacle.ring) box.include(point);
    return box;
}

/// The edit is valid (world::validate). Error invalid_input: one of that name stands; then nothing
/// has changed. Cost: O(log n) and moving what comes after it.
Status apply_edit(const PutObstacle&, Obstacles&);
/// Error not_found: none of that name stands.
Status apply_edit(const TakeObstacle&, Obstacles&);

/// Names, order, rings on the grid and simple. Error invalid_input. Cost: that of
/// geometry::find_self_contact for each.
Status validate(const Obstacles&);

}  // namespace tw::world
