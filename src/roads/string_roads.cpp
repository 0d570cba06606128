#include "revision.hpp"

#include <algorithm>
#include <tuple>

namespace tw::roads {
namespace {

/// A part that is strung together anew.
struct Loose {
    PartName name;
    std::uint32_t position;    ///< of its line
    std::uint32_t begin, end;  ///< vertices of its line
};

/// An end of a loose part; `at_back` is 0 or 1.
struct PartEnd {
    std::uint32_t part, at_back;
};
PartEnd other_end(PartEnd end) {
    return {end.part, 1 - end.at_back};
}

/// Cuts the line where its marks say.
std::vector<Part> cut(std::span<const Mark> marks) {
    std::vector<Part> parts;
    bool open = false;
    for (std::uint32_t i = 0; i + 1 < marks.size(); ++i) {
        if (!marks[i].kept) {
            open = false;
            continue;
        }
        if (!open) parts.push_back({.begin = i, .end = i, .road = {}, .member = {}});
        parts.back().end = i + 1;
        open = !marks[i + 1].stop;
    }
    return parts;
}

class Stringer {
public:
    explicit Stringer(Revision& revision) : revision_(revision) {}

    NewRoads run(const Touched& touched) {
        loosen(touched);
        find_partners();
        for (std::uint32_t p = 0; p < loose_.size(); ++p) {
            if (!done_[p]) string_through(p);
        }
        return std::move(out_);
    }

private:
    const Part& part_before(PartName name) const {
        return revision_.was(name.line).part[name.ordinal];
    }
    std::uint32_t road_before(PartName name) const {
        const NetworkTrace& before = revision_.before();
        const auto order = [&](PartName n) {
            return std::pair{before.order->position[n.line], n.ordinal};
        };
        const auto at =
            std::lower_bound(before.road.begin(), before.road.end(), name,
                             [&](PartName a, PartName b) { return order(a) < order(b); });
        return static_cast<std::uint32_t>(at - before.road.begin());
    }
    /// The parts of touched lines, and all parts of the roads that theirs belonged to.
    void loosen(const Touched& touched) {
        std::vector<PartName> roads;
        std::vector<std::uint8_t> is_touched(revision_.key_count(), 0);
        for (const std::uint32_t line : touched.line) {
            is_touched[line] = 1;
            for (const Part& part : revision_.was(line).part) roads.push_back(part.road);
            std::vector<Part> parts = cut(revision_.now(line).mark);
            for (std::uint32_t i = 0; i < parts.size(); ++i) add({line, i}, parts[i]);
            revision_.edit(line, kFinal).part = std::move(parts);
        }
        std::sort(roads.begin(), roads.end());
        roads.erase(std::unique(roads.begin(), roads.end()), roads.end());
        for (const PartName road : roads) {
            out_.dissolved.push_back(road_before(road));
            out_.twins = out_.twins || revision_.was(road.line).twin;
            const Part& first = part_before(road);
            const std::vector<PartName> alone{road};
            for (const PartName name : first.member.empty() ? alone : first.member) {
                if (!is_touched[name.line]) add(name, part_before(name));
            }
        }
        std::sort(out_.dissolved.begin(), out_.dissolved.end());
        const auto order = [](const Loose& l) { return std::pair{l.position, l.name.ordinal}; };
        const auto before = [&](const Loose& a, const Loose& b) { return order(a) < order(b); };
        if (!std::is_sorted(loose_.begin(), loose_.end(), before)) {
            std::sort(loose_.begin(), loose_.end(), before);
        }
        done_.assign(loose_.size(), 0);
    }
    void add(PartName name, const Part& part) {
        loose_.push_back({name, revision_.position(name.line), part.begin, part.end});
    }

    std::uint32_t vertex_at(PartEnd end) const {
        const Loose& part = loose_[end.part];
        return end.at_back ? part.end : part.begin;
    }
    const LineTrace& line_of(PartEnd end) const {
        return revision_.now(loose_[end.part].name.line);
    }
    const Mark& mark_at(PartEnd end) const { return line_of(end).mark[vertex_at(end)]; }
    GridPoint point_at(PartEnd end) const { return line_of(end).at(kFinal)[vertex_at(end)].point; }

    /// Of the ends where roads go on, two and two are in one place.
    void find_partners() {
        struct At {
            GridPoint point;
            std::int8_t place;
            PartEnd end;
            auto key() const { return std::tuple{point, place}; }
        };
        std::vector<At> all;
        for (std::uint32_t p = 0; p < loose_.size(); ++p) {
            for (const std::uint32_t at_back : {0u, 1u}) {
                const PartEnd end{p, at_back};
                const Mark& mark = mark_at(end);
                if (mark.chained) all.push_back({point_at(end), mark.place, end});
            }
        }
        std::sort(all.begin(), all.end(), [](const At& a, const At& b) {
            return std::tuple{a.key(), a.end.part, a.end.at_back} <
                   std::tuple{b.key(), b.end.part, b.end.at_back};
        });
        partner_.assign(2 * loose_.size(), PartEnd{kNone, 0});
        for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
            partner_[slot(all[i].end)] = all[i + 1].end;
            partner_[slot(all[i + 1].end)] = all[i].end;
        }
    }
    static std::size_t slot(PartEnd end) { return 2 * std::size_t{end.part} + end.at_back; }
    /// Where the road goes on behind `end`.
    bool next(PartEnd end, PartEnd& entered) const {
        entered = partner_[slot(end)];
        return entered.part != kNone && entered.part != end.part;
    }

    void append(NewRoad& road, PartEnd entered) {
        done_[entered.part] = 1;
        member_.push_back(loose_[entered.part].name);
        const Chain& chain = line_of(entered).at(kFinal);
        const std::uint32_t begin = loose_[entered.part].begin, end = loose_[entered.part].end;
        if (entered.at_back) {
            for (std::uint32_t i = end; i-- > begin;) road.point.push_back(chain[i].point);
        } else {
            for (std::uint32_t i = begin + 1; i <= end; ++i) road.point.push_back(chain[i].point);
        }
    }
    /// The first part of a road, in the order of lines, gives it its name and direction.
    void string_through(std::uint32_t p) {
        PartEnd start{p, 0}, entered{};
        while (next(start, entered) && entered.part != p) start = other_end(entered);
        if (next(start, entered)) start = {p, 0};  // a ring
        NewRoad& road = out_.road.emplace_back();
        road.name = loose_[p].name;
        road.from = point_at(start);
        road.from_place = mark_at(start).place;
        road.point.push_back(road.from);
        member_.clear();
        append(road, start);
        PartEnd end = other_end(start);
        while (next(end, entered) && !done_[entered.part]) {
            append(road, entered);
            end = other_end(entered);
        }
        road.to = point_at(end);
        road.to_place = mark_at(end).place;
        out_.twins = out_.twins || revision_.now(road.name.line).twin;
        for (const PartName name : member_) part_now(name).road = road.name;
        Part& first = part_now(road.name);
        first.member.clear();
        if (member_.size() > 1) first.member = member_;
    }
    Part& part_now(PartName name) { return revision_.edit(name.line, kFinal).part[name.ordinal]; }

    Revision& revision_;
    std::vector<Loose> loose_;      ///< in the order of lines
    std::vector<PartEnd> partner_;  ///< by part and end
    std::vector<std::uint8_t> done_;
    std::vector<PartName> member_;
    NewRoads out_;
};

}  // namespace

NewRoads string_roads(Revision& revision, const Touched& touched) {
    return Stringer(revision).run(touched);
}

}  // namespace tw::roads
