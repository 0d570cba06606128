#include "terraway/core/option_range.hpp"

#include <array>
#include <charconv>

namespace tw::inline core {

std::string number_text(double value) {
    std::array<char, 32> text;
    const double size = value < 0 ? -value : value;
    const bool plain = value == 0 || (size >= 1e-5 && size < 1e15);
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   plain ? std::chars_format::fixed : std::chars_format::general)
                         .ptr;
    return {text.data(), end};
}

Status require_range(std::string_view stage, std::string_view option, double value, double low,
                     double high) {
    if (value >= low && value <= high) return ok_status();
    return Error{.code = ErrorCode::invalid_option,
                 .stage = std::string(stage),
                 .subject = option,
                 .message = number_text(value) + " is out of range; choose " + number_text(low) +
                            " … " + number_text(high)};
}

}  // namespace tw::inline core
