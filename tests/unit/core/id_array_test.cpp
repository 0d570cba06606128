#include "terraway/core/id_array.hpp"

#include <cstdint>
#include <set>

#include <gtest/gtest.h>

namespace {

struct Tag;
using Array = tw::IdArray<Tag, std::int32_t>;
using ThingId = tw::Id<Tag>;

Array counting(std::size_t size) {
    Array array(size);
    std::int32_t i = 0;
    for (std::int32_t& value : array.edit_all()) value = i++;
    return array;
}

TEST(Id, DefaultIsNone) {
    EXPECT_TRUE(ThingId().is_none());
    EXPECT_FALSE(ThingId());
    EXPECT_TRUE(ThingId(0));
    EXPECT_EQ(ThingId::from_index(7).index(), 7u);
    EXPECT_LT(ThingId(3), ThingId(4));
    EXPECT_LT(ThingId(3), ThingId());  // none sorts last
    ThingId next(3);
    EXPECT_EQ(++next, ThingId(4));
    static_assert(!std::is_convertible_v<std::uint32_t, ThingId>);
    static_assert(!std::is_convertible_v<ThingId, tw::Id<struct OtherTag>>);
    static_assert(sizeof(tw::StableId) == 8);
}

TEST(Id, RangesCountUp) {
    std::vector<std::uint32_t> seen;
    for (ThingId id : tw::IdRange<ThingId>(2, 5)) seen.push_back(id.value());
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{2, 3, 4}));
    EXPECT_EQ(tw::IdRange<ThingId>(5).size(), 5u);
    for (ThingId id : tw::IdRange<ThingId>(0)) FAIL() << id.value();
}

TEST(IdArray, HoldsWhatIsWritten) {
    Array array{5, 6, 7};
    EXPECT_EQ(array[ThingId(1)], 6);
    array.edit(ThingId(1)) = 60;
    EXPECT_EQ(array.push_back(8), ThingId(3));
    EXPECT_EQ(array.values(), (std::vector<std::int32_t>{5, 60, 7, 8}));
    EXPECT_TRUE(array.contains(ThingId(3)));
    EXPECT_FALSE(array.contains(ThingId(4)));
    EXPECT_FALSE(array.contains(ThingId()));
    EXPECT_EQ(array.ids().size(), 4u);
    EXPECT_EQ(std::move(array).take().size(), 4u);
}

TEST(IdArray, AnyChangedValueChangesTheHash) {
    for (std::size_t size : {std::size_t{1}, std::size_t{4095}, tw::kPageSize, std::size_t{4097},
                             3 * tw::kPageSize + 5}) {
        Array array = counting(size);
        std::set<std::uint64_t> seen{array.hash()};
        for (std::size_t i : {std::size_t{0}, size / 2, size - 1}) {
            const ThingId id = ThingId::from_index(i);
            for (int bit = 0; bit < 31; ++bit) {
                const std::int32_t old = array[id];
                array.edit(id) ^= 1 << bit;
                EXPECT_TRUE(seen.insert(array.hash()).second || size == 1) << size << " " << i;
                EXPECT_NE(array.hash(), counting(size).hash());
                array.edit(id) = old;
                EXPECT_EQ(array.hash(), counting(size).hash());
            }
        }
    }
}

TEST(IdArray, TheHashIsThatOfAFreshArray) {
    Array array = counting(3 * tw::kPageSize);
    const auto expect_fresh = [&] { EXPECT_EQ(array.hash(), Array(array.values()).hash()); };
    expect_fresh();
    array.push_back(1);  // opens a page
    expect_fresh();
    array.push_back(2);  // within a page
    expect_fresh();
    array.resize(2 * tw::kPageSize + 1);
    expect_fresh();
    array.resize(2 * tw::kPageSize);
    expect_fresh();
    array.edit_all()[5] = -1;
    expect_fresh();
    Array copy = array;
    copy.edit(ThingId(0)) = 77;
    EXPECT_NE(copy.hash(), array.hash());
    expect_fresh();
    array = std::move(copy);
    expect_fresh();
    array.resize(0);
    expect_fresh();
    EXPECT_NE(Array().hash(), Array(1).hash());
    EXPECT_NE(Array(tw::kPageSize).hash(), Array(2 * tw::kPageSize).hash());
}

/// Counts how often elements are hashed, through a conversion that the hasher asks for.
struct Counted {
    std::int32_t value = 0;
    static inline std::size_t hashed = 0;
    std::uint64_t hash() const {
        ++hashed;
        return static_cast<std::uint64_t>(value);
    }
    bool pad = false;  // so that its bytes are not hashed directly
};

}  // namespace

template <>
struct tw::HashesItself<Counted> : std::true_type {};

namespace {

TEST(IdArray, OnlyChangedPagesAreHashedAgain) {
    tw::IdArray<Tag, Counted> array(5 * tw::kPageSize + 10);
    const auto hashed = [&] {
        Counted::hashed = 0;
        static_cast<void>(array.hash());
        return Counted::hashed;
    };
    EXPECT_EQ(hashed(), array.size());
    EXPECT_EQ(hashed(), 0u);
    array.edit(ThingId(3)).value = 1;
    array.edit(ThingId(4)).value = 1;
    EXPECT_EQ(hashed(), tw::kPageSize);
    array.edit(ThingId::from_index(2 * tw::kPageSize)).value = 1;
    array.edit(ThingId::from_index(array.size() - 1)).value = 1;
    EXPECT_EQ(hashed(), tw::kPageSize + 10);
    array.push_back({});
    EXPECT_EQ(hashed(), 11u);
    static_cast<void>(array.edit_all());
    EXPECT_EQ(hashed(), array.size());
}

TEST(IdArray, PagesCoverTheArray) {
    const Array array = counting(2 * tw::kPageSize + 3);
    ASSERT_EQ(array.page_count(), 3u);
    EXPECT_EQ(array.page(0).size(), tw::kPageSize);
    EXPECT_EQ(array.page(2).size(), 3u);
    EXPECT_EQ(array.page(1).front(), static_cast<std::int32_t>(tw::kPageSize));
    EXPECT_EQ(Array().page_count(), 0u);
}

}  // namespace
