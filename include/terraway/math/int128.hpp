#pragma once
// Signed 128-bit integers for exact geometry: the compiler's where it has one, and a portable pair
// of words that is always compiled, so that each checks the other.

#include <bit>
#include <compare>
#include <cstdint>

namespace tw::inline math {

/// Two's complement in two words. Overflow wraps; the callers' bounds exclude it.
struct PortableInt128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;  ///< the sign is its top bit

    constexpr PortableInt128() = default;
    constexpr PortableInt128(std::int64_t value)
        : low(static_cast<std::uint64_t>(value)), high(value < 0 ? ~std::uint64_t{0} : 0) {}
    constexpr PortableInt128(std::uint64_t low_word, std::uint64_t high_word)
        : low(low_word), high(high_word) {}

    friend constexpr PortableInt128 operator+(PortableInt128 a, PortableInt128 b) {
        const std::uint64_t sum = a.low + b.low;
        return {sum, a.high + b.high + (sum < a.low ? 1u : 0u)};
    }
    friend constexpr PortableInt128 operator-(PortableInt128 a) {
        const std::uint64_t negated = ~a.low + 1;
        return {negated, ~a.high + (negated == 0 ? 1u : 0u)};
    }
    friend constexpr PortableInt128 operator-(PortableInt128 a, PortableInt128 b) {
        return {a.low - b.low, a.high - b.high - (a.low < b.low ? 1u : 0u)};
    }
    friend constexpr bool operator==(PortableInt128, PortableInt128) = default;
    friend constexpr std::strong_ordering operator<=>(PortableInt128 a, PortableInt128 b) {
        const auto order = static_cast<std::int64_t>(a.high) <=> static_cast<std::int64_t>(b.high);
        return order != 0 ? order : a.low <=> b.low;
    }
    constexpr bool negative() const { return high >> 63 != 0; }
    constexpr explicit operator std::int64_t() const { return static_cast<std::int64_t>(low); }
};

/// The full product of two words.
template <class Wide>
constexpr Wide wide_product(std::int64_t a, std::int64_t b) {
    return static_cast<Wide>(a) * b;
}
template <>
constexpr PortableInt128 wide_product<PortableInt128>(std::int64_t a, std::int64_t b) {
    const auto magnitude = [](std::int64_t v) {
        const auto u = static_cast<std::uint64_t>(v);
        return v < 0 ? ~u + 1 : u;
    };
    const std::uint64_t ua = magnitude(a), ub = magnitude(b);
    const std::uint64_t a0 = ua & 0xffffffffu, a1 = ua >> 32;
    const std::uint64_t b0 = ub & 0xffffffffu, b1 = ub >> 32;
    const std::uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    const std::uint64_t middle = (p00 >> 32) + (p01 & 0xffffffffu) + (p10 & 0xffffffffu);
    const PortableInt128 product{(middle << 32) | (p00 & 0xffffffffu),
                                 p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32)};
    return (a < 0) != (b < 0) ? -product : product;
}

template <class Wide>
constexpr int sign_of(Wide value) {
    return value > Wide{0} ? 1 : value < Wide{0} ? -1 : 0;
}

/// floor(numerator / denominator) for denominator > 0; the quotient must fit 64 bits.
template <class Wide>
constexpr std::int64_t floor_quotient(Wide numerator, std::int64_t denominator) {
    const Wide quotient = numerator / denominator;
    const auto truncated = static_cast<std::int64_t>(quotient);
    return numerator - quotient * denominator < 0 ? truncated - 1 : truncated;
}
template <>
constexpr std::int64_t floor_quotient<PortableInt128>(PortableInt128 numerator,
                                                      std::int64_t denominator) {
    const bool negative = numerator.negative();
    const PortableInt128 magnitude = negative ? -numerator : numerator;
    const auto divisor = static_cast<std::uint64_t>(denominator);
    // Long division, a bit at a time: the remainder stays below 2⁶³, so that doubling it fits.
    std::uint64_t remainder = 0, quotient = 0;
    for (int bit = 127; bit >= 0; --bit) {
        const std::uint64_t word = bit >= 64 ? magnitude.high : magnitude.low;
        remainder = (remainder << 1) | ((word >> (bit & 63)) & 1u);
        quotient <<= 1;
        if (remainder >= divisor) {
            remainder -= divisor;
            quotient |= 1u;
        }
    }
    const auto truncated = static_cast<std::int64_t>(quotient);
    return negative ? -truncated - (remainder != 0 ? 1 : 0) : truncated;
}

#if defined(__SIZEOF_INT128__) && !defined(TW_NO_INT128)
#define TW_HAS_INT128 1
__extension__ using NativeInt128 = __int128;
using Int128 = NativeInt128;
#else
#define TW_HAS_INT128 0
using Int128 = PortableInt128;
#endif

}  // namespace tw::inline math
