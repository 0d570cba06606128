#include "terraway/geometry/raster.hpp"

#include "terraway/core/random.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tw::geometry {
namespace {

using Square = std::pair<std::int32_t, std::int32_t>;

std::vector<Square> walk(const Raster& raster, GridPoint a, GridPoint b) {
    std::vector<Square> squares;
    walk_segment(raster, a, b, [&](std::int32_t x, std::int32_t y) { squares.emplace_back(x, y); });
    return squares;
}

TEST(Raster, CoversTheBoundsWithMiddlesInside) {
    const Raster raster = raster_over({{-5000, 100}, {5000, 4100}}, 16);
    EXPECT_EQ(raster.pixel, 626);  // 10,000 / 16 = 625, made even
    EXPECT_EQ(raster.columns, 16);
    EXPECT_EQ(raster.rows, 6);
    for (std::uint32_t longest : {1u, 2u, 7u, 100u, 16'384u}) {
        const GridBox bounds{{-70'001, -3}, {33'333, 90'000}};
        const Raster any = raster_over(bounds, longest);
        EXPECT_LE(std::max(any.columns, any.rows), static_cast<std::int32_t>(longest));
        EXPECT_TRUE(bounds.contains(any.middle(0, 0)));
        EXPECT_TRUE(bounds.contains(any.middle(any.columns - 1, any.rows - 1)));
        EXPECT_FALSE(bounds.contains(any.middle(any.columns, any.rows - 1)));
        EXPECT_FALSE(bounds.contains(any.middle(any.columns - 1, any.rows)));
    }
}

TEST(Raster, ASquareHoldsItsWestAndSouthSides) {
    const Raster raster{{-10, 20}, 10, 4, 4};
    EXPECT_EQ(raster.column_at(-10), 0);
    EXPECT_EQ(raster.column_at(-11), -1);
    EXPECT_EQ(raster.column_at(-20), -1);
    EXPECT_EQ(raster.column_at(-21), -2);
    EXPECT_EQ(raster.column_at(-1), 0);
    EXPECT_EQ(raster.column_at(0), 1);
    EXPECT_EQ(raster.row_at(29), 0);
    EXPECT_EQ(raster.row_at(30), 1);
}

TEST(WalkSegment, ByHand) {
    const Raster raster{{0, 0}, 10, 100, 100};
    EXPECT_EQ(walk(raster, {5, 5}, {5, 5}), (std::vector<Square>{{0, 0}}));
    EXPECT_EQ(walk(raster, {5, 5}, {25, 5}), (std::vector<Square>{{0, 0}, {1, 0}, {2, 0}}));
    EXPECT_EQ(walk(raster, {5, 25}, {5, 5}), (std::vector<Square>{{0, 2}, {0, 1}, {0, 0}}));
    EXPECT_EQ(walk(raster, {1, 5}, {29, 19}),
              (std::vector<Square>{{0, 0}, {1, 0}, {1, 1}, {2, 1}}));
    // Through corners: all four squares, the east-west neighbour first.
    EXPECT_EQ(walk(raster, {5, 5}, {15, 15}),
              (std::vector<Square>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
    EXPECT_EQ(walk(raster, {15, 5}, {5, 15}),
              (std::vector<Square>{{1, 0}, {0, 0}, {1, 1}, {0, 1}}));
    // Arriving on a side from the east stays east of it, since the square holds its west side.
    EXPECT_EQ(walk(raster, {15, 5}, {10, 5}), (std::vector<Square>{{1, 0}}));
    EXPECT_EQ(walk(raster, {5, 5}, {10, 5}), (std::vector<Square>{{0, 0}, {1, 0}}));
}

/// Brute force: a square is entered exactly when some point of the segment lies in it; points are
/// taken at every crossing with a line of the raster and between crossings, in fractions over a
/// common denominator.
TEST(WalkSegment, EntersWhatSampledPointsEnter) {
    const Raster raster{{-64, -64}, 16, 8, 8};
    RandomStream random(Seed{1}, Purpose("walk"), 0);
    for (int trial = 0; trial < 2000; ++trial) {
        const auto coordinate = [&] { return static_cast<std::int32_t>(random.below(129)) - 64; };
        GridPoint a, b;
        a.x = coordinate();
        a.y = coordinate();
        b.x = coordinate();
        b.y = coordinate();
        const std::vector<Square> squares = walk(raster, a, b);
        EXPECT_EQ(squares.front(), (Square{raster.column_at(a.x), raster.row_at(a.y)}));
        EXPECT_EQ(squares.back(), (Square{raster.column_at(b.x), raster.row_at(b.y)}));
        const std::set<Square> entered(squares.begin(), squares.end());
        EXPECT_EQ(entered.size(), squares.size()) << "a straight line enters a square once";
        // 2·|dx|·|dy| + … samples hit every crossing exactly and every stretch between crossings.
        const std::int64_t samples = 2 *
                                     std::max<std::int64_t>(1, std::abs(std::int64_t{b.x} - a.x)) *
                                     std::max<std::int64_t>(1, std::abs(std::int64_t{b.y} - a.y));
        std::size_t position = 0;
        const auto floor_div = [](std::int64_t n, std::int64_t d) {
            return static_cast<std::int32_t>(n >= 0 ? n / d : -((-n + d - 1) / d));
        };
        std::set<Square> sampled;
        for (std::int64_t i = 0; i <= samples; ++i) {
            const std::int64_t x =
                (std::int64_t{a.x} + 64) * samples + (std::int64_t{b.x} - a.x) * i;
            const std::int64_t y =
                (std::int64_t{a.y} + 64) * samples + (std::int64_t{b.y} - a.y) * i;
            const Square at{floor_div(x, 16 * samples), floor_div(y, 16 * samples)};
            sampled.insert(at);
            while (position < squares.size() && squares[position] != at) ++position;
            ASSERT_LT(position, squares.size()) << "out of order or never entered";
        }
        // What was entered beyond the samples are squares that the line touches at a corner only.
        for (const Square& square : squares) {
            if (sampled.contains(square)) continue;
            bool corner = false;
            for (const GridPoint p : {GridPoint{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
                const GridPoint at{-64 + (square.first + p.x) * 16,
                                   -64 + (square.second + p.y) * 16};
                corner |= orient2d(a, b, at) == 0;
            }
            EXPECT_TRUE(corner);
        }
    }
}

/// The plane's height as a fraction in 128 bits, one point at a time.
Steps height_by_fraction(const std::array<RasterVertex, 3>& t, GridPoint p) {
    const std::int64_t area = orient2d(t[0].point, t[1].point, t[2].point);
    const Int128 sum =
        wide_product<Int128>(orient2d(t[1].point, t[2].point, p), 2 * std::int64_t{t[0].height}) +
        wide_product<Int128>(orient2d(t[2].point, t[0].point, p), 2 * std::int64_t{t[1].height}) +
        wide_product<Int128>(orient2d(t[0].point, t[1].point, p), 2 * std::int64_t{t[2].height}) +
        Int128{area};
    return static_cast<Steps>(floor_quotient<Int128>(sum, 2 * area));
}

void expect_exact_scan(std::int32_t extent, Steps rise, const Raster& raster, std::uint64_t id) {
    RandomStream random(Seed{2}, Purpose("scan"), id);
    std::array<RasterVertex, 3> t;
    for (RasterVertex& v : t) {
        v.point.x = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(extent)));
        v.point.y = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(extent)));
        v.height = static_cast<Steps>(random.below(static_cast<std::uint32_t>(rise))) - rise / 2;
    }
    std::map<Square, Steps> scanned;
    scan_triangle(raster, t, 0, raster.rows, [&](std::int32_t x, std::int32_t y, Steps height) {
        EXPECT_TRUE(scanned.emplace(Square{x, y}, height).second);
    });
    std::set<Square> covered;
    cover_triangle(raster, t, 0, raster.rows, [&](std::int32_t x, std::int32_t y) {
        EXPECT_TRUE(covered.emplace(x, y).second);
    });
    EXPECT_EQ(covered.size(), scanned.size());
    const bool left = orient2d(t[0].point, t[1].point, t[2].point) > 0;
    for (std::int32_t y = 0; y < raster.rows; ++y) {
        for (std::int32_t x = 0; x < raster.columns; ++x) {
            const GridPoint p = raster.middle(x, y);
            const bool inside = left && orient2d(t[0].point, t[1].point, p) >= 0 &&
                                orient2d(t[1].point, t[2].point, p) >= 0 &&
                                orient2d(t[2].point, t[0].point, p) >= 0;
            ASSERT_EQ(scanned.contains({x, y}), inside);
            ASSERT_EQ(covered.contains({x, y}), inside);
            if (!inside) continue;
            ASSERT_EQ((scanned[{x, y}]), height_by_fraction(t, p));
        }
    }
}

TEST(ScanTriangle, EqualsFractionsOnSmallTriangles) {
    for (std::uint64_t id = 0; id < 300; ++id) {
        expect_exact_scan(400, 1000, Raster{{0, 0}, 16, 25, 25}, id);
    }
}
TEST(ScanTriangle, EqualsFractionsOnHugeTriangles) {
    for (std::uint64_t id = 0; id < 300; ++id) {
        expect_exact_scan(1 << 29, 1 << 24, Raster{{0, 0}, 1 << 24, 32, 32}, id);
    }
}
// Rises beyond what the quick heights take, and runs longer than a part of them.
TEST(ScanTriangle, EqualsFractionsOnSteepTriangles) {
    for (std::uint64_t id = 0; id < 100; ++id) {
        expect_exact_scan(400, 0x7fff'ffff, Raster{{0, 0}, 2, 200, 200}, id);
    }
}
// Thin ones, whose edges run nearly together; flat ones, where every height is a tie or whole.
TEST(ScanTriangle, EqualsFractionsOnThinAndFlatTriangles) {
    for (std::uint64_t id = 0; id < 200; ++id) {
        expect_exact_scan(1 << 20, 2, Raster{{0, 0}, 1 << 15, 32, 32}, id);
        expect_exact_scan(40, 1 << 24, Raster{{0, 0}, 2, 20, 20}, id);
    }
}
// Corners that lie on middles, at sides of squares whose inverse is no exact double.
TEST(ScanTriangle, TakesInTheMiddlesOnItsBorder) {
    for (const Steps pixel : {2, 6, 10, 14, 98, 19'532}) {
        const Raster raster{{0, 0}, pixel, 60, 60};
        for (std::int32_t k = 1; k < 60; ++k) {
            const GridPoint far = raster.middle(k, k);
            const std::array<RasterVertex, 3> t{
                {{raster.middle(0, 0)}, {{far.x, raster.middle(0, 0).y}}, {far}}};
            std::int32_t squares = 0;
            cover_triangle(raster, t, 0, raster.rows,
                           [&](std::int32_t, std::int32_t) { ++squares; });
            ASSERT_EQ(squares, (k + 1) * (k + 2) / 2) << "pixel " << pixel << ", corner " << k;
        }
        for (std::uint64_t id = 0; id < 20; ++id) {
            expect_exact_scan(60 * pixel, 1000, raster, id);
        }
    }
}
TEST(ScanTriangle, KeepsToItsRows) {
    const Raster raster{{0, 0}, 2, 10, 10};
    const std::array<RasterVertex, 3> t{{{{0, 0}, 0}, {{20, 0}, 0}, {{0, 20}, 0}}};
    std::size_t squares = 0;
    cover_triangle(raster, t, 3, 5, [&](std::int32_t, std::int32_t y) {
        EXPECT_GE(y, 3);
        EXPECT_LT(y, 5);
        ++squares;
    });
    EXPECT_EQ(squares, 7u + 6u);  // middles at odd coordinates, x + y <= 20
}

}  // namespace
}  // namespace tw::geometry
