#include "terraway/core/random.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tw::Purpose;
using tw::RandomStream;
using tw::Seed;
using Block = std::array<std::uint32_t, 4>;

TEST(Philox, GivesThePublishedAnswers) {
    // Random123, tests/kat_vectors: philox4x32 10.
    EXPECT_EQ(tw::philox4x32({0, 0, 0, 0}, {0, 0}),
              (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t kOnes = 0xffffffff;
    EXPECT_EQ(tw::philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
              (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(
        tw::philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
        (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, IsAPureFunctionOfItsKeys) {
    const auto first = [](std::uint64_t seed, const char* purpose, std::uint64_t id) {
        return RandomStream(Seed{seed}, Purpose(purpose), id).next_u64();
    };
    EXPECT_EQ(first(1, "a", 2), first(1, "a", 2));
    std::set<std::uint64_t> seen;
    std::size_t count = 0;
    for (std::uint64_t seed : {0ull, 1ull, 2ull, 1ull << 32, 1ull << 63, ~0ull}) {
        for (const char* purpose : {"", "a", "b", "ab", "ba", "terrain.sites"}) {
            for (std::uint64_t id : {0ull, 1ull, 2ull, 1ull << 32, ~0ull}) {
                seen.insert(first(seed, purpose, id));
                ++count;
            }
        }
    }
    EXPECT_EQ(seen.size(), count);
}

TEST(RandomStream, DrawsFollowTheCounter) {
    // The words of successive blocks in order: nothing skipped, nothing twice.
    RandomStream one(Seed{9}, Purpose("p"), 5), two(Seed{9}, Purpose("p"), 5);
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t high = one.next_u32();
        const std::uint64_t low = one.next_u32();
        EXPECT_EQ(two.next_u64(), high << 32 | low);
        seen.insert({static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(low)});
    }
    EXPECT_GE(seen.size(), 1998u);  // a collision among 2000 of 2³² has a chance of 1 in 2000
}

TEST(RandomStream, UnitsAreInTheirRangeAndOnTheirGrid) {
    RandomStream random(Seed{3}, Purpose("unit"), 0);
    for (int i = 0; i < 100'000; ++i) {
        const double d = random.unit();
        EXPECT_TRUE(d >= 0.0 && d < 1.0);
        EXPECT_EQ(std::ldexp(d, 53), std::floor(std::ldexp(d, 53)));
        const float f = random.unit_float();
        EXPECT_TRUE(f >= 0.0f && f < 1.0f);
        EXPECT_EQ(std::ldexp(f, 24), std::floor(std::ldexp(f, 24)));
        EXPECT_EQ(random.below(1), 0u);
        EXPECT_LT(random.below(7), 7u);
        EXPECT_LT(random.below(0xffffffff), 0xffffffff);
    }
}

double chi2(const std::vector<double>& counts) {
    double sum = 0.0;
    for (double n : counts) sum += n;
    const double expected = sum / static_cast<double>(counts.size());
    double result = 0.0;
    for (double n : counts) result += (n - expected) * (n - expected) / expected;
    return result;
}
/// chi² of k − 1 degrees of freedom is about normal: mean k − 1, variance 2 (k − 1). Five sigma,
/// both ways: too even is as wrong as too uneven.
void expect_uniform(const std::vector<double>& counts) {
    const double freedom = static_cast<double>(counts.size()) - 1;
    EXPECT_NEAR(chi2(counts), freedom, 5 * std::sqrt(2 * freedom));
}

TEST(RandomStream, DrawsOfOneStreamAreUniform) {
    std::vector<double> of_below(1000), of_unit(1000), of_pairs(1024), of_low_bits(256);
    RandomStream random(Seed{4}, Purpose("chi2"), 0);
    std::uint32_t last = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        const std::uint32_t below = random.below(1000);
        ++of_below[below];
        ++of_unit[static_cast<std::size_t>(random.unit() * 1000)];
        const std::uint32_t word = random.next_u32();
        ++of_low_bits[word & 255];
        ++of_pairs[(last >> 27) << 5 | word >> 27];
        last = word;
    }
    for (const auto* counts : {&of_below, &of_unit, &of_pairs, &of_low_bits})
        expect_uniform(*counts);
}

TEST(RandomStream, FirstDrawsOfNeighbouringIdsAndSeedsAreUniformAndUnrelated) {
    // What the library does most: a stream for each thing, a few draws from each.
    std::vector<double> by_id(256), by_seed(256), pairs(256);
    double covariance = 0.0;
    double last = 0.5;
    constexpr int kCount = 500'000;
    for (std::uint64_t i = 0; i < kCount; ++i) {
        const double u = RandomStream(Seed{1}, Purpose("site"), i).unit();
        const double v = RandomStream(Seed{i}, Purpose("site"), 1).unit();
        ++by_id[static_cast<std::size_t>(u * 256)];
        ++by_seed[static_cast<std::size_t>(v * 256)];
        ++pairs[static_cast<std::size_t>(last * 16) * 16 + static_cast<std::size_t>(u * 16)];
        covariance += (u - 0.5) * (last - 0.5);
        last = u;
    }
    expect_uniform(by_id);
    expect_uniform(by_seed);
    expect_uniform(pairs);
    // Products of two independent units have variance 1/144.
    EXPECT_LT(std::abs(covariance), 5 * std::sqrt(kCount / 144.0));
}

TEST(Purpose, IsFnv1a) {
    // Published 64-bit FNV-1a values.
    static_assert(Purpose("").value() == 0xcbf29ce484222325u);
    static_assert(Purpose("a").value() == 0xaf63dc4c8601ec8cu);
    static_assert(Purpose("foobar").value() == 0x85944171f73967e8u);
}

}  // namespace
