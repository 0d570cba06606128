// Edits of real roads: the network that is updated is the one that is built.

#include "terraway/io/read_roads.hpp"
#include "terraway/roads/edit_lines.hpp"
#include "terraway/world/placement.hpp"

#include "support/network_history.hpp"
#include "support/real_data.hpp"
#include "support/road_lines.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace tw::roads {
namespace {

using test::Draw;
using world::RoadId;
using world::RoadLines;

/// Lines as a world of their own extent has them; none without the file.
RoadLines lines_of(const std::string& name) {
    const std::filesystem::path file = testing::data_path("osm/" + name);
    if (!std::filesystem::exists(file)) return RoadLines::none();
    const auto imported = io::read_roads(file);
    EXPECT_TRUE(imported.ok()) << to_string(imported.error());
    const auto placement = world::place_world({}, nullptr, &*imported);
    EXPECT_TRUE(placement.ok()) << to_string(placement.error());
    auto lines = world::project_lines(*imported, *placement);
    EXPECT_TRUE(lines.ok()) << to_string(lines.error());
    return std::move(*lines);
}

world::EditAction random_edit(const RoadLines& lines, Draw& draw, int step) {
    const auto below = [&](std::size_t count) {
        return static_cast<std::size_t>(draw.between(0, static_cast<std::int32_t>(count) - 1));
    };
    const RoadId line = RoadId::from_index(below(lines.label.size()));
    const std::string& label = lines.label[line];
    const auto points = lines.points(line);
    const GridPoint at = points[below(points.size())];
    const GridPoint shift = draw.point(draw.between(0, 3) == 0 ? 200000 : 12000);
    switch (draw.between(0, 9)) {
        case 0:
            return world::DeleteRoad{label};
        case 1:
            return world::DeleteRoadNode{label, at};
        case 2:
            return world::AddRoadNode{label, at + shift};
        case 3:
            return world::SetRoadWidth{label, draw.between(2, 12) * kStepsPerMetre};
        case 4: {
            world::AddRoad road;
            road.road = "new" + std::to_string(step);
            road.attributes = lines.attributes[line];
            road.path = {at, at + shift, at + shift + draw.point(50000)};
            return road;
        }
        default:
            return world::MoveRoadNode{label, at, at + shift};
    }
}

void expect_law(const std::string& name, int steps) {
    RoadLines lines = lines_of(name);
    if (lines.label.empty()) {
        GTEST_SKIP() << "no osm/" << name << "; TERRAWAY_DATA says where real data is";
    }
    Draw draw(77);
    test::NetworkHistory history(2.0);
    ASSERT_NO_FATAL_FAILURE(history.start(lines));
    int done = 0;
    for (int step = 0; done < steps && step < 4 * steps; ++step) {
        if (!apply_edit(random_edit(lines, draw, step), lines).ok()) continue;
        ASSERT_TRUE(history.step(lines)) << name << " step " << step;
        ++done;
    }
    EXPECT_EQ(done, steps);
}

TEST(NetworkLaw, HoldsInMonaco) {
    expect_law("monaco.osm.gz", 200);
}
TEST(NetworkLaw, HoldsInLiechtenstein) {
    expect_law("liechtenstein-latest.osm.pbf", 40);
}

}  // namespace
}  // namespace tw::roads
