#include "terraway/recipe/json_writer.hpp"

#include "terraway/core/utf8.hpp"

#include <array>
#include <cassert>
#include <charconv>

namespace tw::recipe {
namespace {

void append_escaped(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const char c = text.front();
        std::size_t length = 1;
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view kHex = "0123456789abcdef";
            out += "\\u00";
            out += kHex[static_cast<unsigned char>(c) >> 4];
            out += kHex[static_cast<unsigned char>(c) & 15];
        } else if (length = utf8_length(text); length > 0) {
            out += text.substr(0, length);
        } else {
            length = 1;
            out += "\xef\xbf\xbd";  // U+FFFD
        }
        text.remove_prefix(length);
    }
    out += '"';
}

template <class T>
void append_number(std::string& out, T number) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out.append(digits.data(), end.ptr);
}

}  // namespace

void JsonWriter::new_line() {
    text_ += '\n';
    text_.append(2 * level_.size(), ' ');
}

void JsonWriter::separate() {
    if (!level_.back().empty) text_ += ',';
    level_.back().empty = false;
}

void JsonWriter::before_value(bool plain) {
    if (after_key_ || level_.empty()) {
        after_key_ = false;
        return;
    }
    assert(!level_.back().object && "a value in an object needs a key");
    const bool first = level_.back().empty;
    separate();
    if (layout_ == JsonLayout::compact) return;
    if (first) level_.back().one_line = plain;
    if (!level_.back().one_line) {
        new_line();
    } else if (!first) {
        text_ += ' ';
    }
}

JsonWriter& JsonWriter::begin_object() {
    before_value(false);
    text_ += '{';
    level_.push_back({.object = true, .empty = true, .one_line = false});
    return *this;
}
JsonWriter& JsonWriter::begin_array() {
    // Points and boxes inside an array stay on its line; what holds objects or long lists does not.
    before_value(false);
    text_ += '[';
    level_.push_back({.object = false, .empty = true, .one_line = true});
    return *this;
}
JsonWriter& JsonWriter::end_object() {
    assert(!level_.empty() && level_.back().object);
    const bool empty = level_.back().empty;
    level_.pop_back();
    if (layout_ == JsonLayout::indented && !empty) new_line();
    text_ += '}';
    return *this;
}
JsonWriter& JsonWriter::end_array() {
    assert(!level_.empty() && !level_.back().object);
    const Level level = level_.back();
    level_.pop_back();
    if (layout_ == JsonLayout::indented && !level.empty && !level.one_line) new_line();
    text_ += ']';
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    assert(!level_.empty() && level_.back().object && !after_key_);
    separate();
    if (layout_ == JsonLayout::indented) new_line();
    append_escaped(text_, name);
    text_ += layout_ == JsonLayout::indented ? ": " : ":";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::comment(std::string_view text) {
    assert(layout_ == JsonLayout::indented && !level_.empty() && !after_key_);
    // The comma that the next key will need comes before the comment, not after it.
    if (!level_.back().empty) {
        text_ += ',';
        level_.back().empty = true;
    }
    new_line();
    text_ += "// ";
    text_ += text;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    before_value(true);
    append_escaped(text_, text);
    return *this;
}
JsonWriter& JsonWriter::value(double number) {
    assert(number - number == 0.0 && "JSON has no infinity and no NaN");
    before_value(true);
    append_number(text_, number == 0.0 ? 0.0 : number);
    return *this;
}
JsonWriter& JsonWriter::value(bool truth) {
    before_value(true);
    text_ += truth ? "true" : "false";
    return *this;
}
JsonWriter& JsonWriter::integer(std::int64_t number) {
    before_value(true);
    append_number(text_, number);
    return *this;
}
JsonWriter& JsonWriter::natural(std::uint64_t number) {
    before_value(true);
    append_number(text_, number);
    return *this;
}
JsonWriter& JsonWriter::null() {
    before_value(true);
    text_ += "null";
    return *this;
}
JsonWriter& JsonWriter::raw(std::string_view json) {
    before_value(false);
    text_ += json;
    return *this;
}

}  // namespace tw::recipe
