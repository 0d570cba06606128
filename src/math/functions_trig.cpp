#include "terraway/math/functions.hpp"

#include "double_double.hpp"

#include <array>
#include <cstddef>

namespace tw::inline math {
namespace {

using namespace detail;

constexpr double kTwoOverPiDouble = 0x1.45f306dc9c883p-1;
constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
// π/2 in three parts of 33 bits, whose products with a whole number below 2²⁰ are exact, and a
// rest.
constexpr double kHalfPi1 = 0x1.921fb54400000p+0;
constexpr double kHalfPi2 = 0x1.0b4611a600000p-34;
constexpr double kHalfPi3 = 0x1.3198a2e000000p-69;
constexpr double kHalfPi4 = 0x1.b839a252049c1p-104;

/// x = quarter · π/2 + angle, |angle| <= π/4 and a little; quarter modulo 4.
struct Reduced {
    DoubleDouble angle;
    unsigned quarter;
};

/// For |x| < 2²⁰ (Cody & Waite).
Reduced reduce_small(double x) {
    const double n = round_to_whole(x * kTwoOverPiDouble);
    const DoubleDouble first = two_sum(x - n * kHalfPi1, -(n * kHalfPi2));
    const DoubleDouble second = two_sum(first.high, -(n * kHalfPi3));
    const double rest = first.low + second.low - n * kHalfPi4;
    return {fast_two_sum(second.high, rest),
            static_cast<unsigned>(static_cast<std::int64_t>(n)) & 3};
}

/// For finite |x| >= 2²⁰ (Payne & Hanek): the product with 2/π in whole numbers, of which only the
/// bits just above and below the binary point are worked out.
Reduced reduce_large(double x) {
    const int exponent = exponent_of(x) - 52;  // |x| = mantissa · 2^exponent
    const std::uint64_t mantissa = (bits_of(x) & ((1ull << 52) - 1)) | 1ull << 52;
    // Bits of 2/π of weight above 4 / 2^exponent give multiples of four quarters. The 32-bit words
    // from there on: the first product below has weight 2^(32 − 32 · first + exponent) and wraps.
    const int skip = exponent < 64 ? 0 : (exponent - 32) / 32;
    constexpr std::size_t kWords = 9;
    std::array<std::uint32_t, kWords> factor;
    for (std::size_t i = 0; i < kWords; ++i)
        factor[i] = kTwoOverPi[static_cast<std::size_t>(skip) + i];

    // product = mantissa · factor, least significant word last, two words wider.
    std::array<std::uint32_t, kWords + 2> product{};
    const std::array<std::uint64_t, 2> limb{mantissa & 0xffffffffu, mantissa >> 32};
    for (std::size_t l = 0; l < 2; ++l) {
        std::uint64_t carry = 0;
        for (std::size_t i = kWords; i-- > 0;) {
            std::uint32_t& word = product[i + 2 - l];
            carry += limb[l] * factor[i] + word;
            word = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        product[1 - l] = static_cast<std::uint32_t>(carry);
    }
    // The binary point stands `point` bits after the start of the product; two bits before it are
    // the quarter, 160 bits after it the fraction.
    const int point = 64 + exponent - 32 * skip;
    const auto word_at = [&](int bit) {
        const auto at = static_cast<std::size_t>(bit / 32);
        const std::uint64_t both = std::uint64_t{product[at]} << 32 | product[at + 1];
        return static_cast<std::uint32_t>(both >> (32 - bit % 32));
    };
    unsigned quarter = word_at(point - 32) & 3;
    std::array<std::uint32_t, 4> fraction;
    for (int i = 0; i < 4; ++i) fraction[static_cast<std::size_t>(i)] = word_at(point + 32 * i);
    const bool round_up = fraction[0] >> 31 != 0;
    if (round_up) {  // 1 − fraction, to within 2⁻¹²⁸
        ++quarter;
        for (std::uint32_t& word : fraction) word = ~word;
    }
    DoubleDouble turn;
    for (int i = 3; i >= 0; --i) {
        const double part = static_cast<double>(fraction[static_cast<std::size_t>(i)]) *
                            power_of_two(-32 * (i + 1));
        const DoubleDouble sum = two_sum(part, turn.high);
        turn = fast_two_sum(sum.high, sum.low + turn.low);
    }
    DoubleDouble angle = multiply(turn, kHalfPi);
    if (round_up != is_negative(x)) angle = {-angle.high, -angle.low};
    return {angle, (is_negative(x) ? 0u - quarter : quarter) & 3};
}

Reduced reduce(double x) {
    return absolute(x) < 0x1p20 ? reduce_small(x) : reduce_large(x);
}

/// sin(r.high + r.low) for |r| <= 0.8: Taylor to r¹⁷.
double sin_series(DoubleDouble r) {
    const double x = r.high, x2 = x * x;
    double sum = 1.0 / 355687428096000.0;
    sum = sum * x2 - 1.0 / 1307674368000.0;
    sum = sum * x2 + 1.0 / 6227020800.0;
    sum = sum * x2 - 1.0 / 39916800.0;
    sum = sum * x2 + 1.0 / 362880.0;
    sum = sum * x2 - 1.0 / 5040.0;
    sum = sum * x2 + 1.0 / 120.0;
    sum = sum * x2 - 1.0 / 6.0;
    return x + (x2 * x * sum + r.low * (1.0 - 0.5 * x2));
}
/// cos(r.high + r.low) for |r| <= 0.8: Taylor to r¹⁸.
double cos_series(DoubleDouble r) {
    const double x = r.high, x2 = x * x;
    double sum = -1.0 / 6402373705728000.0;
    sum = sum * x2 + 1.0 / 20922789888000.0;
    sum = sum * x2 - 1.0 / 87178291200.0;
    sum = sum * x2 + 1.0 / 479001600.0;
    sum = sum * x2 - 1.0 / 3628800.0;
    sum = sum * x2 + 1.0 / 40320.0;
    sum = sum * x2 - 1.0 / 720.0;
    sum = sum * x2 + 1.0 / 24.0;
    const double half = 0.5 * x2;
    const double one_less = 1.0 - half;
    return one_less + (((1.0 - one_less) - half) + (x2 * x2 * sum - x * r.low));
}

double sin_of_quarter(const Reduced& r, unsigned quarter) {
    const double value = quarter % 2 == 0 ? sin_series(r.angle) : cos_series(r.angle);
    return quarter % 4 < 2 ? value : -value;
}

/// atan(r.high + r.low) for |r| <= 1/32: what is to be added to r.high.
double atan_tail(DoubleDouble r) {
    const double x = r.high, x2 = x * x;
    double sum = 1.0 / 13.0;
    sum = 1.0 / 11.0 - sum * x2;
    sum = 1.0 / 9.0 - sum * x2;
    sum = 1.0 / 7.0 - sum * x2;
    sum = 1.0 / 5.0 - sum * x2;
    sum = 1.0 / 3.0 - sum * x2;
    return r.low - x2 * x * sum;
}

/// atan(y / x) for 0 <= y <= x, x of moderate size.
DoubleDouble atan_of_ratio(double y, double x) {
    const double j = round_to_whole(32.0 * (y / x));
    // atan(y/x) = atan(c) + atan((y − c x) / (x + c y)), c = j / 32 in six bits.
    const double c = j * 0x1p-5;
    const DoubleDouble cx = two_product(c, x), cy = two_product(c, y);
    const DoubleDouble top = two_sum(y, -cx.high), bottom = fast_two_sum(x, cy.high);
    const double quotient = top.high / bottom.high;
    const DoubleDouble back = two_product(quotient, bottom.high);
    const double rest =
        ((top.high - back.high) - back.low) + (top.low - cx.low) - quotient * (bottom.low + cy.low);
    const DoubleDouble& table = kAtanTable[static_cast<std::size_t>(j)];
    const DoubleDouble sum = fast_two_sum(table.high, quotient);
    const double tail = atan_tail({quotient, rest / bottom.high});
    return fast_two_sum(sum.high, sum.low + (table.low + tail));
}

}  // namespace

SinCos sin_cos(double x) {
    if (!is_finite(x)) return {kNan, kNan};
    if (absolute(x) < 0x1p-27) return {x, 1.0};
    const Reduced r = reduce(x);
    return {sin_of_quarter(r, r.quarter), sin_of_quarter(r, r.quarter + 1)};
}

double sin(double x) {
    if (!is_finite(x)) return kNan;
    if (absolute(x) < 0x1p-27) return x;
    const Reduced r = reduce(x);
    return sin_of_quarter(r, r.quarter);
}

double cos(double x) {
    if (!is_finite(x)) return kNan;
    if (absolute(x) < 0x1p-27) return 1.0;
    const Reduced r = reduce(x);
    return sin_of_quarter(r, r.quarter + 1);
}

double tan(double x) {
    const SinCos both = sin_cos(x);
    return both.sin / both.cos;
}

double atan2(double y, double x) {
    if (x != x || y != y) return kNan;
    double ax = absolute(x), ay = absolute(y);
    const bool steep = ay > ax;
    double near = steep ? ax : ay, far = steep ? ay : ax;
    DoubleDouble angle;  // from the nearer axis
    if (near == kInfinity) {
        angle = {0.5 * kHalfPi.high, 0.5 * kHalfPi.low};
    } else if (near == 0.0 || far == kInfinity) {
        angle = {0.0, 0.0};
    } else {
        // Both to a moderate size; a ratio below 2⁻¹²⁰ matters only by its own value.
        if (far > 0x1p+500) {
            near *= 0x1p-600;
            far *= 0x1p-600;
        } else if (far < 0x1p-400) {
            near *= 0x1p+600;
            far *= 0x1p+600;
        }
        if (near < far * 0x1p-120) {
            angle = {!steep && !is_negative(x) ? ay / ax : near / far, 0.0};
        } else {
            angle = atan_of_ratio(near, far);
        }
    }
    // Then the octant: near the y axis π/2 ∓ angle, on the left π − angle.
    const bool left = is_negative(x);
    double result;
    if (!steep && !left) {
        result = angle.high;
    } else {
        const double base = steep ? 1.0 : 2.0;
        const double sign = steep == left ? 1.0 : -1.0;
        const DoubleDouble sum = fast_two_sum(base * kHalfPi.high, sign * angle.high);
        result = sum.high + (sum.low + (base * kHalfPi.low + sign * angle.low));
    }
    return with_sign_of(result, y);
}

double atan(double x) {
    return atan2(x, 1.0);
}

}  // namespace tw::inline math
