#pragma once
// Surfaces in space, ready for files and engines.

#include "terraway/core/id_array.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/math/vec.hpp"
#include "terraway/world/streets.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace tw::world {

/// Height of every street vertex, terrain and ramps included.
struct StreetHeights {
    IdArray<StreetVertexTag, Steps> height;

    static constexpr auto fields() { return std::tuple{Field{"height", &StreetHeights::height}}; }
};

using MeshVertexId = Id<struct MeshVertexTag>;
using MeshTriangleId = Id<struct MeshTriangleTag>;

/// Positions are relative to `origin`, a multiple of kChunkSize, and within ±2²⁴ steps of it:
/// 32-bit floats have 24 bits, so they hold them exactly, in metres too.
struct MeshChunk {
    GridPoint origin;
    IdArray<MeshVertexTag, std::array<Steps, 3>>
        position;                                ///< [steps] x, y from origin; z above the sea
    IdArray<MeshVertexTag, Vec3f> normal;        ///< unit length
    IdArray<MeshVertexTag, std::uint32_t> rgba;  ///< 0xAABBGGRR: bytes R, G, B, A in memory
    IdArray<MeshTriangleTag, std::array<MeshVertexId, 3>> triangle;

    static constexpr auto fields() {
        return std::tuple{Field{"origin", &MeshChunk::origin},
                          Field{"position", &MeshChunk::position},
                          Field{"normal", &MeshChunk::normal}, Field{"rgba", &MeshChunk::rgba},
                          Field{"triangle", &MeshChunk::triangle}};
    }
};
inline constexpr std::int32_t kChunkSize = 1 << 22;  ///< [steps] 4,096 m

/// One named node of the GLB: terrain, water, junctions, corridors, bridges, tunnels.
struct NamedSurface {
    std::string name;
    /// In row order of their origins, none empty; of water the sea's first, then those of lakes,
    /// which are empty while all of them are dry.
    std::vector<MeshChunk> chunk;

    static constexpr auto fields() {
        return std::tuple{Field{"name", &NamedSurface::name}, Field{"chunk", &NamedSurface::chunk}};
    }
};

struct GroundMeshes {
    std::vector<NamedSurface> surface;

    static constexpr auto fields() { return std::tuple{Field{"surface", &GroundMeshes::surface}}; }
};

/// The canonical surface sampled at pixel centres, rivers carved: along a river's line, in the
/// order
/// in which it enters pixels, heights never rise. Row 0 is the north edge.
struct HeightRaster {
    GridPoint origin;  ///< south-west corner of the raster
    Steps pixel = 0;   ///< [steps] side of a pixel
    std::int32_t columns = 0, rows = 0;
    IdArray<struct PixelTag, Steps> height;    ///< row by row from the north
    IdArray<struct PixelTag, Steps> uncarved;  ///< the same before rivers were carved into it

    static constexpr auto fields() {
        return std::tuple{
            Field{"origin", &HeightRaster::origin},   Field{"pixel", &HeightRaster::pixel},
            Field{"columns", &HeightRaster::columns}, Field{"rows", &HeightRaster::rows},
            Field{"height", &HeightRaster::height},   Field{"uncarved", &HeightRaster::uncarved}};
    }
};

}  // namespace tw::world
