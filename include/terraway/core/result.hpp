#pragma once
// Errors are values. A Result holds what was asked for or an Error that says what to do.

#include "terraway/core/id.hpp"

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tw::inline core {

enum class ErrorCode : std::uint8_t {
    invalid_option,  ///< a parameter is out of its range or contradicts another
    invalid_input,   ///< data that the caller gave is wrong
    unsupported,     ///< right, but not something this build can do
    too_large,       ///< the work would pass the caller's memory limit or a limit of the format
    not_found,       ///< a file, a key or an id that does not exist
    io,              ///< the outside world failed: disk full, no permission
    cancelled,       ///< the caller asked to stop
    check_failed,    ///< a guarantee does not hold on data that was checked
};
std::string_view to_string(ErrorCode code);

/// The element an error speaks of: an id, or a place in a file ("roads.osm:120").
class Subject {
public:
    Subject() = default;
    Subject(std::string text) : text_(std::move(text)) {}
    Subject(std::string_view text) : text_(text) {}
    Subject(const char* text) : text_(text) {}
    template <class Tag, class Rep>
    Subject(Id<Tag, Rep> id)
        : text_(id.is_none() ? "none" : std::to_string(id.value()).insert(0, 1, '#')) {}
    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }
    friend bool operator==(const Subject&, const Subject&) = default;

private:
    std::string text_;
};

struct Error {
    ErrorCode code = ErrorCode::invalid_input;
    std::string stage;    ///< "rivers", "recipe", "read osm"
    Subject subject;      ///< element or file and place
    std::string message;  ///< what is wrong; what to do
    friend bool operator==(const Error&, const Error&) = default;
};
/// "rivers: #12: water runs in a circle here; run fill_depressions() first"
std::string to_string(const Error& error);

/// A value or an Error. Asking for the one that is not there is a bug (assert).
template <class T>
class [[nodiscard]] Result {
public:
    using value_type = T;
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    const T& value() const& {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    T&& value() && {
        assert(ok());
        return std::move(*std::get_if<0>(&state_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    const Error& error() const& {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }
    Error&& error() && {
        assert(!ok());
        return std::move(*std::get_if<1>(&state_));
    }

private:
    std::variant<T, Error> state_;
};

/// Success without a value.
struct Done {
    friend bool operator==(Done, Done) = default;
};
using Status = Result<Done>;
inline Status ok_status() {
    return Done{};
}

}  // namespace tw::inline core

/// Returns the error of `expression` from the enclosing function, or goes on.
#define TW_TRY(expression)                                                                  \
    do {                                                                                    \
        if (auto tw_status = (expression); !tw_status) return std::move(tw_status).error(); \
    } while (false)

#define TW_CONCAT_INNER(a, b) a##b
#define TW_CONCAT(a, b) TW_CONCAT_INNER(a, b)
/// TW_ASSIGN(auto map, read_map(file)); declares `map`, or returns the error.
#define TW_ASSIGN(declaration, expression) \
    TW_ASSIGN_INNER(TW_CONCAT(tw_result_, __LINE__), declaration, expression)
#define TW_ASSIGN_INNER(result, declaration, expression) \
    auto result = (expression);                          \
    if (!result) return std::move(result).error();       \
    declaration = std::move(result).value()
