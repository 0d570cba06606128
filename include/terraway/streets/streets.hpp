#pragma once
// From the network to surfaces in the plane: gates, junctions, corridors.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/roads.hpp"
#include "terraway/world/streets.hpp"

#include <memory>
#include <tuple>

namespace tw::streets {

struct StreetOptions {
    double corner_radius = 0.35;  ///< of a corner's fillet, in widths of the narrower road, 0 … 2
    double section_length =
        12.0;  ///< [m] longest corridor quad, so that streets follow the ground, 1 … 1,000

    static constexpr auto fields() {
        return std::tuple{Field{"corner_radius", &StreetOptions::corner_radius},
                          Field{"section_length", &StreetOptions::section_length}};
    }
};

/// Gate first: an arm's gate is the first cross-section that is clear of every other arm; nodes
/// whose gates would pass each other become one cluster. Guarantees are those of
/// world::StreetSurface; no input is unsolved: what cannot be shaped well says so in its piece's
/// note. Errors: invalid_option, too_large, cancelled. Cost: about linear in road points.
Result<world::StreetSurface> build_streets(const world::RoadNetwork&, const StreetOptions&,
                                           StageContext&);

/// What turns a surface into the one before it, and back.
class StreetPatch;
/// What a surface was made of.
struct StreetTrace;

/// Keeps the surface of one network up to date while that changes, in place: equal to a build.
///
/// The closure of a change: clusters with a changed road, and on from them over everything that is
/// not plain, until two rings of plain nodes stand around. A plain node has its gates by its own
/// roads alone, at all times, so that neither side notices the other; should a node of the rings
/// come out otherwise, the closure grows past it. Where most of the network would be built, all is.
/// Vertices near a change that stand on foreign ones are placed anew. Cost: O(pieces in the
/// closure), and moving what stands behind the first that gains or loses vertices. The first run
/// builds all.
class StreetUpdate {
public:
    explicit StreetUpdate(const StreetOptions&);
    ~StreetUpdate();
    StreetUpdate(const StreetUpdate&) = delete;
    StreetUpdate& operator=(const StreetUpdate&) = delete;

    /// `surface` is that of `before`, from which `network` came by `changes`; after an error it
    /// still is. Errors: those of build_streets(); check_failed (it is not: the first run looks).
    Result<std::shared_ptr<StreetPatch>> run(const world::RoadNetwork& before,
                                             const world::RoadNetwork& network,
                                             const world::NetworkChanges& changes,
                                             world::StreetSurface& surface,
                                             world::StreetChanges& out, StageContext&);
    /// Takes the last step back that is done, or does the last again that was taken back.
    void swap(StreetPatch& step, world::StreetSurface& surface);

private:
    StreetOptions options_;
    std::unique_ptr<StreetTrace> trace_;  ///< none: not known yet
};

}  // namespace tw::streets
