#include "session_state.hpp"

#include "terraway/core/hash.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace tw::pipeline {
namespace {

/// The value itself where nobody else holds it, else a copy. Values of stages are never const
/// themselves: StageValue makes them.
template <class T>
std::shared_ptr<T> take(std::shared_ptr<const T>&& value) {
    if (value.use_count() == 1) return std::const_pointer_cast<T>(std::move(value));
    return std::make_shared<T>(*value);
}

/// Elements [begin, end); empty when begin >= end.
struct ElementRange {
    std::size_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
    void include(std::size_t index) {
        const bool first = empty();
        begin = first ? index : std::min(begin, index);
        end = first ? index + 1 : std::max(end, index + 1);
    }
};

}  // namespace

Result<SessionState> SessionState::of(BakedWorld world) {
    const auto missing = [&](std::string_view stage) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "session",
                     .subject = stage,
                     .message = "the world lacks this stage; bake all of them"};
    };
    if (!world.placement) return missing("placement");
    if (!world.map) return missing("cells");
    if (!world.relief) return missing("relief");
    if (!world.climate) return missing("climate");
    if (!world.edited_relief) return missing("edits");
    if (!world.drainage) return missing("drainage");
    if (!world.rivers) return missing("rivers");
    if (!world.moisture) return missing("moisture");
    if (!world.biomes) return missing("biomes");
    if (!world.lines) return missing("lines");
    if (!world.edited_lines) return missing("road_edits");
    if (!world.network) return missing("network");
    if (!world.streets) return missing("streets");
    if (!world.street_heights) return missing("street_heights");
    if (!world.attributes) return missing("attributes");
    if (!world.obstacles) return missing("obstacles");
    if (!world.meshes) return missing("meshes");
    if (!world.raster) return missing("raster");
    if (!world.cost) return missing("cost");
    if (!world.integration) return missing("integration");
    if (!world.directions) return missing("directions");

    SessionState state;
    if (world.edits) state.edits = *world.edits;
    state.base = std::move(world.stages);
    state.placement = std::move(world.placement);
    state.map = std::move(world.map);
    state.relief = std::move(world.relief);
    state.climate = std::move(world.climate);
    state.lines = std::move(world.lines);
    state.edited_relief = take(std::move(world.edited_relief));
    state.drainage = take(std::move(world.drainage));
    state.rivers = take(std::move(world.rivers));
    state.moisture = take(std::move(world.moisture));
    state.biomes = take(std::move(world.biomes));
    state.attributes = take(std::move(world.attributes));
    state.edited_lines = take(std::move(world.edited_lines));
    state.network = take(std::move(world.network));
    state.streets = take(std::move(world.streets));
    state.street_heights = take(std::move(world.street_heights));
    state.obstacles = take(std::move(world.obstacles));
    state.meshes = take(std::move(world.meshes));
    state.raster = take(std::move(world.raster));
    state.cost = take(std::move(world.cost));
    state.integration = take(std::move(world.integration));
    state.directions = take(std::move(world.directions));
    return state;
}

const BakedWorld& SessionState::view() {
    view_ = {};
    view_.edits = std::shared_ptr<const world::EditList>(std::shared_ptr<void>(), &edits);
    const auto report = [this](StageName name, std::uint64_t hash) {
        view_.stages.push_back({.name = std::string(info_of(name).name), .hash = hash});
    };
    const auto base_hash = [this](StageName name) {
        const auto found = std::find_if(base.begin(), base.end(), [&](const StageReport& stage) {
            return stage.name == info_of(name).name;
        });
        return found == base.end() ? 0 : found->hash;
    };
    const auto show = [&](StageName name, auto& member, const auto& value) {
        member = value;
        report(name, hash_of(*value));
    };
    view_.placement = placement;
    report(StageName::placement, base_hash(StageName::placement));
    report(StageName::sites, base_hash(StageName::sites));
    view_.map = map;
    report(StageName::cells, base_hash(StageName::cells));
    show(StageName::relief, view_.relief, relief);
    show(StageName::climate, view_.climate, climate);
    show(StageName::edits, view_.edited_relief, edited_relief);
    show(StageName::drainage, view_.drainage, drainage);
    show(StageName::rivers, view_.rivers, rivers);
    show(StageName::moisture, view_.moisture, moisture);
    show(StageName::biomes, view_.biomes, biomes);
    show(StageName::attributes, view_.attributes, attributes);
    show(StageName::lines, view_.lines, lines);
    show(StageName::road_edits, view_.edited_lines, edited_lines);
    show(StageName::network, view_.network, network);
    show(StageName::streets, view_.streets, streets);
    show(StageName::street_heights, view_.street_heights, street_heights);
    show(StageName::obstacles, view_.obstacles, obstacles);
    show(StageName::meshes, view_.meshes, meshes);
    show(StageName::raster, view_.raster, raster);
    show(StageName::cost, view_.cost, cost);
    show(StageName::integration, view_.integration, integration);
    show(StageName::directions, view_.directions, directions);
    view_.hash = hash_of_stages(view_.stages);
    return view_;
}

template <class Tag, class T>
void SessionRecorders::record_array(IdArray<Tag, T>& array, Array what) {
    if constexpr (std::is_same_v<Tag, world::ReachTag>) return;  // listed on demand
    if constexpr (std::is_same_v<Tag, world::CellTag>) what.kind = Kind::cells;
    if constexpr (std::is_same_v<Tag, world::CornerTag>) what.kind = Kind::corners;
    if constexpr (std::is_same_v<Tag, world::NavCellTag>) what.kind = Kind::squares;
    if constexpr (std::is_same_v<Tag, world::MeshVertexTag>) what.kind = Kind::vertices;
    if constexpr (std::is_same_v<Tag, world::MeshTriangleTag>) what.kind = Kind::triangles;
    recorder_.push_back(std::make_unique<ArrayRecorder<IdArray<Tag, T>>>(
        array, static_cast<std::uint32_t>(array_.size()), journal_));
    array_.push_back(what);
}

template <class T>
void SessionRecorders::record(T& value, Array what) {
    for_each_field(value, [&](std::string_view, auto& field) {
        if constexpr (HashesItself<std::remove_reference_t<decltype(field)>>::value) {
            record_array(field, what);
        }
    });
}

SessionRecorders::SessionRecorders(SessionState& state, Journal& journal)
    : state_(state), journal_(journal) {
    cells_.reset(state.map->cell_count());
    const auto all_of = [this](StageName stage, auto& value) {
        record(value, {.stage = stage, .kind = Kind::other});
    };
    all_of(StageName::edits, *state.edited_relief);
    all_of(StageName::drainage, *state.drainage);
    all_of(StageName::rivers, *state.rivers);
    all_of(StageName::moisture, *state.moisture);
    all_of(StageName::biomes, *state.biomes);
    all_of(StageName::road_edits, *state.edited_lines);
    all_of(StageName::cost, *state.cost);
    auto& surfaces = state.meshes->surface;
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
        if (surfaces[i].name != "terrain" && surfaces[i].name != "water") continue;
        for (std::uint32_t chunk = 0; chunk < surfaces[i].chunk.size(); ++chunk) {
            record(surfaces[i].chunk[chunk], {.stage = StageName::meshes,
                                              .kind = Kind::other,
                                              .surface = static_cast<std::uint16_t>(i),
                                              .chunk = chunk});
        }
    }
}

MeshRange& SessionRecorders::range_of(const Array& what, ChangeList& out) const {
    const std::string& surface = state_.meshes->surface[what.surface].name;
    const auto known = std::find_if(out.meshes.begin(), out.meshes.end(), [&](const auto& each) {
        return each.chunk == what.chunk && each.surface == surface;
    });
    if (known != out.meshes.end()) return *known;
    return out.meshes.emplace_back(MeshRange{.surface = surface, .chunk = what.chunk});
}

void SessionRecorders::list_mesh(const ArrayDelta& delta, const Array& what,
                                 ChangeList& out) const {
    const std::size_t now = delta.recorder->size_now(), other = delta.size_other;
    if (changed_.empty() && now == other) return;
    MeshRange& range = range_of(what, out);
    const bool vertices = what.kind == Kind::vertices;
    std::uint32_t& begin = vertices ? range.vertex_begin : range.triangle_begin;
    std::uint32_t& end = vertices ? range.vertex_end : range.triangle_end;
    ElementRange all{begin, end};
    if (!changed_.empty()) {
        all.include(changed_.front());
        all.include(changed_.back());
    }
    if (now != other) {
        range.resized = 1;
        if (now > other) {  // what was not there before
            all.include(other);
            all.include(now - 1);
        }
    }
    begin = static_cast<std::uint32_t>(all.begin);
    end = static_cast<std::uint32_t>(std::min(all.end, now));
}

/// Chunks of streets are written whole; those that went are not there to be listed.
void SessionRecorders::list_street_chunks(const SessionStep& step, ChangeList& out,
                                          std::uint64_t& vertices) const {
    for (const ground::StreetMeshUpdate::Chunk& changed : step.street_chunks) {
        for (const world::NamedSurface& surface : state_.meshes->surface) {
            if (surface.name != changed.surface) continue;
            const auto chunk = std::find_if(
                surface.chunk.begin(), surface.chunk.end(),
                [&](const world::MeshChunk& each) { return each.origin == changed.origin; });
            if (chunk == surface.chunk.end()) continue;
            vertices += chunk->position.size();
            out.meshes.push_back(
                {.surface = surface.name,
                 .chunk = static_cast<std::uint32_t>(chunk - surface.chunk.begin()),
                 .vertex_end = static_cast<std::uint32_t>(chunk->position.size()),
                 .triangle_end = static_cast<std::uint32_t>(chunk->triangle.size()),
                 .resized = 1});
        }
    }
}

void SessionRecorders::list_changes(const SessionStep& step, ChangeList& out) {
    out.cells.clear();
    out.meshes.clear();
    out.squares.clear();
    out.stages.clear();
    cells_.clear();
    std::array<std::uint64_t, kStageCount> elements{};
    for (const ArrayDelta& delta : step.log.arrays()) {
        const Array& what = array_[delta.recorder->number()];
        changed_.clear();
        delta.recorder->list_changed(delta, step.log.blocks(delta), changed_);
        auto& count = elements[static_cast<std::size_t>(what.stage)];
        count = std::max<std::uint64_t>(count, changed_.size());
        if (what.kind == Kind::vertices || what.kind == Kind::triangles) {
            list_mesh(delta, what, out);
        }
        for (const std::uint32_t index : changed_) {
            if (what.kind == Kind::cells) cells_.insert(world::CellId(index));
            if (what.kind == Kind::squares) out.squares.emplace_back(index);
        }
    }
    cells_.sort();
    out.cells.assign(cells_.ids().begin(), cells_.ids().end());
    out.roads = step.roads;
    out.streets = step.pieces > 0 || step.raised > 0 ? 1 : 0;
    list_street_chunks(step, out, elements[static_cast<std::size_t>(StageName::meshes)]);
    elements[static_cast<std::size_t>(StageName::network)] = step.roads.size();
    elements[static_cast<std::size_t>(StageName::streets)] = step.pieces;
    elements[static_cast<std::size_t>(StageName::street_heights)] = step.raised;
    for (std::size_t i = 0; i < kStageCount; ++i) {
        if (elements[i] > 0) out.stages.push_back({kStages[i].name, elements[i]});
    }
}

}  // namespace tw::pipeline
