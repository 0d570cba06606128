#pragma once
// The queue of floods and shortest ways: dense ids by keys that are whole numbers.

#include "terraway/core/id.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tw::inline core {

/// The least (key, id) comes first. A heap with four children a node: shallower than a binary one,
/// and they share a cache line.
template <class Tag>
class IdHeap {
public:
    struct Entry {
        std::uint64_t key;
        Id<Tag> id;
        /// Without branches: which of two is less is as good as random.
        friend constexpr bool operator<(const Entry& a, const Entry& b) {
            return (a.key < b.key) | ((a.key == b.key) & (a.id < b.id));
        }
    };
    bool empty() const { return heap_.empty(); }
    void clear() { heap_.clear(); }
    void reserve(std::size_t size) { heap_.reserve(size); }

    void push(Entry entry) {
        std::size_t at = heap_.size();
        heap_.push_back(entry);
        while (at > 0) {
            const std::size_t parent = (at - 1) / 4;
            if (!(entry < heap_[parent])) break;
            heap_[at] = heap_[parent];
            at = parent;
        }
        heap_[at] = entry;
    }

    Entry pop() {
        const Entry top = heap_.front();
        const Entry last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(last);
        return top;
    }

private:
    /// Puts `entry` where the root was.
    void sink(Entry entry) {
        std::size_t at = 0;
        for (;;) {
            const std::size_t first = 4 * at + 1;
            if (first >= heap_.size()) break;
            const std::size_t end = first + 4 < heap_.size() ? first + 4 : heap_.size();
            std::size_t least = first;
            for (std::size_t child = first + 1; child < end; ++child) {
                if (heap_[child] < heap_[least]) least = child;
            }
            if (!(heap_[least] < entry)) break;
            heap_[at] = heap_[least];
            at = least;
        }
        heap_[at] = entry;
    }

    std::vector<Entry> heap_;
};

}  // namespace tw::inline core
