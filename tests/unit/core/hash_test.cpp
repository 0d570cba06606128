#include "terraway/core/hash.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tw::hash_of;
using tw::Hasher;

/// The buffer of xxHash's own sanity tests.
std::vector<std::byte> sanity_buffer(std::size_t length) {
    std::vector<std::byte> buffer(length);
    std::uint64_t generator = 2654435761u;
    for (std::byte& b : buffer) {
        b = static_cast<std::byte>(generator >> 56);
        generator *= 11400714785074694797u;
    }
    return buffer;
}

TEST(Hash, IsXxh64) {
    // Published with xxHash (sanity_test) and its specification.
    constexpr std::uint64_t kSeed = 2654435761u;
    struct Case {
        std::size_t length;
        std::uint64_t seed, hash;
    };
    for (const Case& c : {Case{0, 0, 0xEF46DB3751D8E999u}, Case{0, kSeed, 0xAC75FDA2929B17EFu},
                          Case{1, 0, 0xE934A84ADB052768u}, Case{1, kSeed, 0x5014607643A9B4C3u},
                          Case{4, 0, 0x9136A0DCA57457EEu}, Case{14, 0, 0x8282DCC4994E35C8u},
                          Case{14, kSeed, 0xC3BD6BF63DEB6DF0u}, Case{222, 0, 0xB641AE8CB691C174u},
                          Case{222, kSeed, 0x20CB8AB7AE10C14Au}}) {
        EXPECT_EQ(tw::hash_bytes(sanity_buffer(c.length), c.seed), c.hash) << c.length;
    }
    EXPECT_EQ(tw::hash_text("a"), 0xD24EC4F1A98C6E5Bu);
    EXPECT_EQ(tw::hash_text("abc"), 0x44BC2CF5AD770999u);
    EXPECT_EQ(tw::hash_text("xxhash"), 0x32DD38952C4BC720u);
    EXPECT_EQ(tw::hash_text("xxhash", 20141025), 0xB559B98D844E0635u);
    EXPECT_EQ(tw::hash_text("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1u);
}

TEST(Hash, PiecesHashAsTheWhole) {
    const std::vector<std::byte> bytes = sanity_buffer(200);
    const std::uint64_t whole = tw::hash_bytes(bytes);
    for (std::size_t first = 0; first <= bytes.size(); ++first) {
        for (std::size_t piece : {1u, 7u, 31u, 32u, 33u, 64u}) {
            Hasher hasher;
            const std::span<const std::byte> all(bytes);
            hasher.bytes(all.first(first));
            for (std::size_t at = first; at < bytes.size(); at += piece) {
                hasher.bytes(all.subspan(at, std::min(piece, bytes.size() - at)));
            }
            ASSERT_EQ(hasher.finish(), whole) << first << " " << piece;
            ASSERT_EQ(hasher.finish(), whole) << "finish() must not change it";
        }
    }
}

TEST(Hash, EveryBitOfEveryLengthCounts) {
    for (std::size_t length : {1u, 3u, 4u, 8u, 31u, 32u, 33u, 100u}) {
        std::vector<std::byte> bytes(length);
        std::set<std::uint64_t> seen{tw::hash_bytes(bytes)};
        for (std::size_t bit = 0; bit < 8 * length; ++bit) {
            bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
            EXPECT_TRUE(seen.insert(tw::hash_bytes(bytes)).second) << length << " " << bit;
            bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        }
    }
}

TEST(Hash, NegativeZeroIsZero) {
    EXPECT_EQ(hash_of(-0.0), hash_of(0.0));
    EXPECT_EQ(hash_of(-0.0f), hash_of(0.0f));
    EXPECT_EQ(hash_of(std::vector<float>{1.0f, -0.0f}), hash_of(std::vector<float>{1.0f, 0.0f}));
    EXPECT_NE(hash_of(-1.0), hash_of(1.0));
}

TEST(Hash, ManyFloatsHashAsTheirBits) {
    // More than the block that floats are copied through.
    std::vector<double> values(1000);
    std::vector<std::uint64_t> bits(1000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i) * 0.37 - 100.0;
        bits[i] = std::bit_cast<std::uint64_t>(values[i]);
    }
    EXPECT_EQ(hash_of(values), hash_of(bits));
}

TEST(Hash, TextIsHashedByItsLetters) {
    // Whatever holds the letters, and wherever they are.
    const std::string text = "ridge", same = std::string("rid") + "ge";
    EXPECT_EQ(hash_of(text), hash_of(same));
    EXPECT_EQ(hash_of(std::string_view(text)), hash_of(std::string_view(same)));
    EXPECT_EQ(hash_of(std::string_view(text)), hash_of(text));
    EXPECT_EQ(Hasher().add("ridge").finish(), hash_of(text));
    EXPECT_EQ(hash_of(std::vector<std::string>{text}), hash_of(std::vector<std::string>{same}));
}

TEST(Hash, SpansAreHashedByTheirElements) {
    const std::vector<int> values{1, 2, 3}, same{1, 2, 3};
    EXPECT_EQ(hash_of(std::span(values)), hash_of(std::span(same)));
    EXPECT_EQ(hash_of(std::span(values)), hash_of(values));
    EXPECT_NE(hash_of(std::span(values).first(2)), hash_of(values));
}

TEST(Hash, LengthsKeepNeighboursApart) {
    using Texts = std::vector<std::string>;
    EXPECT_NE(hash_of(Texts{"ab", "c"}), hash_of(Texts{"a", "bc"}));
    EXPECT_NE(hash_of(std::vector<std::vector<int>>{{1}, {2, 3}}),
              hash_of(std::vector<std::vector<int>>{{1, 2}, {3}}));
    EXPECT_NE(hash_of(std::vector<int>{}), hash_of(std::vector<int>{0}));
    EXPECT_NE(hash_of(std::optional<int>{}), hash_of(std::optional<int>{0}));
}

struct Nested {
    std::uint32_t id = 0;
    double weight = 0.0;
    std::string name;
    std::vector<float> values;
    std::optional<std::int16_t> extra;
    static constexpr auto fields() {
        return std::tuple{tw::Field{"id", &Nested::id}, tw::Field{"weight", &Nested::weight},
                          tw::Field{"name", &Nested::name}, tw::Field{"values", &Nested::values},
                          tw::Field{"extra", &Nested::extra}};
    }
};

TEST(Hash, EveryFieldCounts) {
    const Nested base{1, 2.0, "three", {4.0f, 5.0f}, std::nullopt};
    std::set<std::uint64_t> seen{hash_of(base)};
    const auto expect_new = [&](auto change) {
        Nested other = base;
        change(other);
        EXPECT_TRUE(seen.insert(hash_of(other)).second);
    };
    expect_new([](Nested& n) { n.id = 2; });
    expect_new([](Nested& n) { n.weight = 2.5; });
    expect_new([](Nested& n) { n.name = "Three"; });
    expect_new([](Nested& n) { n.values[1] = 4.0f; });
    expect_new([](Nested& n) { n.values.push_back(0.0f); });
    expect_new([](Nested& n) { n.extra = std::int16_t{0}; });
    EXPECT_EQ(hash_of(base), hash_of(Nested(base)));
}

TEST(Hash, TextIsSixteenHexDigits) {
    EXPECT_EQ(tw::hash_to_text(0), "0000000000000000");
    EXPECT_EQ(tw::hash_to_text(0x0123456789ABCDEFu), "0123456789abcdef");
}

#if GTEST_HAS_DEATH_TEST && !defined(NDEBUG)
TEST(HashDeathTest, NanIsABug) {
    EXPECT_DEATH(hash_of(std::numeric_limits<double>::quiet_NaN()), "NaN");
}
#endif

}  // namespace
