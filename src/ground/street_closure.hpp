#pragma once
// Which street pieces look otherwise after a change, and what they look like.

#include "terraway/world/ground.hpp"
#include "terraway/world/streets.hpp"

#include "street_meshes_patch.hpp"
#include "street_pieces.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::ground {

/// A set of small numbers whose cost is that of its elements.
class Marks {
public:
    void reset(std::size_t size) {
        clear();
        is_marked_.resize(size, 0);
    }
    bool operator[](std::size_t i) const { return is_marked_[i] != 0; }
    void set(std::size_t i) {
        if (is_marked_[i]) return;
        is_marked_[i] = 1;
        marked_.push_back(static_cast<std::uint32_t>(i));
    }
    std::span<const std::uint32_t> marked() const { return marked_; }
    void clear() {
        for (const std::uint32_t i : marked_) is_marked_[i] = 0;
        marked_.clear();
    }

private:
    std::vector<std::uint8_t> is_marked_;
    std::vector<std::uint32_t> marked_;
};

/// Pieces made again, but for where they stand in their chunks.
struct Emission {
    std::vector<world::PieceId> piece;                        ///< ascending
    std::vector<std::uint32_t> vertex_begin, triangle_begin;  ///< pieces + 1 entries
    std::vector<world::StreetVertexId> vertex;                ///< each piece has its own copies
    std::vector<std::array<std::uint32_t, 3>> triangle;       ///< by places among these
    std::vector<Vec3f> normal;                                ///< by copy

    std::span<const world::StreetVertexId> vertices(std::size_t i) const {
        return std::span(vertex).subspan(vertex_begin[i], vertex_begin[i + 1] - vertex_begin[i]);
    }
    std::uint32_t triangles(std::size_t i) const {
        return triangle_begin[i + 1] - triangle_begin[i];
    }
};

/// How often each piece meets another at a gate.
void count_joins(const world::StreetSurface&, std::vector<std::uint32_t>& joins);

/// Scratch memory for one surface after another.
class StreetClosure {
public:
    void begin(const world::StreetSurface&);
    /// The piece looks otherwise.
    void add(world::PieceId piece) { piece_.set(piece.index()); }
    /// So do those with a vertex that was raised.
    void add_raised(const world::StreetSurface&, std::span<const PieceMesh>,
                    std::span<const world::StreetVertexId> raised);
    /// Makes the pieces that were added again, and all that share a gate with these.
    const Emission& emit(const world::StreetSurface&, const world::StreetHeights&);
    /// What was emitted, as it is known then. Its joins are left to others.
    PieceMesh describe(const world::StreetSurface&, std::size_t emitted) const;
    /// All of a surface. Nothing was added.
    std::vector<PieceMesh> describe_all(const world::StreetSurface&);

private:
    void number_pieces(const world::StreetSurface&);
    void make_normals(const world::StreetSurface&, const world::StreetHeights&);

    Marks piece_, vertex_;  ///< vertices: at gates
    PieceNumbers numbers_;
    std::vector<std::uint32_t> local_;  ///< by vertex; kNone: not emitted
    Emission out_;
};

}  // namespace tw::ground
