#include "point_set.hpp"
#include "revision.hpp"

#include <algorithm>
#include <tuple>

namespace tw::roads {
namespace {

using world::RoadId;
using world::RoadNetwork;
using world::RoadNodeId;

StableId node_hash(StableId road, std::uint32_t end) {
    Hasher hasher;
    hasher.add(road).add(end);
    return StableId(hasher.finish());
}

/// Where a node is: no two are in one place of a point.
struct NodePlace {
    GridPoint point;
    std::int8_t place = 0;
    friend bool operator==(const NodePlace&, const NodePlace&) = default;
    friend bool operator<(const NodePlace& a, const NodePlace& b) {
        const std::uint64_t p = order_key(a.point), q = order_key(b.point);
        return p != q ? p < q : a.place < b.place;
    }
};
struct PlaceTie {
    NodePlace place;
    std::uint64_t tie;
    friend bool operator<(const PlaceTie& a, const PlaceTie& b) {
        return a.place == b.place ? a.tie < b.tie : a.place < b.place;
    }
};

class Assembly {
public:
    Assembly(const RoadNetwork& before, const Revision& revision, const NewRoads& roads,
             NetworkTrace& trace, world::NetworkChanges& changes)
        : before_(before),
          revision_(revision),
          old_(revision.before()),
          roads_(roads),
          trace_(trace),
          changes_(changes) {}

    RoadNetwork run(const Touched& touched) {
        plan();
        take_roads();
        find_places(touched);
        find_ties();
        number_nodes();
        take_nodes();
        return std::move(network_);
    }

private:
    /// Roads in a row: of the network before, or new ones.
    struct Run {
        bool is_new;
        std::uint32_t begin, end;
    };

    /// Where the road stands among those before: its own place, if it was there.
    std::uint32_t place_before(PartName name) const {
        const std::vector<std::uint32_t>& position = old_.order->position;
        const auto was_there = [&](std::uint32_t key) {
            return key < position.size() && position[key] != kNone;
        };
        // A new line stands before the first that is not new.
        PartName at = name;
        std::uint32_t p = revision_.position(name.line);
        while (!was_there(at.line)) {
            if (++p == revision_.order()->key.size()) {
                return static_cast<std::uint32_t>(old_.road.size());
            }
            at = {revision_.order()->key[p], 0};
        }
        const auto order = [&](PartName n) { return std::pair{position[n.line], n.ordinal}; };
        const auto found =
            std::lower_bound(old_.road.begin(), old_.road.end(), at,
                             [&](PartName a, PartName b) { return order(a) < order(b); });
        return static_cast<std::uint32_t>(found - old_.road.begin());
    }
    void plan() {
        std::uint32_t next = 0;
        std::size_t gone = 0;
        const auto stay_until = [&](std::uint32_t end) {
            while (next < end) {
                const std::uint32_t stop =
                    gone < roads_.dissolved.size() ? std::min(end, roads_.dissolved[gone]) : end;
                if (stop > next) runs_.push_back({false, next, stop});
                next = stop;
                if (gone < roads_.dissolved.size() && next == roads_.dissolved[gone] &&
                    next < end) {
                    ++next;
                    ++gone;
                }
            }
        };
        const bool whole = revision_.whole();
        twin_of_.assign(roads_.road.size(), kNone);
        for (std::uint32_t r = 0; r < roads_.road.size(); ++r) {
            const PartName name = roads_.road[r].name;
            const std::uint32_t at = whole ? 0 : place_before(name);
            if (at < old_.road.size() && old_.road[at] == name) twin_of_[r] = at;
            stay_until(at);
            if (!runs_.empty() && runs_.back().is_new) {
                runs_.back().end = r + 1;
            } else {
                runs_.push_back({true, r, r + 1});
            }
        }
        stay_until(static_cast<std::uint32_t>(old_.road.size()));
    }

    void take_roads() {
        const std::size_t most = old_.road.size() + roads_.road.size();
        trace_.road.reserve(most);
        id_.reserve(most);
        label_.reserve(most);
        attributes_.reserve(most);
        end_.reserve(2 * most);
        begin_.reserve(most + 1);
        begin_.push_back(0);
        std::size_t points = before_.point.size();
        for (const NewRoad& road : roads_.road) points += road.point.size();
        point_.reserve(points);
        changes_.road.reserve(most);
        for (const Run& run : runs_) {
            if (run.is_new) {
                for (std::uint32_t r = run.begin; r < run.end; ++r) add_road(r);
            } else {
                copy_roads(run);
            }
        }
        network_.id = IdArray<world::RoadTag, StableId>(std::move(id_));
        network_.label = IdArray<world::RoadTag, std::string>(std::move(label_));
        network_.attributes =
            IdArray<world::RoadTag, world::RoadAttributes>(std::move(attributes_));
        network_.point_begin = IdArray<world::RoadTag, std::uint32_t>(std::move(begin_));
        network_.point = IdArray<world::RoadPointTag, GridPoint>(std::move(point_));
    }
    template <class T>
    static void append(std::vector<T>& to, std::span<const T> from, std::size_t begin,
                       std::size_t end) {
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
                  from.begin() + static_cast<std::ptrdiff_t>(end));
    }
    void copy_roads(const Run& run) {
        append(trace_.road, std::span(old_.road), run.begin, run.end);
        append(id_, before_.id.span(), run.begin, run.end);
        append(label_, before_.label.span(), run.begin, run.end);
        append(attributes_, before_.attributes.span(), run.begin, run.end);
        const std::span<const std::uint32_t> begin = before_.point_begin.span();
        const auto shift = static_cast<std::uint32_t>(point_.size()) - begin[run.begin];
        append(point_, before_.point.span(), begin[run.begin], begin[run.end]);
        const std::size_t road = changes_.road.size(), count = run.end - run.begin;
        begin_.resize(road + 1 + count);
        end_.resize(2 * (road + count));
        changes_.road.resize(road + count);
        const std::span<const RoadNodeId> from = before_.from.span(), to = before_.to.span();
        for (std::uint32_t i = 0; i < count; ++i) {
            begin_[road + 1 + i] = begin[run.begin + i + 1] + shift;
            end_[2 * (road + i)] = from[run.begin + i].value();
            end_[2 * (road + i) + 1] = to[run.begin + i].value();
            changes_.road[road + i] = RoadId(run.begin + i);
        }
    }
    void add_road(std::uint32_t r) {
        const NewRoad& road = roads_.road[r];
        const LineTrace& line = revision_.now(road.name.line);
        // Lines of one label stand side by side, so their twins are counted without a table.
        if (r > 0 && roads_.road[r - 1].name.line != road.name.line) {
            const bool again = revision_.now(roads_.road[r - 1].name.line).label == line.label;
            twin_ = again ? twin_ + 1 : 0;
        }
        Hasher hasher;
        hasher.add(line.label).add(road.name.ordinal).add(twin_);
        trace_.road.push_back(road.name);
        id_.push_back(StableId(hasher.finish()));
        label_.push_back(line.label + "/" + (twin_ == 0 ? "" : std::to_string(twin_) + ".") +
                         std::to_string(road.name.ordinal));
        attributes_.push_back(line.attributes);
        append(point_, std::span(road.point), 0, road.point.size());
        begin_.push_back(static_cast<std::uint32_t>(point_.size()));
        new_at_.push_back(static_cast<std::uint32_t>(end_.size()));
        end_.insert(end_.end(), {kNone, kNone});
        const std::uint32_t old = twin_of_[r];
        const bool stayed = old != kNone && before_.attributes[RoadId(old)] == line.attributes &&
                            std::ranges::equal(before_.points(RoadId(old)), road.point);
        changes_.road.push_back(stayed ? RoadId(old) : RoadId());
    }

    /// Gives the ends of new roads the nodes that were in their places, else new ones.
    void find_places(const Touched& touched) {
        struct RoadEnd {
            NodePlace place;
            std::uint32_t at;  ///< in end_
        };
        std::vector<RoadEnd> ends;
        std::vector<GridPoint> points = touched.point;
        for (std::uint32_t r = 0; r < roads_.road.size(); ++r) {
            const NewRoad& road = roads_.road[r];
            ends.push_back({{road.from, road.from_place}, new_at_[r]});
            ends.push_back({{road.to, road.to_place}, new_at_[r] + 1});
            points.push_back(road.from);
            points.push_back(road.to);
        }
        if (!revision_.whole()) {
            looked_at_ = PointSet(std::move(points));
            for (const RoadNodeId n : before_.node_point.ids()) {
                const GridPoint p = before_.node_point[n];
                if (looked_at_.contains(p)) {
                    known_.push_back({{p, old_.node_place[n.index()]}, n.value()});
                }
            }
            std::sort(known_.begin(), known_.end(),
                      [](const Known& a, const Known& b) { return a.place < b.place; });
        } else {
            looked_at_ = PointSet::everything();
        }
        std::sort(ends.begin(), ends.end(), [](const RoadEnd& a, const RoadEnd& b) {
            return a.place == b.place ? a.at < b.at : a.place < b.place;
        });
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const bool again = i > 0 && ends[i].place == ends[i - 1].place;
            end_[ends[i].at] = again ? end_[ends[i - 1].at] : node_of(ends[i].place);
        }
    }
    std::uint32_t node_of(const NodePlace& place) {
        const auto at =
            std::lower_bound(known_.begin(), known_.end(), place,
                             [](const Known& k, const NodePlace& p) { return k.place < p; });
        if (at != known_.end() && at->place == place) return at->node;
        new_node_.push_back(place);
        return static_cast<std::uint32_t>(before_.node_count() + new_node_.size() - 1);
    }
    /// Of the places that are looked at: the least ties there.
    void find_ties() {
        for (const std::uint32_t key : revision_.near(looked_at_.near())) {
            const LineTrace& line = revision_.now(key);
            const Chain& chain = line.at(kFinal);
            for (std::size_t i = 0; i < chain.size(); ++i) {
                // All of a place stop there.
                if (!line.mark[i].stop || chain[i].tie == kNoTie) continue;
                if (!looked_at_.contains(chain[i].point)) continue;
                tie_.push_back({{chain[i].point, line.mark[i].place}, chain[i].tie});
            }
        }
        std::sort(tie_.begin(), tie_.end());
    }
    std::uint64_t tie_of(const NodePlace& place) const {
        const auto at = std::lower_bound(tie_.begin(), tie_.end(), PlaceTie{place, kNoTie});
        return at != tie_.end() && at->place == place ? at->tie : kNoTie;
    }
    /// Nodes are numbered as they first appear along the roads.
    void number_nodes() {
        const std::size_t most = before_.node_count() + new_node_.size();
        std::vector<RoadNodeId> number(most), from(end_.size() / 2), to(end_.size() / 2);
        node_.reserve(most);
        trace_.node_first.reserve(most);
        // Along the first roads that stayed nodes are numbered as before.
        const bool stays = !runs_.empty() && !runs_.front().is_new && runs_.front().begin == 0;
        const std::uint32_t roads = stays ? runs_.front().end : 0;
        const std::vector<std::uint32_t>& first = old_.node_first;
        kept_nodes_ = static_cast<std::size_t>(
            std::lower_bound(first.begin(), first.end(), 2 * roads) - first.begin());
        append(trace_.node_first, std::span(first), 0, kept_nodes_);
        for (std::uint32_t n = 0; n < kept_nodes_; ++n) {
            node_.push_back(n);
            number[n] = RoadNodeId(n);
        }
        std::copy_n(before_.from.span().begin(), roads, from.begin());
        std::copy_n(before_.to.span().begin(), roads, to.begin());
        for (std::uint32_t at = 2 * roads; at < end_.size(); ++at) {
            RoadNodeId& n = number[end_[at]];
            if (!n) {
                n = RoadNodeId::from_index(node_.size());
                node_.push_back(end_[at]);
                trace_.node_first.push_back(at);
            }
            (at % 2 == 0 ? from : to)[at / 2] = n;
        }
        network_.from = IdArray<world::RoadTag, RoadNodeId>(std::move(from));
        network_.to = IdArray<world::RoadTag, RoadNodeId>(std::move(to));
    }
    void take_nodes() {
        const std::size_t count = node_.size();
        std::vector<GridPoint> point(count);
        std::vector<StableId> id(count);
        trace_.node_place.resize(count);
        trace_.node_tie.resize(count);
        changes_.node.resize(count);
        const std::span<const GridPoint> old_point = before_.node_point.span();
        const std::span<const StableId> old_id = before_.node_id.span();
        std::copy_n(old_point.begin(), kept_nodes_, point.begin());
        std::copy_n(old_id.begin(), kept_nodes_, id.begin());
        std::copy_n(old_.node_place.begin(), kept_nodes_, trace_.node_place.begin());
        std::copy_n(old_.node_tie.begin(), kept_nodes_, trace_.node_tie.begin());
        for (std::uint32_t n = 0; n < kept_nodes_; ++n) changes_.node[n] = RoadNodeId(n);
        const auto take = [&](std::size_t n) {
            const std::uint32_t node = node_[n], first = trace_.node_first[n];
            const RoadId road(first / 2), road_before = changes_.road[road.index()];
            const bool known = node < old_point.size();
            const NodePlace place = known ? NodePlace{old_point[node], old_.node_place[node]}
                                          : new_node_[node - old_point.size()];
            const bool look = !known || looked_at_.contains(place.point);
            const std::uint64_t tie = look ? tie_of(place) : old_.node_tie[node];
            const bool same_name =
                known && tie == old_.node_tie[node] &&
                (tie != kNoTie ||
                 (road_before && 2 * road_before.value() + first % 2 == old_.node_first[node]));
            point[n] = place.point;
            id[n] = same_name       ? old_id[node]
                    : tie != kNoTie ? StableId(tie)
                                    : node_hash(network_.id[road], first % 2);
            trace_.node_place[n] = place.place;
            trace_.node_tie[n] = tie;
            changes_.node[n] =
                known && old_id[node] == id[n] ? RoadNodeId(node) : same_node(place.point, id[n]);
        };
        for (const Known& known : known_) {
            if (known.node < kept_nodes_) take(known.node);
        }
        for (std::size_t n = kept_nodes_; n < count; ++n) take(n);
        network_.node_point = IdArray<world::RoadNodeTag, GridPoint>(std::move(point));
        network_.node_id = IdArray<world::RoadNodeTag, StableId>(std::move(id));
    }
    /// The node with this point and id that was in another place of the point.
    RoadNodeId same_node(GridPoint point, StableId id) const {
        auto at = std::lower_bound(known_.begin(), known_.end(), point,
                                   [](const Known& k, GridPoint p) { return k.place.point < p; });
        for (; at != known_.end() && at->place.point == point; ++at) {
            if (before_.node_id[RoadNodeId(at->node)] == id) return RoadNodeId(at->node);
        }
        return {};
    }

    struct Known {
        NodePlace place;
        std::uint32_t node;
    };

    const RoadNetwork& before_;
    const Revision& revision_;
    const NetworkTrace& old_;
    const NewRoads& roads_;
    NetworkTrace& trace_;
    world::NetworkChanges& changes_;
    RoadNetwork network_;
    std::vector<Run> runs_;
    std::vector<std::uint32_t> twin_of_;  ///< by new road: the road before of this name
    std::uint32_t twin_ = 0;              ///< lines of the same label before the last one
    std::vector<StableId> id_;
    std::vector<std::string> label_;
    std::vector<world::RoadAttributes> attributes_;
    std::vector<std::uint32_t> begin_;
    std::vector<GridPoint> point_;
    std::vector<std::uint32_t> end_;  ///< front and back of each road: nodes before, then new ones
    std::vector<std::uint32_t> new_at_;  ///< by new road: its front in end_
    PointSet looked_at_;
    std::vector<Known> known_;  ///< nodes before where one looks, by place
    std::vector<NodePlace> new_node_;
    std::vector<PlaceTie> tie_;
    std::size_t kept_nodes_ = 0;       ///< that are numbered as before
    std::vector<std::uint32_t> node_;  ///< by node now: the one before, or a new one
};

}  // namespace

RoadNetwork assemble(const RoadNetwork& before, const Revision& revision, const Touched& touched,
                     const NewRoads& roads, NetworkTrace& trace, world::NetworkChanges& changes) {
    return Assembly(before, revision, roads, trace, changes).run(touched);
}

}  // namespace tw::roads
