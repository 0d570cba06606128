#pragma once
// nav.bin: the grids that crowds read. Little-endian, tightly packed:
//
//   8 bytes   "TWNAV\r\n\0"
//   uint32    version, 1
//   int32     columns, rows
//   int32     origin x, origin y: south-west corner [steps of 2^-10 m]
//   int32     side of a cell [steps]
//   uint8     cost[rows][columns]: 1 ... 254, 255 blocked; row 0 is the south edge
//   zeros     to a multiple of 4 bytes
//   uint32    integration[rows][columns]: least cost to the goal, 0xffffffff unreached
//   uint8     direction[rows][columns]: 0 east, then counter-clockwise by eighths; 8 stay

#include "terraway/core/result.hpp"
#include "terraway/io/files.hpp"
#include "terraway/world/navigation.hpp"

#include <span>
#include <string>

namespace tw::io {

struct NavGrids {
    world::CostGrid cost;
    world::IntegrationField integration;
    world::DirectionField directions;
};

Bytes encode_nav(const world::CostGrid&, const world::IntegrationField&,
                 const world::DirectionField&);
/// Error invalid_input unless the sizes agree.
Result<NavGrids> decode_nav(std::span<const std::byte> bytes, const std::string& name);

}  // namespace tw::io
