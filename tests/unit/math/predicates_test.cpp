#include "terraway/math/predicates.hpp"

#include "support/point_sets.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace tw {
namespace {

using namespace tw::testing;

constexpr std::int32_t kMax = kMaxCoordinate;

std::int64_t any_word(Dice& dice) {
    const std::uint64_t high = dice.below(0xffffffffu);
    const std::uint64_t low = dice.below(0xffffffffu);
    return static_cast<std::int64_t>((high << 32) | low) >> dice.below(64);
}

TEST(PortableInt128, KnowsItsPowersOfTwo) {
    using Wide = PortableInt128;
    const std::int64_t low = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(wide_product<Wide>(low, low), Wide(0, std::uint64_t{1} << 62));  // 2¹²⁶
    EXPECT_EQ(wide_product<Wide>(-1, 1), Wide(-1));
    EXPECT_EQ(Wide(~std::uint64_t{0}, 0) + Wide(1), Wide(0, 1));
    EXPECT_EQ(Wide(0, 1) - Wide(1), Wide(~std::uint64_t{0}, 0));
    EXPECT_LT(Wide(-1), Wide(0));
    EXPECT_LT(Wide(0), Wide(0, 1));
    EXPECT_EQ(floor_quotient<Wide>(Wide(-7), 2), -4);
    EXPECT_EQ(floor_quotient<Wide>(Wide(-8), 2), -4);
    EXPECT_EQ(floor_quotient<Wide>(Wide(0, 1), std::int64_t{1} << 62), 4);
}

#if TW_HAS_INT128
TEST(PortableInt128, AgreesWithTheCompilers) {
    const auto same = [](PortableInt128 a, NativeInt128 b) {
        return a.low == static_cast<std::uint64_t>(b) &&
               a.high == static_cast<std::uint64_t>(b >> 64);
    };
    Dice dice(1);
    for (int i = 0; i < 20000; ++i) {
        const std::int64_t a = any_word(dice), b = any_word(dice), c = any_word(dice);
        const auto p = wide_product<PortableInt128>(a, b);
        const auto n = wide_product<NativeInt128>(a, b);
        ASSERT_TRUE(same(p, n));
        ASSERT_TRUE(same(p + PortableInt128(c), n + c));
        ASSERT_TRUE(same(p - PortableInt128(c), n - c));
        ASSERT_TRUE(same(-p, -n));
        ASSERT_EQ(sign_of(p), sign_of(n));
        ASSERT_EQ(p < PortableInt128(c), n < c);
        // A quotient that fits: (a · b + c) / b, b > 0.
        if (b > 1 && c < b && c > -b) {
            ASSERT_EQ(floor_quotient(p + PortableInt128(c), b), floor_quotient(n + c, b));
        }
    }
}
#endif

TEST(Orient2d, AtTheEndsOfTheGrid) {
    EXPECT_EQ(orient2d({-kMax, -kMax}, {kMax, -kMax}, {-kMax, kMax}), std::int64_t{1} << 60);
    EXPECT_EQ(orient2d({-kMax, -kMax}, {-kMax, kMax}, {kMax, -kMax}), -(std::int64_t{1} << 60));
    EXPECT_EQ(orient2d({-kMax, -kMax}, {0, 0}, {kMax, kMax}), 0);
    EXPECT_EQ(orient2d({-kMax, -kMax}, {kMax - 1, kMax}, {0, 0}), -kMax);
}

TEST(Incircle, OfTheUnitSquare) {
    EXPECT_GT(incircle({0, 0}, {2, 0}, {2, 2}, {1, 1}), 0);
    EXPECT_LT(incircle({0, 0}, {2, 0}, {2, 2}, {-1, 2}), 0);
    EXPECT_EQ(incircle({0, 0}, {2, 0}, {2, 2}, {0, 2}), 0);
    EXPECT_LT(incircle({2, 2}, {2, 0}, {0, 0}, {1, 1}), 0);
}

TEST(Incircle, FeelsOneStepAtTheEndsOfTheGrid) {
    const GridPoint a{-kMax, -kMax}, b{kMax, -kMax}, c{kMax, kMax};
    EXPECT_EQ(incircle(a, b, c, {-kMax, kMax}), 0);
    EXPECT_GT(incircle(a, b, c, {-kMax + 1, kMax}), 0);
    EXPECT_GT(incircle(a, b, c, {-kMax, kMax - 1}), 0);
    EXPECT_LT(incircle({-kMax, -kMax}, {kMax - 1, -kMax}, {kMax - 1, kMax - 1}, {-kMax, kMax}), 0);
}

TEST(Incircle, EveryWayOfComputingAgrees) {
    Dice dice(2);
    const Points circle = circle_points(kMax / 1200, {3, 4});
    for (int i = 0; i < 30000; ++i) {
        std::array<GridPoint, 4> p;
        const std::int32_t extent = 1 << dice.between(1, 29);
        for (GridPoint& q : p) {
            // Near-ties too: points of a circle, some moved by a step.
            q = i % 2 == 0 ? dice.point(-extent, extent)
                           : circle[dice.below(static_cast<std::uint32_t>(circle.size()))] +
                                 dice.point(-1, 1);
        }
        const int exact = incircle_exact<PortableInt128>(p[0], p[1], p[2], p[3]);
#if TW_HAS_INT128
        ASSERT_EQ(exact, (incircle_exact<NativeInt128>(p[0], p[1], p[2], p[3])));
#endif
        ASSERT_EQ(exact, incircle(p[0], p[1], p[2], p[3]));
        const int filtered = incircle_filtered(p[0], p[1], p[2], p[3]);
        if (filtered != 0) {
            ASSERT_EQ(filtered, exact);
        }
        // Swapping two rows of a determinant changes its sign.
        ASSERT_EQ(exact, -incircle(p[1], p[0], p[2], p[3]));
        ASSERT_EQ(exact, -incircle(p[0], p[1], p[3], p[2]));
    }
}

TEST(IncirclePerturbed, IsADeterminantToo) {
    const Points circle = circle_points(1, {0, 0});
    Dice dice(3);
    for (int i = 0; i < 20000; ++i) {
        std::array<GridPoint, 4> p;
        for (GridPoint& q : p) q = circle[dice.below(static_cast<std::uint32_t>(circle.size()))];
        const int sign = incircle_perturbed(p[0], p[1], p[2], p[3]);
        const bool distinct = p[0] != p[1] && p[0] != p[2] && p[0] != p[3] && p[1] != p[2] &&
                              p[1] != p[3] && p[2] != p[3];
        if (!distinct) continue;
        ASSERT_NE(sign, 0);
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = a + 1; b < 4; ++b) {
                auto q = p;
                std::swap(q[a], q[b]);
                ASSERT_EQ(incircle_perturbed(q[0], q[1], q[2], q[3]), -sign);
            }
        }
    }
}

/// The definition, in numbers: lower the lifts by ε, ε², … with ε so small that it decides ties
/// only.
TEST(IncirclePerturbed, AgreesWithSmallNumbers) {
    const Points circle = {{5, 0},  {4, 3},   {3, 4},   {0, 5},  {-3, 4}, {-4, 3},
                           {-5, 0}, {-4, -3}, {-3, -4}, {0, -5}, {3, -4}, {4, -3}};
    const auto lifted_sign = [](std::array<GridPoint, 4> p) {
        auto sorted = p;
        std::sort(sorted.begin(), sorted.end());
        // det | x y lift 1 | expanded along the lifts: integers times 1, ε, ε², ε³, ε⁴.
        std::array<std::int64_t, 5> coefficient{};
        for (std::size_t i = 0; i < 4; ++i) {
            std::array<GridPoint, 3> rest{};
            std::size_t at = 0;
            for (std::size_t j = 0; j < 4; ++j) {
                if (j != i) rest[at++] = p[j];
            }
            const std::int64_t cofactor =
                (i % 2 == 0 ? 1 : -1) * orient2d(rest[0], rest[1], rest[2]);
            const auto rank = static_cast<std::size_t>(
                std::find(sorted.begin(), sorted.end(), p[i]) - sorted.begin());
            coefficient[0] += cofactor * distance2(p[i], {0, 0});
            coefficient[rank + 1] -= cofactor;
        }
        for (const std::int64_t c : coefficient) {
            if (c != 0) return c > 0 ? 1 : -1;
        }
        return 0;
    };
    for (const GridPoint a : circle) {
        for (const GridPoint b : circle) {
            for (const GridPoint c : circle) {
                for (const GridPoint d : {circle[0], circle[4], circle[7], circle[10],
                                          GridPoint{1, 1}, GridPoint{6, 2}}) {
                    if (a == b || a == c || b == c || a == d || b == d || c == d) continue;
                    ASSERT_EQ(incircle_perturbed(a, b, c, d), lifted_sign({a, b, c, d}));
                }
            }
        }
    }
}

TEST(IncirclePerturbed, IsZeroForEqualPoints) {
    EXPECT_EQ(incircle_perturbed({0, 0}, {2, 0}, {2, 2}, {0, 0}), 0);
    EXPECT_EQ(incircle_perturbed({0, 0}, {2, 0}, {2, 2}, {2, 0}), 0);
    EXPECT_EQ(incircle_perturbed({0, 0}, {2, 0}, {2, 2}, {2, 2}), 0);
    EXPECT_EQ(incircle_perturbed({0, 0}, {1, 1}, {2, 2}, {3, 3}), 0);
}

}  // namespace
}  // namespace tw
