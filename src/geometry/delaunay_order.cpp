#include "delaunay_order.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace tw::geometry::detail {
namespace {

struct Keyed {
    std::uint64_t code;
    std::uint32_t input;
    friend auto operator<=>(const Keyed&, const Keyed&) = default;
};

/// Puts a zero between any two bits of the low 32.
std::uint64_t spread(std::uint64_t v) {
    v = (v | v << 16) & 0x0000ffff0000ffffu;
    v = (v | v << 8) & 0x00ff00ff00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
    v = (v | v << 2) & 0x3333333333333333u;
    return (v | v << 1) & 0x5555555555555555u;
}

/// Sorts by two digits at the top of the codes, then the runs that agree in both.
void sort_keyed(std::vector<Keyed>& keyed, int code_bits) {
    constexpr int kDigit = 11;
    constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
    if (keyed.size() < kBuckets || code_bits < 2 * kDigit) {
        std::sort(keyed.begin(), keyed.end());
        return;
    }
    std::vector<Keyed> other(keyed.size());
    for (int shift = code_bits - 2 * kDigit; shift < code_bits; shift += kDigit) {
        std::array<std::uint32_t, kBuckets> start{};
        for (const Keyed& k : keyed) ++start[(k.code >> shift) & (kBuckets - 1)];
        std::uint32_t sum = 0;
        for (std::uint32_t& s : start) {
            const std::uint32_t count = s;
            s = sum;
            sum += count;
        }
        for (const Keyed& k : keyed) other[start[(k.code >> shift) & (kBuckets - 1)]++] = k;
        keyed.swap(other);
    }
    const int shift = code_bits - 2 * kDigit;
    for (auto begin = keyed.begin(); begin != keyed.end();) {
        auto end = begin + 1;
        while (end != keyed.end() && end->code >> shift == begin->code >> shift) ++end;
        if (end - begin > 1) std::sort(begin, end);
        begin = end;
    }
}

/// Fills point, vertex_of_input and duplicate_count; `first` names, by input, the first equal
/// input.
void number_vertices(std::span<const GridPoint> points, std::span<const std::uint32_t> first,
                     Delaunay& out) {
    out.point.reserve(points.size());
    out.vertex_of_input.resize(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (first[i] == i) {
            out.vertex_of_input[i] = VertexId::from_index(out.point.size());
            out.point.push_back(points[i]);
        } else {
            out.vertex_of_input[i] = out.vertex_of_input[first[i]];
        }
    }
    out.duplicate_count = static_cast<std::uint32_t>(points.size() - out.point.size());
}

}  // namespace

CurveOrder order_along_curve(std::span<const GridPoint> points, Delaunay& out) {
    GridBox box;
    for (const GridPoint p : points) box.include(p);
    std::vector<Keyed> keyed(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const auto dx = static_cast<std::uint64_t>(std::int64_t{points[i].x} - box.lo.x);
        const auto dy = static_cast<std::uint64_t>(std::int64_t{points[i].y} - box.lo.y);
        keyed[i] = {spread(dx) | spread(dy) << 1, i};
    }
    const auto extent = static_cast<std::uint64_t>(box.empty() ? 0 : box.width() | box.height());
    sort_keyed(keyed, 2 * std::bit_width(extent));

    CurveOrder order;
    order.code.reserve(points.size());
    std::vector<std::uint32_t> input_of_rank;
    input_of_rank.reserve(points.size());
    std::vector<std::uint32_t> first(points.size());
    for (const Keyed& k : keyed) {
        if (order.code.empty() || order.code.back() != k.code) {
            order.code.push_back(k.code);
            input_of_rank.push_back(k.input);
        }
        first[k.input] = input_of_rank.back();
    }
    number_vertices(points, first, out);
    order.point.reserve(input_of_rank.size());
    order.vertex.reserve(input_of_rank.size());
    for (const std::uint32_t input : input_of_rank) {
        order.point.push_back(points[input]);
        order.vertex.push_back(out.vertex_of_input[input]);
    }
    return order;
}

}  // namespace tw::geometry::detail
