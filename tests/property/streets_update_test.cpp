// Streets that are brought up to date equal streets that are built, whatever is done to the roads.

#include "terraway/roads/edit_lines.hpp"
#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"

#include "support/network_history.hpp"
#include "support/road_mess.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw::streets {
namespace {

using world::RoadLines;
using world::StreetSurface;

/// The first array in which two surfaces differ; empty: they are equal.
std::string difference(const StreetSurface& a, const StreetSurface& b) {
    std::string found;
    std::apply(
        [&](const auto&... field) {
            const auto look = [&](const auto& f) {
                if (found.empty() && !(a.*f.member == b.*f.member)) found = f.name;
            };
            (look(field), ...);
        },
        StreetSurface::fields());
    return found;
}

/// Pieces that are said to have stayed did.
void expect_true(const world::StreetChanges& changes, const StreetSurface& before,
                 const StreetSurface& now) {
    ASSERT_EQ(changes.piece.size(), now.piece_count());
    std::size_t stayed = 0;
    for (const world::PieceId piece : now.kind.ids()) {
        const world::PieceId was = changes.piece[piece.index()];
        if (!was) continue;
        ++stayed;
        ASSERT_EQ(before.label[was], now.label[piece]);
        ASSERT_EQ(before.note[was], now.note[piece]);
        const auto a = before.triangles(was), b = now.triangles(piece);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t t = 0; t < a.size(); ++t) {
            for (std::size_t k = 0; k < 3; ++k) {
                ASSERT_EQ(before.vertex[a[t][k]], now.vertex[b[t][k]]);
            }
        }
    }
    EXPECT_EQ(stayed + changes.lost.size(), before.piece_count());
    for (const auto& run : changes.vertex) {
        for (std::uint32_t v = run.begin; v < run.end; ++v) {
            ASSERT_EQ(before.vertex[world::StreetVertexId(v)],
                      now.vertex[world::StreetVertexId(run.to + (v - run.begin))]);
        }
    }
}

TEST(StreetsUpdate, EqualsABuildAfterAnyEditAndIsTakenBack) {
    SerialExecutor executor;
    StageContext ctx(executor);
    const StreetOptions options;
    std::size_t kept = 0, all = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        test::RoadMess mess(seed);
        RoadLines lines = mess.lines();
        auto network = roads::build_network(lines, {}, ctx);
        ASSERT_TRUE(network.ok());
        auto surface = build_streets(*network, options, ctx);
        ASSERT_TRUE(surface.ok());
        StreetUpdate update(options);
        for (int step = 0; step < 40; ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            if (!roads::apply_edit(mess.edit(lines), lines)) continue;
            auto next = roads::build_network(lines, {}, ctx);
            ASSERT_TRUE(next.ok());
            const StreetSurface before = *surface;
            world::StreetChanges changes;
            auto done = update.run(*network, *next, test::compared(*network, *next), *surface,
                                   changes, ctx);
            const auto built = build_streets(*next, options, ctx);
            ASSERT_EQ(done.ok(), built.ok());
            if (!built) break;
            ASSERT_EQ(difference(*surface, *built), "");
            expect_true(changes, before, *surface);
            update.swap(**done, *surface);
            ASSERT_EQ(difference(*surface, before), "");
            update.swap(**done, *surface);
            ASSERT_EQ(difference(*surface, *built), "");
            if (HasFatalFailure()) return;
            all += built->piece_count();
            kept += built->piece_count() -
                    static_cast<std::size_t>(
                        std::count(changes.piece.begin(), changes.piece.end(), world::PieceId()));
            network = std::move(next);
        }
    }
    // It would be no update if most were made anew.
    EXPECT_GT(2 * kept, all);
}

}  // namespace
}  // namespace tw::streets
