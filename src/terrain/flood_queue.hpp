#pragma once

#include "terraway/world/polygon_map.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tw::terrain {

/// What waits in a flood over the cell graph: the least (key, cell) comes first.
struct FloodEntry {
    std::uint64_t key;
    world::CellId cell;
    /// Without branches: which of two is less is as good as random.
    friend constexpr bool operator<(const FloodEntry& a, const FloodEntry& b) {
        return (a.key < b.key) | ((a.key == b.key) & (a.cell < b.cell));
    }
};

/// A heap with four children a node: shallower than a binary one, and they share a cache line.
class FloodQueue {
public:
    bool empty() const { return heap_.empty(); }
    void reserve(std::size_t size) { heap_.reserve(size); }

    void push(FloodEntry entry) {
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

    FloodEntry pop() {
        const FloodEntry top = heap_.front();
        const FloodEntry last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(last);
        return top;
    }

private:
    /// Puts `entry` where the root was.
    void sink(FloodEntry entry) {
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

    std::vector<FloodEntry> heap_;
};

}  // namespace tw::terrain
