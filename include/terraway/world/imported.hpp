#pragma once
// Data from outside in canonical form: what files are read into, hashed, and handed to the stages.

#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/world/roads.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace tw::world {

/// What the numbers of an import mean.
enum class Frame : std::uint8_t {
    planar,      ///< steps of 2⁻¹⁰ m, x east, y north, any origin
    geographic,  ///< 10⁻⁷ degrees: x longitude, y latitude (WGS 84)
};

using LineId = Id<struct LineTag>;
using LinePointId = Id<struct LinePointTag>;

/// Road centre lines as read, before projection and joining. Lines that share a point's `node` meet
/// there.
struct ImportedLines {
    Frame frame = Frame::planar;
    IdArray<LineTag, std::string> label;  ///< the source's id, unique: "r0", "w4097656"
    IdArray<LineTag, RoadAttributes> attributes;
    IdArray<LineTag, std::uint32_t> point_begin;  ///< lines + 1 entries; a line has >= 2 points
    IdArray<LinePointTag, std::int64_t> x, y;     ///< in `frame`
    IdArray<LinePointTag, std::uint64_t> node;    ///< source's id of the vertex, kNoNode: none

    static constexpr std::uint64_t kNoNode = 0;

    static constexpr auto fields() {
        return std::tuple{Field{"frame", &ImportedLines::frame},
                          Field{"label", &ImportedLines::label},
                          Field{"attributes", &ImportedLines::attributes},
                          Field{"point_begin", &ImportedLines::point_begin},
                          Field{"x", &ImportedLines::x},
                          Field{"y", &ImportedLines::y},
                          Field{"node", &ImportedLines::node}};
    }
};

using PixelId = Id<struct PixelTag>;

/// A raster of heights. Row 0 is the north edge; a value stands for the middle of its pixel.
struct ImportedHeights {
    static constexpr Steps kVoid = INT32_MIN;  ///< no data here

    Frame frame = Frame::planar;
    std::uint8_t has_place = 0;  ///< 0: neither origin nor pixel size are known (a bare picture)
    std::int32_t columns = 0, rows = 0;
    double pixel = 0.0;               ///< [m or degrees] side of a (square) pixel
    double west = 0.0, south = 0.0;   ///< [m or degrees] of the raster's outer edge
    IdArray<PixelTag, Steps> height;  ///< row by row

    static constexpr auto fields() {
        return std::tuple{Field{"frame", &ImportedHeights::frame},
                          Field{"has_place", &ImportedHeights::has_place},
                          Field{"columns", &ImportedHeights::columns},
                          Field{"rows", &ImportedHeights::rows},
                          Field{"pixel", &ImportedHeights::pixel},
                          Field{"west", &ImportedHeights::west},
                          Field{"south", &ImportedHeights::south},
                          Field{"height", &ImportedHeights::height}};
    }
};

/// Sizes match, points exist, coordinates are within their frame's range.
Status validate(const ImportedLines&);
Status validate(const ImportedHeights&);

}  // namespace tw::world
