#pragma once
// Plain data to bytes and back, by the same field lists that hash it. For caches and blobs; the
// reader trusts nothing.

#include "terraway/core/hash.hpp"
#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace tw::world {

using Bytes = std::vector<std::byte>;

namespace detail {
template <class T>
struct IsIdArray : std::false_type {};
template <class Tag, class T>
struct IsIdArray<IdArray<Tag, T>> : std::true_type {};
template <class T>
concept RawElement = PlainBytes<T> || std::is_floating_point_v<T>;
}  // namespace detail

class ArchiveWriter {
public:
    void raw(const void* data, std::size_t size) {
        // Not insert(): g++ 12 at -O3 sees a write past the end in it, where there is none.
        const std::size_t held = bytes_.size();
        bytes_.resize(held + size);
        if (size > 0) std::memcpy(bytes_.data() + held, data, size);
    }
    template <class T>
    void add(const T& value) {
        if constexpr (detail::IsIdArray<T>::value) {
            add_sequence(value.span());
        } else if constexpr (tw::core::detail::IsVector<T>::value) {
            add_sequence(std::span<const typename T::value_type>(value));
        } else if constexpr (std::is_same_v<T, std::string>) {
            add_sequence(std::span<const char>(value));
        } else if constexpr (detail::RawElement<T>) {
            raw(&value, sizeof value);
        } else if constexpr (tw::core::detail::IsVariant<T>::value) {
            add(static_cast<std::uint8_t>(value.index()));
            std::visit([this](const auto& held) { this->add(held); }, value);
        } else if constexpr (!std::is_same_v<T, std::monostate>) {
            for_each_field(value,
                           [this](std::string_view, const auto& field) { this->add(field); });
        }
    }
    Bytes take() && { return std::move(bytes_); }

private:
    template <class T>
    void add_sequence(std::span<const T> values) {
        const std::uint64_t count = values.size();
        raw(&count, sizeof count);
        if constexpr (detail::RawElement<T>) {
            raw(values.data(), values.size_bytes());
        } else {
            for (const T& value : values) add(value);
        }
    }
    Bytes bytes_;
};

/// Reads what ArchiveWriter wrote. After the first thing that does not fit, ok() is false and
/// nothing more is read; no more memory is taken than the bytes at hand can fill.
class ArchiveReader {
public:
    explicit ArchiveReader(std::span<const std::byte> bytes) : left_(bytes) {}
    bool ok() const { return ok_; }
    bool at_end() const { return left_.empty(); }

    template <class T>
    void read(T& value) {
        if constexpr (detail::IsIdArray<T>::value) {
            std::vector<typename T::value_type> values;
            read_sequence(values);
            value = T(std::move(values));
        } else if constexpr (tw::core::detail::IsVector<T>::value ||
                             std::is_same_v<T, std::string>) {
            read_sequence(value);
        } else if constexpr (detail::RawElement<T>) {
            raw(&value, sizeof value);
        } else if constexpr (tw::core::detail::IsVariant<T>::value) {
            std::uint8_t index = 0;
            raw(&index, sizeof index);
            read_alternative(value, index);
        } else if constexpr (!std::is_same_v<T, std::monostate>) {
            for_each_field(value, [this](std::string_view, auto& field) { this->read(field); });
        }
    }

private:
    void raw(void* data, std::size_t size) {
        if (!ok_ || size > left_.size()) {
            ok_ = false;
            return;
        }
        if (size > 0) std::memcpy(data, left_.data(), size);
        left_ = left_.subspan(size);
    }
    template <class Variant, std::size_t at = 0>
    void read_alternative(Variant& value, std::size_t index) {
        if constexpr (at == std::variant_size_v<Variant>) {
            ok_ = false;
        } else if (index == at) {
            read(value.template emplace<at>());
        } else {
            read_alternative<Variant, at + 1>(value, index);
        }
    }
    template <class Sequence>
    void read_sequence(Sequence& values) {
        using T = typename Sequence::value_type;
        std::uint64_t count = 0;
        raw(&count, sizeof count);
        // Every element takes at least one byte, so a count beyond the rest is a lie.
        constexpr std::size_t kLeast = detail::RawElement<T> ? sizeof(T) : 1;
        if (!ok_ || count > left_.size() / kLeast) {
            ok_ = false;
            return;
        }
        if constexpr (detail::RawElement<T>) {
            values.resize(static_cast<std::size_t>(count));
            raw(values.data(), values.size() * sizeof(T));
        } else {
            for (std::uint64_t i = 0; i < count && ok_; ++i) read(values.emplace_back());
        }
    }
    std::span<const std::byte> left_;
    bool ok_ = true;
};

template <class T>
Bytes to_bytes(const T& value) {
    ArchiveWriter writer;
    writer.add(value);
    return std::move(writer).take();
}
/// Error invalid_input unless `bytes` is exactly one value. Ranges are the caller's to check.
template <class T>
Result<T> from_bytes(std::span<const std::byte> bytes) {
    ArchiveReader reader(bytes);
    T value;
    reader.read(value);
    if (reader.ok() && reader.at_end()) return value;
    return Error{.code = ErrorCode::invalid_input,
                 .stage = "archive",
                 .subject = {},
                 .message = "the data is cut short or damaged; make it again from its source"};
}

}  // namespace tw::world
