#pragma once
// A clock for tests and benchmarks that look at the times of stages.

#include "terraway/pipeline/graph.hpp"

#include <chrono>
#include <cstdint>

namespace tw::testing {

class SteadyClock final : public pipeline::Clock {
public:
    std::uint64_t nanoseconds() override {
        const auto since = std::chrono::steady_clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
    }
};

}  // namespace tw::testing
