#include "json_text.hpp"

#include <algorithm>

namespace tw::io {

Result<nlohmann::json> parse_json(std::span<const std::byte> bytes, const std::string& name) {
    const auto* begin = reinterpret_cast<const char*>(bytes.data());
    const char* end = begin + bytes.size();
    try {
        return nlohmann::json::parse(begin, end);
    } catch (const nlohmann::json::parse_error& what) {
        const std::size_t byte = std::min(what.byte, bytes.size());
        const auto line = 1 + std::count(begin, begin + byte, '\n');
        return Error{
            .code = ErrorCode::invalid_input,
            .stage = "read json",
            .subject = name + ":" + std::to_string(line),
            .message =
                byte == bytes.size()
                    ? std::string("the JSON is cut short; fetch or write the file again")
                    : "this is no JSON (byte " + std::to_string(byte) + "); correct it there"};
    } catch (const nlohmann::json::exception& what) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "read json",
                     .subject = name,
                     .message = std::string(what.what()) + "; correct the file"};
    }
}

}  // namespace tw::io
