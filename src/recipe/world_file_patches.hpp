#pragma once
// The part of a surface's chunks that the map alone decides: one patch of triangles per cell.

#include "terraway/core/executor.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::recipe {

/// How patches lie in a chunk. Its cells are those of the kind whose sites lie in the square of
/// kChunkSize from its origin on, ascending; each gives a triangle (site, corner, next corner) for
/// every side; corners get their vertices in order of first use.
enum class PatchKind : std::uint8_t {
    terrain,  ///< all cells; vertices of sites before those of corners
    sea,      ///< cells of the ocean, at height 0; a site's vertex before those of its new corners
};

class SurfacePatches {
public:
    using Position = std::array<Steps, 3>;
    using Triangle = std::array<world::MeshVertexId, 3>;

    /// `chunks` of the surface, of which those up to the first that does not follow in rows are
    /// meant.
    SurfacePatches(PatchKind kind, std::span<const world::MeshChunk> chunks);

    std::size_t chunk_count() const { return chunk_.size(); }
    /// Finds cells and numbers vertices. The map's ids are in range; `relief` may be null for the
    /// terrain.
    void prepare(const world::PolygonMap& map, const world::Relief* relief, Executor& executor);

    /// Elements of chunk `index` from `begin` on; those behind the patches' become zeros.
    /// `drainage` is null for the sea, else it fits the map.
    void fill(const world::PolygonMap& map, const world::Drainage* drainage, std::size_t index,
              std::size_t begin, std::span<Position> to) const;
    void fill(std::size_t index, std::size_t begin, std::span<Triangle> to) const;

    /// True if the chunks that it was made of are all of the surface's and hold the patches of all
    /// cells, each some, and the triangles of a chunk begin with those of its patches, but for
    /// their last corner: code that updates a terrain writes by it. prepare() has been called.
    bool has_all_of(std::span<const world::MeshChunk> chunks, std::size_t cells,
                    Executor& executor) const;
    std::span<const world::CellId> cells(std::size_t chunk) const { return chunk_[chunk].cell; }

private:
    struct Chunk {
        GridPoint origin;
        std::vector<world::CellId> cell;
        std::vector<std::uint32_t> site;      ///< vertex, by cell
        std::vector<std::uint32_t> triangle;  ///< first one, by cell; at the end their number
        std::vector<std::uint32_t> from;      ///< by triangle: the vertex of its side's start
        std::vector<std::uint32_t> vertex;    ///< a cell with kSite, or a corner
    };
    static constexpr std::uint32_t kSite = 1u << 31;

    static bool begins_with(const world::MeshChunk& mesh, const Chunk& chunk, std::size_t begin,
                            std::size_t end);
    void sort_cells(const world::PolygonMap& map, const world::Relief* relief);
    void number(const world::PolygonMap& map, Chunk& chunk,
                std::vector<std::uint32_t>& local) const;

    PatchKind kind_;
    std::vector<Chunk> chunk_;  ///< in rows from the south, from west to east
};

}  // namespace tw::recipe
