#pragma once
// Grids that crowds read.

#include "terraway/core/id_array.hpp"
#include "terraway/math/grid.hpp"

#include <cstdint>
#include <tuple>

namespace tw::world {

using NavCellId = Id<struct NavCellTag>;  ///< row · columns + column, row 0 in the south

/// Shape and place of a navigation grid.
struct NavGrid {
    GridPoint origin;  ///< south-west corner
    Steps cell = 0;    ///< [steps] side of a cell
    std::int32_t columns = 0, rows = 0;
    friend bool operator==(const NavGrid&, const NavGrid&) = default;

    static constexpr auto fields() {
        return std::tuple{Field{"origin", &NavGrid::origin}, Field{"cell", &NavGrid::cell},
                          Field{"columns", &NavGrid::columns}, Field{"rows", &NavGrid::rows}};
    }
};

struct CostGrid {
    static constexpr std::uint8_t kBlocked = 255;
    NavGrid grid;
    IdArray<NavCellTag, std::uint8_t> cost;  ///< 1 … 254 to enter the cell, or kBlocked

    static constexpr auto fields() {
        return std::tuple{Field{"grid", &CostGrid::grid}, Field{"cost", &CostGrid::cost}};
    }
};

/// Least cost from every cell to the nearest goal.
struct IntegrationField {
    static constexpr std::uint32_t kUnreached = 0xffffffffu;
    NavGrid grid;
    IdArray<NavCellTag, std::uint32_t> value;

    static constexpr auto fields() {
        return std::tuple{Field{"grid", &IntegrationField::grid},
                          Field{"value", &IntegrationField::value}};
    }
};

/// The move from every cell.
struct DirectionField {
    static constexpr std::uint8_t kStay = 8;  ///< a goal, or no way
    NavGrid grid;
    IdArray<NavCellTag, std::uint8_t>
        direction;  ///< 0 east, then counter-clockwise by eighths, 7 south-east

    static constexpr auto fields() {
        return std::tuple{Field{"grid", &DirectionField::grid},
                          Field{"direction", &DirectionField::direction}};
    }
};

}  // namespace tw::world
