#pragma once
// Arrays that are indexed by an id: contiguous, hashed by pages of 4,096 elements.

#include "terraway/core/hash.hpp"
#include "terraway/core/id.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tw::inline core {

inline constexpr std::size_t kPageSize = 4096;  ///< elements in a page

/// Told before elements of an array change, so that what they were can be kept (undo, rollback).
class ArrayListener {
public:
    virtual ~ArrayListener() = default;
    virtual void before_edit(std::size_t begin, std::size_t end) = 0;  ///< elements, not empty
    virtual void before_resize(std::size_t size) = 0;
};

namespace detail {
/// A listener hears of one array, not of its copies or of what it is moved to.
class ListenerSlot {
public:
    ListenerSlot() = default;
    ListenerSlot(const ListenerSlot&) noexcept {}
    ListenerSlot& operator=(const ListenerSlot&) noexcept {  // NOLINT: it keeps its own
        return *this;
    }
    ArrayListener* listener = nullptr;
};
}  // namespace detail

/// One value per thing of kind `Tag`. Reading is through operator[] or span(); writing through
/// edit(), which remembers the page, so that hash() rehashes what changed and nothing else.
/// hash() caches: don't call it on one array from two threads at once.
template <class Tag, class T>
class IdArray {
    static_assert(!std::is_same_v<T, bool>, "use std::uint8_t: pages are bytes");

public:
    using id_type = Id<Tag>;
    using value_type = T;

    IdArray() = default;
    explicit IdArray(std::size_t size, const T& value = T{}) : values_(size, value) {}
    explicit IdArray(std::vector<T> values) : values_(std::move(values)) {}
    IdArray(std::initializer_list<T> values) : values_(values) {}
    IdArray(const IdArray&) = default;
    IdArray(IdArray&&) noexcept = default;
    ~IdArray() = default;
    IdArray& operator=(const IdArray& other) {
        if (this != &other) *this = IdArray(other);
        return *this;
    }
    IdArray& operator=(IdArray&& other) noexcept {
        if (slot_.listener) {
            if (!empty()) slot_.listener->before_edit(0, size());
            if (other.size() != size()) slot_.listener->before_resize(other.size());
        }
        values_ = std::move(other.values_);
        page_hash_ = std::move(other.page_hash_);
        stale_ = std::move(other.stale_);
        return *this;
    }

    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    IdRange<id_type> ids() const { return IdRange<id_type>(size()); }
    bool contains(id_type id) const { return id.index() < size(); }

    const T& operator[](id_type id) const {
        assert(contains(id));
        return values_[id.index()];
    }
    std::span<const T> span() const { return values_; }
    const std::vector<T>& values() const { return values_; }

    /// The element, for writing; its page is hashed again.
    T& edit(id_type id) {
        assert(contains(id));
        if (slot_.listener) slot_.listener->before_edit(id.index(), id.index() + 1);
        touch(id.index() / kPageSize);
        return values_[id.index()];
    }
    /// Writes the element where it differs; says whether it did.
    bool set(id_type id, const T& value) {
        assert(contains(id));
        if (values_[id.index()] == value) return false;
        edit(id) = value;
        return true;
    }
    /// Some elements in a row, for writing. Don't keep the span past a hash().
    std::span<T> edit_range(std::size_t begin, std::size_t end) {
        assert(begin <= end && end <= size());
        if (begin == end) return {};
        if (slot_.listener) slot_.listener->before_edit(begin, end);
        for (std::size_t page = begin / kPageSize; page * kPageSize < end; ++page) touch(page);
        return std::span<T>(values_).subspan(begin, end - begin);
    }
    /// All elements, for writing; all pages are hashed again. Don't keep the span past a hash().
    std::span<T> edit_all() { return edit_range(0, size()); }
    /// Pages that keep their elements keep their hashes.
    void resize(std::size_t size, const T& value = T{}) {
        if (slot_.listener && size != values_.size()) slot_.listener->before_resize(size);
        const std::size_t kept = std::min(size, values_.size());
        values_.resize(size, value);
        if (stale_.empty()) return;
        page_hash_.resize(page_count(), 0);
        stale_.resize(page_count(), 1);
        touch(kept / kPageSize);
    }
    void reserve(std::size_t size) { values_.reserve(size); }
    id_type push_back(T value) {
        resize(size() + 1);
        values_.back() = std::move(value);
        return id_type::from_index(size() - 1);
    }
    /// Null: nobody listens. One at a time; the caller keeps it alive.
    void set_listener(ArrayListener* listener) { slot_.listener = listener; }
    std::vector<T> take() && { return std::move(values_); }

    std::size_t page_count() const { return (size() + kPageSize - 1) / kPageSize; }
    std::span<const T> page(std::size_t index) const {
        const std::size_t begin = index * kPageSize;
        return std::span<const T>(values_).subspan(begin, std::min(kPageSize, size() - begin));
    }
    /// The hash of the count and of the page hashes.
    std::uint64_t hash() const {
        begin_hash();
        Hasher whole;
        whole.add(std::uint64_t{size()});
        for (std::size_t i = 0; i < page_hash_.size(); ++i) {
            hash_page(i);
            whole.add(page_hash_[i]);
        }
        return whole.finish();
    }
    /// For hashing pages in parallel before hash(): begin_hash() first, then each page on any
    /// thread.
    void begin_hash() const {
        if (stale_.size() == page_count()) return;
        page_hash_.assign(page_count(), 0);
        stale_.assign(page_count(), 1);
    }
    void hash_page(std::size_t index) const {
        if (!stale_[index]) return;
        Hasher hasher;
        hash_elements(hasher, page(index));
        page_hash_[index] = hasher.finish();
        stale_[index] = 0;
    }
    /// The hash of one page's elements. begin_hash() first; then any thread, a page each.
    std::uint64_t page_hash(std::size_t index) const {
        hash_page(index);
        return page_hash_[index];
    }
    std::size_t bytes() const { return values_.capacity() * sizeof(T); }

    friend bool operator==(const IdArray& a, const IdArray& b) { return a.values_ == b.values_; }

private:
    void touch(std::size_t page) {
        if (page < stale_.size()) stale_[page] = 1;
    }

    std::vector<T> values_;
    mutable std::vector<std::uint64_t> page_hash_;
    mutable std::vector<std::uint8_t> stale_;  ///< 1 by page; empty: never hashed
    detail::ListenerSlot slot_;
};

template <class Tag, class T>
struct HashesItself<IdArray<Tag, T>> : std::true_type {};

}  // namespace tw::inline core
