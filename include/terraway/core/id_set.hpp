#pragma once
// A set of dense ids that is filled and emptied again and again without allocating.

#include "terraway/core/id.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::inline core {

/// Inserting and looking up are O(1), clearing is O(members). Takes a byte for each possible id.
template <class Tag>
class IdSet {
public:
    using id_type = Id<Tag>;

    /// Empties the set and makes it one of the ids below `count`.
    void reset(std::size_t count) {
        clear();
        held_.resize(count, 0);
    }
    /// False if it was there already.
    bool insert(id_type id) {
        std::uint8_t& held = held_[id.index()];
        if (held) return false;
        held = 1;
        member_.push_back(id);
        return true;
    }
    bool contains(id_type id) const { return held_[id.index()] != 0; }
    void clear() {
        for (const id_type id : member_) held_[id.index()] = 0;
        member_.clear();
    }
    /// Ascending, so that what is done in their order does not depend on how they came in.
    void sort() { std::sort(member_.begin(), member_.end()); }
    /// In order of insertion until sort(). Inserting while reading may move them: read by index.
    std::span<const id_type> ids() const { return member_; }
    std::size_t size() const { return member_.size(); }
    bool empty() const { return member_.empty(); }

private:
    std::vector<std::uint8_t> held_;
    std::vector<id_type> member_;
};

}  // namespace tw::inline core
