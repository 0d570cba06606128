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
        touch(id.index() / kPageSize);
        return values_[id.index()];
    }
    /// All elements, for writing; all pages are hashed again. Don't keep the span past a hash().
    std::span<T> edit_all() {
        stale_all();
        return values_;
    }
    void resize(std::size_t size, const T& value = T{}) {
        values_.resize(size, value);
        stale_all();
    }
    void reserve(std::size_t size) { values_.reserve(size); }
    id_type push_back(T value) {
        values_.push_back(std::move(value));
        const std::size_t index = values_.size() - 1;
        if (index % kPageSize == 0) {
            stale_all();
        } else {
            touch(index / kPageSize);
        }
        return id_type::from_index(index);
    }
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
        if (page_hash_.size() == page_count()) return;
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
    std::size_t bytes() const { return values_.capacity() * sizeof(T); }

    friend bool operator==(const IdArray& a, const IdArray& b) { return a.values_ == b.values_; }

private:
    void touch(std::size_t page) {
        if (page < stale_.size()) stale_[page] = 1;
    }
    void stale_all() {
        page_hash_.clear();
        stale_.clear();
    }

    std::vector<T> values_;
    mutable std::vector<std::uint64_t> page_hash_;
    mutable std::vector<std::uint8_t> stale_;
};

template <class Tag, class T>
struct HashesItself<IdArray<Tag, T>> : std::true_type {};

}  // namespace tw::inline core
