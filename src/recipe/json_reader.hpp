#pragma once
// JSON (RFC 8259) with // and /* */ comments, each value with its line.

#include "terraway/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tw::recipe {

enum class JsonKind : std::uint8_t { null, truth, natural, number, text, array, object };
std::string_view to_string(JsonKind kind);

/// Values in the order of the text; what a value contains follows it.
class JsonDocument {
public:
    struct Node {
        JsonKind kind = JsonKind::null;
        bool whole = false;  ///< a number without point and exponent
        bool fits = false;   ///< and without its sign it is at most 2⁶⁴ − 1: see `natural`
        std::uint32_t line = 1;
        std::uint32_t end = 0;         ///< index after the last value that it contains
        std::uint32_t key = kNoText;   ///< index of its key; kNoText: not in an object
        std::uint32_t text = kNoText;  ///< index of its text
        double number = 0.0;           ///< of natural and number; 0 or 1 for a truth
        std::uint64_t natural = 0;     ///< exact, without a sign
    };
    static constexpr std::uint32_t kNoText = UINT32_MAX;
    std::vector<Node> node;  ///< never empty once parsed; the first is the whole
    std::vector<std::string> text;
};

/// A view of one value; the document must outlive it.
class JsonValue {
public:
    explicit JsonValue(const JsonDocument& document, std::uint32_t index = 0)
        : document_(&document), index_(index) {}

    JsonKind kind() const { return node().kind; }
    std::uint32_t line() const { return node().line; }
    bool is_number() const { return kind() == JsonKind::natural || kind() == JsonKind::number; }
    double number() const { return node().number; }
    std::uint64_t natural() const { return node().natural; }
    /// Written without a point or an exponent.
    bool is_whole() const { return node().whole; }
    /// A number that is whole, if it fits.
    std::optional<std::int64_t> integer() const;
    bool truth() const { return node().number != 0.0; }
    const std::string& text() const { return document_->text[node().text]; }
    const std::string& key() const { return document_->text[node().key]; }

    struct Iterator {
        const JsonDocument* document;
        std::uint32_t index;
        JsonValue operator*() const { return JsonValue(*document, index); }
        Iterator& operator++() {
            index = document->node[index].end;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;
    };
    /// Elements of an array, members of an object.
    Iterator begin() const { return {document_, index_ + 1}; }
    Iterator end() const { return {document_, node().end}; }
    std::size_t size() const;
    /// The member of that name, of an object.
    std::optional<JsonValue> find(std::string_view key) const;

private:
    const JsonDocument::Node& node() const { return document_->node[index_]; }
    const JsonDocument* document_;
    std::uint32_t index_;
};

inline constexpr int kMaxJsonDepth = 32;
inline constexpr std::size_t kMaxJsonValues = 8'000'000;

/// `file` names the text in errors: "island.json:12:7"; lines are counted from `line`. Numbers are
/// finite; a whole number from 0 to 2⁶⁴ − 1 is natural. Errors: invalid_input (not JSON, a key
/// twice in an object, text that is not UTF-8), too_large (nested deeper than kMaxJsonDepth, more
/// than kMaxJsonValues).
Result<JsonDocument> read_json(std::string_view text, std::string_view file,
                               std::uint32_t line = 1);

/// The value as compact JSON.
std::string to_compact(JsonValue value);

}  // namespace tw::recipe
