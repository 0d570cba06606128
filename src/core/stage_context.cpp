#include "terraway/core/stage_context.hpp"

namespace tw::inline core {

Error cancelled_error(std::string_view stage) {
    return {.code = ErrorCode::cancelled,
            .stage = std::string(stage),
            .subject = {},
            .message = "cancelled by the caller; start it again"};
}

Status require_memory(const StageContext& context, std::string_view stage, std::uint64_t bytes) {
    if (bytes <= context.memory_limit) return ok_status();
    constexpr std::uint64_t kMega = 1024 * 1024;
    return Error{.code = ErrorCode::too_large,
                 .stage = std::string(stage),
                 .subject = {},
                 .message = "needs about " + std::to_string(bytes / kMega + 1) +
                            " MB, more than the limit of " +
                            std::to_string(context.memory_limit / kMega) +
                            " MB; raise the limit or ask for a smaller world"};
}

}  // namespace tw::inline core
