// Roads and streets on random and on hostile input: guarantees hold, order does not matter, and
// what is moved comes out moved.

#include "terraway/core/thread_pool.hpp"
#include "terraway/math/predicates.hpp"
#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"

#include "support/road_lines.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace tw {
namespace {

using test::Draw;
using test::Line;
using test::lines_from;
using world::RoadId;
using world::RoadNetwork;
using world::StreetSurface;

/// Arms of any width at any angle, some with bends, out of one node.
std::vector<Line> star(std::uint64_t id) {
    Draw draw(id);
    std::vector<Line> lines;
    const int arms = draw.between(2, 9);
    for (int i = 0; i < arms; ++i) {
        Line line{.label = "r" + std::to_string(i), .from = 1};
        line.attributes.width = draw.between(1, 40) * kStepsPerMetre;
        line.points.push_back({0, 0});
        for (int k = draw.between(1, 4); k > 0; --k) {
            line.points.push_back(line.points.back() + draw.point(60 * kStepsPerMetre));
        }
        lines.push_back(line);
    }
    return lines;
}

/// Lines across a square: crossings, T-junctions, near misses, levels.
std::vector<Line> tangle(std::uint64_t id, int count) {
    Draw draw(id);
    std::vector<Line> lines;
    for (int i = 0; i < count; ++i) {
        Line line{.label = "w" + std::to_string(i)};
        line.attributes.width = draw.between(1, 14) * kStepsPerMetre;
        line.attributes.level = static_cast<std::int8_t>(draw.between(0, 9) == 0 ? 1 : 0);
        line.points.push_back(draw.point(300 * kStepsPerMetre));
        for (int k = draw.between(1, 3); k > 0; --k) {
            line.points.push_back(line.points.back() + draw.point(120 * kStepsPerMetre));
        }
        lines.push_back(line);
    }
    return lines;
}

struct Made {
    RoadNetwork network;
    StreetSurface streets;
};
Made make(const std::vector<Line>& lines, Executor& executor) {
    StageContext ctx(executor);
    auto network = roads::build_network(lines_from(lines), {}, ctx);
    EXPECT_TRUE(network.ok()) << to_string(network.error());
    const Status good = world::validate(*network);
    EXPECT_TRUE(good.ok()) << to_string(good.error());
    auto streets = streets::build_streets(*network, {}, ctx);
    EXPECT_TRUE(streets.ok()) << to_string(streets.error());
    return {std::move(*network), std::move(*streets)};
}
Made make(const std::vector<Line>& lines) {
    SerialExecutor executor;
    return make(lines, executor);
}
void expect_valid(const StreetSurface& streets) {
    const Status good = world::validate(streets);
    EXPECT_TRUE(good.ok()) << to_string(good.error());
}

TEST(StreetsProperty, RandomStarsAreValid) {
    for (std::uint64_t id = 0; id < 400; ++id) {
        SCOPED_TRACE(id);
        expect_valid(make(star(id)).streets);
    }
}

TEST(StreetsProperty, RandomTanglesAreValid) {
    for (std::uint64_t id = 0; id < 40; ++id) {
        SCOPED_TRACE(id);
        expect_valid(make(tangle(id, 60)).streets);
    }
}

TEST(StreetsProperty, NoTwoLinesOfOneLevelCrossInTheNetwork) {
    for (std::uint64_t id = 0; id < 10; ++id) {
        const RoadNetwork network = make(tangle(id, 60)).network;
        // Brute force over all pairs of segments: they share an end or are apart.
        struct Part {
            GridPoint a, b;
            int level;
        };
        std::vector<Part> parts;
        for (const RoadId road : network.id.ids()) {
            const auto p = network.points(road);
            for (std::size_t i = 0; i + 1 < p.size(); ++i) {
                parts.push_back({p[i], p[i + 1], network.attributes[road].level});
            }
        }
        const auto side = [](GridPoint a, GridPoint b, GridPoint c) {
            return sign_of(orient2d(a, b, c));
        };
        for (std::size_t i = 0; i < parts.size(); ++i) {
            for (std::size_t j = i + 1; j < parts.size(); ++j) {
                const Part &s = parts[i], &t = parts[j];
                if (s.level != t.level) continue;
                const bool cross = side(s.a, s.b, t.a) * side(s.a, s.b, t.b) < 0 &&
                                   side(t.a, t.b, s.a) * side(t.a, t.b, s.b) < 0;
                EXPECT_FALSE(cross) << "tangle " << id << ", segments " << i << " and " << j;
            }
        }
    }
}

TEST(StreetsProperty, MovedRoadsMakeTheSameStreetsMoved) {
    for (std::uint64_t id = 0; id < 12; ++id) {
        std::vector<Line> lines = tangle(id, 40);
        const Made here = make(lines);
        const GridPoint by{123457 + static_cast<std::int32_t>(id), -76543211};
        for (Line& line : lines) {
            for (GridPoint& p : line.points) p = p + by;
        }
        Made there = make(lines);
        for (GridPoint& p : there.streets.vertex.edit_all()) p = p - by;
        for (GridPoint& p : there.network.node_point.edit_all()) p = p - by;
        for (GridPoint& p : there.network.point.edit_all()) p = p - by;
        EXPECT_EQ(hash_of(here.network), hash_of(there.network)) << id;
        EXPECT_EQ(hash_of(here.streets), hash_of(there.streets)) << id;
    }
}

TEST(StreetsProperty, OrderOfLinesDoesNotMatter) {
    for (std::uint64_t id = 0; id < 12; ++id) {
        std::vector<Line> lines = tangle(id, 50);
        const std::uint64_t before = hash_of(make(lines).streets);
        Draw draw(1000 + id);
        for (std::size_t i = lines.size() - 1; i > 0; --i) {
            std::swap(
                lines[i],
                lines[static_cast<std::size_t>(draw.between(0, static_cast<std::int32_t>(i)))]);
        }
        EXPECT_EQ(hash_of(make(lines).streets), before) << id;
    }
}

#ifdef TERRAWAY_THREADS
TEST(StreetsProperty, ThreadsDoNotMatter) {
    ThreadPool pool(3);
    const std::vector<Line> lines = tangle(77, 150);
    EXPECT_EQ(hash_of(make(lines, pool).streets), hash_of(make(lines).streets));
}
#endif

TEST(StreetsProperty, PointsThatAreAllEqualMakeNothing) {
    Line line{.label = "r", .points = {{5, 5}, {5, 5}, {5, 5}}};
    line.attributes.width = 4096;
    EXPECT_EQ(make({line}).streets.piece_count(), 0u);
}

TEST(StreetsProperty, LinesOverEachOtherAreValid) {
    std::vector<Line> lines;
    Draw draw(3);
    for (int i = 0; i < 60; ++i) {
        // All on one line, ends anywhere, and some there and back again.
        const auto at = [&] {
            const std::int32_t t = draw.between(-200, 200);
            return GridPoint{t * 1024, t * 512};
        };
        const GridPoint a = at();
        const GridPoint b = at();
        Line line{.label = "r" + std::to_string(i), .points = {a, b, i % 3 == 0 ? a : b}};
        line.attributes.width = 7 * kStepsPerMetre;
        lines.push_back(line);
    }
    const Made made = make(lines);
    expect_valid(made.streets);
    // One straight road, whatever was drawn over it.
    EXPECT_EQ(made.network.road_count(), 1u);
}

TEST(StreetsProperty, NarrowestWidthsAndShortestRoads) {
    std::vector<Line> lines;
    Draw draw(9);
    for (int i = 0; i < 200; ++i) {
        const GridPoint a = draw.point(40);
        Line line{.label = "r" + std::to_string(i), .points = {a, a + draw.point(3)}};
        line.attributes.width = draw.between(1, 20);
        lines.push_back(line);
    }
    expect_valid(make(lines).streets);
}

TEST(StreetsProperty, TenThousandRoadsThroughOneNode) {
    std::vector<Line> lines;
    Draw draw(4);
    for (int i = 0; i < 10'000; ++i) {
        Line line{.label = "r" + std::to_string(i), .from = 1};
        line.attributes.width = 4 * kStepsPerMetre;
        line.points = {{0, 0}, draw.point(500 * kStepsPerMetre)};
        lines.push_back(line);
    }
    expect_valid(make(lines).streets);
}

}  // namespace
}  // namespace tw
