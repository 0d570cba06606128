#include "terraway/core/splice.hpp"

#include "terraway/core/id.hpp"
#include "terraway/core/random.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace tw {
namespace {

using Array = IdArray<struct SpliceTag, std::uint32_t>;

/// Before and after, with what stays in runs.
struct Case {
    std::vector<std::uint32_t> before, after, fresh;
    std::vector<Run> run;
};

/// Gaps and runs of any length, none among them, some pages long.
Case any_case(RandomStream& random) {
    Case out;
    std::uint32_t next = 0;
    const auto gap = [&](std::vector<std::uint32_t>& to, bool is_fresh) {
        const std::uint32_t length = random.below(3) == 0 ? random.below(5000) : random.below(3);
        for (std::uint32_t i = 0; i < length; ++i) {
            to.push_back(next);
            if (is_fresh) out.fresh.push_back(next);
            ++next;
        }
    };
    const std::uint32_t runs = random.below(6);
    for (std::uint32_t i = 0; i < runs; ++i) {
        gap(out.before, false);
        gap(out.after, true);
        const std::uint32_t length = 1 + random.below(random.below(2) == 0 ? 5 : 9000);
        const auto begin = static_cast<std::uint32_t>(out.before.size());
        out.run.push_back({begin, begin + length, static_cast<std::uint32_t>(out.after.size())});
        for (std::uint32_t k = 0; k < length; ++k) {
            out.before.push_back(next);
            out.after.push_back(next);
            ++next;
        }
    }
    gap(out.before, false);
    gap(out.after, true);
    return out;
}

TEST(Splice, PutsGapsBetweenRunsAndIsTakenBack) {
    RandomStream random(Seed{1}, Purpose("splice"), 0);
    for (int round = 0; round < 300; ++round) {
        Case given = any_case(random);
        Array array(given.before), gaps(given.fresh);
        const std::uint64_t hash_before = array.hash();
        splice(array, given.run, given.after.size(), gaps);
        ASSERT_EQ(array.values(), given.after);
        // Pages whose hash was known are hashed again where they hold something else.
        ASSERT_EQ(array.hash(), Array(given.after).hash());
        invert(given.run);
        splice(array, given.run, given.before.size(), gaps);
        ASSERT_EQ(array.values(), given.before);
        ASSERT_EQ(array.hash(), hash_before);
        ASSERT_EQ(gaps.values(), given.fresh);
    }
}

}  // namespace
}  // namespace tw
