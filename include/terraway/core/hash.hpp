#pragma once
// The stable 64-bit hash: XXH64 (Y. Collet, specification 0.1.1) over the little-endian bytes of
// values. Equal on every compiler and processor. A NaN is a bug (assert); −0 hashes as 0.

#include "terraway/core/fields.hpp"
#include "terraway/core/id.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace tw::inline core {

static_assert(std::endian::native == std::endian::little, "hashes and files are little-endian");

/// XXH64 of a byte string.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);
inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) {
    return hash_bytes(std::as_bytes(std::span(text)), seed);
}

/// "0123456789abcdef"
std::string hash_to_text(std::uint64_t hash);

/// What only points to its value: its own bytes say nothing.
template <class T>
struct IsSpan : std::false_type {};
template <class T, std::size_t n>
struct IsSpan<std::span<T, n>> : std::true_type {};
template <class T>
concept Borrows =
    std::is_pointer_v<T> || std::is_convertible_v<const T&, std::string_view> || IsSpan<T>::value;

/// Values whose bytes are their value: integers, enums, ids, structs of them without padding.
template <class T>
concept PlainBytes =
    std::has_unique_object_representations_v<T> && std::is_trivially_copyable_v<T> && !Borrows<T>;

/// Streaming XXH64.
class Hasher {
public:
    explicit Hasher(std::uint64_t seed = 0);
    void bytes(std::span<const std::byte> bytes);
    std::uint64_t finish() const;

    template <class T>
    Hasher& add(const T& value);

private:
    std::array<std::uint64_t, 4> lane_;
    std::array<std::byte, 32> buffer_{};
    std::uint64_t total_ = 0;
    std::uint64_t seed_;
};

template <class T>
struct HashesItself : std::false_type {};  ///< IdArray says how it is hashed

namespace detail {
template <class T>
struct IsVector : std::false_type {};
template <class T, class A>
struct IsVector<std::vector<T, A>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};

/// What all fields are, where they are of one type (declared for its type alone).
template <class T, class First, class... Rest>
    requires(std::is_same_v<First, Rest> && ...)
First type_of_fields(const std::tuple<Field<T, First>, Field<T, Rest>...>&);
template <class T>
concept HasFloatFields = HasFields<T> && requires {
    requires std::is_floating_point_v<decltype(type_of_fields(T::fields()))>;
};

inline std::uint32_t float_bits(float value) {
    assert(value == value && "a NaN in data that is hashed");
    return std::bit_cast<std::uint32_t>(value == 0.0f ? 0.0f : value);
}
inline std::uint64_t float_bits(double value) {
    assert(value == value && "a NaN in data that is hashed");
    return std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value);
}
}  // namespace detail

/// Adds the elements alone, without their count.
template <class T>
void hash_elements(Hasher& hasher, std::span<const T> values) {
    if constexpr (PlainBytes<T>) {
        hasher.bytes(std::as_bytes(values));
    } else if constexpr (std::is_floating_point_v<T>) {
        std::array<decltype(detail::float_bits(T{})), 256> block;
        for (std::size_t at = 0; at < values.size();) {
            std::size_t n = 0;
            while (n < block.size() && at < values.size()) {
                block[n++] = detail::float_bits(values[at++]);
            }
            hasher.bytes(std::as_bytes(std::span(block.data(), n)));
        }
    } else if constexpr (detail::HasFloatFields<T>) {
        using Float = decltype(detail::type_of_fields(T::fields()));
        constexpr std::size_t kFields = std::tuple_size_v<decltype(T::fields())>;
        std::array<decltype(detail::float_bits(Float{})), 64 * kFields> block;
        for (std::size_t at = 0; at < values.size();) {
            std::size_t n = 0;
            while (n < block.size() && at < values.size()) {
                for_each_field(values[at++], [&](std::string_view, const Float& field) {
                    block[n++] = detail::float_bits(field);
                });
            }
            hasher.bytes(std::as_bytes(std::span(block.data(), n)));
        }
    } else {
        for (const T& value : values) hasher.add(value);
    }
}

template <class T>
Hasher& Hasher::add(const T& value) {
    if constexpr (HashesItself<T>::value) {
        add(value.hash());
    } else if constexpr (PlainBytes<T> || std::is_floating_point_v<T>) {
        hash_elements(*this, std::span<const T>(&value, 1));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        const std::string_view text = value;
        add(std::uint64_t{text.size()});
        bytes(std::as_bytes(std::span(text)));
    } else if constexpr (detail::IsVector<T>::value || IsSpan<T>::value) {
        add(std::uint64_t{value.size()});
        hash_elements(*this, std::span<const typename T::value_type>(value));
    } else if constexpr (detail::IsArray<T>::value) {
        hash_elements(*this, std::span<const typename T::value_type>(value));
    } else if constexpr (detail::IsOptional<T>::value) {
        add(std::uint8_t{value.has_value()});
        if (value) add(*value);
    } else if constexpr (detail::IsVariant<T>::value) {
        add(static_cast<std::uint8_t>(value.index()));
        std::visit([this](const auto& held) { this->add(held); }, value);
    } else if constexpr (std::is_same_v<T, std::monostate>) {
        // Nothing more to say: the variant that holds it has said which it is.
    } else {
        static_assert(HasFields<T>, "give the type a fields() list");
        for_each_field(value, [this](std::string_view, const auto& field) { this->add(field); });
    }
    return *this;
}

/// The hash of one value, its fields or its elements.
template <class T>
std::uint64_t hash_of(const T& value) {
    Hasher hasher;
    hasher.add(value);
    return hasher.finish();
}

}  // namespace tw::inline core
