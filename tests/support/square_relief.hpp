#pragma once
// Heights on square cells, for tests of what water does on them.

#include "terraway/world/polygon_map.hpp"
#include "terraway/world/terrain.hpp"

#include "support/lattice_map.hpp"

#include <cstdint>
#include <vector>

namespace tw::test {

inline constexpr Steps kSquareSide = 65'536;  // 64 m: a cell of 4,096 m²

inline world::PolygonMap squares(std::int32_t columns, std::int32_t rows) {
    return lattice_map({.columns = columns, .rows = rows, .side = kSquareSide});
}

/// Heights row by row from the south; below zero is ocean.
inline world::Relief relief_of(const std::vector<Steps>& heights) {
    world::Relief relief;
    for (const Steps h : heights) {
        relief.elevation.push_back(h);
        relief.water.push_back(h < 0 ? world::Water::ocean : world::Water::land);
    }
    return relief;
}

}  // namespace tw::test
