#include "terraway/math/functions.hpp"

#include "terraway/core/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include <gtest/gtest.h>

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One argument, the double nearest to the true value, and the truth's distance from it in ulp.
struct Reference1 {
    double x, nearest, rest;
};
struct Reference2 {
    double x, y, nearest, rest;
};

#include "function_table.inc"

double ulp(double value) {
    const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
    return std::ldexp(1.0, std::max(field, 1) - 1075);
}

/// Error of `got` in ulp; the difference of near doubles is exact.
double error_in_ulp(double got, double nearest, double rest) {
    if (got == nearest) return std::abs(rest);
    if (!std::isfinite(got) || !std::isfinite(nearest)) return kInf;
    const double scale = std::abs(nearest) > 1.0 ? 0x1p-60 : 0x1p+60;
    return std::abs((got * scale - nearest * scale) / (ulp(nearest) * scale) - rest);
}

void expect_table(const char* name, std::span<const Reference1> table, double (*function)(double),
                  double bound) {
    double worst = 0.0;
    for (const Reference1& row : table) {
        const double error = error_in_ulp(function(row.x), row.nearest, row.rest);
        EXPECT_LE(error, bound) << name << "(" << row.x << ") = " << function(row.x);
        worst = std::max(worst, error);
    }
    testing::Test::RecordProperty(name, std::to_string(worst));
}
void expect_table(const char* name, std::span<const Reference2> table,
                  double (*function)(double, double), double bound) {
    double worst = 0.0;
    for (const Reference2& row : table) {
        const double error = error_in_ulp(function(row.x, row.y), row.nearest, row.rest);
        EXPECT_LE(error, bound) << name << "(" << row.x << ", " << row.y
                                << ") = " << function(row.x, row.y);
        worst = std::max(worst, error);
    }
    testing::Test::RecordProperty(name, std::to_string(worst));
}

TEST(Functions, StayWithinTheirBoundsOfTheTable) {
    expect_table("sin", kSin, tw::sin, 1.0);
    expect_table("cos", kCos, tw::cos, 1.0);
    expect_table("tan", kTan, tw::tan, 3.0);
    expect_table("atan2", kAtan2, tw::atan2, 1.0);
    expect_table("exp", kExp, tw::exp, 1.0);
    expect_table("exp2", kExp2, tw::exp2, 1.0);
    expect_table("log", kLog, tw::log, 1.0);
    expect_table("log2", kLog2, tw::log2, 1.0);
    expect_table("pow", kPow, tw::pow, 1.0);
    expect_table("hypot", kHypot, tw::hypot, 1.0);
    expect_table("cbrt", kCbrt, tw::cbrt, 1.0);
}

/// glibc's functions are within an ulp of the truth: a second opinion on a hundred thousand points.
/// Two honest results are at most two ulp apart (one for each, sums of bounds).
TEST(Functions, AgreeWithTheStandardLibraryWithinBothBounds) {
    tw::RandomStream random(tw::Seed{7}, tw::Purpose("functions_test"), 0);
    const auto compare = [](const char* name, double got, double standard, double bound) {
        EXPECT_LE(error_in_ulp(got, standard, 0.0), bound) << name << " " << got << " " << standard;
    };
    for (int i = 0; i < 100'000; ++i) {
        const double a = random.unit(), b = random.unit();
        const double angle = std::ldexp(a - 0.5, static_cast<int>(b * 1024));
        compare("sin", tw::sin(angle), std::sin(angle), 2.0);
        compare("cos", tw::cos(angle), std::cos(angle), 2.0);
        compare("tan", tw::tan(angle), std::tan(angle), 4.0);
        const double wide = std::ldexp(a + 0.5, static_cast<int>(b * 2000 - 1000));
        compare("log", tw::log(wide), std::log(wide), 2.0);
        compare("log2", tw::log2(wide), std::log2(wide), 2.0);
        compare("hypot", tw::hypot(a, b), std::hypot(a, b), 2.0);
        compare("atan2", tw::atan2(a - 0.5, b - 0.5), std::atan2(a - 0.5, b - 0.5), 2.0);
        const double power = (b - 0.5) * 1400;
        compare("exp", tw::exp(power), std::exp(power), 2.0);
        compare("exp2", tw::exp2(power), std::exp2(power), 2.0);
        compare("pow", tw::pow(a * 4, (b - 0.5) * 200), std::pow(a * 4, (b - 0.5) * 200), 2.0);
    }
}

/// glibc's cbrt is 4 ulp off at times, so its inverse judges: an ulp less or more, cubed in long
/// double, must enclose x.
TEST(Functions, CubeRootsEncloseTheirCube) {
    tw::RandomStream random(tw::Seed{7}, tw::Purpose("functions_test"), 3);
    const auto cube = [](long double r) { return r * r * r; };
    for (int i = 0; i < 100'000; ++i) {
        const double fraction = random.unit();
        const double x = std::ldexp(fraction + 0.5, static_cast<int>(random.below(2000)) - 1000);
        const double root = tw::cbrt(x);
        EXPECT_LT(cube(std::nextafter(root, 0.0)), x);
        EXPECT_GT(cube(std::nextafter(root, kInf)), x);
    }
}

TEST(Functions, SinAndCosKeepTheirSymmetriesBitForBit) {
    tw::RandomStream random(tw::Seed{8}, tw::Purpose("functions_test"), 1);
    for (int i = 0; i < 10'000; ++i) {
        const double x = std::ldexp(random.unit(), static_cast<int>(random.below(100)));
        EXPECT_EQ(tw::sin(-x), -tw::sin(x)) << x;
        EXPECT_EQ(tw::cos(-x), tw::cos(x)) << x;
        const tw::SinCos both = tw::sin_cos(x);
        EXPECT_EQ(both.sin, tw::sin(x)) << x;
        EXPECT_EQ(both.cos, tw::cos(x)) << x;
        EXPECT_NEAR(both.sin * both.sin + both.cos * both.cos, 1.0, 4e-16) << x;
    }
}

TEST(Functions, ReductionsMeetWithoutAStep) {
    // At 2²⁰ the reduction changes: neighbours must differ by no more than the slope allows.
    double x = 0x1p20;
    for (int i = 0; i < 50; ++i) x = std::nextafter(x, 0.0);
    for (int i = 0; i < 100; ++i) {
        const double next = std::nextafter(x, kInf);
        EXPECT_NEAR(tw::sin(next), tw::sin(x), (next - x) + 0x1p-52);
        EXPECT_NEAR(tw::cos(next), tw::cos(x), (next - x) + 0x1p-52);
        x = next;
    }
}

TEST(Functions, ExactWhereTheHeaderSaysSo) {
    for (int k = -1074; k <= 1023; ++k) {
        const double power = std::ldexp(1.0, k);
        EXPECT_EQ(tw::exp2(static_cast<double>(k)), power) << k;
        EXPECT_EQ(tw::log2(power), k) << k;
        EXPECT_EQ(tw::pow(2.0, k), power) << k;
    }
    EXPECT_EQ(tw::exp(0.0), 1.0);
    EXPECT_EQ(tw::log(1.0), 0.0);
    for (int k = -200; k <= 200; ++k) EXPECT_EQ(tw::cbrt(static_cast<double>(k) * k * k), k);
    EXPECT_EQ(tw::hypot(3.0, 4.0), 5.0);
    EXPECT_EQ(tw::hypot(0x5p1000, 0xcp1000), 0xdp1000);
    EXPECT_EQ(tw::hypot(0x5p-1070, 0xcp-1070), 0xdp-1070);
}

TEST(Functions, Specials) {
    for (double bad : {kInf, -kInf, kNan}) {
        EXPECT_TRUE(std::isnan(tw::sin(bad)));
        EXPECT_TRUE(std::isnan(tw::cos(bad)));
        EXPECT_TRUE(std::isnan(tw::tan(bad)));
    }
    EXPECT_TRUE(std::signbit(tw::sin(-0.0)));
    EXPECT_TRUE(std::signbit(tw::tan(-0.0)));
    EXPECT_EQ(tw::cos(-0.0), 1.0);

    EXPECT_EQ(tw::exp(kInf), kInf);
    EXPECT_EQ(tw::exp(-kInf), 0.0);
    EXPECT_EQ(tw::exp(709.79), kInf);
    EXPECT_EQ(tw::exp(-745.14), 0.0);
    EXPECT_EQ(tw::exp(-745.13), 0x1p-1074);
    EXPECT_TRUE(std::isnan(tw::exp(kNan)));
    EXPECT_EQ(tw::exp2(1024.0), kInf);
    EXPECT_EQ(tw::exp2(kInf), kInf);
    EXPECT_EQ(tw::exp2(-kInf), 0.0);
    EXPECT_EQ(tw::exp2(-1075.5), 0.0);
    EXPECT_EQ(tw::exp2(-1074.5), 0x1p-1074);
    EXPECT_TRUE(std::isnan(tw::exp2(kNan)));
    for (double (*f)(double) :
         {static_cast<double (*)(double)>(tw::log), static_cast<double (*)(double)>(tw::log2)}) {
        EXPECT_EQ(f(0.0), -kInf);
        EXPECT_EQ(f(-0.0), -kInf);
        EXPECT_EQ(f(kInf), kInf);
        EXPECT_TRUE(std::isnan(f(-1.0)));
        EXPECT_TRUE(std::isnan(f(-kInf)));
        EXPECT_TRUE(std::isnan(f(kNan)));
    }
    EXPECT_EQ(tw::hypot(kNan, -kInf), kInf);
    EXPECT_TRUE(std::isnan(tw::hypot(kNan, 1.0)));
    EXPECT_EQ(tw::hypot(-0.0, -0.0), 0.0);
    EXPECT_EQ(tw::hypot(1e308, 1.7e308), kInf);
    EXPECT_EQ(tw::cbrt(-kInf), -kInf);
    EXPECT_TRUE(std::signbit(tw::cbrt(-0.0)));
    EXPECT_TRUE(std::isnan(tw::cbrt(kNan)));
}

TEST(Functions, SpecialsOfTwoArgumentsFollowTheCStandard) {
    // libm's specials are fixed by annex F, so the standard library is the reference here.
    const double values[] = {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.5,
                             -0.5,
                             2.0,
                             -2.0,
                             3.0,
                             -3.0,
                             kInf,
                             -kInf,
                             kNan,
                             0x1p53,
                             -0x1p53,
                             0x1p60,
                             0x1.8p1,
                             0x1p-1074,
                             -0x1p-1074,
                             1e308,
                             -1e308,
                             0x1.fffffffffffffp52,
                             -0x1.fffffffffffffp52};
    for (double x : values) {
        for (double y : values) {
            for (bool power : {true, false}) {
                const double got = power ? tw::pow(x, y) : tw::atan2(x, y);
                const double want = power ? std::pow(x, y) : std::atan2(x, y);
                if (std::isnan(want)) {
                    EXPECT_TRUE(std::isnan(got)) << power << " " << x << " " << y << " " << got;
                } else {
                    EXPECT_LE(error_in_ulp(got, want, 0.0), 1.0) << power << " " << x << " " << y;
                    EXPECT_EQ(std::signbit(got), std::signbit(want))
                        << power << " " << x << " " << y;
                }
            }
        }
    }
}

TEST(Functions, FloatSpecialsFollowTheDoubleForms) {
    const float inf = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(tw::log(0.0f), -inf);
    EXPECT_EQ(tw::log(inf), inf);
    EXPECT_TRUE(std::isnan(tw::log(-1.0f)));
    EXPECT_EQ(tw::log(1.0f), 0.0f);
    for (float x : {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -2.0f, -3.0f, 1e30f, 1e-40f, inf, -inf, nan}) {
        for (float y : {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 3.0f, -3.0f, 1e30f, inf, -inf, nan}) {
            const float got = tw::pow(x, y), want = std::pow(x, y);
            if (std::isnan(want)) {
                EXPECT_TRUE(std::isnan(got)) << x << " " << y;
            } else {
                EXPECT_FLOAT_EQ(got, want) << x << " " << y;
                EXPECT_EQ(std::signbit(got), std::signbit(want)) << x << " " << y;
            }
        }
    }
}

TEST(Functions, FloatFormsAreTheRoundedTruth) {
    tw::RandomStream random(tw::Seed{9}, tw::Purpose("functions_test"), 2);
    for (int i = 0; i < 100'000; ++i) {
        const float x = random.unit_float() * 8.0f + 0.01f;
        const float y = random.unit_float() * 8.0f - 4.0f;
        const auto near = [](float got, double want) {
            if (std::abs(want) > std::numeric_limits<float>::max()) return;
            EXPECT_LE(std::abs(got - want),
                      0.5001 * (std::nextafter(std::abs(static_cast<float>(want)), INFINITY) -
                                std::abs(static_cast<float>(want))));
        };
        near(tw::sin(y), std::sin(static_cast<double>(y)));
        near(tw::cos(y), std::cos(static_cast<double>(y)));
        near(tw::exp(y), std::exp(static_cast<double>(y)));
        near(tw::log(x), std::log(static_cast<double>(x)));
        near(tw::log(1.0f + y * 0x1p-20f), std::log(static_cast<double>(1.0f + y * 0x1p-20f)));
        near(tw::log2(x), std::log2(static_cast<double>(x)));
        near(tw::pow(x, y), std::pow(static_cast<double>(x), static_cast<double>(y)));
        near(tw::pow(x, y * 8), std::pow(static_cast<double>(x), static_cast<double>(y * 8)));
        near(tw::atan2(y, x), std::atan2(static_cast<double>(y), static_cast<double>(x)));
    }
}

}  // namespace
