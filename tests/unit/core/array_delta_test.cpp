#include "terraway/core/array_delta.hpp"

#include "terraway/core/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tw {
namespace {

using Thing = Id<struct DeltaTag>;
using Runs = std::vector<Run>;

template <class T>
void expect_swaps(const std::vector<T>& before, const std::vector<T>& now, const Runs& runs) {
    ArrayDelta<T> delta(before, now, runs);
    std::vector<T> array = now;
    for (int round = 0; round < 2; ++round) {
        delta.swap(array);
        ASSERT_EQ(array, before);
        delta.swap(array);
        ASSERT_EQ(array, now);
    }
}

/// What things now were; some are new, some are gone, few change places.
std::vector<Thing> any_history(RandomStream& random, std::size_t before) {
    std::vector<Thing> out;
    for (std::size_t i = 0; i < before; ++i) {
        const std::uint32_t what = random.below(40);
        if (what == 0) continue;
        if (what == 1) out.emplace_back();
        out.push_back(what == 2 ? Thing() : Thing::from_index(i));
        if (what == 3 && out.size() > 1) std::swap(out.back(), out[out.size() - 2]);
    }
    return out;
}

TEST(ArrayDelta, GivesBothSidesOfAnyChange) {
    RandomStream random(Seed{1}, Purpose("delta"), 0);
    for (int round = 0; round < 300; ++round) {
        const std::size_t size = random.below(400);
        const std::vector<Thing> was = any_history(random, size);
        const Runs runs = runs_from(std::span<const Thing>(was), size);
        std::vector<std::uint32_t> begin(size);
        std::vector<Thing> id(size);
        std::vector<std::string> name(size);
        for (std::size_t i = 0; i < size; ++i) {
            begin[i] = random.below(1000);
            if (random.below(4) != 0) id[i] = Thing(random.below(100));
            name[i] = std::to_string(begin[i]);
        }
        std::vector<std::uint32_t> begin_now;
        std::vector<Thing> id_now;
        std::vector<std::string> name_now;
        for (const Thing each : was) {
            const std::size_t from = each ? each.index() : 0;
            const std::uint32_t shift = from > 200 ? 7 : 0;
            begin_now.push_back(each ? begin[from] + shift : random.below(5));
            id_now.push_back(each && id[from] ? Thing(id[from].value() + shift) : Thing());
            name_now.push_back(each ? name[from] : "new");
        }
        expect_swaps(begin, begin_now, runs);
        expect_swaps(id, id_now, runs);
        expect_swaps(name, name_now, runs);
    }
}

TEST(ArrayDelta, KeepsOnlyWhatDoesNotFollow) {
    std::vector<std::uint32_t> before(10'000), now;
    for (std::uint32_t i = 0; i < before.size(); ++i) before[i] = i * i;
    now = before;
    now.insert(now.begin() + 5000, {1, 2, 3});
    for (std::size_t i = 5003; i < now.size(); ++i) now[i] += 100;
    now[700] = 0;
    const Runs runs{{0, 5000, 0}, {5000, 10'000, 5003}};
    const ArrayDelta<std::uint32_t> delta(before, now, runs);
    EXPECT_LT(delta.bytes(), 100u);
    expect_swaps(before, now, runs);
}

TEST(ArrayDelta, IdsThatAreNoneDoNotMove) {
    // As a number, none plus one is 0: an id of its own.
    const std::vector<Thing> before{Thing(), Thing(4), Thing(), Thing(0), Thing(7)};
    const std::vector<Thing> now{Thing(0), Thing(5), Thing(), Thing(1), Thing()};
    expect_swaps(before, now, {{0, 5, 0}});
}

TEST(RunsFrom, AscendOnBothSides) {
    const std::vector<Thing> was{Thing(0), Thing(1), Thing(), Thing(3), Thing(9), Thing(5)};
    const Runs runs = runs_from(std::span<const Thing>(was), 10);
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0].begin, 0u);
    EXPECT_EQ(runs[0].end, 4u);
    EXPECT_EQ(runs[0].to, 0u);
    EXPECT_EQ(runs[1].begin, 9u);
    EXPECT_EQ(runs[1].end, 10u);
    EXPECT_EQ(runs[1].to, 4u);
}

}  // namespace
}  // namespace tw
