#include "terraway/navigation/fields.hpp"

#include "terraway/core/random.hpp"
#include "terraway/core/thread_pool.hpp"

#include "support/real_data.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw::navigation {
namespace {

using world::CostGrid;
using world::DirectionField;
using world::IntegrationField;
using world::NavCellId;

/// Rows from the south; '@' blocks, a digit is a cost.
CostGrid grid_of(std::vector<std::string> rows) {
    CostGrid costs;
    costs.grid = {{0, 0},
                  2,
                  static_cast<std::int32_t>(rows.front().size()),
                  static_cast<std::int32_t>(rows.size())};
    for (const std::string& row : rows) {
        for (const char c : row) {
            costs.cost.push_back(c == '@' ? CostGrid::kBlocked
                                          : static_cast<std::uint8_t>(c - '0'));
        }
    }
    return costs;
}

NavCellId at(const CostGrid& costs, std::int32_t x, std::int32_t y) {
    return NavCellId(static_cast<std::uint32_t>(y * costs.grid.columns + x));
}

IntegrationField integrated(const CostGrid& costs, std::vector<NavCellId> goals) {
    SerialExecutor executor;
    StageContext context(executor);
    auto field = integrate(costs, goals, context);
    EXPECT_TRUE(field.ok());
    return std::move(field).value();
}

DirectionField directed(const CostGrid& costs, const IntegrationField& field) {
    ThreadPool executor(2);
    StageContext context(executor);
    auto directions = build_directions(costs, field, context);
    EXPECT_TRUE(directions.ok());
    return std::move(directions).value();
}

constexpr int kDx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, kDy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/// The move's cost by definition, or 0 where the rules forbid it.
std::uint64_t step_cost(const CostGrid& costs, int x, int y, int d) {
    const auto open = [&](int cx, int cy) {
        return cx >= 0 && cy >= 0 && cx < costs.grid.columns && cy < costs.grid.rows &&
               costs.cost[at(costs, cx, cy)] != CostGrid::kBlocked;
    };
    const int nx = x + kDx[d], ny = y + kDy[d];
    if (!open(x, y) || !open(nx, ny) || !open(nx, y) || !open(x, ny)) return 0;
    return (d % 2 == 0 ? 408u : 577u) * std::uint64_t{costs.cost[at(costs, nx, ny)]};
}

/// Textbook Dijkstra over edges that point from the mover to the goal.
std::vector<std::uint32_t> by_dijkstra(const CostGrid& costs, const std::vector<NavCellId>& goals) {
    constexpr std::uint64_t kFar = ~std::uint64_t{0};
    std::vector<std::uint64_t> distance(costs.cost.size(), kFar);
    using Entry = std::pair<std::uint64_t, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const NavCellId goal : goals) {
        if (costs.cost[goal] == CostGrid::kBlocked) continue;
        distance[goal.index()] = 0;
        queue.emplace(0, goal.value());
    }
    while (!queue.empty()) {
        const auto [value, cell] = queue.top();
        queue.pop();
        if (value != distance[cell]) continue;
        const int x = static_cast<int>(cell) % costs.grid.columns;
        const int y = static_cast<int>(cell) / costs.grid.columns;
        for (int d = 0; d < 8; ++d) {
            const int fx = x - kDx[d], fy = y - kDy[d];
            if (fx < 0 || fy < 0 || fx >= costs.grid.columns || fy >= costs.grid.rows) continue;
            const std::uint64_t step = step_cost(costs, fx, fy, d);
            const std::uint32_t from = at(costs, fx, fy).value();
            if (step == 0 || value + step >= distance[from]) continue;
            distance[from] = value + step;
            queue.emplace(value + step, from);
        }
    }
    std::vector<std::uint32_t> out;
    out.reserve(distance.size());
    for (const std::uint64_t value : distance) {
        out.push_back(value == kFar ? IntegrationField::kUnreached
                                    : static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                          value, IntegrationField::kUnreached - 1)));
    }
    return out;
}

CostGrid random_grid(std::uint64_t id, std::uint32_t dearest) {
    RandomStream random(Seed{3}, Purpose("fields"), id);
    CostGrid costs;
    const auto columns = static_cast<std::int32_t>(random.below(24) + 1);
    const auto rows = static_cast<std::int32_t>(random.below(24) + 1);
    costs.grid = {{0, 0}, 2, columns, rows};
    const std::uint32_t blocked = random.below(60);
    for (std::int32_t i = 0; i < columns * rows; ++i) {
        const bool wall = random.below(100) < blocked;
        const auto cost = static_cast<std::uint8_t>(random.below(dearest) + 1);
        costs.cost.push_back(wall ? CostGrid::kBlocked : cost);
    }
    return costs;
}

TEST(Integrate, EqualsDijkstraOnRandomGrids) {
    for (std::uint64_t id = 0; id < 400; ++id) {
        const CostGrid costs = random_grid(id, id % 3 == 0 ? 1 : id % 3 == 1 ? 9 : 254);
        RandomStream random(Seed{4}, Purpose("goals"), id);
        std::vector<NavCellId> goals;
        for (std::uint32_t i = random.below(4); i > 0; --i) {
            goals.emplace_back(random.below(static_cast<std::uint32_t>(costs.cost.size())));
        }
        EXPECT_EQ(integrated(costs, goals).value.values(), by_dijkstra(costs, goals)) << id;
    }
}

TEST(Integrate, StraightAndDiagonalByHand) {
    const CostGrid open = grid_of({"111", "111", "111"});
    const IntegrationField field = integrated(open, {at(open, 0, 0)});
    EXPECT_EQ(field.value.values(),
              (std::vector<std::uint32_t>{0, 408, 816, 408, 577, 985, 816, 985, 1154}));
}

TEST(Integrate, TheEnteredCellIsPaidFor) {
    const CostGrid costs = grid_of({"193"});
    EXPECT_EQ(integrated(costs, {at(costs, 0, 0)}).value.values(),
              (std::vector<std::uint32_t>{0, 408, 408 + 9 * 408}));
}

TEST(Integrate, CornersAreNotCut) {
    // The goal is the north-east cell; one straight cell of each diagonal is a wall.
    const CostGrid costs = grid_of({"1@", "11"});
    EXPECT_EQ(integrated(costs, {at(costs, 1, 1)}).value[at(costs, 0, 0)], 816u);
    const CostGrid closed = grid_of({"1@", "@1"});
    EXPECT_EQ(integrated(closed, {at(closed, 1, 1)}).value[at(closed, 0, 0)],
              IntegrationField::kUnreached);
}

TEST(Integrate, GoalsOnWallsAreIgnoredAndOutsideRefused) {
    const CostGrid costs = grid_of({"1@1"});
    const IntegrationField field = integrated(costs, {at(costs, 1, 0), at(costs, 2, 0)});
    EXPECT_EQ(field.value.values(), (std::vector<std::uint32_t>{IntegrationField::kUnreached,
                                                                IntegrationField::kUnreached, 0}));
    SerialExecutor executor;
    StageContext context(executor);
    const std::vector<NavCellId> outside{NavCellId(3)};
    const auto refused = integrate(costs, outside, context);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_input);
}

TEST(Integrate, SaturatesBelowUnreached) {
    // 45,000 cells in a row at 254: 45,000 · 254 · 408 = 4.66e9 > 2³².
    CostGrid costs;
    costs.grid = {{0, 0}, 2, 45'000, 1};
    costs.cost = IdArray<world::NavCellTag, std::uint8_t>(45'000, std::uint8_t{254});
    const IntegrationField field = integrated(costs, {NavCellId(0)});
    EXPECT_EQ(field.value[NavCellId(1)], 254u * 408u);
    EXPECT_EQ(field.value[NavCellId(41'000)], 41'000u * 254u * 408u);
    EXPECT_EQ(field.value[NavCellId(44'999)], IntegrationField::kUnreached - 1);
}

TEST(Integrate, Cancels) {
    const CostGrid costs = grid_of({"11"});
    SerialExecutor executor;
    CancelFlag cancel;
    cancel.cancel();
    StageContext context(executor);
    context.cancel = &cancel;
    const std::vector<NavCellId> goals{NavCellId(0)};
    const auto field = integrate(costs, goals, context);
    ASSERT_FALSE(field.ok());
    EXPECT_EQ(field.error().code, ErrorCode::cancelled);
}

TEST(Directions, AreTheBestMoveByDefinition) {
    for (std::uint64_t id = 0; id < 200; ++id) {
        const CostGrid costs = random_grid(id, id % 2 == 0 ? 2 : 254);
        const std::vector<NavCellId> goals{NavCellId::from_index(costs.cost.size() / 2),
                                           NavCellId(0)};
        const IntegrationField field = integrated(costs, goals);
        const DirectionField directions = directed(costs, field);
        for (int y = 0; y < costs.grid.rows; ++y) {
            for (int x = 0; x < costs.grid.columns; ++x) {
                const NavCellId cell = at(costs, x, y);
                const std::uint32_t value = field.value[cell];
                std::vector<std::array<std::uint64_t, 3>> choices;  // total, diagonal, direction
                for (int d = 0; d < 8; ++d) {
                    const std::uint64_t step = step_cost(costs, x, y, d);
                    if (step == 0) continue;
                    const std::uint32_t there = field.value[at(costs, x + kDx[d], y + kDy[d])];
                    if (there == IntegrationField::kUnreached) continue;
                    choices.push_back({step + there, static_cast<std::uint64_t>(d % 2),
                                       static_cast<std::uint64_t>(d)});
                }
                if (value == 0 || value == IntegrationField::kUnreached) {
                    EXPECT_EQ(directions.direction[cell], DirectionField::kStay);
                    continue;
                }
                const auto best = *std::min_element(choices.begin(), choices.end());
                EXPECT_EQ(directions.direction[cell], best[2]) << id;
                EXPECT_EQ(best[0], value) << "the best move loses nothing";
            }
        }
    }
}

TEST(Directions, AFieldOfAnotherGridIsRefused) {
    const CostGrid costs = grid_of({"11"}), other = grid_of({"1", "1"});
    SerialExecutor executor;
    StageContext context(executor);
    const auto directions = build_directions(costs, integrated(other, {NavCellId(0)}), context);
    ASSERT_FALSE(directions.ok());
    EXPECT_EQ(directions.error().code, ErrorCode::invalid_input);
}

TEST(DefaultGoal, NearestToTheMiddleInTheLargestPart) {
    const CostGrid open = grid_of({"111", "111", "111"});
    EXPECT_EQ(default_goal(open), at(open, 1, 1));
    // The left part has five cells and is nearer, the right one six; three of those are equally
    // near.
    const CostGrid parts = grid_of({"11@1", "11@1", "1@@1", "@111"});
    EXPECT_EQ(default_goal(parts), at(parts, 3, 1));
    const CostGrid walls = grid_of({"11@11", "11@11", "11@11", "@@@11"});
    EXPECT_EQ(default_goal(walls), at(walls, 3, 1));
    const CostGrid diagonal = grid_of({"1@@", "@1@", "@@1"});
    EXPECT_EQ(default_goal(diagonal), at(diagonal, 0, 0)) << "equal parts: the first";
    EXPECT_TRUE(default_goal(grid_of({"@@"})).is_none());
    EXPECT_TRUE(default_goal(CostGrid{}).is_none());
}

/// Maps and optimal lengths published with "Benchmarks for Grid-Based Pathfinding" (Sturtevant
/// 2012).
struct Scenario {
    int start_x, start_y, goal_x, goal_y;
    double length;
};

CostGrid parse_map(const std::string& text) {
    std::istringstream in(text);
    std::string word, line;
    std::int32_t rows = 0, columns = 0;
    while (in >> word && word != "map") {
        if (word == "height") in >> rows;
        if (word == "width") in >> columns;
    }
    CostGrid costs;
    costs.grid = {{0, 0}, 2, columns, rows};
    for (std::int32_t row = 0; row < rows && in >> line; ++row) {
        for (const char c : line) {
            const bool open = c == '.' || c == 'G' || c == 'S';
            costs.cost.push_back(open ? std::uint8_t{1} : CostGrid::kBlocked);
        }
    }
    return costs;
}

std::vector<Scenario> parse_scenarios(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    std::vector<Scenario> scenarios;
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::string bucket, map;
        int width = 0, height = 0;
        Scenario s{};
        if (fields >> bucket >> map >> width >> height >> s.start_x >> s.start_y >> s.goal_x >>
            s.goal_y >> s.length) {
            scenarios.push_back(s);
        }
    }
    return scenarios;
}

TEST(Integrate, LengthsOfPublishedScenarios) {
    for (const char* name : {"dao__arena", "dao__den520d", "mazes__maze512-8-0"}) {
        const std::string file = std::string("grid-maps/") + name + ".map";
        const std::string map = tw::testing::data_file(file);
        if (map.empty()) GTEST_SKIP() << "no " << file << "; TERRAWAY_DATA says where real data is";
        const CostGrid costs = parse_map(map);
        ASSERT_FALSE(costs.cost.empty()) << name;
        const std::vector<Scenario> all = parse_scenarios(tw::testing::data_file(file + ".scen"));
        ASSERT_FALSE(all.empty()) << name;
        // A field serves one goal: some thirty of them, spread over the file.
        const std::size_t stride = std::max<std::size_t>(1, all.size() / 30);
        for (std::size_t i = 0; i < all.size(); i += stride) {
            const Scenario& s = all[i];
            const IntegrationField field = integrated(costs, {at(costs, s.goal_x, s.goal_y)});
            const std::uint32_t value = field.value[at(costs, s.start_x, s.start_y)];
            ASSERT_NE(value, IntegrationField::kUnreached) << name << " scenario " << i;
            EXPECT_NEAR(value / 408.0, s.length, 1e-4 * s.length + 1e-6)
                << name << " scenario " << i;
        }
    }
}

}  // namespace
}  // namespace tw::navigation
