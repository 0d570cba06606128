#pragma once
// Streets come to lie on the terrain; bridges rise over what they cross, tunnels dive.

#include "terraway/core/stage_context.hpp"
#include "terraway/world/ground.hpp"
#include "terraway/world/roads.hpp"
#include "terraway/world/streets.hpp"
#include "terraway/world/surface.hpp"

#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace tw::ground {

struct DrapeOptions {
    double lift = 0.15;       ///< [m] of the surface over the terrain, 0 … 10
    double clearance = 6.0;   ///< [m] between levels, 1 … 100
    double max_grade = 0.08;  ///< rise over run of ramps up to bridges, 0.01 … 1

    static constexpr auto fields() {
        return std::tuple{Field{"lift", &DrapeOptions::lift},
                          Field{"clearance", &DrapeOptions::clearance},
                          Field{"max_grade", &DrapeOptions::max_grade}};
    }
};

/// A cross-section is level; ramps fall from bridges along the network by `max_grade`.
/// Errors: invalid_option, cancelled. Cost: O(street vertices).
Result<world::StreetHeights> drape_streets(const world::SurfaceQuery&, const world::RoadNetwork&,
                                           const world::StreetSurface&, const DrapeOptions&,
                                           StageContext&);

/// What lies on the ground.
struct StreetsOnGround {
    const world::PolygonMap* map = nullptr;
    const world::RoadNetwork* network = nullptr;
    const world::StreetSurface* streets = nullptr;
};
/// How it came to be so.
struct DrapeChanges {
    const world::RoadNetwork* network_before = nullptr;  ///< null: it is the same
    const world::NetworkChanges* network = nullptr;      ///< null where the network is the same
    const world::StreetChanges* streets = nullptr;       ///< null: they are the same
    std::span<const world::CellId> ground;               ///< cells any of whose triangles differs
};

/// Takes an update back, and does it again.
class DrapePatch;

/// The second form, in place: new corridors, those over ground that moved, and those whose ramps
/// are others; then the junctions at their ends. Cost: O(vertices of those, pieces and gates).
class DrapeUpdate {
public:
    explicit DrapeUpdate(const DrapeOptions&);
    ~DrapeUpdate();
    DrapeUpdate(const DrapeUpdate&) = delete;
    DrapeUpdate& operator=(const DrapeUpdate&) = delete;

    /// `heights` are of the streets before; `raised` gets vertices that came to another height, new
    /// ones among them. After an error they still are. Error cancelled.
    Result<std::shared_ptr<DrapePatch>> run(const world::SurfaceQuery&, const StreetsOnGround&,
                                            const DrapeChanges&, world::StreetHeights& heights,
                                            std::vector<world::StreetVertexId>& raised,
                                            StageContext&);
    /// Takes the last step back that is done, or does the last again that was taken back.
    void swap(DrapePatch& step, world::StreetHeights& heights);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tw::ground
