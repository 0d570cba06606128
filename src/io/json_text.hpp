#pragma once
// JSON from outside.

#include "terraway/core/result.hpp"

#include <cstddef>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace tw::io {

/// Error invalid_input with line and column.
Result<nlohmann::json> parse_json(std::span<const std::byte> bytes, const std::string& name);

/// The member of an object; null where there is none.
inline const nlohmann::json* find_member(const nlohmann::json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
}

}  // namespace tw::io
