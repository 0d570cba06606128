// The law of sessions: update equals build, bit for bit, after any history.

#include "terraway/core/random.hpp"
#include "terraway/pipeline/session.hpp"
#include "terraway/world/imported.hpp"

#include "support/road_lines.hpp"
#include "support/session_history.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace tw::pipeline {
namespace {

using test::HistoryStep;
using test::RandomHistory;

/// How many histories; `make soak` asks for 2,000, and for some on larger worlds.
std::uint64_t histories() {
    const char* wanted = std::getenv("TERRAWAY_HISTORIES");
    return wanted ? std::strtoull(wanted, nullptr, 10) : 40;
}

std::shared_ptr<const world::ImportedLines> few_roads() {
    world::ImportedLines lines;
    lines.frame = world::Frame::planar;
    lines.point_begin.push_back(0);
    const auto add = [&](const char* label, std::initializer_list<std::array<int, 2>> points) {
        lines.label.push_back(label);
        lines.attributes.push_back({.width = 8 * kStepsPerMetre});
        for (const auto& [x, y] : points) {
            lines.x.push_back(std::int64_t{x} * kStepsPerMetre);
            lines.y.push_back(std::int64_t{y} * kStepsPerMetre);
            lines.node.push_back(0);
        }
        lines.point_begin.push_back(static_cast<std::uint32_t>(lines.x.size()));
    };
    add("main", {{-700, 0}, {-100, 50}, {300, -40}, {750, 0}});
    add("high", {{-100, -600}, {-100, 50}, {-60, 640}});
    add("lane", {{300, -40}, {420, 300}, {400, 560}});
    return std::make_shared<const world::ImportedLines>(std::move(lines));
}

/// Streets with a bridge over them, off the middle of the world.
std::shared_ptr<const world::ImportedLines> town_roads() {
    world::ImportedLines lines;
    lines.frame = world::Frame::planar;
    lines.point_begin.push_back(0);
    std::vector<test::Line> town = test::town(5);
    town.push_back(
        test::on_level(test::street("bridge", 9, {{-60, 100}, {180, 130}, {420, 260}}), 1));
    for (const test::Line& line : town) {
        lines.label.push_back(line.label);
        lines.attributes.push_back(line.attributes);
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            lines.x.push_back(line.points[i].x);
            lines.y.push_back(line.points[i].y);
            lines.node.push_back(i == 0 ? line.from : i + 1 == line.points.size() ? line.to : 0);
        }
        lines.point_begin.push_back(static_cast<std::uint32_t>(lines.x.size()));
    }
    return std::make_shared<const world::ImportedLines>(std::move(lines));
}

struct Case {
    WorldRecipe recipe;
    Imports imports;
};

/// A small world whose options the seed chooses.
Case any_case(std::uint64_t seed) {
    RandomStream random(Seed{seed}, Purpose("test.case"), 0);
    Case out;
    out.recipe.seed = Seed{seed};
    out.recipe.placement.size = std::array{2000.0, 1600.0};
    out.recipe.sites.cells = 120 + random.below(400);
    if (const char* wanted = std::getenv("TERRAWAY_HISTORY_CELLS")) {
        out.recipe.sites.cells = static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10));
    }
    out.recipe.relief.shape = static_cast<terrain::Shape>(random.below(3));
    out.recipe.relief.border = static_cast<terrain::Border>(random.below(2));
    out.recipe.relief.land_fraction = 0.3 + 0.1 * random.below(6);
    out.recipe.relief.highest = 300.0;
    out.recipe.relief.wavelength = random.below(2) == 0 ? 0.0 : 250.0;
    if (random.below(4) == 0) out.recipe.drainage.depressions = terrain::Depressions::carve;
    out.recipe.rivers.min_flow = random.below(2) == 0 ? 0.0 : 0.001;
    out.recipe.raster.longest = 48;
    out.recipe.cost.longest = 40;
    out.recipe.cost.ford_flow = random.below(2) == 0 ? 0.002 : 20.0;
    const std::uint32_t roads = random.below(3);
    if (roads == 1) out.imports.lines = few_roads();
    if (roads == 2) out.imports.lines = town_roads();
    return out;
}

class Law {
public:
    explicit Law(std::uint64_t seed) : case_(any_case(seed)) {
        environment_.cache = &cache_;  // what lies before edits is baked once
        auto baked = bake(case_.recipe, case_.imports, environment_);
        EXPECT_TRUE(baked.ok()) << to_string(baked.error());
        first_ = std::move(baked).value();
    }
    const BakedWorld& first() const { return first_; }
    std::unique_ptr<Session> open() const {
        auto session = Session::create(case_.recipe, first_);
        EXPECT_TRUE(session.ok()) << to_string(session.error());
        return std::move(session).value();
    }
    /// What breaks the law, after which step; none if nothing does.
    std::optional<std::string> broken_by(const std::vector<HistoryStep>& history) {
        const auto session = open();
        for (std::size_t i = 0; i < history.size(); ++i) {
            run(*session, history[i]);
            if (auto broken = compare(*session)) return "step " + std::to_string(i) + *broken;
        }
        while (session->undo_count() > 0) EXPECT_TRUE(session->undo().ok());
        if (auto stage = first_difference(session->world(), first_)) {
            return "undoing everything does not come back: " + *stage;
        }
        return std::nullopt;
    }
    /// Leaves out steps as long as the law stays broken.
    std::vector<HistoryStep> shrink(std::vector<HistoryStep> history) {
        for (std::size_t size = history.size() / 2; size > 0; size /= 2) {
            for (std::size_t at = 0; at + size <= history.size();) {
                std::vector<HistoryStep> fewer = history;
                const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
                fewer.erase(from, from + static_cast<std::ptrdiff_t>(size));
                if (broken_by(fewer)) {
                    history = std::move(fewer);
                } else {
                    at += size;
                }
            }
        }
        return history;
    }

private:
    static void run(Session& session, const HistoryStep& step) {
        const std::uint64_t before = session.hash();
        const bool can_undo = session.undo_count() > 0, can_redo = session.redo_count() > 0;
        switch (step.kind) {
            case HistoryStep::Kind::undo:
                EXPECT_EQ(session.undo().ok(), can_undo);
                return;
            case HistoryStep::Kind::redo:
                EXPECT_EQ(session.redo().ok(), can_redo);
                return;
            case HistoryStep::Kind::apply:
                break;
        }
        std::vector<world::Edit> edits = step.edits;
        if (!session.edits().edit.empty()) {  // steps that were left out had ticks of their own
            for (world::Edit& edit : edits) {
                edit.tick = std::max(edit.tick, session.edits().edit.back().tick);
            }
        }
        const bool done = session.apply(edits).ok();
        EXPECT_TRUE(done || session.hash() == before) << "a refused step left a mark";
    }
    std::optional<std::string> compare(Session& session) {
        Imports imports = case_.imports;
        imports.edits = std::make_shared<const world::EditList>(session.edits());
        const auto built = bake(case_.recipe, imports, environment_);
        if (!built) return ": the bake fails: " + to_string(built.error());
        if (auto stage = first_difference(session.world(), *built)) return ": " + *stage;
        return std::nullopt;
    }
    static std::optional<std::string> first_difference(const BakedWorld& a, const BakedWorld& b) {
        if (a.hash == b.hash) return std::nullopt;
        if (a.stages.size() != b.stages.size()) return "other stages";
        for (std::size_t i = 0; i < b.stages.size(); ++i) {
            if (a.stages[i].name != b.stages[i].name) return "other stages";
            if (a.stages[i].hash != b.stages[i].hash)
                return "stage " + b.stages[i].name + " differs";
        }
        return "the stages are equal, the world's hash is not";
    }

    Case case_;
    StageCache cache_;
    BakeEnvironment environment_;
    BakedWorld first_;
};

/// A history of 50 steps that the seed makes.
void expect_law(std::uint64_t seed) {
    constexpr std::size_t kSteps = 50;
    Law law(seed);
    std::vector<test::RoadPlace> roads;
    const world::RoadLines& lines = *law.first().lines;
    for (const world::RoadId line : lines.label.ids()) {
        for (const GridPoint point : lines.points(line)) {
            roads.push_back({lines.label[line], point});
        }
    }
    RandomHistory random(seed, law.first().map->bounds, std::move(roads));
    std::vector<HistoryStep> history;
    history.reserve(kSteps);
    for (std::size_t i = 0; i < kSteps; ++i) history.push_back(random.next());
    const auto broken = law.broken_by(history);
    if (!broken) return;
    const auto shortest = law.shrink(history);
    FAIL() << "seed " << seed << ": " << *broken
           << "; the shortest history that breaks it: " << test::describe(shortest) << " ("
           << law.broken_by(shortest).value_or("") << ")";
}

TEST(SessionLaw, UpdateEqualsBuildAfterAnyHistory) {
    std::uint64_t first_seed = 1;
    if (const char* wanted = std::getenv("TERRAWAY_HISTORY_SEED")) {
        first_seed = std::strtoull(wanted, nullptr, 10);
    }
    for (std::uint64_t seed = first_seed; seed < first_seed + histories(); ++seed) {
        expect_law(seed);
        if (HasFatalFailure()) return;
    }
}

TEST(SessionLaw, HoldsWhereItOnceDidNot) {
    expect_law(1254);  // a corridor stays, and the node at its end is another
}

}  // namespace
}  // namespace tw::pipeline
