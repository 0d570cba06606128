#pragma once
// Edits of roads for tests that compare an update with a build.

#include "terraway/core/random.hpp"
#include "terraway/roads/edit_lines.hpp"
#include "terraway/world/edits.hpp"
#include "terraway/world/roads.hpp"

#include "support/road_lines.hpp"

#include <cstdint>
#include <span>
#include <string>

#include <gtest/gtest.h>

namespace tw::test {

/// Edits of lines that make every kind of trouble: roads that meet, miss and cross each other.
class RoadMess {
public:
    explicit RoadMess(std::uint64_t seed) : random_(Seed{seed}, Purpose("streets.update"), 0) {}

    world::RoadLines lines() {
        world::RoadLines out = lines_from(town(4 + static_cast<int>(below(5))));
        for (std::uint32_t i = 0; i < below(8); ++i) {
            EXPECT_TRUE(roads::apply_edit(road(out), out).ok());
        }
        return out;
    }
    world::EditAction edit(const world::RoadLines& lines) {
        const world::RoadId line(below(static_cast<std::uint32_t>(lines.label.size())));
        const auto points = lines.points(line);
        const GridPoint at = points[below(static_cast<std::uint32_t>(points.size()))];
        switch (below(10)) {
            case 0:
                return road(lines);
            case 1:
                return world::DeleteRoad{lines.label[line]};
            case 2:
                return world::SetRoadWidth{lines.label[line], width()};
            case 3:
                return world::AddRoadNode{lines.label[line], middle(points) + near(12)};
            case 4:
                return world::DeleteRoadNode{lines.label[line], at};
            case 5:
                return world::MoveRoadNode{lines.label[line], at, at + near(90)};
            default:
                return world::MoveRoadNode{lines.label[line], at, at + near(15)};
        }
    }

private:
    std::uint32_t below(std::uint32_t end) { return random_.below(end); }
    Steps width() { return static_cast<Steps>(2 + below(14)) * kStepsPerMetre; }
    GridPoint near(std::int32_t metres) {
        const auto one = [&] {
            return static_cast<std::int32_t>(
                       below(static_cast<std::uint32_t>(2 * metres * kStepsPerMetre))) -
                   metres * kStepsPerMetre;
        };
        const std::int32_t x = one();
        const std::int32_t y = one();
        return {x, y};
    }
    static GridPoint middle(std::span<const GridPoint> points) {
        return points[0] +
               GridPoint{(points[1].x - points[0].x) / 2, (points[1].y - points[0].y) / 2};
    }
    world::AddRoad road(const world::RoadLines& lines) {
        world::AddRoad add;
        add.road = "new" + std::to_string(next_++);
        add.attributes.width = width();
        const std::uint32_t level = below(9);
        if (level == 0) {
            add.attributes.level = 1;
            add.attributes.form = world::RoadForm::bridge;
        } else if (level == 1) {
            add.attributes.level = -1;
            add.attributes.form = world::RoadForm::tunnel;
        }
        const std::span<const GridPoint> all = lines.point.span();
        GridPoint at = all[below(static_cast<std::uint32_t>(all.size()))];
        if (below(3) == 0) at = at + near(30);
        add.path.push_back(at);
        for (std::uint32_t i = 0; i < 1 + below(3); ++i) {
            at = at + near(120);
            if (at != add.path.back()) add.path.push_back(at);
        }
        if (add.path.size() < 2) add.path.push_back(at + GridPoint{kStepsPerMetre, 0});
        return add;
    }

    RandomStream random_;
    std::uint32_t next_ = 0;
};

}  // namespace tw::test
