#include "point_set.hpp"
#include "revision.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace tw::roads {
namespace {

using world::Oneway;
using world::RoadAttributes;

Oneway turned(Oneway oneway) {
    return oneway == Oneway::no      ? Oneway::no
           : oneway == Oneway::along ? Oneway::against
                                     : Oneway::along;
}

/// Marks the vertices about which something changed. `other_` are points of which a vertex, or a
/// neighbour of one, came, went or changed: their places and segments are looked at anew. With the
/// points next to those (`around_`), stops are found: nothing further away can change.
class Marker {
public:
    explicit Marker(Revision& revision) : revision_(revision) {}

    Touched run() {
        find_other_points();
        find_points_around();
        gather();
        find_places();
        keep_segments();
        find_stops();
        return write();
    }

private:
    struct Visit {
        std::uint32_t line, index;
    };
    /// A line with visited vertices.
    struct Visited {
        std::uint32_t line;
        std::size_t mark;  ///< of its first vertex in mark_
    };

    bool same_attributes(std::uint32_t key) const {
        return revision_.was(key).attributes == revision_.now(key).attributes;
    }
    Common common(std::uint32_t key) const {
        return same_attributes(key) ? revision_.common(key, kFinal) : Common{};
    }
    /// False if the line has nothing to say, as before, or says the same.
    bool is_other(std::uint32_t key) const {
        const Chain &a = revision_.was(key).at(kFinal), &b = revision_.now(key).at(kFinal);
        return !(a.empty() && b.empty()) && !common(key).all;
    }
    static void add_points(const Chain& chain, const Common& common,
                           std::vector<GridPoint>& points) {
        const std::size_t begin = common.front == 0 ? 0 : common.front - 1;
        for (std::size_t i = begin; i < chain.size() && i + common.back <= chain.size(); ++i) {
            points.push_back(chain[i].point);
        }
    }
    void find_other_points() {
        for (const std::uint32_t key : revision_.edited()) {
            if (is_other(key)) other_line_.push_back(key);
        }
        if (revision_.whole()) {
            other_ = PointSet::everything();
            return;
        }
        std::vector<GridPoint> points;
        for (const std::uint32_t key : other_line_) {
            const Common equal = common(key);
            add_points(revision_.was(key).at(kFinal), equal, points);
            add_points(revision_.now(key).at(kFinal), equal, points);
        }
        other_ = PointSet(std::move(points));
    }
    void find_points_around() {
        if (revision_.whole()) {
            around_ = PointSet::everything();
            return;
        }
        std::vector<GridPoint> points = other_.points();
        for (const std::uint32_t key : revision_.near(other_.near())) {
            const Chain& chain = revision_.now(key).at(kFinal);
            for (std::size_t i = 0; i < chain.size(); ++i) {
                if (!other_.contains(chain[i].point)) continue;
                if (i > 0) points.push_back(chain[i - 1].point);
                if (i + 1 < chain.size()) points.push_back(chain[i + 1].point);
            }
        }
        around_ = PointSet(std::move(points));
    }
    /// The vertices of `around_`, in the order of lines, and the marks of their lines as they were.
    void gather() {
        for (const std::uint32_t key : revision_.near(around_.near())) {
            const Chain& chain = revision_.now(key).at(kFinal);
            const std::size_t first = visit_.size();
            for (std::uint32_t i = 0; i < chain.size(); ++i) {
                if (around_.contains(chain[i].point)) visit_.push_back({key, i});
            }
            if (visit_.size() == first) continue;
            visited_.push_back({key, mark_.size()});
            visited_of_visit_.resize(visit_.size(), visited_.size() - 1);
            const LineTrace& was = revision_.was(key);
            const Common equal = common(key);
            for (std::size_t i = 0; i < chain.size(); ++i) {
                const std::uint32_t old = equal.before(i, was.mark.size(), chain.size());
                mark_.push_back(old == kNone ? Mark{} : was.mark[old]);
                if (equal.segment_before(i, was.mark.size(), chain.size()) == kNone) {
                    mark_.back().kept = false;
                }
            }
        }
    }
    const Visited& line_of(std::size_t visit) const { return visited_[visited_of_visit_[visit]]; }
    Mark& mark(std::size_t visit) { return mark_[line_of(visit).mark + visit_[visit].index]; }
    const Vertex& vertex(std::size_t visit) const {
        return revision_.now(visit_[visit].line).at(kFinal)[visit_[visit].index];
    }
    const RoadAttributes& attributes(std::size_t visit) const {
        return revision_.now(visit_[visit].line).attributes;
    }

    struct At {
        std::uint64_t point;  ///< as order_key() has it
        std::int8_t level;
        std::uint64_t tie;
        std::uint32_t visit;
    };
    /// Vertices are one place if their points are equal, and their levels or ties.
    void find_places() {
        at_.reserve(visit_.size());
        for (std::size_t l = 0, visit = 0; l < visited_.size(); ++l) {
            const LineTrace& line = revision_.now(visited_[l].line);
            const Chain& chain = line.at(kFinal);
            for (; visit < visit_.size() && visited_of_visit_[visit] == l; ++visit) {
                const Vertex& v = chain[visit_[visit].index];
                at_.push_back({order_key(v.point), line.attributes.level, v.tie,
                               static_cast<std::uint32_t>(visit)});
            }
        }
        std::sort(at_.begin(), at_.end(), [](const At& a, const At& b) {
            return a.point != b.point ? a.point < b.point : a.visit < b.visit;
        });
        place_.resize(visit_.size());
        for (std::size_t begin = 0; begin < at_.size();) {
            std::size_t end = begin + 1;
            while (end < at_.size() && at_[end].point == at_[begin].point) ++end;
            find_places_at(std::span(at_).subspan(begin, end - begin));
            begin = end;
        }
    }
    void find_places_at(std::span<const At> at) {
        const auto one_level = [&](const At& a) { return a.level == at.front().level; };
        if (std::all_of(at.begin(), at.end(), one_level)) {
            for (const At& a : at) place_[a.visit] = {at.front().visit, at.front().level};
        } else {
            find_mixed_places(at);
        }
        for (const At& a : at) mark(a.visit).place = place_[a.visit].level;
    }
    /// Levels that a tie joins, from the lowest up.
    void find_mixed_places(std::span<const At> at) {
        std::array<std::uint8_t, 256> joined{};  // to which lower level, by level
        const auto slot = [](std::int8_t level) { return static_cast<std::uint8_t>(level + 128); };
        for (std::size_t i = 0; i < joined.size(); ++i) joined[i] = static_cast<std::uint8_t>(i);
        const auto root = [&](std::uint8_t s) {
            while (joined[s] != s) s = joined[s];
            return s;
        };
        std::vector<std::pair<std::uint64_t, std::uint8_t>> ties;
        for (const At& a : at) {
            if (a.tie != kNoTie) ties.emplace_back(a.tie, slot(a.level));
        }
        std::sort(ties.begin(), ties.end());
        for (std::size_t i = 1; i < ties.size(); ++i) {
            if (ties[i].first != ties[i - 1].first) continue;
            const std::uint8_t a = root(ties[i].second), b = root(ties[i - 1].second);
            joined[std::max(a, b)] = std::min(a, b);
        }
        std::array<std::uint32_t, 256> first{};
        first.fill(kNone);
        for (const At& a : at) {
            const std::uint8_t s = root(slot(a.level));
            if (first[s] == kNone) first[s] = a.visit;
            place_[a.visit] = {first[s], static_cast<std::int8_t>(int{s} - 128)};
        }
    }

    /// Of two roads along the same segment the wider is kept, then the more important, then the
    /// first.
    void keep_segments() {
        struct Stretch {
            std::uint32_t lo, hi;
            Steps narrower;
            world::RoadClass road_class;
            std::uint32_t visit;  ///< ascending by line and index
            auto ends() const { return std::tuple{lo, hi}; }
            auto order() const { return std::tuple{lo, hi, narrower, road_class, visit}; }
        };
        std::vector<Stretch> all;
        all.reserve(visit_.size());
        for (std::uint32_t v = 0; v < visit_.size(); ++v) {
            Mark& m = mark(v);
            const bool follows = v + 1 < visit_.size() && visit_[v + 1].line == visit_[v].line &&
                                 visit_[v + 1].index == visit_[v].index + 1;
            if (!follows) continue;
            if (!other_.contains(vertex(v).point) && !other_.contains(vertex(v + 1).point))
                continue;
            m.kept = false;
            const std::uint32_t a = place_[v].first, b = place_[v + 1].first;
            all.push_back({std::min(a, b), std::max(a, b), -attributes(v).width,
                           attributes(v).road_class, v});
        }
        std::sort(all.begin(), all.end(),
                  [](const Stretch& a, const Stretch& b) { return a.order() < b.order(); });
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i > 0 && all[i].ends() == all[i - 1].ends()) continue;
            mark(all[i].visit).kept = true;
        }
    }
    bool kept_before(std::size_t visit) const {
        const std::uint32_t i = visit_[visit].index;
        return i > 0 && mark_[line_of(visit).mark + i - 1].kept;
    }
    bool kept_after(std::size_t visit) const {
        return mark_[line_of(visit).mark + visit_[visit].index].kept;
    }
    /// Parts stop at places that are more than the inside of one line.
    void find_stops() {
        struct Place {
            std::uint32_t meets = 0;
            bool is_node = false;
            std::uint32_t end[2] = {kNone, kNone};  ///< visits where kept segments begin or end
        };
        std::vector<Place> places(visit_.size());
        for (std::uint32_t v = 0; v < visit_.size(); ++v) {
            Place& place = places[place_[v].first];
            const bool before = kept_before(v), after = kept_after(v);
            place.meets += std::uint32_t{before} + std::uint32_t{after};
            if (before == after) continue;
            place.is_node = true;
            (place.end[0] == kNone ? place.end[0] : place.end[1]) = v;
        }
        for (std::uint32_t v = 0; v < visit_.size(); ++v) {
            const Place& place = places[place_[v].first];
            Mark& m = mark(v);
            m.stop = place.is_node || place.meets != 2;
            const bool is_end = v == place.end[0] || v == place.end[1];
            m.chained = place.meets == 2 && is_end && goes_on(place.end[0], place.end[1]);
        }
    }
    /// The line's attributes as a traveller who leaves it sees them.
    RoadAttributes leaving(std::uint32_t visit) const {
        RoadAttributes a = attributes(visit);
        if (kept_after(visit)) a.oneway = turned(a.oneway);
        return a;
    }
    /// True if nothing changes where the two ends meet.
    bool goes_on(std::uint32_t a, std::uint32_t b) const {
        RoadAttributes entered = leaving(b);
        entered.oneway = turned(entered.oneway);
        return leaving(a) == entered;
    }

    Touched write() {
        Touched touched{.line = other_line_, .point = other_.points()};
        std::sort(touched.line.begin(), touched.line.end());
        const std::size_t others = touched.line.size();
        for (std::size_t l = 0; l < visited_.size(); ++l) {
            const std::uint32_t key = visited_[l].line;
            const std::size_t size = revision_.now(key).at(kFinal).size();
            const auto begin = mark_.begin() + static_cast<std::ptrdiff_t>(visited_[l].mark);
            const auto end = begin + static_cast<std::ptrdiff_t>(size);
            const std::vector<Mark>& was = revision_.was(key).mark;
            const bool equal = std::equal(begin, end, was.begin(), was.end());
            const bool other =
                std::binary_search(touched.line.begin(),
                                   touched.line.begin() + static_cast<std::ptrdiff_t>(others), key);
            if (equal && !other) continue;
            revision_.edit(key, kFinal).mark.assign(begin, end);
            if (!other) touched.line.push_back(key);
        }
        for (const std::uint32_t key : other_line_) {
            if (revision_.now(key).at(kFinal).empty()) revision_.edit(key, kFinal).mark.clear();
        }
        return touched;
    }

    Revision& revision_;
    std::vector<std::uint32_t> other_line_;
    PointSet other_, around_;
    std::vector<Visit> visit_;
    std::vector<std::size_t> visited_of_visit_;
    std::vector<Visited> visited_;
    std::vector<Mark> mark_;
    std::vector<At> at_;
    struct PlaceOf {
        std::uint32_t first = 0;  ///< visit of the place
        std::int8_t level = 0;
    };
    std::vector<PlaceOf> place_;  ///< by visit
};

}  // namespace

Touched mark_lines(Revision& revision) {
    return Marker(revision).run();
}

}  // namespace tw::roads
