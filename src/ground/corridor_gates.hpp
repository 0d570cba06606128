#pragma once
// The two gates of each corridor.

#include "terraway/world/streets.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace tw::ground {

/// Where corridors stand behind all junctions, and gates two by two in their order, as they are
/// made, nothing is looked up. Cost: O(gates).
class CorridorGates {
public:
    explicit CorridorGates(const world::StreetSurface& streets)
        : first_(streets.piece_count() - streets.gate_corridor.size() / 2) {
        using world::GateId;
        const auto corridor = streets.gate_corridor.span();
        // Only gates of corridors that exist and have two each make this hold.
        bool in_order = first_ <= streets.piece_count() && corridor.size() % 2 == 0;
        for (std::size_t i = 0; in_order && i < corridor.size(); ++i) {
            in_order = corridor[i].index() == first_ + i / 2;
        }
        if (in_order) return;
        table_.resize(streets.piece_count());
        for (const GateId gate : streets.gate_corridor.ids()) {
            auto& pair = table_[streets.gate_corridor[gate].index()];
            (pair[0] ? pair[1] : pair[0]) = gate;
        }
    }
    /// Where its road starts, then where it ends.
    std::array<world::GateId, 2> of(world::PieceId corridor) const {
        using world::GateId;
        if (!table_.empty()) return table_[corridor.index()];
        const std::size_t first = 2 * (corridor.index() - first_);
        return {GateId::from_index(first), GateId::from_index(first + 1)};
    }

private:
    std::size_t first_;  ///< the first corridor
    std::vector<std::array<world::GateId, 2>> table_;
};

}  // namespace tw::ground
