#include "voronoi_clip.hpp"

#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <optional>

namespace tw::geometry::detail {
namespace {

using math::detail::Offset;

/// A coordinate by doubles, where they are sure of it.
struct SureCoordinate {
    bool sure = false;
    bool below = false, above = false;  ///< beyond the low or the high bound
    std::int32_t rounded = 0;           ///< within the bounds
};

/// `at` errs by less than 2⁻²⁰ while it is within the grid.
inline SureCoordinate round_surely(double at, std::int32_t low, std::int32_t high) {
    constexpr double kDoubt = 0x1p-16;
    if (at < low - 1.0) return {.sure = true, .below = true};
    if (at > high + 1.0) return {.sure = true, .above = true};
    if (!(at > low + 1.0 && at < high - 1.0)) return {};
    const double raised = at + 0.5;
    auto rounded = static_cast<std::int32_t>(raised);
    if (rounded > raised) --rounded;
    const double rest = raised - rounded;
    return {.sure = rest > kDoubt && rest < 1.0 - kDoubt, .rounded = rounded};
}

/// Neighbours within a kilometre: products fit 64 bits and doubles round nearly always.
inline std::optional<Circumcentre> circumcentre_near(GridPoint a, Offset b, Offset c,
                                                     const GridBox& box) {
    constexpr std::int64_t kNear = std::int64_t{1} << 20;
    const auto is_near = [](std::int64_t v) { return v < kNear && v > -kNear; };
    if (!(is_near(b.x) && is_near(b.y) && is_near(c.x) && is_near(c.y))) return std::nullopt;
    const double scale = 1.0 / static_cast<double>(2 * cross(b, c));
    const std::int64_t lift_b = b.lift(), lift_c = c.lift();
    const double from_a_x = static_cast<double>(lift_b * c.y - lift_c * b.y) * scale;
    const double from_a_y = static_cast<double>(lift_c * b.x - lift_b * c.x) * scale;
    const SureCoordinate x = round_surely(a.x + from_a_x, box.lo.x, box.hi.x);
    const SureCoordinate y = round_surely(a.y + from_a_y, box.lo.y, box.hi.y);
    if (!x.sure || !y.sure) return std::nullopt;
    const SideMask outside =
        static_cast<SideMask>((x.below ? side_bit(kWest) : 0) | (x.above ? side_bit(kEast) : 0) |
                              (y.below ? side_bit(kSouth) : 0) | (y.above ? side_bit(kNorth) : 0));
    return Circumcentre{.point = {x.rounded, y.rounded}, .outside = outside};
}

/// A coordinate numerator / denominator, as an offset from the origin that the sides are given in.
struct ExactCoordinate {
    Int128 numerator;
    std::int64_t denominator;  ///< > 0

    bool below(std::int64_t bound) const {
        return numerator < wide_product<Int128>(bound, denominator);
    }
    bool above(std::int64_t bound) const {
        return numerator > wide_product<Int128>(bound, denominator);
    }
    /// The denominator is even: adding its half rounds halves up.
    std::int64_t rounded() const {
        return floor_quotient<Int128>(numerator + Int128{denominator / 2}, denominator);
    }
};

Circumcentre circumcentre_exact(GridPoint a, Offset b, Offset c, const GridBox& box) {
    const std::int64_t denominator = 2 * cross(b, c);
    const ExactCoordinate x{
        wide_product<Int128>(b.lift(), c.y) - wide_product<Int128>(c.lift(), b.y), denominator};
    const ExactCoordinate y{
        wide_product<Int128>(c.lift(), b.x) - wide_product<Int128>(b.lift(), c.x), denominator};
    const Offset low(a, box.lo), high(a, box.hi);
    Circumcentre centre;
    const auto mark = [&](bool out, RectangleSide side) {
        if (out) centre.outside = static_cast<SideMask>(centre.outside | side_bit(side));
    };
    mark(x.below(low.x), kWest);
    mark(x.above(high.x), kEast);
    mark(y.below(low.y), kSouth);
    mark(y.above(high.y), kNorth);
    if (centre.outside == 0) {
        centre.point = {static_cast<std::int32_t>(a.x + x.rounded()),
                        static_cast<std::int32_t>(a.y + y.rounded())};
    }
    return centre;
}

/// Corner k of the rectangle, as pushed outward, is nearer to `a` than to `b`.
bool corner_is_nearer(int corner, GridPoint at, GridPoint a, GridPoint b) {
    const std::int64_t gain = distance2(at, b) - distance2(at, a);
    if (gain != 0) return gain > 0;
    const bool eastern = corner == 1 || corner == 2;
    const bool northern = corner >= 2;
    if (a.x != b.x) return (a.x > b.x) == eastern;
    return (a.y > b.y) == northern;
}

/// Nearest integer to numerator / denominator, halves up.
std::int64_t round_quotient(std::int64_t numerator, std::int64_t denominator) {
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    std::int64_t quotient = numerator / denominator;
    std::int64_t rest = numerator % denominator;
    if (rest < 0) {
        rest += denominator;
        --quotient;
    }
    return rest >= denominator - rest ? quotient + 1 : quotient;
}

}  // namespace

Circumcentre circumcentre(GridPoint a, GridPoint b, GridPoint c, const GridBox& box) {
    const Offset ab(a, b), ac(a, c);
    if (const auto centre = circumcentre_near(a, ab, ac, box)) return *centre;
    return circumcentre_exact(a, ab, ac, box);
}

Chord bisector_chord(GridPoint near, GridPoint far, const GridBox& box) {
    const std::array<GridPoint, 4> corners = rectangle_corners(box);
    std::array<bool, 4> nearer{};
    for (int k = 0; k < 4; ++k) {
        nearer[static_cast<std::size_t>(k)] =
            corner_is_nearer(k, corners[static_cast<std::size_t>(k)], near, far);
    }
    Chord chord;
    for (std::size_t k = 0; k < 4; ++k) {
        const bool from = nearer[k], to = nearer[(k + 1) % 4];
        if (from == to) continue;
        chord.exists = true;
        (to ? chord.exit_side : chord.entry_side) = static_cast<RectangleSide>(k);
    }
    return chord;
}

GridPoint bisector_on_side(GridPoint a, GridPoint b, RectangleSide side, const GridBox& box) {
    // From a, with d = b − a: 2 d.x x + 2 d.y y = |d|². Every term stays below 2⁶³.
    const Offset d(a, b);
    if (side == kSouth || side == kNorth) {
        const std::int32_t y = side == kSouth ? box.lo.y : box.hi.y;
        const std::int64_t x =
            round_quotient(d.lift() - 2 * d.y * (std::int64_t{y} - a.y), 2 * d.x);
        return {static_cast<std::int32_t>(a.x + x), y};
    }
    const std::int32_t x = side == kWest ? box.lo.x : box.hi.x;
    const std::int64_t y = round_quotient(d.lift() - 2 * d.x * (std::int64_t{x} - a.x), 2 * d.y);
    return {x, static_cast<std::int32_t>(a.y + y)};
}

bool before_chord(GridPoint near, GridPoint far, SideMask outside) {
    // The direction is far − near, turned left.
    const std::int64_t x = std::int64_t{near.y} - far.y, y = std::int64_t{far.x} - near.x;
    if (outside & side_bit(kWest)) return x > 0;
    if (outside & side_bit(kEast)) return x < 0;
    if (outside & side_bit(kSouth)) return y > 0;
    return y < 0;
}

}  // namespace tw::geometry::detail
