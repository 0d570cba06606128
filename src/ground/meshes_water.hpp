#pragma once
// The sea's surface and the lakes'. The sea is where the relief has it and no edit moves it, so its
// chunks stand; lakes have one chunk for each square where the relief has low land, empty while all
// of it is dry.

#include "terraway/core/id_set.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/surface.hpp"
#include "terraway/world/terrain.hpp"

#include "meshes_terrain.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::ground {

/// For the vertices and triangles of a chunk of water.
struct WaterScratch {
    /// A corner may be the shore of several lakes: a vertex for each level.
    struct Use {
        world::CornerId corner;
        Steps level;
        world::MeshVertexId vertex;
        std::uint32_t older;  ///< use of the same corner; none: no more
    };
    std::vector<std::uint32_t> newest;  ///< by corner: its last use in a chunk
    std::vector<Use> use;
    std::vector<std::array<Steps, 3>> position;
    std::vector<std::array<world::MeshVertexId, 3>> triangle;
};

/// Makes chunks of water. It holds scratch memory; map and squares must outlive it.
class WaterMaker {
public:
    WaterMaker(const world::PolygonMap& map, const CellSquares& squares, const world::Relief&);

    /// The sea at 0, then lakes, both in row order. A lake's level is that of the highest of its
    /// cells, a little over the ground that was filled to it. Vertices of cells that meet at one
    /// level are shared.
    std::vector<world::MeshChunk> chunks(const world::Drainage&);
    /// Makes the chunks of lakes anew that hold cells whose water or height changed, or that lie on
    /// one lake with such cells. Cost: O(lakes touched and their chunks' cells).
    void update(const world::Drainage&, std::span<const world::CellId> water,
                std::span<const world::CellId> elevation, std::vector<world::MeshChunk>&);

private:
    void find_lake(const world::Drainage&, world::CellId first);
    void fill_sea(std::uint32_t square, world::MeshChunk&);
    void fill_lakes(const world::Drainage&, std::uint32_t square, world::MeshChunk&);
    class Filler;

    const world::PolygonMap& map_;
    const CellSquares& squares_;
    const world::Relief& relief_;
    std::vector<std::uint32_t> sea_square_, lake_square_;  ///< ascending
    std::vector<Steps> level_;                             ///< by cell of a lake that was found
    IdSet<world::CellTag> found_;
    std::vector<world::CellId> lake_;
    IdSet<struct SquareTag> dirty_;
    WaterScratch scratch_;
};

}  // namespace tw::ground
