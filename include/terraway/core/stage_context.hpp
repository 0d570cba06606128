#pragma once
// What comes along with a stage's arguments. It may change speed, never output.

#include "terraway/core/debug_sink.hpp"
#include "terraway/core/executor.hpp"
#include "terraway/core/progress.hpp"
#include "terraway/core/result.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace tw::inline core {

inline constexpr std::uint64_t kNoMemoryLimit = std::numeric_limits<std::uint64_t>::max();

struct StageContext {
    explicit StageContext(Executor& runs_on) : executor(&runs_on) {}

    Executor* executor;                           ///< never null
    const CancelFlag* cancel = nullptr;           ///< null: cannot be cancelled
    Progress progress;                            ///< of this stage, 0…1
    DebugSink* debug = nullptr;                   ///< null: nobody looks
    std::uint64_t memory_limit = kNoMemoryLimit;  ///< [bytes] that one stage may take

    bool cancelled() const { return cancel && cancel->cancelled(); }
};

/// The error of a stage that was cancelled.
Error cancelled_error(std::string_view stage);
/// Refuses work before it starts: error too_large when `bytes` is more than the caller's limit.
Status require_memory(const StageContext& context, std::string_view stage, std::uint64_t bytes);

}  // namespace tw::inline core
