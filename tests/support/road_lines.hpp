#pragma once
// Road lines written down in a test.

#include "terraway/core/random.hpp"
#include "terraway/math/vec.hpp"
#include "terraway/world/roads.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tw::test {

struct Line {
    std::string label;
    world::RoadAttributes attributes{};
    std::vector<GridPoint> points{};
    std::uint64_t from = 0, to = 0;
};

/// A two-way residential street; points in metres.
inline Line street(std::string label, double width, const std::vector<Vec2d>& metres,
                   std::uint64_t from = 0, std::uint64_t to = 0) {
    Line line{.label = std::move(label), .from = from, .to = to};
    line.attributes.width = to_steps(width);
    for (const Vec2d p : metres) line.points.push_back({to_steps(p.x), to_steps(p.y)});
    return line;
}
inline Line on_level(Line line, int level) {
    line.attributes.level = static_cast<std::int8_t>(level);
    if (level > 0) line.attributes.form = world::RoadForm::bridge;
    if (level < 0) line.attributes.form = world::RoadForm::tunnel;
    return line;
}

inline world::RoadLines lines_from(const std::vector<Line>& lines) {
    world::RoadLines out;
    out.point_begin.push_back(0);
    for (const Line& line : lines) {
        out.label.push_back(line.label);
        out.attributes.push_back(line.attributes);
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            out.point.push_back(line.points[i]);
            out.node.push_back(i == 0 ? line.from : i + 1 == line.points.size() ? line.to : 0);
        }
        out.point_begin.push_back(static_cast<std::uint32_t>(out.point.size()));
    }
    return out;
}

class Draw {
public:
    explicit Draw(std::uint64_t id) : stream_(Seed{5}, Purpose("streets.test"), id) {}
    std::int32_t between(std::int32_t lo, std::int32_t hi) {
        return lo +
               static_cast<std::int32_t>(stream_.below(static_cast<std::uint32_t>(hi - lo + 1)));
    }
    GridPoint point(std::int32_t reach) {
        const std::int32_t x = between(-reach, reach);
        const std::int32_t y = between(-reach, reach);
        return {x, y};
    }

private:
    RandomStream stream_;
};

/// A town of `blocks` × `blocks` crossings, none of them quite square.
inline std::vector<Line> town(int blocks) {
    Draw draw(11);
    constexpr std::int32_t kBlock = 90 * kStepsPerMetre;
    std::vector<GridPoint> crossing;
    for (int y = 0; y < blocks; ++y) {
        for (int x = 0; x < blocks; ++x) {
            const GridPoint shift = draw.point(15 * kStepsPerMetre);
            crossing.push_back(GridPoint{x * kBlock, y * kBlock} + shift);
        }
    }
    std::vector<Line> lines;
    const auto connect = [&](int a, int b) {
        Line line{.label = "r" + std::to_string(lines.size())};
        line.attributes.width = draw.between(4, 12) * kStepsPerMetre;
        line.points = {crossing[static_cast<std::size_t>(a)],
                       crossing[static_cast<std::size_t>(b)]};
        line.from = static_cast<std::uint64_t>(a) + 1;
        line.to = static_cast<std::uint64_t>(b) + 1;
        lines.push_back(line);
    };
    for (int y = 0; y < blocks; ++y) {
        for (int x = 0; x < blocks; ++x) {
            if (x + 1 < blocks) connect(y * blocks + x, y * blocks + x + 1);
            if (y + 1 < blocks) connect(y * blocks + x, (y + 1) * blocks + x);
        }
    }
    return lines;
}

}  // namespace tw::test
