#include "terraway/world/obstacles.hpp"

#include <algorithm>

namespace tw::world {
namespace {

Error wrong(ErrorCode code, const std::string& name, std::string message) {
    return {.code = code, .stage = "obstacles", .subject = name, .message = std::move(message)};
}

auto place_of(std::vector<Obstacle>& obstacles, const std::string& name) {
    return std::ranges::lower_bound(obstacles, name, {}, &Obstacle::name);
}

}  // namespace

Status apply_edit(const PutObstacle& edit, Obstacles& obstacles) {
    const auto place = place_of(obstacles.obstacle, edit.obstacle);
    if (place != obstacles.obstacle.end() && place->name == edit.obstacle) {
        return wrong(ErrorCode::invalid_input, edit.obstacle,
                     "an obstacle of this name stands already; take it down first, or choose "
                     "another name");
    }
    obstacles.obstacle.insert(place, Obstacle{.name = edit.obstacle, .ring = edit.ring});
    return ok_status();
}

Status apply_edit(const TakeObstacle& edit, Obstacles& obstacles) {
    const auto place = place_of(obstacles.obstacle, edit.obstacle);
    if (place == obstacles.obstacle.end() || place->name != edit.obstacle) {
        return wrong(ErrorCode::not_found, edit.obstacle,
                     "no obstacle of this name stands; name one that was put up");
    }
    obstacles.obstacle.erase(place);
    return ok_status();
}

Status validate(const Obstacles& obstacles) {
    constexpr GridBox kGrid{{-kMaxCoordinate, -kMaxCoordinate}, {kMaxCoordinate, kMaxCoordinate}};
    const std::vector<Obstacle>& all = obstacles.obstacle;
    for (std::size_t i = 0; i < all.size(); ++i) {
        // What an edit may put up is what may stand.
        TW_TRY(validate(Edit{0, PutObstacle{all[i].name, all[i].ring}}, kGrid));
        if (i > 0 && all[i - 1].name >= all[i].name) {
            return wrong(ErrorCode::invalid_input, all[i].name,
                         "the obstacles are out of order; sort them by name, each once");
        }
    }
    return ok_status();
}

}  // namespace tw::world
