#pragma once
// Plan coordinates in files: metres of the world, or longitude and latitude where the world has
// them.

#include "terraway/math/grid.hpp"
#include "terraway/recipe/json_writer.hpp"
#include "terraway/world/placement.hpp"

#include <cmath>

namespace tw::io {

class PlanFrame {
public:
    constexpr PlanFrame() = default;
    /// Metres are exact (steps are binary fractions). Degrees carry ten decimals, 0.01 mm, so that
    /// reading them back finds the same step.
    explicit PlanFrame(const world::Placement& placement) : placement_(placement) {}
    static constexpr PlanFrame metres() { return {}; }

    bool geographic() const { return placement_.frame == world::Frame::geographic; }
    const world::Placement& placement() const { return placement_; }

    struct Position {
        double x = 0.0, y = 0.0;
    };
    Position to_file(GridPoint point) const {
        if (!geographic()) return {to_metres(point.x), to_metres(point.y)};
        const Vec2d at = world::to_source(placement_, point);
        return {rounded(at.x), rounded(at.y)};
    }
    /// The step of a position from a file; finite, and clamped far outside the grid.
    GridPoint from_file(Position at) const {
        if (!geographic()) return {step(at.x), step(at.y)};
        return {step((at.x - placement_.middle_x) * placement_.scale_x),
                step((at.y - placement_.middle_y) * placement_.scale_y)};
    }
    void write(recipe::JsonWriter& json, GridPoint point) const {
        const Position at = to_file(point);
        json.begin_array().value(at.x).value(at.y).end_array();
    }
    void write(recipe::JsonWriter& json, GridPoint point, Steps height) const {
        const Position at = to_file(point);
        json.begin_array().value(at.x).value(at.y).value(to_metres(height)).end_array();
    }

private:
    static double rounded(double degrees) { return std::round(degrees * 1e10) / 1e10; }
    static std::int32_t step(double metres) {
        constexpr double kMost = 1 << 20;  // [m] twice the grid: outside, and safe to convert
        return metres > kMost    ? to_steps(kMost)
               : metres > -kMost ? to_steps(metres)
                                 : to_steps(-kMost);
    }
    world::Placement placement_;
};

}  // namespace tw::io
