#include "terraway/math/functions.hpp"

#include "double_double.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace tw::inline math {
namespace {

using namespace detail;

// ln 2 in 40 bits, whose product with an exponent is exact, and the rest.
constexpr DoubleDouble kLn2Parts{0x1.62e42fefa2000p-1, 0x1.9ef35793c7673p-41};
constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr DoubleDouble kLog2E{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

/// value · 2^exponent, rounded once more where the result is subnormal.
[[gnu::always_inline]] inline double scale(double value, int exponent) {
    if (exponent > 1023) return value * 0x1p+1023 * power_of_two(exponent - 1023);
    if (exponent < -1022) return value * power_of_two(exponent + 200) * 0x1p-200;
    return value * power_of_two(exponent);
}

/// exp(r.high + r.low) for |r| <= 0.35: Taylor to r¹³.
[[gnu::always_inline]] inline double exp_series(DoubleDouble r) {
    const double x = r.high;
    double sum = 1.0 / 6227020800.0;
    sum = sum * x + 1.0 / 479001600.0;
    sum = sum * x + 1.0 / 39916800.0;
    sum = sum * x + 1.0 / 3628800.0;
    sum = sum * x + 1.0 / 362880.0;
    sum = sum * x + 1.0 / 40320.0;
    sum = sum * x + 1.0 / 5040.0;
    sum = sum * x + 1.0 / 720.0;
    sum = sum * x + 1.0 / 120.0;
    sum = sum * x + 1.0 / 24.0;
    sum = sum * x + 1.0 / 6.0;
    sum = sum * x + 0.5;
    const DoubleDouble one_more = fast_two_sum(1.0, x);
    return one_more.high + (one_more.low + (x * x * sum + (r.low + r.low * x)));
}

/// exp(x.high + x.low), |x.low| far below |x.high|.
[[gnu::always_inline]] inline double exp_of(DoubleDouble x) {
    if (x.high > 709.79) return kInfinity;
    if (x.high < -745.14) return 0.0;
    const double k = round_to_whole(x.high * kLog2E.high);
    const DoubleDouble r = fast_two_sum(x.high - k * kLn2Parts.high, x.low - k * kLn2Parts.low);
    return scale(exp_series(r), static_cast<int>(k));
}

// Mantissas from √½ up in steps of 2⁻⁷ of their binade, and for each step the whole j that makes
// j / 256 nearest to 1 / m in its middle; 256 in both steps that touch 1.
constexpr std::uint64_t kFirstMantissa = 0x3fe6a00000000000u;
constexpr std::array<std::uint16_t, 129> kReciprocal = [] {
    std::array<std::uint16_t, 129> table{};
    for (std::uint64_t i = 0; i < table.size(); ++i) {
        const std::uint64_t low = kFirstMantissa + (i << 45), high = low + (1ull << 45);
        const double middle = std::bit_cast<double>(low + (1ull << 44));
        const bool at_one = low == bits_of(1.0) || high == bits_of(1.0);
        table[i] = static_cast<std::uint16_t>(at_one ? 256.0 : round_to_whole(256.0 / middle));
    }
    return table;
}();

/// x = m · 2^exponent with m in [√½, √2), so that near 1 nothing cancels; and with c = j / 256 near
/// 1 / m: ln m = ln(1 / c) + ln(1 + r), r = m c − 1 exactly, |r| <= 2⁻⁷.
struct Parts {
    int exponent;
    unsigned j;
    DoubleDouble r;
};
/// For positive finite x.
[[gnu::always_inline]] inline Parts take_apart(double x) {
    int exponent = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p+54;
        exponent = -54;
    }
    const std::uint64_t above = bits_of(x) - bits_of(0x1.6a09e667f3bcdp-1);
    const auto shift = static_cast<int>(static_cast<std::int64_t>(above) >> 52);
    const double m = std::bit_cast<double>(bits_of(x) - (static_cast<std::uint64_t>(shift) << 52));
    const unsigned j = kReciprocal[(bits_of(m) - kFirstMantissa) >> 45];
    const double c = static_cast<double>(j) * 0x1p-8;
    const double m_high = split(m);
    return {exponent + shift, j, fast_two_sum(m_high * c - 1.0, (m - m_high) * c)};
}
const DoubleDouble& table_entry(const Parts& parts) {
    return kLogTable[parts.j - 181];
}

/// (ln(1 + r) − r + r² / 2) / r³ by Taylor to r⁹.
[[gnu::always_inline]] inline double log_series(double r) {
    double sum = 1.0 / 9.0;
    sum = sum * r - 1.0 / 8.0;
    sum = sum * r + 1.0 / 7.0;
    sum = sum * r - 1.0 / 6.0;
    sum = sum * r + 1.0 / 5.0;
    sum = sum * r - 1.0 / 4.0;
    return sum * r + 1.0 / 3.0;
}

struct Logarithm {
    int exponent;           ///< of two
    DoubleDouble mantissa;  ///< natural logarithm of the rest, within ±0.35
};

/// For positive finite x; relative error about 2⁻⁶⁸.
[[gnu::always_inline]] inline Logarithm logarithm(double x) {
    const Parts parts = take_apart(x);
    const DoubleDouble r = parts.r;
    // The first two terms in double-double.
    const DoubleDouble square = two_product(r.high, r.high);
    const DoubleDouble first = fast_two_sum(r.high, -0.5 * square.high);
    const double tail = r.low - r.high * r.low - 0.5 * square.low +
                        square.high * r.high * log_series(r.high) + first.low;
    const DoubleDouble& table = table_entry(parts);
    const DoubleDouble whole = two_sum(table.high, first.high);
    return {parts.exponent, fast_two_sum(whole.high, whole.low + (table.low + tail))};
}

/// ln x in one double, for floats: relative error about 2⁻⁵¹.
[[gnu::always_inline]] inline double plain_log(double x) {
    const Parts parts = take_apart(x);
    const double r = parts.r.high + parts.r.low;
    const double tail = r * r * (r * log_series(r) - 0.5);
    return parts.exponent * kLn2.high + (table_entry(parts).high + (r + tail));
}

[[gnu::always_inline]] inline DoubleDouble natural(const Logarithm& parts) {
    const DoubleDouble sum = two_sum(parts.exponent * kLn2Parts.high, parts.mantissa.high);
    return fast_two_sum(sum.high, sum.low + (parts.exponent * kLn2Parts.low + parts.mantissa.low));
}

/// What log and log2 give for x that is not positive and finite.
double log_of_special(double x) {
    if (x == 0.0) return -kInfinity;
    return x == kInfinity ? x : kNan;
}

bool is_ordinary(double x) {
    return x > 0.0 && x < kInfinity;
}
bool is_whole(double x) {
    return absolute(x) >= 0x1p52 || static_cast<double>(static_cast<std::int64_t>(x)) == x;
}
/// Whole and odd; from 2⁵³ on all doubles are even.
bool is_odd(double x) {
    return absolute(x) < 0x1p53 && is_whole(x) && !is_whole(0.5 * x);
}

/// pow for a base that is zero or infinite and an exponent that is neither zero nor NaN.
double pow_of_extreme(double x, double y) {
    const double magnitude = (x == 0.0) == (y > 0.0) ? 0.0 : kInfinity;
    return is_negative(x) && is_odd(y) ? -magnitude : magnitude;
}

}  // namespace

double exp(double x) {
    if (x != x) return kNan;
    return exp_of({x, 0.0});
}

double exp2(double x) {
    if (x != x) return kNan;
    if (x >= 1024.0) return kInfinity;
    if (x < -1076.0) return 0.0;
    const double k = round_to_whole(x);
    const DoubleDouble product = multiply({x - k, 0.0}, kLn2);
    return scale(exp_series(product), static_cast<int>(k));
}

double log(double x) {
    if (!is_ordinary(x)) return log_of_special(x);
    return natural(logarithm(x)).high;
}

double log2(double x) {
    if (!is_ordinary(x)) return log_of_special(x);
    const Logarithm parts = logarithm(x);
    const DoubleDouble fraction = multiply(parts.mantissa, kLog2E);
    const DoubleDouble sum = two_sum(parts.exponent, fraction.high);
    return sum.high + (sum.low + fraction.low);
}

double pow(double x, double y) {
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x != x || y != y) return kNan;
    const double base = absolute(x);
    if (!is_finite(y)) {
        if (base == 1.0) return 1.0;
        return (base > 1.0) == (y > 0.0) ? kInfinity : 0.0;
    }
    if (base == 0.0 || base == kInfinity) return pow_of_extreme(x, y);
    if (x < 0.0 && !is_whole(y)) return kNan;
    const DoubleDouble ln = natural(logarithm(base));
    DoubleDouble power{ln.high * y, 0.0};
    // Beyond ±1000 it overflows or vanishes, below 2⁻⁵⁴ it does not move 1: the high part will do.
    if (absolute(power.high) < 1000.0 && absolute(power.high) > 0x1p-60) {
        power = two_product(ln.high, y);
        power.low += ln.low * y;
    }
    const double magnitude = exp_of(power);
    return x < 0.0 && is_odd(y) ? -magnitude : magnitude;
}

float log(float x) {
    const double wide = x;
    return static_cast<float>(is_ordinary(wide) ? plain_log(wide) : log_of_special(wide));
}

float pow(float x, float y) {
    const double base = x, power = y;
    if (!is_ordinary(base) || !is_finite(power)) return static_cast<float>(pow(base, power));
    return static_cast<float>(exp_of({power * plain_log(base), 0.0}));
}

double hypot(double x, double y) {
    double a = absolute(x), b = absolute(y);
    if (a == kInfinity || b == kInfinity) return kInfinity;
    if (a != a || b != b) return kNan;
    if (a < b) {
        const double swap = a;
        a = b;
        b = swap;
    }
    if (b == 0.0 || b < a * 0x1p-60) return a;
    double back = 1.0;  // so that no square overflows or loses bits
    if (a > 0x1p+500) {
        back = 0x1p+600;
    } else if (b < 0x1p-400) {
        back = 0x1p-600;
    }
    a /= back;
    b /= back;
    const DoubleDouble aa = two_product(a, a), bb = two_product(b, b);
    const DoubleDouble sum = fast_two_sum(aa.high, bb.high);
    const double root = std::sqrt(sum.high);
    const DoubleDouble square = two_product(root, root);
    const double rest = ((sum.high - square.high) - square.low) + (sum.low + (aa.low + bb.low));
    return (root + rest / (2.0 * root)) * back;
}

double cbrt(double x) {
    if (x == 0.0 || !is_finite(x)) return x;
    double a = absolute(x), back = 1.0;
    if (a < 0x1p-1000) {
        a *= 0x1p+300;
        back = 0x1p-100;
    } else if (a > 0x1p+1000) {
        a *= 0x1p-300;
        back = 0x1p+100;
    }
    // A third of the exponent bits is a guess within 6 %; Newton's steps square the error.
    double root = std::bit_cast<double>(bits_of(a) / 3 + (bits_of(1.0) / 3 * 2 - (1ull << 47)));
    for (int step = 0; step < 3; ++step) root -= (root - a / (root * root)) / 3.0;
    const DoubleDouble square = two_product(root, root);
    const DoubleDouble cube = two_product(square.high, root);
    const double rest = ((a - cube.high) - cube.low) - square.low * root;
    root += rest / (3.0 * square.high);
    return with_sign_of(root * back, x);
}

}  // namespace tw::inline math
