#include "terraway/core/result.hpp"

namespace tw::inline core {

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_option:
            return "invalid_option";
        case ErrorCode::invalid_input:
            return "invalid_input";
        case ErrorCode::unsupported:
            return "unsupported";
        case ErrorCode::too_large:
            return "too_large";
        case ErrorCode::not_found:
            return "not_found";
        case ErrorCode::io:
            return "io";
        case ErrorCode::cancelled:
            return "cancelled";
        case ErrorCode::check_failed:
            return "check_failed";
    }
    return "unknown";
}

std::string to_string(const Error& error) {
    std::string text = error.stage;
    if (!error.subject.empty()) text += (text.empty() ? "" : ": ") + error.subject.text();
    return text + (text.empty() ? "" : ": ") + error.message;
}

}  // namespace tw::inline core
