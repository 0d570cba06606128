#pragma once
// Unevaluated sums of two doubles, about 106 bits. Private to math.

#include <bit>
#include <cstdint>
#include <limits>

namespace tw::inline math::detail {

struct DoubleDouble {
    double high = 0.0, low = 0.0;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// a + b exactly, for |a| >= |b| or a = 0.
constexpr DoubleDouble fast_two_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}
/// a + b exactly.
constexpr DoubleDouble two_sum(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    const double of_a = sum - of_b;
    return {sum, (a - of_a) + (b - of_b)};
}
/// The upper 26 bits of a; a − split(a) fits 26 bits too. |a| < 2⁹⁹⁶.
constexpr double split(double a) {
    const double scaled = a * 0x1.0000002p+27;
    return scaled - (scaled - a);
}
/// a · b exactly, if neither overflows nor loses bits below the least subnormal.
constexpr DoubleDouble two_product(double a, double b) {
    const double product = a * b;
    const double ah = split(a), bh = split(b);
    const double al = a - ah, bl = b - bh;
    return {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}
constexpr DoubleDouble multiply(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble product = two_product(a.high, b.high);
    return fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline constexpr double kRoundMagic = 0x1.8p+52;
/// The nearest whole number, ties to even, |x| < 2⁵¹.
constexpr double round_to_whole(double x) {
    return (x + kRoundMagic) - kRoundMagic;
}

constexpr std::uint64_t bits_of(double x) {
    return std::bit_cast<std::uint64_t>(x);
}
constexpr bool is_negative(double x) {
    return bits_of(x) >> 63 != 0;
}
constexpr double absolute(double x) {
    return std::bit_cast<double>(bits_of(x) & ~(1ull << 63));
}
constexpr double with_sign_of(double magnitude, double sign) {
    return std::bit_cast<double>((bits_of(magnitude) & ~(1ull << 63)) |
                                 (bits_of(sign) & 1ull << 63));
}
constexpr bool is_finite(double x) {
    return (bits_of(x) >> 52 & 0x7ff) != 0x7ff;
}
/// 2^exponent for −1022 <= exponent <= 1023.
constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
/// The exponent e of 2^e <= |x| < 2^(e + 1), for normal x.
constexpr int exponent_of(double x) {
    return static_cast<int>(bits_of(x) >> 52 & 0x7ff) - 1023;
}

#include "function_constants.inc"

}  // namespace tw::inline math::detail
