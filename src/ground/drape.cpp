#include "terraway/ground/drape.hpp"

#include "terraway/core/id_set.hpp"
#include "terraway/core/option_range.hpp"
#include "terraway/core/splice.hpp"
#include "terraway/geometry/polyline.hpp"
#include "terraway/geometry/segment.hpp"

#include "corridor_gates.hpp"
#include "level_lifts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

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
          lift_(lift) {
        if (form_ == RoadForm::ground) return;
        start_ = terrain.height_at(line_.front());
        end_ = terrain.height_at(line_.back());
    }

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
        // Rounding does not reach so far.
        constexpr double kRoom = 1.0;
        const std::size_t guess = std::clamp(segment_, first, last);
        double best = 0x1p62, at = 0.0;
        double reach = geometry::closest_place(line_.subspan(guess, 2), point).distance + kRoom;
        for (std::size_t k = first; k <= last; ++k) {
            if (away2(k, point) > reach * reach) continue;
            const auto place = geometry::closest_place(line_.subspan(k, 2), point);
            if (place.distance >= best) continue;
            best = place.distance;
            reach = std::min(reach, best + kRoom);
            at = along_[k] + place.along * (along_[k + 1] - along_[k]);
            segment_ = k;
        }
        return at;
    }
    /// A bound below the square of the distance to a segment: that to its box.
    double away2(std::size_t segment, GridPoint p) const {
        const GridPoint a = line_[segment], b = line_[segment + 1];
        const auto gap = [](std::int64_t from, std::int64_t to, std::int64_t at) {
            if (from > to) std::swap(from, to);
            return static_cast<double>(std::max({from - at, at - to, std::int64_t{0}}));
        };
        const double x = gap(a.x, b.x, p.x), y = gap(a.y, b.y, p.y);
        return x * x + y * y;
    }
    Steps height_at(double along) {
        const double length = along_.back();
        const geometry::PolylinePlace place = geometry::place_at(line_, along_, along);
        const GridPoint centre = line_.front() + to_grid(place.point - to_vec(line_.front()));
        double ground = terrain_.height_at(centre, cell_);
        if (form_ != RoadForm::ground) {
            // A bridge spans valleys and a tunnel runs under hills on a line between its ends.
            const double straight = start_ + (end_ - start_) * (along / length);
            ground =
                form_ == RoadForm::bridge ? std::max(ground, straight) : std::min(ground, straight);
        }
        return rounded(ground + lift_ + lifts_.at(road_, along, length));
    }

    const SurfaceQuery& terrain_;
    const LevelLifts& lifts_;
    RoadId road_;
    RoadForm form_;
    std::span<const GridPoint> line_;
    std::vector<double> along_;
    double lift_;
    double start_ = 0.0, end_ = 0.0;  ///< of the ground, for bridges and tunnels
    std::size_t segment_ = 0;         ///< of the last answer
    world::CellId cell_;              ///< that it lay in
};

GridPoint middle(GridPoint a, GridPoint b) {
    return a + GridPoint{(b.x - a.x) / 2, (b.y - a.y) / 2};
}

/// Heights of one piece's vertices.
class Drape {
public:
    Drape(const SurfaceQuery& terrain, const RoadNetwork& network, const StreetSurface& streets,
          const LevelLifts& lifts, const DrapeOptions& options)
        : terrain_(terrain),
          network_(network),
          streets_(streets),
          lifts_(lifts),
          lift_(to_steps(options.lift)),
          gates_(streets) {}

    const CorridorGates& gates() const { return gates_; }

    /// write(vertex, height) for each of its ring.
    template <class Write>
    void corridor(PieceId piece, Write&& write) const {
        Profile profile(terrain_, network_, lifts_, streets_.road[piece], lift_);
        const std::span<const StreetVertexId> ring = streets_.ring(*streets_.rings(piece).begin());
        std::vector<Steps> height;
        height.reserve(ring.size());
        for (const StreetVertexId v : ring)
            height.push_back(profile.height_near(streets_.vertex[v]));
        for (const GateId gate : gates_.of(piece)) {
            const StreetVertexId l = streets_.gate_left[gate], r = streets_.gate_right[gate];
            const Steps level =
                profile.height_anywhere(middle(streets_.vertex[l], streets_.vertex[r]));
            for (std::size_t i = 0; i < ring.size(); ++i) {
                if (ring[i] == l || ring[i] == r) height[i] = level;
            }
        }
        for (std::size_t i = 0; i < ring.size(); ++i) write(ring[i], height[i]);
    }
    /// Its gates, which are `known`, are read; write(vertex, height) for all others.
    template <class Write>
    void junction(PieceId piece, const std::vector<std::uint8_t>& known,
                  const IdArray<world::StreetVertexTag, Steps>& height, Write&& write) const {
        const auto outline = streets_.ring(*streets_.rings(piece).begin());
        const Steps ground = terrain_.height_at(streets_.vertex[outline.front()]) + lift_;
        for (const world::RingId ring : streets_.rings(piece)) {
            drape_ring(streets_.ring(ring), known, ground, height, write);
        }
    }

private:
    /// Kerbs climb evenly from gate to gate.
    template <class Write>
    void drape_ring(std::span<const StreetVertexId> ring, const std::vector<std::uint8_t>& known,
                    Steps otherwise, const IdArray<world::StreetVertexTag, Steps>& height,
                    Write&& write) const {
        const std::size_t n = ring.size();
        std::size_t first = 0;
        while (first < n && !known[ring[first].index()]) ++first;
        if (first == n) {
            for (const StreetVertexId v : ring) write(v, otherwise);
            return;
        }
        for (std::size_t begin = 0; begin < n;) {
            std::size_t end = begin + 1;
            while (!known[ring[(first + end) % n].index()]) ++end;
            if (end == begin + 1) {  // a gate
                begin = end;
                continue;
            }
            std::vector<GridPoint> kerb;
            for (std::size_t k = begin; k <= end; ++k) {
                kerb.push_back(streets_.vertex[ring[(first + k) % n]]);
            }
            const std::vector<double> along = geometry::arc_lengths(kerb);
            const double from = height[ring[(first + begin) % n]];
            const double to = height[ring[(first + end) % n]];
            for (std::size_t k = begin + 1; k < end; ++k) {
                const double share = along[k - begin] / along.back();
                write(ring[(first + k) % n], rounded(from + (to - from) * share));
            }
            begin = end;
        }
    }

    const SurfaceQuery& terrain_;
    const RoadNetwork& network_;
    const StreetSurface& streets_;
    const LevelLifts& lifts_;
    Steps lift_;
    CorridorGates gates_;
};

/// 1 by vertex of a gate.
void mark_gate_vertices(const StreetSurface& streets, std::vector<std::uint8_t>& known) {
    known.assign(streets.vertex.size(), 0);
    for (const GateId gate : streets.gate_corridor.ids()) {
        known[streets.gate_left[gate].index()] = known[streets.gate_right[gate].index()] = 1;
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
    const Drape drape(terrain, network, streets, lifts, options);
    StreetHeights out;
    out.height.resize(streets.vertex.size());
    const std::span<Steps> height = out.height.edit_all();

    // Corridors share no vertex with each other, so they can be draped side by side.
    parallel_for(*ctx.executor, streets.piece_count(), 64,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (std::size_t i = begin; i < end && !ctx.cancelled(); ++i) {
                         const PieceId piece = PieceId::from_index(i);
                         if (streets.kind[piece] != PieceKind::corridor) continue;
                         drape.corridor(piece,
                                        [&](StreetVertexId v, Steps h) { height[v.index()] = h; });
                     }
                 });
    if (ctx.cancelled()) return cancelled_error(kStage);

    std::vector<std::uint8_t> known;
    mark_gate_vertices(streets, known);
    for (const PieceId piece : streets.kind.ids()) {
        if (streets.kind[piece] != PieceKind::junction) continue;
        drape.junction(piece, known, out.height,
                       [&](StreetVertexId v, Steps h) { height[v.index()] = h; });
    }
    return out;
}

// ---- The second form.

class DrapePatch {
public:
    std::vector<Run> run;
    std::size_t size = 0;                                  ///< on the other side
    IdArray<world::StreetVertexTag, Steps> gaps;           ///< of the other side
    std::vector<std::pair<StreetVertexId, Steps>> raised;  ///< by ids of the new side
    bool is_done = false;

    void swap(StreetHeights& heights) {
        if (is_done) swap_raised(heights);
        const std::size_t before = heights.height.size();
        splice(heights.height, run, size, gaps);
        invert(run);
        size = before;
        if (!is_done) swap_raised(heights);
        is_done = !is_done;
    }

private:
    void swap_raised(StreetHeights& heights) {
        for (auto& [vertex, height] : raised) {
            const Steps now = heights.height[vertex];
            heights.height.edit(vertex) = std::exchange(height, now);
        }
    }
};

namespace {

/// Cells that moved, and what lies on them.
class MovedGround {
public:
    MovedGround(const world::PolygonMap& map, std::span<const world::CellId> cells)
        : bounds_(map.bounds) {
        constexpr GridPoint kRoom{2, 2};  // places on a road are rounded
        for (const world::CellId cell : cells) {
            const GridBox box = world::box_of(map, cell);
            cell_.push_back({box.lo - kRoom, box.hi + kRoom});
            all_.include(cell_.back().lo);
            all_.include(cell_.back().hi);
        }
    }
    bool meets(GridPoint point) const { return meets(GridBox{point, point}); }
    bool meets(std::span<const GridPoint> line) const {
        GridBox whole;
        for (const GridPoint point : line) whole.include(point);
        if (!meets(whole)) return false;
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
            if (meets(geometry::box_of(line[i], line[i + 1]))) return true;
        }
        return false;
    }

private:
    bool meets(const GridBox& where) const {
        const GridBox box{onto(where.lo), onto(where.hi)};
        return box.intersects(all_) &&
               std::any_of(cell_.begin(), cell_.end(),
                           [&](const GridBox& cell) { return cell.intersects(box); });
    }
    /// What lies outside the rectangle has the height of the place on it that is nearest.
    GridPoint onto(GridPoint p) const {
        return {std::clamp(p.x, bounds_.lo.x, bounds_.hi.x),
                std::clamp(p.y, bounds_.lo.y, bounds_.hi.y)};
    }

    GridBox bounds_, all_;
    std::vector<GridBox> cell_;
};

}  // namespace

class DrapeUpdate::Impl {
public:
    explicit Impl(const DrapeOptions& options) : options_(options) {}

    Status run(const SurfaceQuery& terrain, const StreetsOnGround& now, const DrapeChanges& changes,
               StreetHeights& heights, DrapePatch& patch, std::vector<StreetVertexId>& raised,
               StageContext& ctx) {
        follow_network(now, changes);
        patch.run = changes.streets ? changes.streets->vertex : std::vector<Run>();
        patch.size = now.streets->vertex.size();
        if (changes.streets) {
            std::size_t stay = 0;
            for (const Run& each : patch.run) stay += each.end - each.begin;
            patch.gaps.resize(patch.size - stay);
        } else if (patch.size > 0) {
            patch.run.push_back({0, static_cast<std::uint32_t>(patch.size), 0});
        }
        patch.swap(heights);

        find_pieces(now, changes);
        if (corridor_.empty() && junction_.empty()) return ok_status();
        const StreetSurface& streets = *now.streets;
        const Drape drape(terrain, *now.network, streets, *lifts_, options_);
        const auto write = [&](StreetVertexId v, Steps height) {
            const Steps was = heights.height[v];
            if (!heights.height.set(v, height)) return;
            patch.raised.emplace_back(v, was);
            raised.push_back(v);
        };
        for (const PieceId piece : corridor_.ids()) {
            if (ctx.cancelled()) return cancelled_error(kStage);
            drape.corridor(piece, write);
            // The junctions at its ends follow.
            for (const GateId gate : drape.gates().of(piece)) {
                if (const PieceId junction = streets.gate_junction[gate]) {
                    junction_.insert(junction);
                }
            }
        }
        if (ctx.cancelled()) return cancelled_error(kStage);
        if (junction_.empty()) return ok_status();
        junction_.sort();
        mark_gate_vertices(streets, known_);
        for (const PieceId piece : junction_.ids()) {
            drape.junction(piece, known_, heights.height, write);
        }
        return ok_status();
    }
    void swap(DrapePatch& patch, StreetHeights& heights) {
        patch.swap(heights);
        lifts_.reset();
    }

private:
    LevelLifts lifts_of(const RoadNetwork& network) const {
        return {network, to_steps(options_.clearance), options_.max_grade};
    }
    void follow_network(const StreetsOnGround& now, const DrapeChanges& changes) {
        const RoadNetwork& before = changes.network_before ? *changes.network_before : *now.network;
        if (!lifts_) lifts_.emplace(lifts_of(before));
        lifts_before_.reset();
        if (!changes.network_before) return;
        if (lifts_->follow(before, *now.network, *changes.network)) return;
        lifts_before_ = std::exchange(lifts_, lifts_of(*now.network));
    }
    /// Corridors that are new, whose ramps are others, or under whose road the ground moved; and
    /// junctions that are new or lie on such ground. Both ascend.
    void find_pieces(const StreetsOnGround& now, const DrapeChanges& changes) {
        const StreetSurface& streets = *now.streets;
        corridor_.reset(streets.piece_count());
        junction_.reset(streets.piece_count());
        const auto add = [&](PieceId piece) {
            (streets.kind[piece] == PieceKind::corridor ? corridor_ : junction_).insert(piece);
        };
        if (changes.streets) {
            for (std::size_t i = 0; i < changes.streets->piece.size(); ++i) {
                if (!changes.streets->piece[i]) add(PieceId::from_index(i));
            }
        }
        if (lifts_before_) {
            for (const PieceId piece : streets.kind.ids()) {
                if (ramps_changed(now, changes, piece)) add(piece);
            }
        }
        if (!changes.ground.empty()) {
            const MovedGround moved(*now.map, changes.ground);
            for (const PieceId piece : streets.kind.ids()) {
                if (corridor_.contains(piece) || junction_.contains(piece)) continue;
                const bool lies_there =
                    streets.kind[piece] == PieceKind::junction
                        ? moved.meets(
                              streets.vertex[streets.ring(*streets.rings(piece).begin())[0]])
                        : moved.meets(now.network->points(streets.road[piece]));
                if (lies_there) add(piece);
            }
        }
        corridor_.sort();
    }
    bool ramps_changed(const StreetsOnGround& now, const DrapeChanges& changes,
                       PieceId piece) const {
        if (now.streets->kind[piece] == PieceKind::junction) return false;
        const RoadId road = now.streets->road[piece];
        for (const world::RoadNodeId node : {now.network->from[road], now.network->to[road]}) {
            const world::RoadNodeId was = changes.network->node[node.index()];
            if (!was || !lifts_->is_same(node, *lifts_before_, was)) return true;
        }
        return false;
    }

    DrapeOptions options_;
    std::optional<LevelLifts> lifts_;         ///< of the network; none: not known
    std::optional<LevelLifts> lifts_before_;  ///< in a step that made them anew
    IdSet<world::PieceTag> corridor_, junction_;
    std::vector<std::uint8_t> known_;  ///< 1 by vertex of a gate
};

DrapeUpdate::DrapeUpdate(const DrapeOptions& options) : impl_(std::make_unique<Impl>(options)) {}
DrapeUpdate::~DrapeUpdate() = default;

Result<std::shared_ptr<DrapePatch>> DrapeUpdate::run(
    const SurfaceQuery& terrain, const StreetsOnGround& now, const DrapeChanges& changes,
    StreetHeights& heights, std::vector<StreetVertexId>& raised, StageContext& ctx) {
    auto patch = std::make_shared<DrapePatch>();
    raised.clear();
    const Status done = impl_->run(terrain, now, changes, heights, *patch, raised, ctx);
    if (done) return patch;
    impl_->swap(*patch, heights);
    return done.error();
}

void DrapeUpdate::swap(DrapePatch& step, StreetHeights& heights) {
    impl_->swap(step, heights);
}

}  // namespace tw::ground
