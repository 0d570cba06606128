#include "terraway/terrain/edit_ground.hpp"

#include "terraway/geometry/polyline.hpp"
#include "terraway/geometry/segment.hpp"
#include "terraway/world/surface.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>

namespace tw::terrain {
namespace {

using namespace world;

/// 1 at the path, 0 at the rim and beyond.
double weight_at(const Brush& brush, double distance) {
    const double t = distance / static_cast<double>(brush.radius);
    if (t >= 1.0) return 0.0;
    switch (brush.falloff) {
        case Falloff::constant:
            return 1.0;
        case Falloff::linear:
            return 1.0 - t;
        case Falloff::smooth:
            break;
    }
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

double between(double from, double to, double part) {
    return from + (to - from) * part;
}

/// Keeps the shore and the limits; where the ground already lies beyond a limit it may come back.
void write(CellId cell, double height, Relief& relief, IdSet<CellTag>& changed) {
    const double before = relief.elevation[cell];
    const bool sea = relief.water[cell] == Water::ocean;
    const double lowest = sea ? std::min<double>(-kHighestEdit, before) : 1.0;
    const double highest = sea ? -1.0 : std::max<double>(kHighestEdit, before);
    const double kept = std::clamp(height, lowest, highest);
    const auto steps = static_cast<Steps>(kept < 0 ? kept - 0.5 : kept + 0.5);
    if (relief.elevation.set(cell, steps)) changed.insert(cell);
}

/// Calls visit(box) for boxes that cover what lies within `reach` of the segment, small ones where
/// it is long.
template <class Visit>
void for_each_box(GridPoint a, GridPoint b, double reach, Steps spacing, Visit&& visit) {
    const double length = tw::length(to_vec(b) - to_vec(a));
    const double piece = std::max(8.0 * static_cast<double>(spacing), reach);
    const auto pieces = static_cast<std::int64_t>(length / piece) + 1;
    const auto room = static_cast<std::int32_t>(reach + 1.0);
    const auto at = [&](std::int64_t i) {
        const auto along = [&](std::int32_t from, std::int32_t to) {
            return static_cast<std::int32_t>(from + (std::int64_t{to} - from) * i / pieces);
        };
        return GridPoint{along(a.x, b.x), along(a.y, b.y)};
    };
    for (std::int64_t i = 0; i < pieces; ++i) {
        const GridBox box = geometry::box_of(at(i), at(i + 1));
        visit(GridBox{box.lo - GridPoint{room, room}, box.hi + GridPoint{room, room}});
    }
}

bool crosses(const PolygonMap& map, CellId cell, GridPoint a, GridPoint b) {
    for (const SideId side : map.sides(cell)) {
        if (geometry::segments_touch(a, b, map.corner_point[map.corner[side]],
                                     map.corner_point[map.end_corner(side)])) {
            return true;
        }
    }
    return false;
}

/// Calls visit(segment, from, to) for the segments of the path; one point is a segment too.
template <class Visit>
void for_each_segment(std::span<const GridPoint> path, Visit&& visit) {
    if (path.size() == 1) visit(std::uint32_t{0}, path[0], path[0]);
    for (std::uint32_t i = 0; i + 1 < path.size(); ++i) visit(i, path[i], path[i + 1]);
}

}  // namespace

GroundEditor::GroundEditor(const PolygonMap& map, const CellIndex& index)
    : map_(map), index_(index), slot_(map.cell_count(), 0) {}

/// Of equally near segments the first stays.
GroundEditor::Near& GroundEditor::add(CellId cell, std::span<const GridPoint> path,
                                      std::uint32_t segment) {
    const std::size_t points = path.size() == 1 ? 1 : 2;
    const geometry::ClosestPlace place =
        geometry::closest_place(path.subspan(segment, points), map_.site[cell]);
    std::uint32_t& slot = slot_[cell.index()];
    if (slot == 0) {
        near_.push_back({cell, place.distance, place.along, segment});
        slot = static_cast<std::uint32_t>(near_.size());
        return near_.back();
    }
    Near& known = near_[slot - 1];
    if (place.distance < known.distance) {
        known.distance = place.distance;
        known.along = place.along;
        known.segment = segment;
    }
    return known;
}

void GroundEditor::find_sites(std::span<const GridPoint> path, double reach) {
    for_each_segment(path, [&](std::uint32_t segment, GridPoint a, GridPoint b) {
        for_each_box(a, b, reach, map_.spacing, [&](const GridBox& box) {
            index_.for_each(box, [&](CellId cell) {
                if (box.contains(map_.site[cell])) add(cell, path, segment);
            });
        });
    });
}

void GroundEditor::find_crossed(std::span<const GridPoint> path) {
    const SurfaceQuery places({.map = &map_, .drainage = nullptr, .rivers = nullptr}, index_);
    for_each_segment(path, [&](std::uint32_t segment, GridPoint a, GridPoint b) {
        add(places.cell_at(a), path, segment).crossed = true;
        for_each_box(a, b, 0.0, map_.spacing, [&](const GridBox& box) {
            index_.for_each(box, [&](CellId cell) {
                if (crosses(map_, cell, a, b)) add(cell, path, segment).crossed = true;
            });
        });
    });
}

void GroundEditor::raise(const RaiseGround& edit, Relief& relief, IdSet<CellTag>& changed) {
    find_sites(edit.path, edit.brush.radius);
    for (const Near& near : near_) {
        const double more = edit.amount * weight_at(edit.brush, near.distance);
        write(near.cell, relief.elevation[near.cell] + more, relief, changed);
    }
}

void GroundEditor::flatten(const FlattenGround& edit, Relief& relief, IdSet<CellTag>& changed) {
    find_sites(edit.path, edit.brush.radius);
    for (const Near& near : near_) {
        const double weight = weight_at(edit.brush, near.distance);
        write(near.cell, between(relief.elevation[near.cell], edit.height, weight), relief,
              changed);
    }
}

void GroundEditor::set_line(const SetLineHeight& edit, Relief& relief, IdSet<CellTag>& changed) {
    find_sites(edit.path, edit.brush.radius);
    for (const Near& near : near_) {
        const double weight = weight_at(edit.brush, near.distance);
        const double line =
            between(edit.height[near.segment], edit.height[near.segment + 1], near.along);
        write(near.cell, between(relief.elevation[near.cell], line, weight), relief, changed);
    }
}

void GroundEditor::dig(const DigChannel& edit, Relief& relief, IdSet<CellTag>& changed) {
    find_sites(edit.path, edit.width / 2.0);
    find_crossed(edit.path);
    const std::span<const GridPoint> path = edit.path;
    along_.assign(1, 0.0);
    for (std::size_t i = 1; i < path.size(); ++i) {
        along_.push_back(along_.back() + geometry::length(path.subspan(i - 1, 2)));
    }
    const double half = edit.width / 2.0;
    for (const Near& near : near_) {
        if (!near.crossed && near.distance > half) continue;  // its box alone came near
        const double at = between(along_[near.segment], along_[near.segment + 1], near.along);
        const double part = along_.back() > 0.0 ? at / along_.back() : 0.0;
        const double bed = between(edit.bed_from, edit.bed_to, part);
        if (bed < relief.elevation[near.cell]) write(near.cell, bed, relief, changed);
    }
}

void GroundEditor::apply(const EditAction& action, Relief& relief, IdSet<CellTag>& changed) {
    near_.clear();
    std::visit(
        [&](const auto& edit) {
            using Kind = std::decay_t<decltype(edit)>;
            if constexpr (std::is_same_v<Kind, RaiseGround>) raise(edit, relief, changed);
            if constexpr (std::is_same_v<Kind, FlattenGround>) flatten(edit, relief, changed);
            if constexpr (std::is_same_v<Kind, SetLineHeight>) set_line(edit, relief, changed);
            if constexpr (std::is_same_v<Kind, DigChannel>) dig(edit, relief, changed);
        },
        action);
    for (const Near& near : near_) slot_[near.cell.index()] = 0;
}

Result<Relief> edit_relief(const PolygonMap& map, const Relief& relief, const EditList& edits,
                           StageContext& context) {
    Relief edited = relief;
    if (edits.edit.empty()) return edited;
    const CellIndex index(map);
    GroundEditor editor(map, index);
    IdSet<CellTag> changed;
    changed.reset(map.cell_count());
    for (std::size_t i = 0; i < edits.edit.size(); ++i) {
        if (context.cancelled()) return cancelled_error("edits");
        if (Status valid = validate(edits.edit[i], map.bounds); !valid) {
            Error error = std::move(valid).error();
            error.message = "edit " + std::to_string(i + 1) + ": " + error.message;
            return error;
        }
        editor.apply(edits.edit[i].action, edited, changed);
    }
    return edited;
}

}  // namespace tw::terrain
