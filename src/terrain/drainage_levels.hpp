#pragma once
// The levels of the flood brought up to date with changed ground: one dynamic fixed point for
// landscapes that are filled and for those that are carved.

#include "terraway/core/id_heap.hpp"
#include "terraway/core/id_set.hpp"

#include "drainage_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tw::terrain {

/// Cells whose level was written or changed, with what it was.
struct LevelChanges {
    IdSet<world::CellTag> cell;
    std::vector<Steps> before;  ///< of each, in their order

    void reset(std::size_t cells) {
        cell.reset(cells);
        before.clear();
    }
};

/// Levels of a filled landscape: a cell lies a step above the one that it drains to.
class FillLevels {
public:
    using Level = Steps;
    static constexpr Level kUnreached = INT32_MAX;

    FillLevels(const FloodRules& rules, Heights& elevation, LevelChanges& written)
        : rules_(rules), elevation_(elevation), written_(written) {}
    static Level at_height(Steps height) { return height; }
    static std::uint64_t key_of(Level level) { return static_cast<std::uint32_t>(level); }
    Level of(world::CellId cell) const { return elevation_[cell]; }
    bool is_above(world::CellId cell, Level level) const { return elevation_[cell] > level; }
    Level lowest_around(world::CellId cell) const {
        return rules_.lowest_around(cell, kUnreached,
                                    [this](world::CellId other) { return elevation_[other]; });
    }
    void write(world::CellId cell, Level level) {
        if (written_.cell.insert(cell)) written_.before.push_back(elevation_[cell]);
        elevation_.edit(cell) = level;
    }
    /// Which came out as others than they were.
    void finish(IdSet<world::CellTag>& changed) const;

private:
    const FloodRules& rules_;
    Heights& elevation_;
    LevelChanges& written_;
};

/// Memory for CarveLevels.
struct CarveScratch {
    IdSet<world::CellTag> known, written, flat;
    std::vector<std::uint64_t> level;  ///< by cell, of those that are known
    std::vector<world::CellId> ring;
};

/// Levels of a carved landscape. Here a step has no height, but it counts, so that the cells of a
/// flat don't hold one another up: a level is a height and then the number of steps to the nearest
/// exit of the flat. These follow from the heights; they are counted where somebody asks.
class CarveLevels {
public:
    using Level = std::uint64_t;
    static constexpr Level kUnreached = UINT64_MAX;

    /// `drainage` as it was before: nothing is written to it until finish().
    CarveLevels(const FloodRules& rules, world::Drainage& drainage, CarveScratch& scratch);
    static Level at_height(Steps height) { return Level{static_cast<std::uint32_t>(height)} << 32; }
    static std::uint64_t key_of(Level level) { return level; }
    Level of(world::CellId cell) {
        if (!own_.known.contains(cell)) count_steps(cell);
        return own_.level[cell.index()];
    }
    bool is_above(world::CellId cell, Level level) {
        const std::uint32_t height = height_of(cell), than = height_of(level);
        return height != than ? height > than : of(cell) > level;
    }
    /// Exact from the cell's ground on; what lies lower does not show.
    Level lowest_around(world::CellId cell);
    void write(world::CellId cell, Level level) {
        own_.written.insert(cell);
        own_.level[cell.index()] = level;
    }
    /// Hands the heights to the drainage.
    void finish(LevelChanges& changed);

private:
    static std::uint32_t height_of(Level level) { return static_cast<std::uint32_t>(level >> 32); }
    std::uint32_t height_of(world::CellId cell) const {
        return own_.known.contains(cell) ? height_of(own_.level[cell.index()])
                                         : static_cast<std::uint32_t>(drainage_.spill[cell]);
    }
    bool was_exit(world::CellId cell) const;
    void learn(world::CellId cell, std::uint32_t steps) {
        if (!own_.known.insert(cell)) return;
        own_.level[cell.index()] = at_height(drainage_.spill[cell]) | steps;
    }
    void count_steps(world::CellId cell);
    void find_flat(world::CellId cell);

    const FloodRules& rules_;
    world::Drainage& drainage_;
    CarveScratch& own_;
};

/// Levels are the least that satisfy level = max(ground, lowest neighbour + a step), an outlet's
/// being its ground: every cell lies above the one that carries it, so no order of evaluation
/// shows. A cell is settled while its level is what this rule says (Ramalingam & Reps 1996).
template <class Levels>
class FixedPoint {
public:
    using Level = typename Levels::Level;

    FixedPoint(const FloodRules& rules, Levels& levels, IdHeap<world::CellTag>& queue)
        : rules_(rules), levels_(levels), queue_(queue) {}

    /// To be called for each cell whose rule reads something else than before.
    void look_at(world::CellId cell) {
        if (rules_.is_ocean(cell)) return;
        const Level is = levels_.of(cell), should = level_for(cell);
        if (is != should) queue_.push({Levels::key_of(std::min(is, should)), cell});
    }
    /// Errors: cancelled; levels are then neither what they were nor settled.
    Status settle(std::string_view stage, StageContext& context) {
        constexpr std::size_t kStepsBetweenChecks = 1 << 14;
        for (std::size_t count = 1; !queue_.empty(); ++count) {
            if (count % kStepsBetweenChecks == 0 && context.cancelled()) {
                queue_.clear();
                return cancelled_error(stage);
            }
            step();
        }
        return ok_status();
    }

private:
    Level level_for(world::CellId cell) {
        const Level ground = Levels::at_height(rules_.ground(cell));
        if (rules_.is_outlet(cell)) return ground;
        const Level lowest = levels_.lowest_around(cell);
        return lowest == Levels::kUnreached ? lowest : std::max<Level>(ground, lowest + 1);
    }
    void look_around(world::CellId cell, Level from) {
        for (const world::SideId side : rules_.map().sides(cell)) {
            const world::CellId other = rules_.land_beyond(side);
            // Whom this cell neither carried nor can lower does not care.
            if (other && levels_.is_above(other, from)) look_at(other);
        }
    }
    void step() {
        const auto entry = queue_.pop();
        const world::CellId cell = entry.id;
        const Level is = levels_.of(cell), should = level_for(cell);
        if (is == should) return;
        const std::uint64_t key = Levels::key_of(std::min(is, should));
        if (key != entry.key) {
            queue_.push({key, cell});
        } else if (is > should) {
            levels_.write(cell, should);
            look_around(cell, should);
        } else {
            // What stood on it must not hold it up: first it goes, then it comes back.
            levels_.write(cell, Levels::kUnreached);
            look_at(cell);
            look_around(cell, is);
        }
    }

    const FloodRules& rules_;
    Levels& levels_;
    IdHeap<world::CellTag>& queue_;
};

}  // namespace tw::terrain
