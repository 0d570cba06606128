#include "delaunay_stars.hpp"

#include "delaunay_grid.hpp"
#include "delaunay_star.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tw::geometry::detail {
namespace {

constexpr std::size_t kChunk = 1024;     // stars
constexpr std::size_t kMinPoints = 512;  // below, the general path is as fast
constexpr std::size_t kMaxUnproved = 8;  // at most one star in so many

/// Stars of consecutive ranks; those that were not proved are empty.
struct StarChunk {
    std::vector<VertexId> head;
    std::vector<std::uint32_t> degree;
    std::vector<VertexId> unproved;
    std::vector<VertexId> beside_unproved;
};

class StarPath {
public:
    StarPath(std::span<const GridPoint> points, BucketGrid grid, Executor& executor)
        : grid_(std::move(grid)),
          executor_(executor),
          chunks_((points.size() + kChunk - 1) / kChunk) {
        out_.point.assign(points.begin(), points.end());
    }

    std::optional<Delaunay> run() {
        build_stars();
        if (!settle_unproved()) return std::nullopt;
        write_stars();
        if (!pair_twins()) return std::nullopt;
        out_.vertex_of_input.resize(out_.point.size());
        for (std::size_t i = 0; i < out_.point.size(); ++i) {
            out_.vertex_of_input[i] = VertexId::from_index(i);
        }
        out_.triangle_count =
            static_cast<std::uint32_t>(out_.head.size() / 2 + 1 - out_.point.size());
        return std::move(out_);
    }

private:
    template <class Body>
    void for_each_chunk(Body&& body) {
        parallel_for(executor_, out_.point.size(), kChunk, std::forward<Body>(body));
    }

    void build_stars() {
        for_each_chunk([&](std::size_t begin, std::size_t end, std::size_t index) {
            StarBuilder builder(grid_);
            StarChunk& chunk = chunks_[index];
            chunk.head.reserve((end - begin) * 6 + 64);
            chunk.degree.reserve(end - begin);
            std::int32_t row = grid_.row_of(grid_.point(static_cast<std::uint32_t>(begin)));
            std::int32_t column = grid_.column_of(grid_.point(static_cast<std::uint32_t>(begin)));
            auto bucket = static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
                          static_cast<std::size_t>(column);
            for (std::size_t rank = begin; rank < end; ++rank) {
                for (; grid_.begin[bucket + 1] <= rank; ++bucket) {
                    if (++column == grid_.columns) {
                        column = 0;
                        ++row;
                    }
                }
                const auto star = builder.build(static_cast<std::uint32_t>(rank), column, row);
                append_from_least(star, chunk.head);
                chunk.degree.push_back(static_cast<std::uint32_t>(star.size()));
                if (star.empty()) chunk.unproved.push_back(grid_.vertex[rank]);
            }
        });
    }
    void append_from_least(std::span<const std::uint32_t> star, std::vector<VertexId>& head) const {
        std::size_t least = 0;
        for (std::size_t i = 1; i < star.size(); ++i) {
            if (grid_.vertex[star[i]] < grid_.vertex[star[least]]) least = i;
        }
        for (std::size_t i = least; i < star.size(); ++i) head.push_back(grid_.vertex[star[i]]);
        for (std::size_t i = 0; i < least; ++i) head.push_back(grid_.vertex[star[i]]);
    }

    /// The general path over the unproved vertices and all their neighbours gives their stars: the
    /// triangles around them have empty circles in either set.
    bool settle_unproved() {
        std::size_t count = 0;
        for (const StarChunk& chunk : chunks_) count += chunk.unproved.size();
        if (count * kMaxUnproved > out_.point.size()) return false;
        unproved_.assign(out_.point.size(), 0);
        for (const StarChunk& chunk : chunks_) {
            for (const VertexId v : chunk.unproved) unproved_[v.index()] = 1;
        }
        for_each_chunk([&](std::size_t begin, std::size_t end, std::size_t index) {
            find_beside_unproved(begin, end, chunks_[index]);
        });
        for (const StarChunk& chunk : chunks_) {
            rest_.insert(rest_.end(), chunk.unproved.begin(), chunk.unproved.end());
            rest_.insert(rest_.end(), chunk.beside_unproved.begin(), chunk.beside_unproved.end());
        }
        // In the order of the whole, so that "the neighbour of least id" means the same.
        std::sort(rest_.begin(), rest_.end());
        std::vector<GridPoint> points;
        points.reserve(rest_.size());
        for (const VertexId v : rest_) points.push_back(out_.point[v.index()]);
        auto triangulated = build_delaunay_general(points);
        if (!triangulated.ok() || triangulated->duplicate_count > 0) return false;
        rest_delaunay_ = *std::move(triangulated);
        return true;
    }
    void find_beside_unproved(std::size_t begin, std::size_t end, StarChunk& chunk) const {
        std::size_t at = 0;
        for (std::size_t rank = begin; rank < end; ++rank) {
            bool beside = false;
            for (std::uint32_t i = 0; i < chunk.degree[rank - begin]; ++i) {
                beside |= unproved_[chunk.head[at++].index()] != 0;
            }
            if (beside) chunk.beside_unproved.push_back(grid_.vertex[rank]);
        }
    }

    void write_stars() {
        const std::size_t count = out_.point.size();
        out_.star_begin.assign(count + 1, 0);
        for_each_chunk([&](std::size_t begin, std::size_t end, std::size_t index) {
            for (std::size_t rank = begin; rank < end; ++rank) {
                out_.star_begin[grid_.vertex[rank].index() + 1] =
                    chunks_[index].degree[rank - begin];
            }
        });
        out_.on_hull.assign(count, 0);
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            const std::size_t v = rest_[i].index();
            if (!unproved_[v]) continue;
            out_.star_begin[v + 1] =
                rest_delaunay_.star_begin[i + 1] - rest_delaunay_.star_begin[i];
            out_.on_hull[v] = rest_delaunay_.on_hull[i];
        }
        for (std::size_t v = 0; v < count; ++v) out_.star_begin[v + 1] += out_.star_begin[v];
        out_.head.resize(out_.star_begin[count]);
        out_.twin.resize(out_.star_begin[count]);
        for_each_chunk([&](std::size_t begin, std::size_t end, std::size_t index) {
            const StarChunk& chunk = chunks_[index];
            const VertexId* from = chunk.head.data();
            for (std::size_t rank = begin; rank < end; ++rank) {
                const std::uint32_t degree = chunk.degree[rank - begin];
                std::copy_n(from, degree,
                            out_.head.begin() + out_.star_begin[grid_.vertex[rank].index()]);
                from += degree;
            }
        });
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            const std::size_t v = rest_[i].index();
            if (!unproved_[v]) continue;
            std::uint32_t to = out_.star_begin[v];
            for (auto h = rest_delaunay_.star_begin[i]; h < rest_delaunay_.star_begin[i + 1]; ++h) {
                out_.head[to++] = rest_[rest_delaunay_.head[h].index()];
            }
        }
    }

    bool pair_twins() {
        std::vector<std::uint8_t> failed(chunks_.size(), 0);
        for_each_chunk([&](std::size_t begin, std::size_t end, std::size_t index) {
            for (std::size_t v = begin; v < end; ++v) failed[index] |= pair_twins_of(v) ? 0 : 1;
        });
        return std::find(failed.begin(), failed.end(), 1) == failed.end();
    }
    bool pair_twins_of(std::size_t v) {
        for (std::uint32_t h = out_.star_begin[v]; h < out_.star_begin[v + 1]; ++h) {
            const std::size_t w = out_.head[h].index();
            if (w < v) continue;
            std::uint32_t back = out_.star_begin[w];
            const std::uint32_t end = out_.star_begin[w + 1];
            while (back < end && out_.head[back].index() != v) ++back;
            if (back == end) return false;
            out_.twin[h] = HalfEdgeId(back);
            out_.twin[back] = HalfEdgeId(h);
        }
        return true;
    }

    const BucketGrid grid_;
    Executor& executor_;
    std::vector<StarChunk> chunks_;
    std::vector<std::uint8_t> unproved_;  // by vertex
    std::vector<VertexId> rest_;          // unproved vertices and their neighbours
    Delaunay rest_delaunay_;
    Delaunay out_;
};

}  // namespace

std::optional<Delaunay> triangulate_by_stars(std::span<const GridPoint> points,
                                             Executor& executor) {
    if (points.size() < kMinPoints) return std::nullopt;
    auto grid = sort_into_even_grid(points);
    if (!grid) return std::nullopt;
    return StarPath(points, *std::move(grid), executor).run();
}

}  // namespace tw::geometry::detail
