#include "terraway/geometry/raster.hpp"

#include "terraway/core/vector_target.hpp"

#include <cmath>
#include <cstring>

namespace tw::geometry {
namespace detail {
namespace {

// A lane a column of a tile.
using Lanes [[gnu::vector_size(8 * kTile)]] = std::uint64_t;
using Doubles [[gnu::vector_size(8 * kTile)]] = double;
using Words [[gnu::vector_size(4 * kTile)]] = std::uint32_t;
constexpr Lanes kColumn{0, 1, 2, 3, 4, 5, 6, 7};
constexpr Doubles kColumnAsDouble{0, 1, 2, 3, 4, 5, 6, 7};

constexpr std::uint64_t wrapping(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

/// Gathers sign bits row by row; compares of whole vectors would come out lane by lane.
class Signs {
public:
    TW_INLINE void add_row(const Lanes& values) {
        lanes_ = lanes_ >> kTile | (values & std::uint64_t{1} << 63);
    }
    /// Bits 8 · row + column, once all rows are in.
    TW_INLINE std::uint64_t of_rows(std::int32_t rows) const {
        const Lanes at_column_0 = lanes_ >> static_cast<std::uint64_t>(63 - kTile * (rows - 1));
        const Lanes at_column = at_column_0 << kColumn;
        std::uint64_t all = 0;
        for (int x = 0; x < kTile; ++x) all |= at_column[x];
        return all;
    }

private:
    Lanes lanes_{};
};

/// Edges of a triangle and the rows of the tile that begins there.
struct CoverJob {
    const EdgeFunction &a, &b, &c;
    std::int32_t column, row, rows;
};
/// The squares outside.
TW_INLINE std::uint64_t cover(const CoverJob& job) {
    Lanes at_a = wrapping(job.a.at(job.column, job.row)) + kColumn * wrapping(job.a.right);
    Lanes at_b = wrapping(job.b.at(job.column, job.row)) + kColumn * wrapping(job.b.right);
    Lanes at_c = wrapping(job.c.at(job.column, job.row)) + kColumn * wrapping(job.c.right);
    // Small triangles are all edge: a branch a square would go either way at random.
    Signs outside;
    for (std::int32_t y = 0; y < job.rows; ++y) {
        outside.add_row(at_a | at_b | at_c);
        at_a += wrapping(job.a.up);
        at_b += wrapping(job.b.up);
        at_c += wrapping(job.c.up);
    }
    return outside.of_rows(job.rows);
}

struct PlaneJob {
    double first, right, up;
    std::int32_t rows;
    std::uint32_t* rise;
};
/// Nearest whole numbers; returns the squares where the doubles are too near to a tie to tell.
TW_INLINE std::uint64_t round_rises(const PlaneJob& job) {
    constexpr double kWhole = 0x1.8p52;  // so great that a sum with it has no fraction
    constexpr double kSure = 0.5 - 0x1p-16;
    Signs doubt;
    for (std::int32_t y = 0; y < job.rows; ++y) {
        const Doubles rise = (job.first + y * job.up) + kColumnAsDouble * job.right;
        const Doubles lifted = rise + kWhole;
        const Doubles rest = rise - (lifted - kWhole);
        const Words whole = __builtin_convertvector(reinterpret_cast<Lanes>(lifted), Words);
        std::memcpy(job.rise + kTile * y, &whole, sizeof whole);
        const Doubles room_above = kSure - rest, room_below = kSure + rest;
        doubt.add_row(reinterpret_cast<Lanes>(room_above) | reinterpret_cast<Lanes>(room_below));
    }
    return doubt.of_rows(job.rows);
}

std::uint64_t cover_plain(const CoverJob& job) {
    return cover(job);
}
std::uint64_t round_plain(const PlaneJob& job) {
    return round_rises(job);
}
#if TW_HAS_VECTOR_TARGETS
TW_AVX2 std::uint64_t cover_avx2(const CoverJob& job) {
    return cover(job);
}
TW_AVX2 std::uint64_t round_avx2(const PlaneJob& job) {
    return round_rises(job);
}
TW_AVX512 std::uint64_t cover_avx512(const CoverJob& job) {
    return cover(job);
}
TW_AVX512 std::uint64_t round_avx512(const PlaneJob& job) {
    return round_rises(job);
}
#endif

std::uint64_t cover_best(const CoverJob& job) {
#if TW_HAS_VECTOR_TARGETS
    if (vector_target() == VectorTarget::avx512) return cover_avx512(job);
    if (vector_target() == VectorTarget::avx2) return cover_avx2(job);
#endif
    return cover_plain(job);
}
std::uint64_t round_best(const PlaneJob& job) {
#if TW_HAS_VECTOR_TARGETS
    if (vector_target() == VectorTarget::avx512) return round_avx512(job);
    if (vector_target() == VectorTarget::avx2) return round_avx2(job);
#endif
    return round_plain(job);
}

constexpr double kGreatest = 0x1p33;  ///< over any rise

/// The squares of a tile's first columns and rows.
std::uint64_t first_squares(std::int32_t columns, std::int32_t rows) {
    const std::uint64_t row = (std::uint64_t{1} << columns) - 1;
    const std::uint64_t all_rows = 0x0101010101010101u >> (kTile * (kTile - rows));
    return row * all_rows;
}

}  // namespace

std::uint64_t cover_tile(const EdgeFunction& a, const EdgeFunction& b, const EdgeFunction& c,
                         std::int32_t column, std::int32_t row, std::int32_t columns,
                         std::int32_t rows) {
    const std::uint64_t outside = cover_best({a, b, c, column, row, rows});
    return first_squares(columns, rows) & ~outside;
}

PlaneRise::PlaneRise(std::int64_t double_area, const EdgeFunction& edge_b,
                     const EdgeFunction& edge_c, std::int64_t rise_b, std::int64_t rise_c,
                     std::int32_t columns, std::int32_t rows)
    : area_(double_area),
      edge_b_(edge_b),
      edge_c_(edge_c),
      rise_b_(rise_b),
      rise_c_(rise_c),
      inverse_(1.0 / static_cast<double>(double_area)),
      first_(weighted(edge_b.first, edge_c.first) * inverse_),
      right_(weighted(edge_b.right, edge_c.right) * inverse_),
      up_(weighted(edge_b.up, edge_c.up) * inverse_) {
    // What first_, right_ and up_ are sums of may be far greater than any rise where the triangle
    // is thin. Up to 2³⁰, what comes of them errs by less than 2⁻¹⁸.
    constexpr double kMost = 0x1p30;
    const auto size = [](std::int64_t v) { return std::abs(static_cast<double>(v)); };
    const auto reach = [&](const EdgeFunction& e) {
        return size(e.first) + columns * size(e.right) + rows * size(e.up);
    };
    errs_ = (reach(edge_b) * size(rise_b) + reach(edge_c) * size(rise_c)) * inverse_ > kMost;
}

/// Where the edges have values in [0, area]: a quotient in doubles is a step off at most, and its
/// remainder tells.
std::uint32_t PlaneRise::exact(std::int32_t column, std::int32_t row) const {
    const std::int64_t b = edge_b_.at(column, row), c = edge_c_.at(column, row);
    const std::int64_t steps =
        static_cast<std::int64_t>(weighted(b, c) * inverse_ + (kGreatest + 0.5)) -
        static_cast<std::int64_t>(kGreatest);  // lifted, casts are floors
    // The terms may wrap around; the remainder is small, so it is right all the same.
    const std::uint64_t twice =
        2 * (wrapping(b) * wrapping(rise_b_) + wrapping(c) * wrapping(rise_c_));
    const auto remainder =
        static_cast<std::int64_t>(twice + wrapping(area_) - wrapping(steps) * wrapping(2 * area_));
    return static_cast<std::uint32_t>(steps + std::int64_t{remainder >= 2 * area_} -
                                      std::int64_t{remainder < 0});
}

void PlaneRise::of_tile(std::int32_t column, std::int32_t row, std::int32_t rows,
                        std::uint64_t covered, std::span<std::uint32_t, kTile * kTile> rise) const {
    std::uint64_t doubt = covered;
    if (!errs_) {
        doubt &= round_best({first_ + column * right_ + row * up_, right_, up_, rows, rise.data()});
    }
    for_each_square(doubt, [&](std::int32_t x, std::int32_t y) {
        rise[static_cast<std::size_t>(kTile * y + x)] = exact(column + x, row + y);
    });
}

}  // namespace detail

Raster raster_of_pixels(const GridBox& bounds, Steps pixel) {
    // As many squares as have their middle inside: width / pixel to the nearest, halves up.
    const auto count = [pixel](std::int64_t length) {
        return static_cast<std::int32_t>(std::max<std::int64_t>(1, (length + pixel / 2) / pixel));
    };
    return {.origin = bounds.lo,
            .pixel = pixel,
            .columns = count(bounds.width()),
            .rows = count(bounds.height())};
}

Raster raster_over(const GridBox& bounds, std::uint32_t longest) {
    const std::int64_t side = std::max(bounds.width(), bounds.height());
    const std::int64_t steps = std::max<std::int64_t>(1, (side + longest - 1) / longest);
    return raster_of_pixels(bounds, static_cast<Steps>(steps + (steps & 1)));
}

}  // namespace tw::geometry
