#pragma once
// Lists of good edits of every kind, for what reads and writes them.

#include "terraway/core/random.hpp"
#include "terraway/world/edits.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tw::test {

class RandomEdits {
public:
    explicit RandomEdits(std::uint64_t seed) : stream_(Seed{seed}, Purpose("edits.test"), 0) {}

    world::EditAction action() {
        switch (below(14)) {
            case 0: {
                std::vector<GridPoint> path = line(1);
                const world::Brush brush = any_brush();
                return world::RaiseGround{std::move(path), brush, length(-9000, 9000)};
            }
            case 1: {
                std::vector<GridPoint> path = line(1);
                const world::Brush brush = any_brush();
                return world::FlattenGround{std::move(path), brush, length(-11'000, 11'000)};
            }
            case 2: {
                std::vector<GridPoint> path = line(2);
                std::vector<Steps> heights;
                heights.reserve(path.size());
                for (std::size_t i = 0; i < path.size(); ++i) {
                    heights.push_back(length(-11'000, 11'000));
                }
                return world::SetLineHeight{std::move(path), std::move(heights), any_brush()};
            }
            case 3: {
                world::DigChannel channel;
                channel.path = line(2);
                channel.width = length(0, 5000);
                channel.bed_from = length(-11'000, 11'000);
                channel.bed_to = length(-11'000, 11'000);
                return channel;
            }
            case 4: {
                world::SetCellAttribute set;
                set.place = point();
                set.radius = below(2) == 0 ? 0 : length(0, 100);
                set.column = name();
                set.value = value();
                return set;
            }
            case 5: {
                world::SetRoadAttribute set;
                set.road = name();
                set.column = name();
                set.value = value();
                return set;
            }
            case 6: {
                world::AddRoad add;
                add.road = name();
                add.attributes.width = 1 + length(0, 999);
                add.attributes.level = static_cast<std::int8_t>(below(201) - 100);
                add.attributes.road_class = static_cast<world::RoadClass>(below(11));
                add.attributes.form = static_cast<world::RoadForm>(below(3));
                add.attributes.oneway = static_cast<world::Oneway>(below(3));
                add.path = line(2);
                return add;
            }
            case 7:
                return world::DeleteRoad{name()};
            case 8: {
                world::SetRoadWidth set;
                set.road = name();
                set.width = 1 + length(0, 999);
                return set;
            }
            case 9: {
                world::AddRoadNode add;
                add.road = name();
                add.place = point();
                return add;
            }
            case 10: {
                world::MoveRoadNode move;
                move.road = name();
                move.from = point();
                move.to = point();
                return move;
            }
            case 11: {
                world::DeleteRoadNode remove;
                remove.road = name();
                remove.place = point();
                return remove;
            }
            case 12: {
                const GridPoint p = point();
                const GridPoint q{p.x + 1 + below(5000), p.y};
                const GridPoint r{p.x - below(5000), p.y + 1 + below(5000)};
                return world::PutObstacle{name(), {p, q, r}};
            }
            default:
                return world::TakeObstacle{name()};
        }
    }
    std::uint64_t tick_after(std::uint64_t tick) { return tick + (below(3) == 0 ? 1 : 0); }

private:
    std::int32_t below(std::uint32_t count) {
        return static_cast<std::int32_t>(stream_.below(count));
    }
    Steps length(Steps low, Steps high) {
        const auto span = static_cast<std::uint32_t>((high - low) * kStepsPerMetre + 1);
        return low * kStepsPerMetre + below(span);
    }
    GridPoint point() {
        const Steps x = length(-50'000, 50'000);
        const Steps y = length(-50'000, 50'000);
        return {x, y};
    }
    std::vector<GridPoint> line(int least) {
        std::vector<GridPoint> points;
        const int count = least + below(4);
        while (static_cast<int>(points.size()) < count) {
            const GridPoint p = point();
            if (points.empty() || points.back() != p) points.push_back(p);
        }
        return points;
    }
    world::Brush any_brush() {
        world::Brush brush{.radius = 1 + length(0, 500)};
        brush.falloff = static_cast<world::Falloff>(below(3));
        return brush;
    }
    std::string name() {
        constexpr std::array<const char*, 5> kNames{"w1", "Zürich", "a \"quoted\" name", "\\",
                                                    "w2"};
        return kNames[stream_.below(5)];
    }
    world::AttributeValue value() {
        switch (below(5)) {
            case 0:
                return {};
            case 1:
                return std::int64_t{below(9) - 4};
            case 2:
                return static_cast<std::int64_t>(stream_.next_u64());
            case 3:
                return (below(2001) - 1000) * 0.1;
            default:
                return std::string("text\nof ") + name();
        }
    }

    RandomStream stream_;
};

inline world::EditList random_edits(std::uint64_t seed, std::size_t count) {
    RandomEdits edits(seed);
    world::EditList list;
    std::uint64_t tick = 0;
    for (std::size_t i = 0; i < count; ++i) {
        tick = edits.tick_after(tick);
        list.edit.push_back({tick, edits.action()});
    }
    return list;
}

}  // namespace tw::test
