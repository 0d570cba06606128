#pragma once
// The canonical surface as chunks. Where the map alone decides, so does the layout: a chunk's
// vertices are the sites of its cells, then their corners in order of first use, then the crossings
// of rivers; its triangles are one for each side, cell by cell, then the second halves of wedges
// that a river splits. So an edit writes into its place, and moves nothing but crossings.

#include "terraway/core/id_set.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/surface.hpp"
#include "terraway/world/terrain.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::ground {

/// Cells by the squares that hold their sites.
class CellSquares {
public:
    explicit CellSquares(const world::PolygonMap& map);
    struct Square {
        GridPoint origin;
        std::vector<world::CellId> cell;  ///< ascending
    };
    std::span<const Square> squares() const { return square_; }  ///< in row order
    std::uint32_t square_of(world::CellId cell) const { return square_of_[cell.index()]; }

private:
    std::vector<Square> square_;
    std::vector<std::uint32_t> square_of_;
};

/// Where the vertices and triangles of each cell stand in its chunk.
class TerrainLayout {
public:
    explicit TerrainLayout(const world::PolygonMap& map);
    const CellSquares& cells() const { return cells_; }
    std::uint32_t site_vertex(world::CellId cell) const { return site_[cell.index()]; }
    std::uint32_t first_triangle(world::CellId cell) const { return triangle_[cell.index()]; }
    std::uint32_t side_count(std::uint32_t square) const { return sides_[square]; }
    /// Sites and corners, which come before crossings.
    std::uint32_t fixed_vertices(std::uint32_t square) const { return vertices_[square]; }

private:
    CellSquares cells_;
    std::vector<std::uint32_t> site_, triangle_;
    std::vector<std::uint32_t> sides_, vertices_;  ///< by square
};

/// All chunks, one for each square with cells. Errors: too_large (a cell that reaches too far from
/// its chunk's origin), cancelled. Cost: O(sides).
Result<std::vector<world::MeshChunk>> terrain_chunks(const TerrainLayout&,
                                                     const world::CanonicalSurface&,
                                                     const world::Biomes&, StageContext&);

/// A vertex as it stands in a chunk.
struct ChunkVertex {
    std::array<Steps, 3> position{};
    Vec3f normal;
    std::uint32_t rgba = 0;
};
/// A cell's side that a river crosses.
struct CrossedSide {
    world::CellId cell;
    world::SideId side;
    world::CellId river;
};
/// For writing the crossings of a chunk.
struct CrossingScratch {
    std::vector<CrossedSide> side;
    std::vector<ChunkVertex> vertex;   ///< in order of their numbers
    std::vector<std::uint32_t> local;  ///< by river cell: its crossing's vertex; none outside a use
};

/// Brings chunks up to date. It holds scratch memory; the layout must outlive it.
class TerrainMeshUpdate {
public:
    TerrainMeshUpdate(const world::PolygonMap&, const TerrainLayout&);
    /// `shape`: cells any of whose triangles changed, `rim`: those with other crossings on their
    /// rim, `colour`: those of another biome. Cost: O(cells given and around them), and for chunks
    /// with other crossings O(their cells) bytes read.
    void run(const world::CanonicalSurface&, const world::Biomes&,
             std::span<const world::CellId> shape, std::span<const world::CellId> rim,
             std::span<const world::CellId> colour, std::vector<world::MeshChunk>&);

private:
    class Writer;

    const TerrainLayout& layout_;
    IdSet<world::CellTag> dirty_;
    IdSet<world::CornerTag> corner_;
    std::vector<std::uint32_t> square_;
    CrossingScratch crossings_;
    std::vector<Vec3<std::int64_t>> around_;
};

}  // namespace tw::ground
