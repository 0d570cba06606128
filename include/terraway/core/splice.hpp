#pragma once
// Arrays that change in the middle: what stays moves in runs, and it can be taken back.

#include "terraway/core/id_array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace tw::inline core {

/// Elements [begin, end) stand at `to` and on afterwards.
struct Run {
    std::uint32_t begin = 0, end = 0, to = 0;
};
/// Afterwards becomes before.
inline void invert(std::vector<Run>& runs) {
    for (Run& run : runs) run = {run.to, run.to + (run.end - run.begin), run.begin};
}

/// Moves what stays to its places in an array of `size`, puts `gaps` between, and keeps in `gaps`
/// what stood between: with inverted runs, and the size before, it is taken back. Runs keep their
/// order. Cost: O(gaps, and runs that move).
template <class Tag, class T>
void splice(IdArray<Tag, T>& array, std::span<const Run> runs, std::size_t size,
            IdArray<Tag, T>& gaps) {
    const std::size_t before = array.size();
    std::vector<T> lost;
    const auto lose = [&](std::size_t begin, std::size_t end) {
        if (begin == end) return;
        const auto values = array.edit_range(begin, end);
        lost.insert(lost.end(), std::make_move_iterator(values.begin()),
                    std::make_move_iterator(values.end()));
    };
    std::size_t at = 0;
    for (const Run& run : runs) {
        lose(at, run.begin);
        at = run.end;
    }
    lose(at, before);

    if (size > before) array.resize(size);
    // Runs keep their order: those that move down go first to last, then the others last to first,
    // and none lands on one that has yet to move.
    const auto move = [&](const Run& run) {
        const std::size_t length = run.end - run.begin;
        const std::size_t lo = std::min(run.begin, run.to);
        const std::size_t hi = std::max(run.begin, run.to) + length;
        const std::span<T> all = array.edit_range(lo, hi);
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(run.begin - lo);
        const auto last = first + static_cast<std::ptrdiff_t>(length);
        if (run.to < run.begin) {
            std::move(first, last, all.begin());
        } else {
            std::move_backward(first, last, all.end());
        }
    };
    for (const Run& run : runs) {
        if (run.to < run.begin) move(run);
    }
    for (std::size_t i = runs.size(); i-- > 0;) {
        if (runs[i].to > runs[i].begin) move(runs[i]);
    }
    if (size < before) array.resize(size);

    std::vector<T> fresh = std::move(gaps).take();
    auto next = fresh.begin();
    const auto fill = [&](std::size_t begin, std::size_t end) {
        if (begin == end) return;
        const auto to = array.edit_range(begin, end);
        const auto last = next + static_cast<std::ptrdiff_t>(end - begin);
        std::move(next, last, to.begin());
        next = last;
    };
    at = 0;
    for (const Run& run : runs) {
        fill(at, run.to);
        at = run.to + (run.end - run.begin);
    }
    fill(at, size);
    gaps = IdArray<Tag, T>(std::move(lost));
}

}  // namespace tw::inline core
