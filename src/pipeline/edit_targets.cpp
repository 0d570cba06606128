#include "edit_targets.hpp"

#include "terraway/roads/edit_lines.hpp"
#include "terraway/terrain/edit_ground.hpp"
#include "terraway/world/surface.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace tw::pipeline {
namespace {

using namespace world;

/// apply(action) -> Status for each edit, after it was checked against the bounds.
template <class Apply>
Status for_each_valid(const TargetEdits& edits, const GridBox& bounds, Apply&& apply) {
    for (std::size_t i = 0; i < edits.list.edit.size(); ++i) {
        const Edit& edit = edits.list.edit[i];
        Status done = validate(edit, bounds);
        if (done) done = apply(edit.action);
        if (!done) return numbered(std::move(done).error(), edits.index[i]);
    }
    return ok_status();
}

}  // namespace

EditTarget target_of(const EditAction& action) {
    if (std::holds_alternative<RaiseGround>(action) ||
        std::holds_alternative<FlattenGround>(action) ||
        std::holds_alternative<SetLineHeight>(action) ||
        std::holds_alternative<DigChannel>(action)) {
        return EditTarget::ground;
    }
    if (std::holds_alternative<SetCellAttribute>(action) ||
        std::holds_alternative<SetRoadAttribute>(action)) {
        return EditTarget::attributes;
    }
    if (std::holds_alternative<PutObstacle>(action) ||
        std::holds_alternative<TakeObstacle>(action)) {
        return EditTarget::obstacles;
    }
    return EditTarget::roads;
}

std::shared_ptr<const TargetEdits> edits_of(const EditList& edits, EditTarget target) {
    auto out = std::make_shared<TargetEdits>();
    for (std::size_t i = 0; i < edits.edit.size(); ++i) {
        const EditAction& action = edits.edit[i].action;
        const bool names_road =
            target == EditTarget::roads && std::holds_alternative<SetRoadAttribute>(action);
        if (target_of(action) != target && !names_road) continue;
        out->list.edit.push_back(edits.edit[i]);
        out->index.push_back(i);
    }
    return out;
}

Error numbered(Error error, std::size_t index) {
    std::string subject = "edit " + std::to_string(index + 1);
    if (!error.subject.empty()) subject += " (" + error.subject.text() + ")";
    error.subject = std::move(subject);
    return error;
}

Status require_road(const RoadLines& lines, std::string_view label) {
    const auto labels = lines.label.span();
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) return ok_status();
    return Error{.code = ErrorCode::not_found,
                 .stage = "edits",
                 .subject = label,
                 .message = "no road has this label; see streets.lines.json"};
}

Status check_ticks(const EditList& edits) {
    for (std::size_t i = 1; i < edits.edit.size(); ++i) {
        if (edits.edit[i].tick >= edits.edit[i - 1].tick) continue;
        return numbered(
            {.code = ErrorCode::invalid_input,
             .stage = "edits",
             .subject = {},
             .message = "comes before the one that stands above it; sort edits by tick"},
            i);
    }
    return ok_status();
}

std::vector<CellId> cells_of(const SetCellAttribute& edit, const PolygonMap& map,
                             const CellIndex& index) {
    if (edit.radius == 0) {
        const SurfaceQuery places({.map = &map, .drainage = nullptr, .rivers = nullptr}, index);
        return {places.cell_at(edit.place)};
    }
    std::vector<CellId> cells;
    const GridPoint room{edit.radius, edit.radius};
    index.for_each({edit.place - room, edit.place + room}, [&](CellId cell) {
        if (distance2(edit.place, map.site[cell]) <= std::int64_t{edit.radius} * edit.radius) {
            cells.push_back(cell);
        }
    });
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

Result<Relief> edit_relief(const PolygonMap& map, const Relief& relief, const TargetEdits& edits,
                           StageContext& context) {
    TW_TRY(for_each_valid(edits, map.bounds, [](const EditAction&) { return ok_status(); }));
    return terrain::edit_relief(map, relief, edits.list, context);
}

Result<Attributes> build_attributes(const PolygonMap& map, const TargetEdits& edits) {
    Attributes attributes;
    if (edits.list.edit.empty()) return attributes;
    const CellIndex index(map);
    TW_TRY(for_each_valid(edits, map.bounds, [&](const EditAction& action) -> Status {
        if (const auto* road = std::get_if<SetRoadAttribute>(&action)) {
            return apply_edit(*road, attributes);
        }
        const auto& cell = *std::get_if<SetCellAttribute>(&action);
        return apply_edit(cell, cells_of(cell, map, index), map.cell_count(), attributes);
    }));
    return attributes;
}

Result<RoadLines> edit_lines(const RoadLines& lines, const GridBox& bounds,
                             const TargetEdits& edits) {
    RoadLines edited = lines;
    TW_TRY(for_each_valid(edits, bounds, [&](const EditAction& action) {
        const auto* attribute = std::get_if<SetRoadAttribute>(&action);
        return attribute ? require_road(edited, attribute->road)
                         : roads::apply_edit(action, edited);
    }));
    return edited;
}

Result<Obstacles> build_obstacles(const GridBox& bounds, const TargetEdits& edits) {
    Obstacles obstacles;
    TW_TRY(for_each_valid(edits, bounds, [&](const EditAction& action) {
        const auto* put = std::get_if<PutObstacle>(&action);
        return put ? apply_edit(*put, obstacles)
                   : apply_edit(*std::get_if<TakeObstacle>(&action), obstacles);
    }));
    return obstacles;
}

}  // namespace tw::pipeline
