#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tw::recipe {

/// The candidate of least edit distance, the first among equals; empty when none is within a third
/// of the name's length (and two letters).
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

/// "; did you mean \"cells\"?", or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace tw::recipe
