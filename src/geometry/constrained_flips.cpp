#include "constrained_flips.hpp"

#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <cstddef>

namespace tw::geometry {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

/// Side 3 t + k of triangle t runs from its corner k to its next corner.
constexpr std::uint32_t next_side(std::uint32_t side) {
    return side % 3 == 2 ? side - 2 : side + 1;
}
constexpr std::uint32_t last_side(std::uint32_t side) {
    return side % 3 == 0 ? side + 2 : side - 1;
}

struct SideOfEdge {
    std::uint32_t low, high, side;
    friend auto operator<=>(const SideOfEdge&, const SideOfEdge&) = default;
};

class Flipper {
public:
    Flipper(std::span<const GridPoint> point, std::vector<Triangle>& triangles)
        : point_(point), triangles_(triangles), twin_(3 * triangles.size(), kNone) {
        std::vector<SideOfEdge> sides(twin_.size());
        for (std::uint32_t s = 0; s < sides.size(); ++s) {
            const auto [low, high] = std::minmax({corner(s), corner(next_side(s))});
            sides[s] = {low, high, s};
        }
        std::sort(sides.begin(), sides.end());
        for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
            const SideOfEdge &a = sides[i], &b = sides[i + 1];
            if (a.low == b.low && a.high == b.high) join(a.side, b.side);
        }
    }

    void run() {
        for (std::uint32_t s = 0; s < twin_.size(); ++s) {
            if (twin_[s] > s) waiting_.push_back(s);
        }
        while (!waiting_.empty()) {
            const std::uint32_t side = waiting_.back();
            waiting_.pop_back();
            if (twin_[side] != kNone && wants_flip(side)) flip(side);
        }
    }

private:
    std::uint32_t& corner(std::uint32_t side) { return triangles_[side / 3][side % 3]; }
    GridPoint at(std::uint32_t side) { return point_[corner(side)]; }
    void join(std::uint32_t a, std::uint32_t b) {
        if (a != kNone) twin_[a] = b;
        if (b != kNone) twin_[b] = a;
    }

    bool wants_flip(std::uint32_t side) {
        return incircle_perturbed(at(side), at(next_side(side)), at(last_side(side)),
                                  at(last_side(twin_[side]))) > 0;
    }

    /// The edge from p to q between apexes r (left) and s (right) becomes the edge from s to r.
    void flip(std::uint32_t side) {
        const std::uint32_t other = twin_[side];
        const std::uint32_t p = corner(side), q = corner(other);
        const std::uint32_t r = corner(last_side(side)), s = corner(last_side(other));
        const std::uint32_t qr = twin_[next_side(side)], rp = twin_[last_side(side)];
        const std::uint32_t ps = twin_[next_side(other)], sq = twin_[last_side(other)];
        const std::uint32_t a = side / 3, b = other / 3;
        triangles_[a] = {s, r, p};
        triangles_[b] = {r, s, q};
        join(3 * a, 3 * b);
        join(3 * a + 1, rp);
        join(3 * a + 2, ps);
        join(3 * b + 1, sq);
        join(3 * b + 2, qr);
        waiting_.insert(waiting_.end(), {3 * a + 1, 3 * a + 2, 3 * b + 1, 3 * b + 2});
    }

    std::span<const GridPoint> point_;
    std::vector<Triangle>& triangles_;
    std::vector<std::uint32_t> twin_;
    std::vector<std::uint32_t> waiting_;
};

}  // namespace

void flip_to_delaunay(std::span<const GridPoint> point, std::vector<Triangle>& triangles) {
    Flipper(point, triangles).run();
}

}  // namespace tw::geometry
