#pragma once
// A small polygon map of square cells for tests; jitter moves inner corners and sites off the
// lattice.

#include "terraway/core/random.hpp"
#include "terraway/world/polygon_map.hpp"

namespace tw::test {

struct LatticeMapOptions {
    std::int32_t columns = 4, rows = 3;
    Steps side = 4096;       ///< [steps] of a cell
    Steps jitter = 0;        ///< [steps] inner corners and sites move by at most this; < side / 8
    GridPoint origin{0, 0};  ///< south-west corner
};

/// Cell (column, row) has id row · columns + column and sides south, east, north, west.
inline world::PolygonMap lattice_map(const LatticeMapOptions& options) {
    const std::int32_t nx = options.columns, ny = options.rows, side = options.side;
    RandomStream random(Seed{7}, Purpose("lattice map"), 0);
    const auto moved = [&](GridPoint point) {
        const auto span = static_cast<std::uint32_t>(2 * options.jitter + 1);
        const auto dx = static_cast<Steps>(random.below(span));
        const auto dy = static_cast<Steps>(random.below(span));
        return GridPoint{point.x + dx - options.jitter, point.y + dy - options.jitter};
    };
    world::PolygonMap map;
    map.bounds = {options.origin, {options.origin.x + nx * side, options.origin.y + ny * side}};
    map.spacing = side - 2 * options.jitter;
    for (std::int32_t y = 0; y <= ny; ++y) {
        for (std::int32_t x = 0; x <= nx; ++x) {
            const GridPoint corner{options.origin.x + x * side, options.origin.y + y * side};
            const bool inner = x > 0 && y > 0 && x < nx && y < ny;
            map.corner_point.push_back(inner ? moved(corner) : corner);
        }
    }
    const auto corner_id = [&](std::int32_t x, std::int32_t y) {
        return world::CornerId(static_cast<std::uint32_t>(y * (nx + 1) + x));
    };
    const auto twin_of = [&](std::int32_t x, std::int32_t y, std::uint32_t wall) {
        if (x < 0 || y < 0 || x >= nx || y >= ny) return world::SideId();
        return world::SideId(static_cast<std::uint32_t>(y * nx + x) * 4 + wall);
    };
    for (std::int32_t y = 0; y < ny; ++y) {
        for (std::int32_t x = 0; x < nx; ++x) {
            const auto cell = world::CellId(static_cast<std::uint32_t>(y * nx + x));
            map.side_begin.push_back(cell.value() * 4);
            map.site.push_back(moved(
                {options.origin.x + x * side + side / 2, options.origin.y + y * side + side / 2}));
            map.corner.push_back(corner_id(x, y));
            map.twin.push_back(twin_of(x, y - 1, 2));
            map.corner.push_back(corner_id(x + 1, y));
            map.twin.push_back(twin_of(x + 1, y, 3));
            map.corner.push_back(corner_id(x + 1, y + 1));
            map.twin.push_back(twin_of(x, y + 1, 0));
            map.corner.push_back(corner_id(x, y + 1));
            map.twin.push_back(twin_of(x - 1, y, 1));
            for (int i = 0; i < 4; ++i) map.cell_of_side.push_back(cell);
        }
    }
    map.side_begin.push_back(static_cast<std::uint32_t>(nx * ny) * 4);
    return map;
}

}  // namespace tw::test
