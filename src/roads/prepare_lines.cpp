#include "working_lines.hpp"

#include <algorithm>
#include <tuple>

namespace tw::roads {
namespace {

using world::RoadAttributes;
using world::RoadId;
using world::RoadLines;

auto rank_of(const RoadAttributes& a) {
    return std::tuple{a.width, a.level, a.road_class, a.form, a.oneway};
}

Status check(const RoadLines& lines) {
    const auto bad = [](Subject subject, std::string message) {
        return Error{ErrorCode::invalid_input, std::string(kStage), std::move(subject),
                     std::move(message)};
    };
    const std::size_t count = lines.label.size();
    if (lines.attributes.size() != count || lines.point_begin.size() != count + 1 ||
        lines.node.size() != lines.point.size() || lines.point_begin[RoadId(0)] != 0 ||
        lines.point_begin[RoadId::from_index(count)] != lines.point.size()) {
        return bad({}, "the arrays of the lines do not fit each other; import the file again");
    }
    for (const RoadId line : lines.label.ids()) {
        if (lines.point_begin[RoadId(line.value() + 1)] < lines.point_begin[line]) {
            return bad(lines.label[line], "the points are out of order; import the file again");
        }
        if (lines.attributes[line].width <= 0) {
            return bad(lines.label[line], "the width is not above zero; give one");
        }
    }
    for (const auto p : lines.point.ids()) {
        if (!on_grid(lines.point[p])) return bad(p, "a point is off the grid; move the roads");
    }
    return ok_status();
}

/// Lines by label, then by everything else that tells them apart.
std::vector<RoadId> canonical_order(const RoadLines& lines) {
    std::vector<RoadId> order;
    order.reserve(lines.label.size());
    for (const RoadId line : lines.label.ids()) order.push_back(line);
    const auto nodes = [&](RoadId line) {
        const std::uint32_t begin = lines.point_begin[line];
        return lines.node.span().subspan(begin,
                                         lines.point_begin[RoadId(line.value() + 1)] - begin);
    };
    const auto less = [](auto a, auto b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::sort(order.begin(), order.end(), [&](RoadId i, RoadId j) {
        if (lines.label[i] != lines.label[j]) return lines.label[i] < lines.label[j];
        const auto a = rank_of(lines.attributes[i]), b = rank_of(lines.attributes[j]);
        if (a != b) return a < b;
        if (less(lines.points(i), lines.points(j))) return true;
        if (less(lines.points(j), lines.points(i))) return false;
        if (less(nodes(i), nodes(j))) return true;
        if (less(nodes(j), nodes(i))) return false;
        return i < j;
    });
    return order;
}

}  // namespace

void drop_doubled_points(std::vector<WorkingLine>& lines, DisjointSets& ties) {
    for (WorkingLine& line : lines) {
        std::size_t kept = 0;
        for (const Vertex& v : line.vertex) {
            if (kept == 0 || line.vertex[kept - 1].point != v.point) {
                line.vertex[kept++] = v;
                continue;
            }
            std::uint32_t& tie = line.vertex[kept - 1].tie;
            if (tie == kNoTie) {
                tie = v.tie;
            } else if (v.tie != kNoTie) {
                ties.join(tie, v.tie);
            }
        }
        line.vertex.resize(kept);
    }
    std::erase_if(lines, [](const WorkingLine& line) { return line.vertex.size() < 2; });
}

Result<WorkingLines> prepare_lines(const RoadLines& lines) {
    TW_TRY(check(lines));
    WorkingLines out;
    std::vector<std::uint64_t>& sources = out.source_node;
    for (const std::uint64_t node : lines.node.span()) {
        if (node != 0) sources.push_back(node);
    }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());

    // The first vertex of a node, in canonical order, says where the node stands.
    std::vector<GridPoint> place(sources.size());
    std::vector<std::uint8_t> placed(sources.size(), 0);
    for (const RoadId line : canonical_order(lines)) {
        WorkingLine& work = out.line.emplace_back();
        work.label = lines.label[line];
        work.attributes = lines.attributes[line];
        const std::uint32_t begin = lines.point_begin[line];
        const std::span<const GridPoint> points = lines.points(line);
        for (std::size_t i = 0; i < points.size(); ++i) {
            Vertex v{points[i], kNoTie};
            const std::uint64_t node = lines.node[world::RoadPointId::from_index(begin + i)];
            if (node != 0) {
                const auto at = std::lower_bound(sources.begin(), sources.end(), node);
                v.tie = static_cast<std::uint32_t>(at - sources.begin());
                if (!placed[v.tie]) {
                    placed[v.tie] = 1;
                    place[v.tie] = v.point;
                }
                v.point = place[v.tie];
            }
            work.vertex.push_back(v);
        }
    }
    DisjointSets ties(sources.size());
    drop_doubled_points(out.line, ties);
    for (WorkingLine& line : out.line) {
        for (Vertex& v : line.vertex) {
            if (v.tie != kNoTie) v.tie = ties.find(v.tie);
        }
    }
    return out;
}

}  // namespace tw::roads
