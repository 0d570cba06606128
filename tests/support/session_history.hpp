#pragma once
// Random histories of a session, for tests that hold it to the law: after every step its world is
// that of a bake with the same edits.

#include "terraway/core/random.hpp"
#include "terraway/pipeline/session.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tw::test {

/// What a history does, one after another. Edits come in strokes: one step of undo each.
struct HistoryStep {
    enum class Kind : std::uint8_t { apply, undo, redo };
    Kind kind = Kind::apply;
    std::vector<world::Edit> edits;
};

inline std::string describe(const std::vector<HistoryStep>& history) {
    std::string out;
    for (const HistoryStep& step : history) {
        out += out.empty() ? "" : ", ";
        if (step.kind == HistoryStep::Kind::undo) out += "undo";
        if (step.kind == HistoryStep::Kind::redo) out += "redo";
        for (std::size_t i = 0; i < step.edits.size(); ++i) {
            out += (i > 0 ? "+" : "") + std::string(name_of(step.edits[i].action));
        }
    }
    return out;
}

/// A point of a road.
struct RoadPlace {
    std::string road;
    GridPoint point;
};

class RandomHistory {
public:
    /// `roads`: points of roads of the recipe.
    RandomHistory(std::uint64_t seed, const GridBox& bounds, std::vector<RoadPlace> roads)
        : random_(Seed{seed}, Purpose("test.history"), 0),
          bounds_(bounds),
          roads_(std::move(roads)) {}

    HistoryStep next() {
        HistoryStep step;
        const std::uint32_t what = below(10);
        if (what == 0 || what == 1) {
            step.kind = what == 0 ? HistoryStep::Kind::undo : HistoryStep::Kind::redo;
            return step;
        }
        const std::uint32_t count = below(8) == 0 ? 3 : 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            tick_ += below(3);
            step.edits.push_back({tick_, action()});
        }
        return step;
    }

private:
    std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }
    Steps between(Steps low, Steps high) {
        return low + static_cast<Steps>(below(static_cast<std::uint32_t>(high - low)));
    }
    GridPoint place() {
        const std::int32_t x = between(bounds_.lo.x, bounds_.hi.x);
        const std::int32_t y = between(bounds_.lo.y, bounds_.hi.y);
        return {x, y};
    }
    std::vector<GridPoint> path(std::uint32_t least) {
        std::vector<GridPoint> out{place()};
        const std::uint32_t count = least + below(3);
        while (out.size() < count) {
            const GridPoint next = below(2) == 0 ? place() : near(out.back());
            if (next != out.back()) out.push_back(next);
        }
        return out;
    }
    GridPoint near(GridPoint p) {
        const Steps reach = static_cast<Steps>(bounds_.width() / 10);
        const std::int32_t x = std::clamp(p.x + between(-reach, reach), bounds_.lo.x, bounds_.hi.x);
        const std::int32_t y = std::clamp(p.y + between(-reach, reach), bounds_.lo.y, bounds_.hi.y);
        return {x, y};
    }
    world::Brush brush() {
        const auto side = static_cast<Steps>(bounds_.width());
        const Steps radius = below(20) == 0 ? side : between(side / 100, side / 6);
        return {radius, static_cast<world::Falloff>(below(3))};
    }
    /// Seldom one that is not there.
    RoadPlace road_place() {
        if (roads_.empty() || below(8) == 0) return {"r" + std::to_string(below(4)), place()};
        return roads_[below(static_cast<std::uint32_t>(roads_.size()))];
    }
    std::string road() { return road_place().road; }
    world::EditAction action() {
        constexpr Steps kMetre = kStepsPerMetre;
        switch (below(16)) {
            case 0:
            case 1:
            case 2: {
                auto along = path(1);
                const world::Brush with = brush();
                return world::RaiseGround{std::move(along), with, between(-150, 150) * kMetre};
            }
            case 3:
            case 4: {
                auto along = path(1);
                const world::Brush with = brush();
                return world::FlattenGround{std::move(along), with, between(-20, 200) * kMetre};
            }
            case 5: {
                world::SetLineHeight edit;
                edit.path = path(2);
                for (std::size_t i = 0; i < edit.path.size(); ++i) {
                    edit.height.push_back(between(-10, 200) * kMetre);
                }
                edit.brush = brush();
                return edit;
            }
            case 6:
            case 7: {
                world::DigChannel edit;
                edit.path = path(2);
                edit.width = below(2) == 0 ? 0 : between(0, 40) * kMetre;
                edit.bed_from = between(-5, 60) * kMetre;
                edit.bed_to = between(-5, 20) * kMetre;
                return edit;
            }
            case 8: {
                world::SetCellAttribute edit;
                edit.place = place();
                edit.radius = below(2) == 0 ? 0 : between(1, 200) * kMetre;
                edit.column = below(2) == 0 ? "owner" : "name";
                if (below(4) != 0) {
                    if (edit.column == "owner") {
                        edit.value = static_cast<std::int64_t>(below(5));
                    } else {
                        edit.value = "city " + std::to_string(below(5));
                    }
                }
                return edit;
            }
            case 9: {
                world::SetRoadAttribute edit;
                edit.road = road();
                edit.column = "toll";
                edit.value = 0.25 * below(9);
                return edit;
            }
            case 10: {
                world::AddRoad edit;
                edit.road = "r" + std::to_string(below(4));
                edit.attributes.width = between(3, 12) * kMetre;
                edit.attributes.level = static_cast<std::int8_t>(below(4) == 0 ? 1 : 0);
                edit.path = path(2);
                for (const GridPoint point : edit.path) roads_.push_back({edit.road, point});
                return edit;
            }
            case 11:
                return world::DeleteRoad{road()};
            case 12: {
                const std::string label = road();
                return world::SetRoadWidth{label, between(3, 20) * kMetre};
            }
            case 13: {
                const RoadPlace from = road_place();
                const Steps reach = 15 * kMetre;
                const std::int32_t x = from.point.x + between(-reach, reach);
                const std::int32_t y = from.point.y + between(-reach, reach);
                const GridPoint to = below(2) == 0 ? near(from.point) : GridPoint{x, y};
                roads_.push_back({from.road, to});
                return world::MoveRoadNode{from.road, from.point, to};
            }
            case 14: {
                const RoadPlace at = road_place();
                if (below(2) == 0) return world::DeleteRoadNode{at.road, at.point};
                return world::AddRoadNode{at.road, near(at.point)};
            }
            default: {
                const std::string name = "wall " + std::to_string(below(3));
                if (below(3) == 0) return world::TakeObstacle{name};
                const GridPoint at = place();
                const Steps side = between(1, 100) * kMetre;
                const auto right = std::min(bounds_.hi.x, at.x + side);
                const auto top = std::min(bounds_.hi.y, at.y + side);
                return world::PutObstacle{name, {at, {right, at.y}, {right, top}}};
            }
        }
    }

    RandomStream random_;
    GridBox bounds_;
    std::vector<RoadPlace> roads_;
    std::uint64_t tick_ = 0;
};

}  // namespace tw::test
