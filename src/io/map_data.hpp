#pragma once
// What pictures show and checks look at, from a baked world or from its files.

#include "terraway/math/grid.hpp"
#include "terraway/pipeline/baked_world.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tw::io {

struct MapCells {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::vector<GridPoint> site;
    std::vector<std::uint32_t> ring_begin;  ///< cells + 1 entries
    std::vector<GridPoint> corner;          ///< rings counter-clockwise, not closed
    std::vector<Steps> corner_elevation;
    std::vector<std::uint32_t>
        neighbour;  ///< by corner: the cell across the side that starts there
    std::vector<Steps> elevation;
    std::vector<world::Water> water;
    std::vector<world::Biome> biome;
    std::vector<std::uint16_t> moisture;
    std::vector<double> flow;  ///< [m³/s]

    std::size_t size() const { return site.size(); }
    std::span<const GridPoint> ring(std::size_t cell) const {
        return std::span(corner).subspan(ring_begin[cell], ring_begin[cell + 1] - ring_begin[cell]);
    }
};

struct MapRiver {
    std::vector<GridPoint> point;  ///< from up to downstream
    std::vector<Steps> elevation;
    double flow_begin = 0.0, flow_end = 0.0;  ///< [m³/s]
};

struct MapRoad {
    std::vector<GridPoint> point;
    world::RoadAttributes attributes;
};

struct MapData {
    GridBox bounds;
    MapCells cells;
    std::vector<MapRiver> rivers;
    std::vector<MapRoad> roads;
    world::CostGrid cost;  ///< empty grids: the world has none
    world::IntegrationField integration;
    world::DirectionField directions;
};

/// [m³/s] of litres a year.
constexpr double flow_of(std::uint64_t litres_a_year) {
    constexpr double kSecondsAYear = 31'557'600.0;  // of 365.25 days
    return static_cast<double>(litres_a_year) / 1000.0 / kSecondsAYear;
}

MapData map_data_of(const pipeline::BakedWorld& world);

}  // namespace tw::io
