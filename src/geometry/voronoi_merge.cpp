#include "voronoi_merge.hpp"

#include "terraway/math/predicates.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace tw::geometry::detail {
namespace {

constexpr std::size_t kChunk = 1024;  // cells

using CornerPair = std::pair<std::uint32_t, std::uint32_t>;

class Merger {
public:
    Merger(const Delaunay& delaunay, const RawCells& raw, std::int32_t min_gap)
        : d_(delaunay), raw_(raw), min_gap2_(std::int64_t{min_gap} * min_gap) {}

    Result<MergedCorners> run(Executor& executor) {
        std::vector<CornerPair> bad = find_bad_everywhere(executor);
        if (bad.empty()) return MergedCorners{};
        parent_.resize(raw_.corner_point.size());
        std::iota(parent_.begin(), parent_.end(), 0u);
        kept_ = next_member_ = parent_;
        while (!bad.empty()) {
            std::vector<std::uint32_t> cells;
            for (const auto& [a, b] : bad) join(a, b);
            for (const auto& [a, b] : bad) {
                TW_TRY(check_sides(find(a)));
                add_cells_around(find(a), cells);
            }
            std::sort(cells.begin(), cells.end());
            cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
            bad.clear();
            for (const std::uint32_t cell : cells) find_bad(cell, bad);
        }
        MergedCorners result{.kept = std::vector<std::uint32_t>(parent_.size()), .merged = merged_};
        for (std::uint32_t c = 0; c < parent_.size(); ++c) result.kept[c] = kept_[find(c)];
        return result;
    }

private:
    std::uint32_t find(std::uint32_t corner) {
        while (parent_[corner] != corner) {
            parent_[corner] = parent_[parent_[corner]];
            corner = parent_[corner];
        }
        return corner;
    }
    std::uint32_t current(std::uint32_t corner) {
        return parent_.empty() ? corner : kept_[find(corner)];
    }
    bool is_bad(GridPoint site, GridPoint from, GridPoint to) const {
        return distance2(from, to) < min_gap2_ || orient2d(site, from, to) <= 0;
    }
    void find_bad(std::uint32_t cell, std::vector<CornerPair>& bad) {
        raw_.for_each_side(d_, cell, [&](std::uint32_t from, std::uint32_t to, std::uint32_t) {
            const std::uint32_t a = current(from), b = current(to);
            if (a != b && is_bad(d_.point[cell], raw_.corner_point[a], raw_.corner_point[b])) {
                bad.emplace_back(a, b);
            }
        });
    }
    std::vector<CornerPair> find_bad_everywhere(Executor& executor) {
        const std::size_t count = d_.vertex_count();
        std::vector<std::vector<CornerPair>> found((count + kChunk - 1) / kChunk);
        parallel_for(executor, count, kChunk,
                     [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                         for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell) {
                             find_bad(cell, found[chunk]);
                         }
                     });
        std::vector<CornerPair> all;
        for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
        return all;
    }

    /// Corners of the rectangle stay before points of its sides, those before inner ones, then the
    /// lesser in (x, y).
    bool stays_before(std::uint32_t a, std::uint32_t b) const {
        const int sides_a = std::popcount(raw_.sides_of(a)),
                  sides_b = std::popcount(raw_.sides_of(b));
        if (sides_a != sides_b) return sides_a > sides_b;
        return raw_.corner_point[a] < raw_.corner_point[b];
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a == b) return;
        if (b < a) std::swap(a, b);
        parent_[b] = a;
        if (stays_before(kept_[b], kept_[a])) kept_[a] = kept_[b];
        std::swap(next_member_[a], next_member_[b]);  // joins the two rings of members
        ++merged_;
    }
    template <class Visit>
    void for_each_member(std::uint32_t root, Visit&& visit) const {
        std::uint32_t member = root;
        do {
            visit(member);
            member = next_member_[member];
        } while (member != root);
    }
    /// What lay on sides of the rectangle must still lie on all of them.
    Status check_sides(std::uint32_t root) const {
        SideMask sides = 0;
        for_each_member(root, [&](std::uint32_t corner) {
            sides = static_cast<SideMask>(sides | raw_.sides_of(corner));
        });
        if (sides == raw_.sides_of(kept_[root])) return ok_status();
        const GridPoint at = raw_.corner_point[kept_[root]];
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "voronoi",
                     .subject = "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ")",
                     .message =
                         "corners on two sides of the rectangle are too near to tell apart "
                         "here; move the sites inward or choose a larger spacing"};
    }
    void add_cells_around(std::uint32_t root, std::vector<std::uint32_t>& cells) const {
        for_each_member(root, [&](std::uint32_t corner) {
            const std::uint32_t source = raw_.corner_source[corner];
            if (raw_.is_rectangle_corner(corner)) {
                cells.push_back(source);
                return;
            }
            const std::uint32_t cell = d_.head[d_.twin[source].index()].value();
            cells.push_back(cell);
            cells.push_back(d_.head[source].value());
            if (corner >= raw_.circumcentre_count) return;
            const std::uint32_t last = d_.star_begin[cell + 1] - 1;
            const std::uint32_t next = source < last ? source + 1 : d_.star_begin[cell];
            cells.push_back(d_.head[next].value());
        });
    }

    const Delaunay& d_;
    const RawCells& raw_;
    const std::int64_t min_gap2_;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> kept_;         // by root: the member that stays
    std::vector<std::uint32_t> next_member_;  // rings
    std::uint32_t merged_ = 0;
};

}  // namespace

Result<MergedCorners> merge_corners(const Delaunay& delaunay, const RawCells& raw,
                                    std::int32_t min_gap, Executor& executor) {
    return Merger(delaunay, raw, min_gap).run(executor);
}

}  // namespace tw::geometry::detail
