#pragma once
// Threads come through an interface that the caller gives. What runs never depends on how many.

#include "terraway/core/function_ref.hpp"

#include <algorithm>
#include <cstddef>

namespace tw::inline core {

class Executor {
public:
    virtual ~Executor() = default;
    /// Threads that may run at once, the caller's among them; at least 1. For sizing scratch
    /// memory only: it must not change what is computed.
    virtual unsigned concurrency() const = 0;
    /// Calls task(0) … task(count − 1), each once, in any order, and returns when all are done.
    /// May be called from inside a task.
    virtual void run(std::size_t count, FunctionRef<void(std::size_t)> task) = 0;
};

/// Runs everything on the caller's thread.
class SerialExecutor final : public Executor {
public:
    unsigned concurrency() const override { return 1; }
    void run(std::size_t count, FunctionRef<void(std::size_t)> task) override {
        for (std::size_t i = 0; i < count; ++i) task(i);
    }
};

/// body(begin, end, chunk) over [0, count) in chunks of `chunk_size`: bounds depend on size alone,
/// so that results combined in chunk order are the same for any number of threads.
template <class Body>
void parallel_for(Executor& executor, std::size_t count, std::size_t chunk_size, Body&& body) {
    if (count == 0) return;
    const std::size_t chunks = (count + chunk_size - 1) / chunk_size;
    executor.run(chunks, [&](std::size_t chunk) {
        const std::size_t begin = chunk * chunk_size;
        body(begin, std::min(count, begin + chunk_size), chunk);
    });
}

}  // namespace tw::inline core
