#include "json_reader.hpp"

#include "terraway/core/utf8.hpp"
#include "terraway/recipe/json_writer.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace tw::recipe {
namespace {

/// Recursive descent; after the first error everything returns at once.
class Reader {
public:
    Reader(std::string_view text, std::string_view file, std::uint32_t line)
        : all_(text), file_(file), line_(line) {}

    Result<JsonDocument> read() {
        if (all_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark
        skip_blank();
        read_value(JsonDocument::kNoText, 0);
        skip_blank();
        if (!error_ && at_ != all_.size())
            fail("there is more after the end of the value; remove it");
        if (error_) return *std::move(error_);
        return std::move(document_);
    }

private:
    using Node = JsonDocument::Node;

    bool more() const { return at_ < all_.size(); }
    char peek() const { return more() ? all_[at_] : '\0'; }
    bool take(char c) {
        if (peek() != c || !more()) return false;
        ++at_;
        return true;
    }

    void fail(std::string message, ErrorCode code = ErrorCode::invalid_input) {
        if (error_) return;
        const std::size_t line_start = all_.substr(0, at_).rfind('\n') + 1;  // npos + 1 is 0
        error_ = Error{.code = code,
                       .stage = "recipe",
                       .subject = std::string(file_) + ":" + std::to_string(line_) + ":" +
                                  std::to_string(at_ - line_start + 1),
                       .message = std::move(message)};
    }
    void expect(std::string_view what) {
        std::string found = "the end of the text";
        if (more()) {
            const std::size_t length = utf8_length(all_.substr(at_));
            found = length > 0 && static_cast<unsigned char>(peek()) >= 0x20
                        ? "'" + std::string(all_.substr(at_, length)) + "'"
                        : "a byte that is no text";
        }
        fail("expected " + std::string(what) + ", found " + found + "; write " + std::string(what) +
             " here");
    }

    void skip_blank();
    void skip_comment();
    void read_value(std::uint32_t key, int depth);
    void read_object(int depth);
    void read_array(int depth);
    void read_number(Node& node);
    std::uint32_t read_text();
    void read_escape(std::string& out);
    bool read_hex4(std::uint32_t& code);
    void read_word(std::string_view word);
    void refuse_double_keys(std::uint32_t object);

    std::string_view all_, file_;
    std::size_t at_ = 0;
    std::uint32_t line_;
    JsonDocument document_;
    std::optional<Error> error_;
};

void Reader::skip_comment() {
    if (all_.substr(at_, 2) == "//") {
        while (more() && peek() != '\n') ++at_;
        return;
    }
    const std::size_t close =
        all_.substr(at_, 2) == "/*" ? all_.find("*/", at_ + 2) : std::string_view::npos;
    if (close == std::string_view::npos) {
        fail("this is no comment; write // to the end of the line, or /* to */");
        return;
    }
    for (; at_ < close + 2; ++at_) line_ += peek() == '\n';
}

void Reader::skip_blank() {
    while (more() && !error_) {
        const char c = peek();
        if (c == '/') {
            skip_comment();
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            line_ += c == '\n';
            ++at_;
        } else {
            return;
        }
    }
}

void Reader::read_word(std::string_view word) {
    if (all_.substr(at_, word.size()) == word) {
        at_ += word.size();
    } else {
        expect("a value");
    }
}

void Reader::read_value(std::uint32_t key, int depth) {
    if (error_) return;
    if (depth > kMaxJsonDepth) {
        return fail(
            "nested deeper than " + std::to_string(kMaxJsonDepth) + " levels; write it flatter",
            ErrorCode::too_large);
    }
    if (document_.node.size() >= kMaxJsonValues) {
        return fail(
            "more than " + std::to_string(kMaxJsonValues) + " values; give large data as a file",
            ErrorCode::too_large);
    }
    const auto index = static_cast<std::uint32_t>(document_.node.size());
    Node node;
    node.line = line_;
    node.key = key;
    const char c = peek();
    switch (c) {
        case '{':
            node.kind = JsonKind::object;
            break;
        case '[':
            node.kind = JsonKind::array;
            break;
        case '"':
            node.kind = JsonKind::text;
            node.text = read_text();
            break;
        case 't':
        case 'f':
            node.kind = JsonKind::truth;
            node.number = c == 't' ? 1.0 : 0.0;
            read_word(c == 't' ? "true" : "false");
            break;
        case 'n':
            read_word("null");
            break;
        default:
            read_number(node);
    }
    document_.node.push_back(node);
    if (c == '{') read_object(depth);
    if (c == '[') read_array(depth);
    document_.node[index].end = static_cast<std::uint32_t>(document_.node.size());
    if (c == '{' && !error_) refuse_double_keys(index);
}

void Reader::read_object(int depth) {
    ++at_;
    skip_blank();
    if (take('}')) return;
    while (!error_) {
        if (peek() != '"') return expect("a key in quotes");
        const std::uint32_t key = read_text();
        skip_blank();
        if (!error_ && !take(':')) return expect("':'");
        skip_blank();
        read_value(key, depth + 1);
        skip_blank();
        if (error_ || take('}')) return;
        if (!take(',')) return expect("',' or '}'");
        skip_blank();
    }
}

void Reader::read_array(int depth) {
    ++at_;
    skip_blank();
    if (take(']')) return;
    while (!error_) {
        read_value(JsonDocument::kNoText, depth + 1);
        skip_blank();
        if (error_ || take(']')) return;
        if (!take(',')) return expect("',' or ']'");
        skip_blank();
    }
}

void Reader::read_number(Node& node) {
    // The grammar is narrower than from_chars': no "01", ".5", "5.", "inf".
    const std::size_t begin = at_;
    const auto digits = [&] {
        const std::size_t first = at_;
        while (peek() >= '0' && peek() <= '9') ++at_;
        return at_ > first;
    };
    const bool negative = take('-');
    if (!(take('0') || digits())) return expect("a value");
    bool whole = true;
    if (take('.')) {
        whole = false;
        if (!digits()) return expect("a digit");
    }
    if (take('e') || take('E')) {
        whole = false;
        if (!take('+')) take('-');
        if (!digits()) return expect("a digit");
    }
    if (peek() >= '0' && peek() <= '9') return expect("a number that does not begin with 0");
    const char *first = all_.data() + begin, *last = all_.data() + at_;
    node.kind = JsonKind::number;
    if (std::from_chars(first, last, node.number).ec != std::errc()) {
        // Also what is nearer to 0 than any double: nobody means it.
        return fail("the number " +
                    std::string(all_.substr(begin, std::min<std::size_t>(at_ - begin, 40))) +
                    " is out of range; write 0 or one from 1e-307 to 1e308");
    }
    node.whole = whole;
    if (!whole) return;
    // What does not fit has no natural.
    node.fits = std::from_chars(first + negative, last, node.natural).ec == std::errc();
    if (node.fits && !negative) node.kind = JsonKind::natural;
}

bool Reader::read_hex4(std::uint32_t& code) {
    if (all_.size() - at_ < 4) return false;
    const char* first = all_.data() + at_;
    const auto end = std::from_chars(first, first + 4, code, 16);
    at_ += 4;
    return end.ec == std::errc() && end.ptr == first + 4;
}

void Reader::read_escape(std::string& out) {
    constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    const std::size_t found = more() ? kFrom.find(peek()) : std::string_view::npos;
    if (found != std::string_view::npos) {
        out += kTo[found];
        ++at_;
        return;
    }
    std::uint32_t code = 0;
    if (!take('u') || !read_hex4(code))
        return fail("no such escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    if (code >= 0xd800 && code < 0xdc00) {
        std::uint32_t low = 0;
        if (!take('\\') || !take('u') || !read_hex4(low) || low < 0xdc00 || low > 0xdfff) {
            return fail("half of a surrogate pair; write both halves");
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
        return fail("half of a surrogate pair; write both halves");
    }
    append_utf8(out, code);
}

std::uint32_t Reader::read_text() {
    ++at_;
    std::string out;
    while (!error_ && !take('"')) {
        if (!more() || peek() == '\n') {
            fail("text without a closing quote; end it on its line");
        } else if (take('\\')) {
            read_escape(out);
        } else if (const std::size_t length = utf8_length(all_.substr(at_));
                   length > 0 && static_cast<unsigned char>(peek()) >= 0x20) {
            out += all_.substr(at_, length);
            at_ += length;
        } else {
            fail("a byte that is no text; save the file as UTF-8");
        }
    }
    document_.text.push_back(std::move(out));
    return static_cast<std::uint32_t>(document_.text.size() - 1);
}

void Reader::refuse_double_keys(std::uint32_t object) {
    struct Key {
        std::string_view text;
        std::uint32_t line;
    };
    std::vector<Key> keys;
    for (const JsonValue member : JsonValue(document_, object)) {
        keys.push_back({member.key(), member.line()});
    }
    std::ranges::sort(keys, [](const Key& a, const Key& b) {
        return a.text != b.text ? a.text < b.text : a.line < b.line;
    });
    const auto twice = std::ranges::adjacent_find(keys, {}, &Key::text);
    if (twice == keys.end()) return;
    line_ = (twice + 1)->line;
    error_ = Error{.code = ErrorCode::invalid_input,
                   .stage = "recipe",
                   .subject = std::string(file_) + ":" + std::to_string(line_),
                   .message = "the key \"" + std::string(twice->text) +
                              "\" is there twice (first in line " + std::to_string(twice->line) +
                              "); remove one"};
}

void write_compact(JsonWriter& writer, JsonValue value) {
    switch (value.kind()) {
        case JsonKind::null:
            writer.null();
            break;
        case JsonKind::truth:
            writer.value(value.truth());
            break;
        case JsonKind::natural:
            writer.value(value.natural());
            break;
        case JsonKind::number:
            writer.value(value.number());
            break;
        case JsonKind::text:
            writer.value(value.text());
            break;
        case JsonKind::array:
            writer.begin_array();
            for (const JsonValue element : value) write_compact(writer, element);
            writer.end_array();
            break;
        case JsonKind::object:
            writer.begin_object();
            for (const JsonValue member : value) {
                writer.key(member.key());
                write_compact(writer, member);
            }
            writer.end_object();
            break;
    }
}

}  // namespace

std::string_view to_string(JsonKind kind) {
    switch (kind) {
        case JsonKind::null:
            return "null";
        case JsonKind::truth:
            return "a truth value";
        case JsonKind::natural:
        case JsonKind::number:
            return "a number";
        case JsonKind::text:
            return "text";
        case JsonKind::array:
            return "a list";
        case JsonKind::object:
            return "an object";
    }
    return "";
}

std::size_t JsonValue::size() const {
    std::size_t count = 0;
    for (auto it = begin(); it != end(); ++it) ++count;
    return count;
}

std::optional<std::int64_t> JsonValue::integer() const {
    if (!node().fits) return std::nullopt;
    const bool negative = kind() != JsonKind::natural;
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (node().natural > kMost + (negative ? 1 : 0)) return std::nullopt;
    return static_cast<std::int64_t>(negative ? ~node().natural + 1 : node().natural);
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
    for (const JsonValue member : *this) {
        if (member.key() == key) return member;
    }
    return std::nullopt;
}

Result<JsonDocument> read_json(std::string_view text, std::string_view file, std::uint32_t line) {
    return Reader(text, file, line).read();
}

std::string to_compact(JsonValue value) {
    JsonWriter writer;
    write_compact(writer, value);
    return std::move(writer).take();
}

}  // namespace tw::recipe
