#pragma once
// The pool of threads for callers that have none of their own. Not built for WebAssembly.

#include "terraway/core/executor.hpp"

#include <memory>

namespace tw::inline core {

class ThreadPool final : public Executor {
public:
    /// `threads` that work at once, the caller's among them; 0 takes what the machine has.
    explicit ThreadPool(unsigned threads = 0);
    ~ThreadPool() override;
    unsigned concurrency() const override;
    /// Runs from several threads and from inside tasks share all threads; a caller whose last tasks
    /// are in other hands does tasks of other runs meanwhile.
    void run(std::size_t count, FunctionRef<void(std::size_t)> task) override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tw::inline core
