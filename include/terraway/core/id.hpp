#pragma once
// Typed ids: a cell cannot be passed where a corner is wanted.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tw::inline core {

/// An index of one kind of thing. Dense ids are private to one build of the world; what outlives a
/// build is a `StableId`. Default: none.
template <class Tag, class Rep = std::uint32_t>
class Id {
public:
    using tag_type = Tag;
    using rep_type = Rep;
    static constexpr Rep kNone = std::numeric_limits<Rep>::max();

    constexpr Id() = default;
    constexpr explicit Id(Rep value) : value_(value) {}
    /// For indices that come from a container; the caller knows that they fit.
    static constexpr Id from_index(std::size_t index) { return Id(static_cast<Rep>(index)); }

    constexpr Rep value() const { return value_; }
    constexpr std::size_t index() const { return value_; }
    constexpr bool is_none() const { return value_ == kNone; }
    constexpr explicit operator bool() const { return value_ != kNone; }
    constexpr Id& operator++() {
        ++value_;
        return *this;
    }
    friend constexpr auto operator<=>(Id, Id) = default;

private:
    Rep value_ = kNone;
};

/// Survives rebuilding, saving and loading: the source's id, the edit's id, or a hash of geometry.
using StableId = Id<struct StableTag, std::uint64_t>;

/// The ids begin, begin + 1, …, end − 1, for range loops.
template <class AnyId>
class IdRange {
public:
    struct Iterator {
        AnyId id;
        constexpr AnyId operator*() const { return id; }
        constexpr Iterator& operator++() {
            ++id;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;
    };
    constexpr IdRange(std::size_t begin, std::size_t end)
        : begin_(AnyId::from_index(begin)), end_(AnyId::from_index(end)) {}
    constexpr explicit IdRange(std::size_t count) : IdRange(0, count) {}
    constexpr Iterator begin() const { return {begin_}; }
    constexpr Iterator end() const { return {end_}; }
    constexpr std::size_t size() const { return end_.index() - begin_.index(); }

private:
    AnyId begin_, end_;
};

}  // namespace tw::inline core
