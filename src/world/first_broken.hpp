#pragma once
// Checks of many things on all threads.

#include "terraway/core/executor.hpp"

#include <cstddef>
#include <vector>

namespace tw::world {

struct Broken {
    std::size_t index = 0;
    const char* why = nullptr;  ///< null: all is well
    explicit operator bool() const { return why != nullptr; }
};

/// check(index) says what is wrong, or null. Gives the least index below `count` that breaks, for
/// any number of threads.
template <class Check>
Broken first_broken(Executor& executor, std::size_t count, Check&& check) {
    constexpr std::size_t kChunk = std::size_t{1} << 14;
    std::vector<Broken> found((count + kChunk - 1) / kChunk);
    parallel_for(executor, count, kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     for (std::size_t i = begin; i < end; ++i) {
                         if (const char* const why = check(i)) {
                             found[chunk] = {i, why};
                             return;
                         }
                     }
                 });
    for (const Broken& broken : found) {
        if (broken) return broken;
    }
    return {};
}

}  // namespace tw::world
