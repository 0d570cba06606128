#include "terraway/world/placement.hpp"

#include "geodesy.hpp"

#include <algorithm>

namespace tw::world {
namespace {

/// One coordinate of a source to steps, unrounded.
struct Axis {
    double middle;       ///< [units of the source]
    std::int64_t whole;  ///< the part of it that is subtracted in integers
    double scale;        ///< [steps per unit]

    Axis(double middle_in_frame, double units, double metres_per_frame_unit)
        : middle(middle_in_frame * units),
          whole(static_cast<std::int64_t>(middle < 0 ? middle - 0.5 : middle + 0.5)),
          scale(metres_per_frame_unit / units * kStepsPerMetre) {}
    double operator()(std::int64_t value) const {
        return (static_cast<double>(value - whole) - (middle - static_cast<double>(whole))) * scale;
    }
};

struct Vertex {
    Vec2d at;  ///< [steps]
    std::uint64_t node;
};

/// The part of a segment inside a box as parameters from 0 to 1 (Liang & Barsky 1984).
struct Part {
    double begin = 0.0, end = 1.0;
    bool empty() const { return begin > end; }
};
Part clip(Vec2d a, Vec2d b, Vec2d lo, Vec2d hi) {
    Part part;
    const auto limit = [&part](double start, double change, double least, double greatest) {
        if (change == 0.0) {
            if (start < least || start > greatest) part = {1.0, 0.0};
            return;
        }
        double enter = (least - start) / change, leave = (greatest - start) / change;
        if (enter > leave) std::swap(enter, leave);
        part.begin = std::max(part.begin, enter);
        part.end = std::min(part.end, leave);
    };
    limit(a.x, b.x - a.x, lo.x, hi.x);
    limit(a.y, b.y - a.y, lo.y, hi.y);
    return part;
}

/// Cuts a line at the box, vertex by vertex.
class LineCutter {
public:
    explicit LineCutter(const GridBox& box) : box_(box), lo_(to_vec(box.lo)), hi_(to_vec(box.hi)) {}

    std::vector<std::vector<std::pair<GridPoint, std::uint64_t>>> cut(
        std::span<const Vertex> line) {
        parts_.clear();
        open_ = false;
        for (std::size_t i = 0; i + 1 < line.size(); ++i) add_segment(line[i], line[i + 1]);
        std::erase_if(parts_, [](const auto& part) { return part.size() < 2; });
        return std::move(parts_);
    }

private:
    void add_segment(const Vertex& a, const Vertex& b) {
        const Part inside = clip(a.at, b.at, lo_, hi_);
        if (inside.empty()) {
            open_ = false;
            return;
        }
        if (!open_) {
            parts_.emplace_back();
            add(a, b, inside.begin);
        }
        add(a, b, inside.end);
        open_ = inside.end >= 1.0;
    }
    void add(const Vertex& a, const Vertex& b, double t) {
        const Vec2d at = t <= 0.0 ? a.at : t >= 1.0 ? b.at : a.at + (b.at - a.at) * t;
        // Rounding of a cut must not leave the box.
        const Vec2d within{std::min(std::max(at.x, lo_.x), hi_.x),
                           std::min(std::max(at.y, lo_.y), hi_.y)};
        const std::uint64_t node = t <= 0.0 ? a.node : t >= 1.0 ? b.node : ImportedLines::kNoNode;
        parts_.back().emplace_back(to_grid(within), node);
    }

    GridBox box_;
    Vec2d lo_, hi_;
    std::vector<std::vector<std::pair<GridPoint, std::uint64_t>>> parts_;
    bool open_ = false;
};

/// Metres of the world to a metre of the source: streets grow with the map they lie on.
double growth_of(const Placement& placement) {
    if (placement.frame == Frame::planar) return placement.scale_y;
    return placement.scale_y / metres_per_degree(placement.middle_y).y;
}
RoadAttributes scaled(RoadAttributes attributes, double growth) {
    if (growth == 1.0) return attributes;
    const double width = attributes.width * growth;
    attributes.width = static_cast<Steps>(std::min(std::max(width + 0.5, 1.0), 0x1p29));
    return attributes;
}

/// A map's nodes are all its vertices; those that tie nothing together say nothing. Ends keep their
/// names.
void drop_lone_nodes(RoadLines& lines) {
    std::vector<std::uint64_t> sorted = lines.node.values();
    std::sort(sorted.begin(), sorted.end());
    const std::span<std::uint64_t> nodes = lines.node.edit_all();
    for (const RoadId line : lines.label.ids()) {
        const std::uint32_t last = lines.point_begin[RoadId(line.value() + 1)] - 1;
        for (std::uint32_t i = lines.point_begin[line] + 1; i < last; ++i) {
            const auto [first, end] = std::equal_range(sorted.begin(), sorted.end(), nodes[i]);
            if (end - first == 1) nodes[i] = ImportedLines::kNoNode;
        }
    }
}

}  // namespace

Result<RoadLines> project_lines(const ImportedLines& lines, const Placement& placement) {
    TW_TRY(validate(lines));
    if (lines.frame != placement.frame) {
        return Error{ErrorCode::invalid_input, "placement", "roads",
                     "the roads are in another frame than the world; convert them"};
    }
    const double units = lines.frame == Frame::geographic ? 1e7 : double{kStepsPerMetre};
    const Axis x(placement.middle_x, units, placement.scale_x);
    const Axis y(placement.middle_y, units, placement.scale_y);
    const double growth = growth_of(placement);
    RoadLines out;
    out.point_begin.push_back(0);
    LineCutter cutter(placement.bounds);
    std::vector<Vertex> projected;
    for (const LineId line : lines.label.ids()) {
        projected.clear();
        const std::uint32_t end = lines.point_begin[LineId(line.value() + 1)];
        bool inside = true;
        for (std::uint32_t i = lines.point_begin[line]; i < end; ++i) {
            const LinePointId p(i);
            const Vec2d at{x(lines.x[p]), y(lines.y[p])};
            projected.push_back({at, lines.node[p]});
            inside = inside && at.x >= placement.bounds.lo.x && at.x <= placement.bounds.hi.x &&
                     at.y >= placement.bounds.lo.y && at.y <= placement.bounds.hi.y;
        }
        RoadAttributes attributes = scaled(lines.attributes[line], growth);
        if (attributes.oneway == Oneway::against) {
            attributes.oneway = Oneway::along;
            std::reverse(projected.begin(), projected.end());
        }
        const auto parts = cutter.cut(projected);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::string& label = lines.label[line];
            out.label.push_back(inside ? label : label + ":" + std::to_string(i + 1));
            out.attributes.push_back(attributes);
            for (const auto& [point, node] : parts[i]) {
                out.point.push_back(point);
                out.node.push_back(node);
            }
            out.point_begin.push_back(static_cast<std::uint32_t>(out.point.size()));
        }
    }
    drop_lone_nodes(out);
    return out;
}

}  // namespace tw::world
