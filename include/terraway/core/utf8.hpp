#pragma once
// UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tw::inline core {

/// Bytes of the well-formed sequence that `text` (not empty) begins with; 0: there is none.
std::size_t utf8_length(std::string_view text);

/// `code` is a Unicode scalar value.
void append_utf8(std::string& out, std::uint32_t code);

/// True if all of `text` is well-formed.
bool is_utf8(std::string_view text);
/// True if it is well-formed and has no control characters.
bool is_printable(std::string_view text);

}  // namespace tw::inline core
