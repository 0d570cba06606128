#include "drainage_levels.hpp"

namespace tw::terrain {

using namespace world;

void FillLevels::finish(IdSet<CellTag>& changed) const {
    const auto cells = written_.cell.ids();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (elevation_[cells[i]] != written_.before[i]) changed.insert(cells[i]);
    }
}

CarveLevels::CarveLevels(const FloodRules& rules, Drainage& drainage, CarveScratch& scratch)
    : rules_(rules), drainage_(drainage), own_(scratch) {
    for (IdSet<CellTag>* set : {&own_.known, &own_.written, &own_.flat}) {
        set->reset(rules.map().cell_count());
    }
    own_.level.resize(rules.map().cell_count());
}

CarveLevels::Level CarveLevels::lowest_around(CellId cell) {
    const std::uint32_t lowest = rules_.lowest_around(
        cell, UINT32_MAX, [this](CellId other) { return this->height_of(other); });
    if (lowest == UINT32_MAX) return kUnreached;
    if (lowest < static_cast<std::uint32_t>(rules_.ground(cell))) return Level{lowest} << 32;
    return rules_.lowest_around(cell, kUnreached, [&](CellId other) {
        return this->height_of(other) == lowest ? this->of(other) : kUnreached;
    });
}

bool CarveLevels::was_exit(CellId cell) const {
    if (!rules_.map().twin[drainage_.downhill[cell]]) return true;
    return rules_.lowest_around(cell, INT32_MAX, [this](CellId other) {
        return drainage_.spill[other];
    }) < drainage_.spill[cell];
}

void CarveLevels::find_flat(CellId cell) {
    own_.flat.clear();
    own_.flat.insert(cell);
    for (std::size_t i = 0; i < own_.flat.size(); ++i) {
        for (const SideId side : rules_.map().sides(own_.flat.ids()[i])) {
            const CellId other = rules_.land_beyond(side);
            if (other && drainage_.spill[other] == drainage_.spill[cell]) own_.flat.insert(other);
        }
    }
}

/// From the exits inwards, ring by ring. Exits may be known before the flat is, and written since;
/// of others none is.
void CarveLevels::count_steps(CellId cell) {
    if (was_exit(cell)) {
        learn(cell, 0);
        return;
    }
    find_flat(cell);
    own_.ring.clear();
    for (const CellId member : own_.flat.ids()) {
        if (!was_exit(member)) continue;
        learn(member, 0);
        own_.ring.push_back(member);
    }
    std::size_t begin = 0;
    for (std::uint32_t steps = 1; begin < own_.ring.size(); ++steps) {
        for (const std::size_t end = own_.ring.size(); begin < end; ++begin) {
            for (const SideId side : rules_.map().sides(own_.ring[begin])) {
                const CellId other = rules_.land_beyond(side);
                if (!other || !own_.flat.contains(other) || own_.known.contains(other)) continue;
                learn(other, steps);
                own_.ring.push_back(other);
            }
        }
    }
    // A flat without exits: no drainage that was built has one.
    if (own_.ring.empty()) {
        for (const CellId member : own_.flat.ids()) learn(member, 0);
    }
}

void CarveLevels::finish(LevelChanges& changed) {
    for (const CellId cell : own_.written.ids()) {
        const Steps before = drainage_.spill[cell];
        if (!drainage_.spill.set(cell, static_cast<Steps>(height_of(cell)))) continue;
        changed.cell.insert(cell);
        changed.before.push_back(before);
    }
}

}  // namespace tw::terrain
