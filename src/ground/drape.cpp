#include "terraway/ground/drape.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/geometry/polyline.hpp"

#include "level_lifts.hpp"

#include <algorithm>
#include <array>

namespace tw::ground {
namespace {

using world::GateId;
using world::PieceId;
using world::PieceKind;
using world::RoadForm;
using world::RoadId;
using world::RoadNetwork;
using world::StreetHeights;
using world::StreetSurface;
using world::StreetVertexId;
using world::SurfaceQuery;

constexpr std::string_view kStage = "drape";
constexpr std::size_t kNearby =
    32;  ///< segments before and behind in which the next section is sought

Steps rounded(double steps) {
    return static_cast<Steps>(steps < 0 ? steps - 0.5 : steps + 0.5);
}

/// The height of a road's surface along its centre line.
class Profile {
public:
    Profile(const SurfaceQuery& terrain, const RoadNetwork& network, const LevelLifts& lifts,
            RoadId road, double lift)
        : terrain_(terrain),
          lifts_(lifts),
          road_(road),
          form_(network.attributes[road].form),
          line_(network.points(road)),
          along_(geometry::arc_lengths(line_)),
          lift_(lift),
          start_(terrain.height_at(line_.front())),
          end_(terrain.height_at(line_.back())) {}

    /// At the section nearest to `point`; near to the one asked for before, it is found at once.
    Steps height_near(GridPoint point) {
        const std::size_t last = line_.size() - 2;
        const std::size_t first = segment_ > kNearby ? segment_ - kNearby : 0;
        const std::size_t end = std::min(last, segment_ + kNearby);
        double at = nearest(point, first, end);
        if ((segment_ == first && first > 0) || (segment_ == end && end < last)) {
            at = nearest(point, 0, last);
        }
        return height_at(at);
    }
    Steps height_anywhere(GridPoint point) {
        return height_at(nearest(point, 0, line_.size() - 2));
    }

private:
    double nearest(GridPoint point, std::size_t first, std::size_t last) {
        double best = 0x1p62, at = 0.0;
        for (std::size_t k = first; k <= last; ++k) {
            const auto place = geometry::closest_place(line_.subspan(k, 2), point);
            if (place.distance >= best) continue;
            best = place.distance;
            at = along_[k] + place.along * (along_[k + 1] - along_[k]);
            segment_ = k;
        }
        return at;
    }
    Steps height_at(double along) const {
        const double length = along_.back();
        const geometry::PolylinePlace place = geometry::place_at(line_, along_, along);
        const GridPoint centre = line_.front() + to_grid(place.point - to_vec(line_.front()));
        double ground = terrain_.height_at(centre);
        // A bridge spans valleys and a tunnel runs under hills on a line between its ends.
        const double straight = start_ + (end_ - start_) * (along / length);
        if (form_ == RoadForm::bridge) ground = std::max(ground, straight);
        if (form_ == RoadForm::tunnel) ground = std::min(ground, straight);
        return rounded(ground + lift_ + lifts_.at(road_, along, length));
    }

    const SurfaceQuery& terrain_;
    const LevelLifts& lifts_;
    RoadId road_;
    RoadForm form_;
    std::span<const GridPoint> line_;
    std::vector<double> along_;
    double lift_, start_, end_;
    std::size_t segment_ = 0;  ///< of the last answer
};

GridPoint middle(GridPoint a, GridPoint b) {
    return a + GridPoint{(b.x - a.x) / 2, (b.y - a.y) / 2};
}

/// A corridor's gates are the first two entries for it, in order.
std::vector<std::array<GateId, 2>> gates_of_corridors(const StreetSurface& streets) {
    std::vector<std::array<GateId, 2>> gates(streets.piece_count());
    for (const GateId gate : streets.gate_corridor.ids()) {
        auto& pair = gates[streets.gate_corridor[gate].index()];
        (pair[0] ? pair[1] : pair[0]) = gate;
    }
    return gates;
}

void drape_corridor(const StreetSurface& streets, PieceId piece, Profile& profile,
                    std::span<Steps> height) {
    const std::span<const StreetVertexId> ring = streets.ring(*streets.rings(piece).begin());
    for (const StreetVertexId v : ring) {
        height[v.index()] = profile.height_near(streets.vertex[v]);
    }
}

/// Kerbs climb evenly from gate to gate.
void drape_ring(const StreetSurface& streets, std::span<const StreetVertexId> ring,
                const std::vector<std::uint8_t>& known, Steps otherwise, std::span<Steps> height) {
    const std::size_t n = ring.size();
    std::size_t first = 0;
    while (first < n && !known[ring[first].index()]) ++first;
    if (first == n) {
        for (const StreetVertexId v : ring) height[v.index()] = otherwise;
        return;
    }
    for (std::size_t begin = 0; begin < n;) {
        std::size_t end = begin + 1;
        while (!known[ring[(first + end) % n].index()]) ++end;
        std::vector<GridPoint> kerb;
        for (std::size_t k = begin; k <= end; ++k)
            kerb.push_back(streets.vertex[ring[(first + k) % n]]);
        const std::vector<double> along = geometry::arc_lengths(kerb);
        const double from = height[ring[(first + begin) % n].index()];
        const double to = height[ring[(first + end) % n].index()];
        for (std::size_t k = begin + 1; k < end; ++k) {
            const double share = along[k - begin] / along.back();
            height[ring[(first + k) % n].index()] = rounded(from + (to - from) * share);
        }
        begin = end;
    }
}

Status check_options(const DrapeOptions& options) {
    TW_TRY(require_range(kStage, "lift", options.lift, 0.0, 10.0));
    TW_TRY(require_range(kStage, "clearance", options.clearance, 1.0, 100.0));
    return require_range(kStage, "max_grade", options.max_grade, 0.01, 1.0);
}

}  // namespace

Result<StreetHeights> drape_streets(const SurfaceQuery& terrain, const RoadNetwork& network,
                                    const StreetSurface& streets, const DrapeOptions& options,
                                    StageContext& ctx) {
    TW_TRY(check_options(options));
    const LevelLifts lifts(network, to_steps(options.clearance), options.max_grade);
    const double lift = to_steps(options.lift);
    std::vector<Steps> height(streets.vertex.size(), 0);
    const auto gates = gates_of_corridors(streets);

    // Corridors share no vertex with each other, so they can be draped side by side.
    parallel_for(*ctx.executor, streets.piece_count(), 64,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (std::size_t i = begin; i < end && !ctx.cancelled(); ++i) {
                         const PieceId piece = PieceId::from_index(i);
                         if (streets.kind[piece] != PieceKind::corridor) continue;
                         Profile profile(terrain, network, lifts, streets.road[piece], lift);
                         drape_corridor(streets, piece, profile, height);
                         for (const GateId gate : gates[i]) {
                             const StreetVertexId l = streets.gate_left[gate];
                             const StreetVertexId r = streets.gate_right[gate];
                             height[l.index()] = height[r.index()] = profile.height_anywhere(
                                 middle(streets.vertex[l], streets.vertex[r]));
                         }
                     }
                 });
    if (ctx.cancelled()) return cancelled_error(kStage);

    std::vector<std::uint8_t> known(streets.vertex.size(), 0);
    for (const GateId gate : streets.gate_corridor.ids()) {
        known[streets.gate_left[gate].index()] = known[streets.gate_right[gate].index()] = 1;
    }
    for (const PieceId piece : streets.kind.ids()) {
        if (streets.kind[piece] != PieceKind::junction) continue;
        const std::span<const StreetVertexId> outline = streets.ring(*streets.rings(piece).begin());
        const Steps ground =
            terrain.height_at(streets.vertex[outline.front()]) + to_steps(options.lift);
        for (const world::RingId ring : streets.rings(piece)) {
            drape_ring(streets, streets.ring(ring), known, ground, height);
        }
    }
    return StreetHeights{.height = IdArray<world::StreetVertexTag, Steps>(std::move(height))};
}

}  // namespace tw::ground
