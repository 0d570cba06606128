#pragma once
// What turns the chunks of street meshes into others in place, and back.

#include "terraway/core/splice.hpp"
#include "terraway/ground/street_meshes.hpp"

#include "meshes_chunks.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace tw::ground {

/// Chunks of street surfaces, in their order.
struct ChunkKey {
    std::uint32_t surface = 0;  ///< of kStreetSurfaces
    Square square;
    friend constexpr auto operator<=>(const ChunkKey&, const ChunkKey&) = default;
};

/// What is known of a piece in its chunk, where pieces stand one after another.
struct PieceMesh {
    ChunkKey chunk;
    std::uint32_t vertices = 0, triangles = 0;  ///< in the chunk; without triangles it is in none
    /// Street vertices [own_begin, own_end) hold all of the piece's that are not at gates.
    std::uint32_t own_begin = 0, own_end = 0;
    std::uint32_t joins = 0;  ///< with other pieces, at gates
};

/// What a chunk holds, on its way there.
struct ChunkArrays {
    std::vector<std::array<Steps, 3>> position;
    std::vector<Vec3f> normal;
    std::vector<std::uint32_t> rgba;
    std::vector<std::array<world::MeshVertexId, 3>> triangle;
};

/// One chunk on the other side: empty where there is none.
class ChunkPatch {
public:
    explicit ChunkPatch(ChunkKey key) : key_(key) {}
    const ChunkKey& key() const { return key_; }

    /// Elements in a row of both sides that stay: of pieces, whole. Ascending.
    void keep(const Run& vertex, const Run& triangle);
    /// All that stands between what stays on the other side, and how much there is in all.
    void fill(ChunkArrays gaps, std::size_t vertices, std::size_t triangles);

    /// Exchanges the sides. Cost: O(gaps, and what stands behind the first run that moves).
    void swap(world::MeshChunk& chunk);

private:
    void splice_chunk(world::MeshChunk& chunk);

    ChunkKey key_;
    std::vector<Run> vertex_, triangle_;        ///< as many of each
    std::size_t vertices_ = 0, triangles_ = 0;  ///< on the other side
    world::MeshChunk gaps_;                     ///< what is not on this side
};

/// By piece; none: not known.
using PieceMeshes = std::optional<std::vector<PieceMesh>>;

class StreetMeshPatch {
public:
    std::vector<ChunkPatch> chunk;  ///< in their order
    bool same_pieces = false;       ///< on both sides: `piece` is not in use
    PieceMeshes piece;              ///< on the other side

    void swap(world::GroundMeshes& meshes, PieceMeshes& pieces);
};

}  // namespace tw::ground
