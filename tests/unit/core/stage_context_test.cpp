#include "terraway/core/stage_context.hpp"

#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tw::CancelFlag;
using tw::Progress;
using tw::SerialExecutor;
using tw::StageContext;

class Recorder final : public tw::ProgressSink {
public:
    void progress(double fraction, std::string_view what) override {
        seen.emplace_back(fraction, std::string(what));
    }
    std::vector<std::pair<double, std::string>> seen;
};

TEST(Progress, PartsNestByTheirWeights) {
    Recorder recorder;
    const Progress whole(&recorder);
    const Progress terrain = whole.part(0.0, 0.6, "terrain"), roads = whole.part(0.6, 1.0, "roads");
    const Progress rivers = terrain.part(0.5, 1.0, "rivers");
    terrain.set(0.25);
    rivers.set(0.0);
    rivers.set(0.5);
    rivers.part(0.5, 1.0, "lakes").set(1.0);
    roads.set(0.5);
    whole.set(1.0);
    const std::vector<std::pair<double, std::string>> expected{{0.15, "terrain"}, {0.3, "rivers"},
                                                               {0.45, "rivers"},  {0.6, "lakes"},
                                                               {0.8, "roads"},    {1.0, ""}};
    ASSERT_EQ(recorder.seen.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(recorder.seen[i].first, expected[i].first, 1e-12);
        EXPECT_EQ(recorder.seen[i].second, expected[i].second);
    }
}

TEST(Progress, ConsecutivePartsNeverFall) {
    Recorder recorder;
    const Progress whole(&recorder);
    for (int stage = 0; stage < 7; ++stage) {
        const Progress part = whole.part(stage / 7.0, (stage + 1) / 7.0, "stage");
        for (int k = 0; k <= 10; ++k) part.set(k / 10.0);
    }
    for (std::size_t i = 1; i < recorder.seen.size(); ++i) {
        EXPECT_GE(recorder.seen[i].first, recorder.seen[i - 1].first - 1e-15);
    }
    EXPECT_DOUBLE_EQ(recorder.seen.back().first, 1.0);
}

TEST(Progress, WithoutASinkNothingHappens) {
    Progress().set(0.5);
    Progress().part(0.0, 0.5, "x").set(1.0);
}

TEST(StageContext, SeesTheFlagFromAnyThread) {
    SerialExecutor executor;
    StageContext context(executor);
    EXPECT_FALSE(context.cancelled());
    CancelFlag flag;
    context.cancel = &flag;
    EXPECT_FALSE(context.cancelled());
    std::thread([&] { flag.cancel(); }).join();
    EXPECT_TRUE(context.cancelled());
    const tw::Error error = tw::cancelled_error("rivers");
    EXPECT_EQ(error.code, tw::ErrorCode::cancelled);
    EXPECT_EQ(error.stage, "rivers");
}

TEST(StageContext, WorkBeyondTheLimitIsRefused) {
    SerialExecutor executor;
    StageContext context(executor);
    EXPECT_TRUE(require_memory(context, "terrain", tw::kNoMemoryLimit).ok());
    context.memory_limit = 100u << 20;
    EXPECT_TRUE(require_memory(context, "terrain", 100u << 20).ok());
    const tw::Status refused = require_memory(context, "terrain", (100u << 20) + 1);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, tw::ErrorCode::too_large);
    EXPECT_EQ(refused.error().stage, "terrain");
    EXPECT_NE(refused.error().message.find("101 MB"), std::string::npos);
    EXPECT_NE(refused.error().message.find("limit of 100 MB"), std::string::npos);
}

}  // namespace
