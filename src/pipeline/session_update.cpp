#include "session_update.hpp"

#include "terraway/ground/street_meshes.hpp"
#include "terraway/roads/edit_lines.hpp"
#include "terraway/roads/network.hpp"
#include "terraway/streets/streets.hpp"

#include "edit_targets.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tw::pipeline {
namespace {

using world::CellId;

/// The value of a cell's attribute before an edit, for taking it back.
class CellAttributeDelta final : public Delta {
public:
    CellAttributeDelta(world::Attributes& attributes, std::string column,
                       std::span<const CellId> cells)
        : attributes_(attributes), column_(std::move(column)) {
        if (const world::CellColumn* found = find()) {
            type_ = found->type;
            for (const CellId cell : cells) value_.emplace_back(cell, value_of(*found, cell));
        }
    }
    bool has_values() const { return !value_.empty(); }
    void swap() override {
        world::CellColumn* here = find();
        if (value_.empty()) {  // the column came with this step: it goes or comes whole
            if (here) {
                whole_ = std::move(*here);
                attributes_.cell.erase(attributes_.cell.begin() + (here - attributes_.cell.data()));
            } else {
                const auto at =
                    std::lower_bound(attributes_.cell.begin(), attributes_.cell.end(), column_,
                                     [](const world::CellColumn& each, const std::string& name) {
                                         return each.name < name;
                                     });
                attributes_.cell.insert(at, std::move(whole_));
            }
            return;
        }
        for (auto& [cell, other] : value_) {
            world::AttributeValue now = value_of(*here, cell);
            set(*here, cell, std::exchange(other, std::move(now)));
        }
    }

private:
    world::CellColumn* find() const {
        for (world::CellColumn& column : attributes_.cell) {
            if (column.name == column_) return &column;
        }
        return nullptr;
    }
    static world::AttributeValue value_of(const world::CellColumn& column, CellId cell) {
        if (!column.present[cell]) return {};
        switch (column.type) {
            case world::ColumnType::integer:
                return column.integers[cell];
            case world::ColumnType::number:
                return column.numbers[cell];
            case world::ColumnType::text:
                break;
        }
        return column.texts[cell];
    }
    static void set(world::CellColumn& column, CellId cell, world::AttributeValue value) {
        column.present.set(cell, std::holds_alternative<std::monostate>(value) ? 0 : 1);
        const auto* integer = std::get_if<std::int64_t>(&value);
        const auto* number = std::get_if<double>(&value);
        const auto* text = std::get_if<std::string>(&value);
        switch (column.type) {
            case world::ColumnType::integer:
                column.integers.set(cell, integer ? *integer : 0);
                break;
            case world::ColumnType::number:
                column.numbers.set(cell, number ? *number : 0.0);
                break;
            case world::ColumnType::text:
                column.texts.set(cell, text ? *text : std::string());
                break;
        }
    }

    world::Attributes& attributes_;
    std::string column_;
    world::ColumnType type_ = world::ColumnType::integer;
    std::vector<std::pair<CellId, world::AttributeValue>> value_;  ///< empty: there was no column
    world::CellColumn whole_;                                      ///< while it is taken away
};

/// A step of a stage that takes its own steps back.
template <class Update, class Step, class Value>
class StepDelta final : public Delta {
public:
    StepDelta(Update& update, std::shared_ptr<Step> step, Value& value)
        : update_(update), step_(std::move(step)), value_(value) {}
    void swap() override { update_.swap(*step_, value_); }

private:
    Update& update_;
    std::shared_ptr<Step> step_;
    Value& value_;
};
template <class Update, class Step, class Value>
std::unique_ptr<Delta> step_delta(Update& update, std::shared_ptr<Step> step, Value& value) {
    return std::make_unique<StepDelta<Update, Step, Value>>(update, std::move(step), value);
}

class NetworkDelta final : public Delta {
public:
    NetworkDelta(roads::NetworkPatch patch, std::shared_ptr<world::RoadNetwork>& network,
                 std::shared_ptr<const roads::NetworkTrace>& trace)
        : patch_(std::move(patch)), network_(network), trace_(trace) {}
    void swap() override { patch_.swap(*network_, trace_); }

private:
    roads::NetworkPatch patch_;
    std::shared_ptr<world::RoadNetwork>& network_;
    std::shared_ptr<const roads::NetworkTrace>& trace_;
};

/// What lies in a file need not fit together.
Error foreign_roads(std::string_view stage, const std::string& what) {
    return {.code = ErrorCode::check_failed,
            .stage = std::string(stage),
            .subject = {},
            .message = "the " + what + " is not of the roads of this world; bake it again"};
}

world::StreetChanges all_stayed(const world::StreetSurface& streets) {
    world::StreetChanges changes;
    changes.piece.reserve(streets.piece_count());
    for (const world::PieceId piece : streets.kind.ids()) changes.piece.push_back(piece);
    changes.vertex.push_back({0, static_cast<std::uint32_t>(streets.vertex.size()), 0});
    return changes;
}

/// Labels of roads that came, went or changed, ascending.
std::vector<std::string> changed_roads(const world::RoadNetwork& before,
                                       const world::RoadNetwork& now,
                                       const world::NetworkChanges& changes) {
    std::vector<std::string> labels;
    std::vector<std::uint8_t> stayed(before.road_count(), 0);
    for (const world::RoadId road : now.id.ids()) {
        const world::RoadId was = changes.road[road.index()];
        if (was) {
            stayed[was.index()] = 1;
        } else {
            labels.push_back(now.label[road]);
        }
    }
    for (const world::RoadId road : before.id.ids()) {
        if (!stayed[road.index()]) labels.push_back(before.label[road]);
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

}  // namespace

SessionUpdate::SessionUpdate(const WorldRecipe& recipe, SessionState& state, Journal& journal)
    : recipe_(recipe),
      state_(state),
      journal_(journal),
      index_(*state.map),
      ground_(*state.map, index_),
      drainage_(*state.map, recipe.relief.border, recipe.drainage),
      rivers_(*state.map),
      moisture_(*state.map, recipe.climate),
      meshes_(*state.map, *state.edited_relief),
      streets_(recipe.streets),
      drape_(recipe.drape),
      cost_(index_, recipe.cost) {
    raster_.reset(state.map->cell_count());
    field_.reset(state.cost->cost.size());
    forget_changes();  // so that the first step finds its memory
}

void SessionUpdate::forget_changes() {
    const std::size_t cells = state_.map->cell_count();
    for (IdSet<world::CellTag>* set : {&ground_cells_, &moisture_cells_, &biome_cells_,
                                       &biome_seeds_, &ford_cells_, &surface_.shape}) {
        set->reset(cells);
    }
    water_.reset(*state_.map);
    river_.rim.reset(cells);
    river_.source.reset(cells);
    squares_.reset(state_.cost->cost.size());
    boxes_.clear();
    roads_changed_ = false;
    network_before_.reset();
    raised_.clear();
}

// ---- Edits themselves.

Status SessionUpdate::edit_ground(const world::EditAction& action, StageContext& context) {
    if (!drainage_known_) {
        TW_TRY(terrain::check_drainage(*state_.map, *state_.edited_relief, *state_.drainage,
                                       recipe_.relief.border, recipe_.drainage, *context.executor));
        drainage_known_ = true;
    }
    ground_.apply(action, *state_.edited_relief, ground_cells_);
    return ok_status();
}

Status SessionUpdate::edit_attributes(const world::EditAction& action) {
    world::Attributes& attributes = *state_.attributes;
    if (const auto* road = std::get_if<world::SetRoadAttribute>(&action)) {
        TW_TRY(require_road(*state_.edited_lines, road->road));
        journal_.add(std::make_unique<ValueDelta<std::vector<world::RoadColumn>>>(attributes.road,
                                                                                  attributes.road));
        return world::apply_edit(*road, attributes);
    }
    const auto& cell = *std::get_if<world::SetCellAttribute>(&action);
    const std::vector<CellId> cells = cells_of(cell, *state_.map, index_);
    auto before = std::make_unique<CellAttributeDelta>(attributes, cell.column, cells);
    const std::size_t columns = attributes.cell.size();
    TW_TRY(world::apply_edit(cell, cells, state_.map->cell_count(), attributes));
    // Where there is still no column there is nothing to take back.
    if (columns != attributes.cell.size() || before->has_values()) journal_.add(std::move(before));
    return ok_status();
}

Status SessionUpdate::edit_roads(const world::EditAction& action, StageContext& context) {
    if (!network_trace_) {
        TW_ASSIGN(roads::TracedNetwork traced,
                  roads::trace_network(*state_.edited_lines, recipe_.network, context));
        if (!(traced.network == *state_.network)) return foreign_roads("network", "road network");
        network_trace_ = std::move(traced.trace);
    }
    roads_changed_ = true;
    return roads::apply_edit(action, *state_.edited_lines);
}

Status SessionUpdate::edit_obstacles(const world::EditAction& action) {
    world::Obstacles& obstacles = *state_.obstacles;
    journal_.add(std::make_unique<ValueDelta<world::Obstacles>>(obstacles, obstacles));
    if (const auto* put = std::get_if<world::PutObstacle>(&action)) {
        boxes_.push_back(world::box_of(world::Obstacle{put->obstacle, put->ring}));
        return world::apply_edit(*put, obstacles);
    }
    const auto& take = *std::get_if<world::TakeObstacle>(&action);
    for (const world::Obstacle& each : obstacles.obstacle) {
        if (each.name == take.obstacle) boxes_.push_back(world::box_of(each));
    }
    return world::apply_edit(take, obstacles);
}

Status SessionUpdate::do_edit(const world::Edit& edit, StageContext& context) {
    TW_TRY(world::validate(edit, state_.map->bounds));
    switch (target_of(edit.action)) {
        case EditTarget::ground:
            return edit_ground(edit.action, context);
        case EditTarget::attributes:
            return edit_attributes(edit.action);
        case EditTarget::roads:
            return edit_roads(edit.action, context);
        case EditTarget::obstacles:
            break;
    }
    return edit_obstacles(edit.action);
}

Status SessionUpdate::apply(std::span<const world::Edit> edits, SessionStep& step,
                            StageContext& context) {
    forget_changes();
    std::uint64_t tick = state_.edits.edit.empty() ? 0 : state_.edits.edit.back().tick;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        if (edits[i].tick < tick) {
            return numbered(
                {.code = ErrorCode::invalid_input,
                 .stage = "edits",
                 .subject = {},
                 .message = "its tick lies before that of an earlier edit; sort by tick"},
                i);
        }
        tick = edits[i].tick;
        if (Status status = do_edit(edits[i], context); !status) {
            return numbered(std::move(status).error(), i);
        }
    }
    if (!ground_cells_.empty()) TW_TRY(update_terrain(context));
    reaches_wanted_ |= !river_.source.empty();
    step.rivers = river_.source.empty() ? 0 : 1;
    if (roads_changed_) {
        TW_TRY(update_network(step, context));
        TW_TRY(update_streets(step, context));
    }
    TW_TRY(update_street_heights(step, context));
    update_cost();
    if (context.cancelled()) return cancelled_error("session");
    step.shape.assign(surface_.shape.ids().begin(), surface_.shape.ids().end());
    for (const CellId cell : step.shape) raster_.insert(cell);
    step.squares.assign(squares_.ids().begin(), squares_.ids().end());
    for (const world::NavCellId square : step.squares) field_.insert(square);
    return ok_status();
}

// ---- Terrain and what it looks like.

void SessionUpdate::collect_surface() {
    const world::PolygonMap& map = *state_.map;
    for (const CellId cell : water_.elevation.ids()) {
        surface_.shape.insert(cell);
        for (const world::SideId side : map.sides(cell)) {
            if (!water_.corner.contains(map.corner[side])) continue;
            world::for_each_spoke(map, side, [&](world::SideId spoke, world::SideId) {
                surface_.shape.insert(map.cell_of_side[spoke]);
            });
        }
    }
    for (const CellId cell : river_.rim.ids()) surface_.shape.insert(cell);
    surface_.rim = river_.rim.ids();
    surface_.elevation = water_.elevation.ids();
    surface_.water = water_.water.ids();
    surface_.biome = biome_cells_.ids();
}

Status SessionUpdate::update_terrain(StageContext& context) {
    TW_TRY(drainage_.run(*state_.edited_relief, ground_cells_.ids(), *state_.drainage, water_,
                         context));
    TW_TRY(rivers_.run(*state_.edited_relief, *state_.drainage, water_, *state_.rivers, river_));
    moisture_.run(*state_.drainage, *state_.rivers, *state_.climate, water_, river_,
                  *state_.moisture, moisture_cells_);
    for (const IdSet<world::CellTag>* set : {&water_.elevation, &water_.water, &moisture_cells_}) {
        for (const CellId cell : set->ids()) biome_seeds_.insert(cell);
    }
    terrain::update_biomes(*state_.map, *state_.drainage, *state_.moisture, recipe_.climate,
                           biome_seeds_.ids(), *state_.biomes, biome_cells_);
    collect_surface();
    meshes_.run(state_.surface(), *state_.biomes, surface_, *state_.meshes);
    return ok_status();
}

// ---- Roads and streets.

Status SessionUpdate::update_network(SessionStep& step, StageContext& context) {
    TW_ASSIGN(roads::TracedNetwork traced,
              roads::update_network(*state_.network, *network_trace_, *state_.edited_lines,
                                    recipe_.network, network_changes_, context));
    journal_.add(std::make_unique<NetworkDelta>(
        roads::NetworkPatch(*state_.network, *network_trace_, traced.network, *traced.trace,
                            network_changes_),
        state_.network, network_trace_));
    network_before_ = std::exchange(
        state_.network, std::make_shared<world::RoadNetwork>(std::move(traced.network)));
    network_trace_ = std::move(traced.trace);
    step.roads = changed_roads(*network_before_, *state_.network, network_changes_);
    return ok_status();
}

Status SessionUpdate::update_streets(SessionStep& step, StageContext& context) {
    TW_TRY(street_meshes_.learn(*state_.streets, *state_.meshes));
    TW_ASSIGN(auto done, streets_.run(*network_before_, *state_.network, network_changes_,
                                      *state_.streets, street_changes_, context));
    journal_.add(step_delta(streets_, std::move(done), *state_.streets));
    boxes_.insert(boxes_.end(), street_changes_.box.begin(), street_changes_.box.end());
    const auto came =
        std::count(street_changes_.piece.begin(), street_changes_.piece.end(), world::PieceId());
    step.pieces = street_changes_.lost.size() + static_cast<std::size_t>(came);
    if (pieces_) pieces_->follow(street_changes_, *state_.streets);
    return ok_status();
}

Status SessionUpdate::update_street_heights(SessionStep& step, StageContext& context) {
    const bool same = !network_before_;
    if (same && (surface_.shape.empty() || state_.streets->piece_count() == 0)) return ok_status();
    const world::SurfaceQuery query(state_.surface(), index_);
    TW_ASSIGN(auto draped, drape_.run(query,
                                      {.map = state_.map.get(),
                                       .network = state_.network.get(),
                                       .streets = state_.streets.get()},
                                      {.network_before = network_before_.get(),
                                       .network = same ? nullptr : &network_changes_,
                                       .streets = same ? nullptr : &street_changes_,
                                       .ground = surface_.shape.ids()},
                                      *state_.street_heights, raised_, context));
    if (same && raised_.empty()) return ok_status();
    journal_.add(step_delta(drape_, std::move(draped), *state_.street_heights));
    step.raised = raised_.size();
    if (same) street_changes_ = all_stayed(*state_.streets);
    TW_ASSIGN(auto meshed, street_meshes_.run(*state_.streets, *state_.street_heights,
                                              street_changes_, raised_, *state_.meshes));
    step.street_chunks = ground::StreetMeshUpdate::chunks_of(*meshed);
    journal_.add(step_delta(street_meshes_, std::move(meshed), *state_.meshes));
    return ok_status();
}

// ---- Navigation.

void SessionUpdate::update_cost() {
    const world::PolygonMap& map = *state_.map;
    for (const CellId cell : biome_cells_.ids()) ford_cells_.insert(cell);
    for (const CellId cell : water_.water.ids()) ford_cells_.insert(cell);
    const auto flows = water_.discharge.ids();
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const CellId cell = flows[i];
        const bool blocked =
            navigation::blocks_way(*state_.rivers, cell, water_.discharge_before[i], recipe_.cost);
        const bool blocks = navigation::blocks_way(*state_.rivers, cell,
                                                   state_.drainage->discharge[cell], recipe_.cost);
        if (blocked == blocks) continue;
        ford_cells_.insert(cell);
        if (const CellId below = map.neighbour(state_.rivers->side[cell])) {
            ford_cells_.insert(below);
        }
    }
    if (surface_.shape.empty() && ford_cells_.empty() && boxes_.empty()) return;
    if (!pieces_) pieces_.emplace(*state_.streets);
    cost_.run({.surface = state_.surface(),
               .biomes = state_.biomes.get(),
               .streets = state_.streets.get(),
               .obstacles = state_.obstacles.get()},
              {.shape = surface_.shape.ids(), .other = ford_cells_.ids(), .boxes = boxes_},
              &*pieces_, *state_.cost, squares_);
}

void SessionUpdate::forget(const SessionStep& step) {
    for (const CellId cell : step.shape) raster_.insert(cell);
    for (const world::NavCellId square : step.squares) field_.insert(square);
    reaches_wanted_ |= step.rivers != 0;
    if (step.pieces > 0) pieces_.reset();
}

void SessionUpdate::finish_fields(Executor& executor) {
    if (field_.empty()) return;
    StageContext context(executor);
    const world::NavCellId goal = navigation::default_goal(*state_.cost);
    // Only the goal's value is 0: where it moved, all values are of another goal.
    const bool same = goal && state_.integration->value[goal] == 0;
    const Status done = same ? fields_.run(*state_.cost, field_.ids(), goal, *state_.integration,
                                           *state_.directions, context)
                             : fields_.replace(*state_.cost, goal, *state_.integration,
                                               *state_.directions, context);
    assert(done.ok() && "nothing cancels it, and the goal lies in the grid");
    static_cast<void>(done);
    field_.clear();
}

void SessionUpdate::finish(Executor& executor) {
    if (std::exchange(reaches_wanted_, false)) {
        rivers_.list_reaches(*state_.edited_relief, *state_.drainage, *state_.rivers);
    }
    finish_fields(executor);
    if (raster_.empty()) return;
    raster_.sort();
    ground::update_height_raster(state_.surface(), raster_.ids(), *state_.raster);
    raster_.clear();
}

}  // namespace tw::pipeline
