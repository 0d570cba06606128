#pragma once
// JSON text, written forward: the same bytes on every machine.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tw::recipe {

enum class JsonLayout : std::uint8_t {
    compact,   ///< no white space
    indented,  ///< two spaces a level; arrays of numbers stay on one line
};

/// Calls nest as the JSON does; a call at the wrong place is a bug (assert).
class JsonWriter {
public:
    explicit JsonWriter(JsonLayout layout = JsonLayout::compact) : layout_(layout) {}

    JsonWriter& begin_object();
    JsonWriter& end_object();
    JsonWriter& begin_array();
    JsonWriter& end_array();
    JsonWriter& key(std::string_view name);
    /// A // line before the next key; for indented recipes.
    JsonWriter& comment(std::string_view text);

    JsonWriter& value(std::string_view text);  ///< UTF-8; what is not becomes U+FFFD
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(double number);  ///< shortest form that reads back equal; finite
    JsonWriter& value(bool truth);
    template <class T>
        requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
    JsonWriter& value(T number) {
        if constexpr (std::is_signed_v<T>)
            return integer(static_cast<std::int64_t>(number));
        else
            return natural(static_cast<std::uint64_t>(number));
    }
    JsonWriter& null();
    JsonWriter& raw(std::string_view json);  ///< a whole value, already JSON

    template <class T>
    JsonWriter& member(std::string_view name, const T& v) {
        return key(name).value(v);
    }
    const std::string& text() const { return text_; }
    std::string take() && { return std::move(text_); }

private:
    struct Level {
        bool object = false;
        bool empty = true;
        bool one_line = true;  ///< so far, an array of plain values
    };
    JsonWriter& integer(std::int64_t number);
    JsonWriter& natural(std::uint64_t number);
    void before_value(bool plain);
    void separate();
    void new_line();

    JsonLayout layout_;
    std::string text_;
    std::vector<Level> level_;
    bool after_key_ = false;
};

}  // namespace tw::recipe
