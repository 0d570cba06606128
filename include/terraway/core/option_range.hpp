#pragma once

#include "terraway/core/result.hpp"

#include <string>
#include <string_view>

namespace tw::inline core {

/// Shortest text that reads back equal: "0.1", "4000000"; with an exponent from 10¹⁵ on.
std::string number_text(double value);

/// Refuses an option outside low … high, and NaN: error invalid_option that names the option, its
/// value and the range.
Status require_range(std::string_view stage, std::string_view option, double value, double low,
                     double high);

}  // namespace tw::inline core
