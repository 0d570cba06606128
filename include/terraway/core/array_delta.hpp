#pragma once
// What an array was, kept by what it is.

#include "terraway/core/id.hpp"
#include "terraway/core/splice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tw::inline core {

namespace detail {

/// How values of an array follow those of another: equal, or for numbers and ids all moved by the
/// same; what is no id stays none.
template <class T>
struct Follow {
    static std::uint32_t shift(const T&, const T&) { return 0; }
    static bool holds(const T& from, const T& to, std::uint32_t) { return from == to; }
    static void move(T&, std::uint32_t) {}
};
template <>
struct Follow<std::uint32_t> {
    static std::uint32_t shift(std::uint32_t from, std::uint32_t to) { return to - from; }
    static bool holds(std::uint32_t from, std::uint32_t to, std::uint32_t shift) {
        return to - from == shift;
    }
    static void move(std::uint32_t& value, std::uint32_t shift) { value += shift; }
};
template <class Tag>
struct Follow<Id<Tag, std::uint32_t>> {
    using Value = Id<Tag, std::uint32_t>;
    static std::uint32_t shift(Value from, Value to) {
        return from && to ? to.value() - from.value() : 0;
    }
    static bool holds(Value from, Value to, std::uint32_t shift) {
        // Without a way out, so that compilers put several side by side.
        const bool none_before = from.is_none(), none_now = to.is_none();
        const bool moved = to.value() - from.value() == shift;
        const bool none = none_before & none_now, any_none = none_before | none_now;
        return none | (moved & !any_none);
    }
    static void move(Value& value, std::uint32_t shift) {
        if (value) value = Value(value.value() + shift);
    }
};

}  // namespace detail

/// One side of a change, as what the other side has not: runs of it whose values follow those of
/// the other, and the values between.
template <class T>
class ArrayDelta {
public:
    ArrayDelta() = default;
    /// Keeps `other`. Elements [begin, end) of it are sought in `here` at `to` and on; runs ascend
    /// on both sides. Cost: O(runs), and memory for what does not follow.
    ArrayDelta(std::span<const T> other, std::span<const T> here, std::span<const Run> runs)
        : size_(other.size()) {
        for (const Run& run : runs) follow(other, here, run);
        copy_rest(other, segments_.empty() ? 0 : segments_.back().begin + segments_.back().size,
                  other.size());
        segments_.shrink_to_fit();
        rest_.shrink_to_fit();
    }

    /// `here` becomes the other side, which becomes what here was. Cost: O(size).
    void swap(std::vector<T>& here) {
        std::vector<T> out(size_), rest;
        auto fresh = rest_.begin();
        std::size_t at = 0, at_here = 0;
        const auto between = [&](std::size_t end, std::size_t end_here) {
            const auto last = fresh + static_cast<std::ptrdiff_t>(end - at);
            std::move(fresh, last, out.begin() + static_cast<std::ptrdiff_t>(at));
            fresh = last;
            std::move(here.begin() + static_cast<std::ptrdiff_t>(at_here),
                      here.begin() + static_cast<std::ptrdiff_t>(end_here),
                      std::back_inserter(rest));
        };
        for (Segment& segment : segments_) {
            between(segment.begin, segment.to);
            const auto from = here.begin() + static_cast<std::ptrdiff_t>(segment.to);
            const auto to = out.begin() + static_cast<std::ptrdiff_t>(segment.begin);
            const auto last = std::move(from, from + segment.size, to);
            std::for_each(to, last, [&](T& v) { detail::Follow<T>::move(v, segment.shift); });
            at = segment.begin + segment.size;
            at_here = segment.to + segment.size;
            std::swap(segment.begin, segment.to);
            segment.shift = 0U - segment.shift;
        }
        between(size_, here.size());
        size_ = here.size();
        here = std::move(out);
        rest_ = std::move(rest);
    }
    template <class Tag>
    void swap(IdArray<Tag, T>& here) {
        std::vector<T> values = std::move(here).take();
        swap(values);
        here = IdArray<Tag, T>(std::move(values));
    }

    std::size_t bytes() const {
        return segments_.capacity() * sizeof(Segment) + rest_.capacity() * sizeof(T);
    }

private:
    struct Segment {
        std::uint32_t begin, to, size, shift;
    };
    static constexpr std::size_t kLeast = 4;   ///< elements that make a segment worth its place
    static constexpr std::size_t kBlock = 32;  ///< elements that are compared side by side

    static bool holds_all(const T* from, const T* to, std::uint32_t shift) {
        if constexpr (std::has_unique_object_representations_v<T>) {
            if (shift == 0) return std::memcmp(from, to, kBlock * sizeof(T)) == 0;
        }
        bool all = true;
        for (std::size_t k = 0; k < kBlock; ++k) {
            const bool holds = detail::Follow<T>::holds(from[k], to[k], shift);
            all = all & holds;
        }
        return all;
    }
    void follow(std::span<const T> other, std::span<const T> here, const Run& run) {
        const std::size_t size = run.end - run.begin;
        const T* const to = other.data() + run.begin;
        const T* const from = here.data() + run.to;
        const auto matching = [&](std::size_t i, std::size_t end, std::uint32_t shift) {
            while (i + kBlock <= end && holds_all(from + i, to + i, shift)) i += kBlock;
            while (i < end && detail::Follow<T>::holds(from[i], to[i], shift)) ++i;
            return i;
        };
        for (std::size_t i = 0; i < size;) {
            const std::uint32_t shift = detail::Follow<T>::shift(from[i], to[i]);
            const std::size_t end = matching(i, size, shift);
            if (end - i >= kLeast || end == size) {
                add({static_cast<std::uint32_t>(run.begin + i),
                     static_cast<std::uint32_t>(run.to + i), static_cast<std::uint32_t>(end - i),
                     shift},
                    other);
            }
            i = std::max(end, i + 1);
        }
    }
    void add(const Segment& segment, std::span<const T> other) {
        if (segment.size == 0) return;
        const std::size_t at =
            segments_.empty() ? 0 : segments_.back().begin + segments_.back().size;
        copy_rest(other, at, segment.begin);
        segments_.push_back(segment);
    }
    void copy_rest(std::span<const T> other, std::size_t begin, std::size_t end) {
        rest_.insert(rest_.end(), other.begin() + static_cast<std::ptrdiff_t>(begin),
                     other.begin() + static_cast<std::ptrdiff_t>(end));
    }

    std::size_t size_ = 0;  ///< of the other side
    std::vector<Segment> segments_;
    std::vector<T> rest_;
};

/// Arrays by one kind of thing, which share runs. An array is an IdArray or a vector.
template <class... T>
class ArrayDeltas {
public:
    ArrayDeltas() = default;
    /// Tuples of references to arrays.
    template <class Others, class Heres>
    ArrayDeltas(const Others& others, const Heres& heres, std::span<const Run> runs)
        : ArrayDeltas(others, heres, runs, std::index_sequence_for<T...>()) {}
    template <class Heres>
    void swap(const Heres& heres) {
        swap(heres, std::index_sequence_for<T...>());
    }
    std::size_t bytes() const {
        return std::apply([](const auto&... each) { return (each.bytes() + ...); }, delta_);
    }

private:
    template <class Value>
    static std::span<const Value> span_of(const std::vector<Value>& array) {
        return array;
    }
    template <class Tag, class Value>
    static std::span<const Value> span_of(const IdArray<Tag, Value>& array) {
        return array.span();
    }
    template <class Others, class Heres, std::size_t... i>
    ArrayDeltas(const Others& others, const Heres& heres, std::span<const Run> runs,
                std::index_sequence<i...>)
        : delta_(
              ArrayDelta<T>(span_of(std::get<i>(others)), span_of(std::get<i>(heres)), runs)...) {}
    template <class Heres, std::size_t... i>
    void swap(const Heres& heres, std::index_sequence<i...>) {
        (std::get<i>(delta_).swap(std::get<i>(heres)), ...);
    }

    std::tuple<ArrayDelta<T>...> delta_;
};

/// Runs from things before to things now, which know by their id now what they were, or none of it:
/// what is in the place of another is taken for it. Only runs that ascend on both sides.
template <class AnyId>
std::vector<Run> runs_from(std::span<const AnyId> before_of, std::size_t before) {
    std::vector<Run> runs;
    std::size_t least = 0;  // before
    for (std::size_t i = 0; i < before_of.size();) {
        const std::size_t was = before_of[i] ? before_of[i].index() : least;
        if (was < least || was >= before) {
            ++i;
            continue;
        }
        const std::size_t first = i;
        const auto goes_on = [&] {
            return i < before_of.size() && was + (i - first) < before &&
                   (!before_of[i] || before_of[i].index() == was + (i - first));
        };
        while (goes_on()) ++i;
        least = was + (i - first);
        runs.push_back({static_cast<std::uint32_t>(was), static_cast<std::uint32_t>(least),
                        static_cast<std::uint32_t>(first)});
    }
    return runs;
}

}  // namespace tw::inline core
