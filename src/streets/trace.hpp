#pragma once
// What a street surface was made of, for updating it.

#include "terraway/streets/streets.hpp"

#include "separate.hpp"

#include <cstdint>
#include <vector>

namespace tw::streets {

struct StreetTrace {
    std::vector<world::RoadNodeId> cluster;   ///< by node: the least node of its cluster
    std::vector<std::uint8_t> plain;          ///< by node: 1 where Clusters::is_plain()
    std::vector<world::RoadNodeId> junction;  ///< by junction piece: the least node of its cluster
    std::vector<std::uint32_t>
        vertex_begin;                ///< pieces + 1 entries; a piece adds vertices in a row
    std::vector<GridBox> box;        ///< by piece
    std::vector<Standing> standing;  ///< ascending
    bool settled = true;  ///< false: rounds ended at their limit, nothing is known of parts
};

/// build_streets(), and what it was made of.
Result<world::StreetSurface> build_streets(const world::RoadNetwork&, const StreetOptions&,
                                           StreetTrace&, StageContext&);

}  // namespace tw::streets
