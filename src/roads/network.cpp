#include "terraway/roads/network.hpp"

#include "terraway/core/option_range.hpp"

#include "working_lines.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace tw::roads {
namespace {

using world::Oneway;
using world::RoadAttributes;
using world::RoadId;
using world::RoadNetwork;
using world::RoadNodeId;

/// A part of a line between two nodes.
struct Part {
    std::uint32_t line, ordinal;
    std::uint32_t from, to;  ///< groups
    std::vector<GridPoint> points;
};

/// Vertices that are one place: equal point and level, or an equal tie.
class Places {
public:
    explicit Places(const std::vector<WorkingLine>& lines) {
        struct At {
            GridPoint point;
            std::int32_t level;
            std::uint32_t tie, index;
        };
        std::vector<At> all;
        for (const WorkingLine& line : lines) {
            first_.push_back(static_cast<std::uint32_t>(all.size()));
            for (const Vertex& v : line.vertex) {
                all.push_back({v.point, line.attributes.level, v.tie,
                               static_cast<std::uint32_t>(all.size())});
            }
        }
        DisjointSets sets(all.size());
        const auto join_equal = [&](auto key, auto use) {
            std::sort(all.begin(), all.end(), [&](const At& a, const At& b) {
                return key(a) != key(b) ? key(a) < key(b) : a.index < b.index;
            });
            for (std::size_t i = 0; i + 1 < all.size(); ++i) {
                if (use(all[i]) && key(all[i]) == key(all[i + 1])) {
                    sets.join(all[i].index, all[i + 1].index);
                }
            }
        };
        join_equal([](const At& a) { return std::tuple{a.point, a.level}; },
                   [](const At&) { return true; });
        join_equal([](const At& a) { return std::tuple{a.tie, a.point}; },
                   [](const At& a) { return a.tie != kNoTie; });
        place_.resize(all.size());
        tie_.assign(all.size(), kNoTie);
        for (const At& at : all) {
            place_[at.index] = sets.find(at.index);
            std::uint32_t& tie = tie_[place_[at.index]];
            tie = std::min(tie, at.tie);
        }
    }
    std::uint32_t of(std::size_t line, std::size_t vertex) const {
        return place_[first_[line] + vertex];
    }
    std::uint32_t tie(std::uint32_t place) const { return tie_[place]; }
    std::size_t size() const { return place_.size(); }

private:
    std::vector<std::uint32_t> first_, place_, tie_;
};

/// For every segment of every line: does it stand there for the first time? Of two roads along the
/// same segment the wider is kept, then the more important, then the first.
std::vector<std::vector<std::uint8_t>> kept_segments(const std::vector<WorkingLine>& lines,
                                                     const Places& places) {
    struct Stretch {
        std::uint32_t lo, hi;
        Steps narrower;
        world::RoadClass road_class;
        std::uint32_t line, index;
        auto ends() const { return std::tuple{lo, hi}; }
        auto order() const { return std::tuple{lo, hi, narrower, road_class, line, index}; }
    };
    std::vector<Stretch> all;
    std::vector<std::vector<std::uint8_t>> kept(lines.size());
    for (std::uint32_t l = 0; l < lines.size(); ++l) {
        kept[l].assign(lines[l].vertex.size() - 1, 0);
        for (std::uint32_t i = 0; i < kept[l].size(); ++i) {
            const std::uint32_t a = places.of(l, i), b = places.of(l, i + 1);
            if (a == b) continue;
            all.push_back({std::min(a, b), std::max(a, b), -lines[l].attributes.width,
                           lines[l].attributes.road_class, l, i});
        }
    }
    std::sort(all.begin(), all.end(),
              [](const Stretch& a, const Stretch& b) { return a.order() < b.order(); });
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0 && all[i].ends() == all[i - 1].ends()) continue;
        kept[all[i].line][all[i].index] = 1;
    }
    return kept;
}

/// Cuts lines into parts at places that are more than the inside of one line.
std::vector<Part> cut_into_parts(const std::vector<WorkingLine>& lines, const Places& places) {
    const std::vector<std::vector<std::uint8_t>> kept = kept_segments(lines, places);
    std::vector<std::uint32_t> meets(places.size(), 0);
    std::vector<std::uint8_t> is_node(places.size(), 0);
    for (std::size_t l = 0; l < lines.size(); ++l) {
        for (std::size_t i = 0; i < kept[l].size(); ++i) {
            if (!kept[l][i]) continue;
            ++meets[places.of(l, i)];
            ++meets[places.of(l, i + 1)];
            if (i == 0 || !kept[l][i - 1]) is_node[places.of(l, i)] = 1;
            if (i + 1 == kept[l].size() || !kept[l][i + 1]) is_node[places.of(l, i + 1)] = 1;
        }
    }
    std::vector<Part> parts;
    for (std::uint32_t l = 0; l < lines.size(); ++l) {
        std::uint32_t ordinal = 0;
        bool open = false;
        for (std::size_t i = 0; i < kept[l].size(); ++i) {
            if (!kept[l][i]) {
                open = false;
                continue;
            }
            if (!open) {
                parts.push_back({l, ordinal++, places.of(l, i), 0, {lines[l].vertex[i].point}});
            }
            const std::uint32_t end = places.of(l, i + 1);
            parts.back().points.push_back(lines[l].vertex[i + 1].point);
            parts.back().to = end;
            open = !is_node[end] && meets[end] == 2;
        }
    }
    return parts;
}

Oneway turned(Oneway oneway) {
    return oneway == Oneway::no      ? Oneway::no
           : oneway == Oneway::along ? Oneway::against
                                     : Oneway::along;
}

/// Strings parts together through nodes where nothing else meets and nothing changes.
class Chains {
public:
    Chains(std::vector<Part> parts, const std::vector<WorkingLine>& lines, std::size_t places)
        : parts_(std::move(parts)), lines_(lines), ends_(places), done_(parts_.size(), 0) {
        for (std::uint32_t p = 0; p < parts_.size(); ++p) {
            add_end(parts_[p].from, {p, 0});
            add_end(parts_[p].to, {p, 1});
        }
    }
    std::vector<Part> merged() {
        std::vector<Part> out;
        for (std::uint32_t p = 0; p < parts_.size(); ++p) {
            if (!done_[p]) out.push_back(chain_through(p));
        }
        return out;
    }

private:
    struct PartEnd {
        std::uint32_t part;
        std::uint32_t at_back;
        friend bool operator==(const PartEnd&, const PartEnd&) = default;
    };
    struct PlaceEnds {
        std::uint32_t count = 0;
        std::array<PartEnd, 2> end{};
    };
    void add_end(std::uint32_t place, PartEnd end) {
        PlaceEnds& at = ends_[place];
        if (at.count < 2) at.end[at.count] = end;
        ++at.count;
    }
    std::uint32_t place_at(PartEnd end) const {
        return end.at_back ? parts_[end.part].to : parts_[end.part].from;
    }
    /// The part's attributes as a traveller leaving it through `end` sees them.
    RoadAttributes leaving(PartEnd end) const {
        RoadAttributes attributes = lines_[parts_[end.part].line].attributes;
        if (!end.at_back) attributes.oneway = turned(attributes.oneway);
        return attributes;
    }
    /// Where the road goes on behind `end`, if nothing else meets there and nothing changes.
    bool next(PartEnd end, PartEnd& entered) const {
        const PlaceEnds& at = ends_[place_at(end)];
        if (at.count != 2) return false;
        entered = at.end[0] == end ? at.end[1] : at.end[0];
        if (entered.part == end.part) return false;
        const PartEnd out{entered.part, entered.at_back ? 0u : 1u};
        return leaving(out) == leaving(end);
    }
    void append(Part& chain, PartEnd entered) {
        done_[entered.part] = 1;
        Part& part = parts_[entered.part];
        if (entered.at_back) {
            chain.points.insert(chain.points.end(), part.points.rbegin() + 1, part.points.rend());
        } else {
            chain.points.insert(chain.points.end(), part.points.begin() + 1, part.points.end());
        }
        chain.to = place_at({entered.part, entered.at_back ? 0u : 1u});
    }
    /// The first part of a chain, in canonical order, gives it its name and direction.
    Part chain_through(std::uint32_t p) {
        PartEnd start{p, 0}, entered{};
        while (next(start, entered) && entered.part != p) {
            start = {entered.part, entered.at_back ? 0u : 1u};
        }
        const bool ring = next(start, entered);
        if (ring) start = {p, 0};
        Part chain{parts_[p].line, parts_[p].ordinal, place_at(start), 0, {}};
        const Part& first = parts_[start.part];
        chain.points.push_back(start.at_back ? first.points.back() : first.points.front());
        append(chain, start);
        PartEnd end{start.part, start.at_back ? 0u : 1u};
        while (next(end, entered) && !done_[entered.part]) {
            append(chain, entered);
            end = {entered.part, entered.at_back ? 0u : 1u};
        }
        return chain;
    }

    std::vector<Part> parts_;
    const std::vector<WorkingLine>& lines_;
    std::vector<PlaceEnds> ends_;
    std::vector<std::uint8_t> done_;
};

StableId part_id(const Part& part, const std::vector<WorkingLine>& lines, std::uint32_t twin) {
    Hasher hasher;
    hasher.add(lines[part.line].label).add(part.ordinal).add(twin);
    return StableId(hasher.finish());
}

RoadNetwork assemble(const std::vector<Part>& parts, const WorkingLines& work,
                     const Places& places) {
    RoadNetwork network;
    network.point_begin.push_back(0);
    std::vector<RoadNodeId> node_of(places.size());
    const auto node_at = [&](std::uint32_t place, GridPoint point, StableId road,
                             std::uint32_t end) {
        if (node_of[place]) return node_of[place];
        node_of[place] = network.node_point.push_back(point);
        const std::uint32_t tie = places.tie(place);
        Hasher hasher;
        hasher.add(road).add(end);
        network.node_id.push_back(
            StableId(tie != kNoTie ? work.source_node[tie] : hasher.finish()));
        return node_of[place];
    };
    // Lines of one label stand side by side, so their twins are counted without a table.
    std::uint32_t twin = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        const std::string& label = work.line[part.line].label;
        if (i > 0 && parts[i - 1].line != part.line) {
            twin = work.line[parts[i - 1].line].label == label ? twin + 1 : 0;
        }
        const StableId id = part_id(part, work.line, twin);
        network.id.push_back(id);
        network.label.push_back(label + "/" + (twin == 0 ? "" : std::to_string(twin) + ".") +
                                std::to_string(part.ordinal));
        network.attributes.push_back(work.line[part.line].attributes);
        network.from.push_back(node_at(part.from, part.points.front(), id, 0));
        network.to.push_back(node_at(part.to, part.points.back(), id, 1));
        for (const GridPoint point : part.points) network.point.push_back(point);
        network.point_begin.push_back(static_cast<std::uint32_t>(network.point.size()));
    }
    return network;
}

}  // namespace

Result<RoadNetwork> build_network(const world::RoadLines& lines, const NetworkOptions& options,
                                  StageContext& ctx) {
    TW_TRY(require_range(kStage, "join", options.join, 0.0, 50.0));
    TW_TRY(require_memory(ctx, kStage, lines.point.size() * 400));
    TW_ASSIGN(WorkingLines work, prepare_lines(lines));
    DisjointSets ties(work.source_node.size());
    TW_TRY(node_lines(work.line, ctx));
    ctx.progress.set(0.4);
    if (join_ends(work.line, to_steps(options.join))) {
        drop_doubled_points(work.line, ties);
        TW_TRY(node_lines(work.line, ctx));
    }
    ctx.progress.set(0.8);
    const Places places(work.line);
    std::vector<Part> parts =
        Chains(cut_into_parts(work.line, places), work.line, places.size()).merged();
    RoadNetwork network = assemble(parts, work, places);
    ctx.progress.set(1.0);
    return network;
}

}  // namespace tw::roads
