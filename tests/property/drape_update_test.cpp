// Streets that are draped again where roads changed lie as if all were draped, ramps of bridges and
// tunnels among them.

#include "terraway/ground/drape.hpp"
#include "terraway/roads/edit_lines.hpp"
#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"
#include "terraway/world/flat_ground.hpp"

#include "support/network_history.hpp"
#include "support/road_mess.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tw::ground {
namespace {

using world::StreetHeights;

constexpr std::int32_t kSide = 4000 * kStepsPerMetre;

class Chain {
public:
    explicit Chain(std::uint64_t seed) : mess_(seed), lines_(mess_.lines()) {
        network_ = built_network();
        auto surface = streets::build_streets(network_, {}, ctx_);
        EXPECT_TRUE(surface.ok());
        surface_ = std::move(*surface);
        heights_ = draped();
    }
    /// False: the edit was refused.
    bool step() {
        if (!roads::apply_edit(mess_.edit(lines_), lines_)) return false;
        world::RoadNetwork next = built_network();
        const auto between = test::compared(network_, next);
        world::StreetChanges changes;
        EXPECT_TRUE(streets_.run(network_, next, between, surface_, changes, ctx_).ok());
        const world::RoadNetwork before = std::exchange(network_, std::move(next));
        const StreetHeights was = heights_;
        std::vector<world::StreetVertexId> raised;
        const auto run = [&] {
            return update_.run(
                query_, {.map = &ground_.map, .network = &network_, .streets = &surface_},
                {.network_before = &before, .network = &between, .streets = &changes, .ground = {}},
                heights_, raised, ctx_);
        };
        auto patch = run();
        EXPECT_TRUE(patch.ok());
        if (!patch.ok()) return false;
        const StreetHeights all = draped();
        EXPECT_EQ(heights_.height == all.height, true);
        // What is known of ramps is kept from step to step, unless one is taken back.
        if (++steps_ % 3 == 0) {
            update_.swap(**patch, heights_);
            EXPECT_EQ(heights_.height == was.height, true);
            if (steps_ % 2 == 0) {
                update_.swap(**patch, heights_);
            } else {
                EXPECT_TRUE(run().ok());
            }
            EXPECT_EQ(heights_.height == all.height, true);
        }
        for (const auto& road : network_.attributes.span()) levels_ += road.level != 0;
        return true;
    }
    std::size_t levels() const { return levels_; }

private:
    world::RoadNetwork built_network() {
        auto network = roads::build_network(lines_, {}, ctx_);
        EXPECT_TRUE(network.ok());
        return std::move(*network);
    }
    StreetHeights draped() {
        auto heights = drape_streets(query_, network_, surface_, {}, ctx_);
        EXPECT_TRUE(heights.ok());
        return std::move(*heights);
    }

    SerialExecutor executor_;
    StageContext ctx_{executor_};
    world::FlatGround ground_ = world::flat_ground({{-kSide, -kSide}, {kSide, kSide}});
    world::SurfaceQuery query_{ground_.surface()};
    test::RoadMess mess_;
    world::RoadLines lines_;
    world::RoadNetwork network_;
    world::StreetSurface surface_;
    StreetHeights heights_;
    streets::StreetUpdate streets_{streets::StreetOptions{}};
    DrapeUpdate update_{DrapeOptions{}};
    std::size_t steps_ = 0, levels_ = 0;
};

TEST(DrapeUpdateLaw, EqualsAllDrapedAfterAnyEdit) {
    std::size_t levels = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Chain chain(seed);
        for (int step = 0; step < 30; ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            chain.step();
            if (testing::Test::HasFailure()) return;
        }
        levels += chain.levels();
    }
    EXPECT_GT(levels, 500u) << "bridges and tunnels come up";
}

}  // namespace
}  // namespace tw::ground
