#include "world_folder.hpp"

#include "geojson_files.hpp"
#include "json_text.hpp"
#include "manifest.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace tw::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Error folder_error(const std::string& place, std::string message) {
    return Error{.code = ErrorCode::invalid_input,
                 .stage = "read world",
                 .subject = place,
                 .message = std::move(message) + "; bake the world again"};
}

std::optional<double> number(const json* value) {
    if (!value || !value->is_number()) return std::nullopt;
    const auto n = value->get<double>();
    return std::isfinite(n) ? std::optional(n) : std::nullopt;
}

std::optional<PlanFrame::Position> position(const json* value) {
    if (!value || !value->is_array() || value->size() < 2) return std::nullopt;
    const auto x = number(&(*value)[0]), y = number(&(*value)[1]);
    if (!x || !y) return std::nullopt;
    return PlanFrame::Position{*x, *y};
}

std::string text_member(const json& object, const char* key) {
    const json* value = find_member(object, key);
    return value && value->is_string() ? value->get<std::string>() : std::string();
}

double number_member(const json& object, const char* key) {
    return number(find_member(object, key)).value_or(0.0);
}

constexpr double kMostMetres = 2'000'000.0;  ///< what to_steps takes

std::optional<Steps> height_of(const json& at) {
    if (at.size() < 3) return Steps{0};
    const auto metres = number(&at[2]);
    if (!metres || std::abs(*metres) > kMostMetres) return std::nullopt;
    return to_steps(*metres);
}

struct FilePoint {
    GridPoint point;
    Steps height = 0;
};

/// A list of positions.
std::optional<std::vector<FilePoint>> line_of(const json* list, const PlanFrame& frame) {
    if (!list || !list->is_array()) return std::nullopt;
    std::vector<FilePoint> line;
    for (const json& at : *list) {
        const auto where = position(&at);
        if (!where) return std::nullopt;
        const auto height = height_of(at);
        if (!height) return std::nullopt;
        line.push_back({frame.from_file(*where), *height});
    }
    return line;
}

/// Calls visit(feature, coordinates, properties) for each feature of a collection.
template <class Visit>
Status for_each_feature(const json& top, const std::string& name, Visit&& visit) {
    const json* features = find_member(top, "features");
    if (!features || !features->is_array())
        return folder_error(name, "there is no list of features");
    for (std::size_t i = 0; i < features->size(); ++i) {
        const json& feature = (*features)[i];
        const std::string place = name + ":feature " + std::to_string(i);
        const json* geometry = find_member(feature, "geometry");
        const json* properties = find_member(feature, "properties");
        if (!geometry || !properties)
            return folder_error(place, "geometry or properties are missing");
        const json* coordinates = find_member(*geometry, "coordinates");
        if (!coordinates || !coordinates->is_array())
            return folder_error(place, "coordinates are missing");
        TW_TRY(visit(place, *coordinates, *properties));
    }
    return ok_status();
}

template <class T, class Name>
std::optional<T> named(std::string_view text, std::size_t count, Name&& name) {
    for (std::size_t i = 0; i < count; ++i) {
        if (name(static_cast<T>(i)) == text) return static_cast<T>(i);
    }
    return std::nullopt;
}

/// The cell across each side: the one that has the side the other way.
void find_neighbours(MapCells& cells) {
    struct Side {
        GridPoint from, to;
        std::uint32_t index = 0, cell = 0;
    };
    std::vector<Side> sides;
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        const std::uint32_t first = cells.ring_begin[cell], last = cells.ring_begin[cell + 1];
        for (std::uint32_t i = first; i < last; ++i) {
            sides.push_back({cells.corner[i], cells.corner[i + 1 < last ? i + 1 : first], i, cell});
        }
    }
    const auto less = [](const Side& a, const Side& b) {
        return a.from != b.from ? a.from < b.from : a.to != b.to ? a.to < b.to : a.index < b.index;
    };
    std::sort(sides.begin(), sides.end(), less);
    cells.neighbour.assign(cells.corner.size(), MapCells::kNone);
    for (const Side& side : sides) {
        const Side back{side.to, side.from, 0, 0};
        const auto at = std::lower_bound(sides.begin(), sides.end(), back, less);
        if (at != sides.end() && at->from == side.to && at->to == side.from)
            cells.neighbour[side.index] = at->cell;
    }
}

Result<world::Placement> placement_from(const json& manifest) {
    world::Placement placement;
    const json* bounds = find_member(manifest, "bounds");
    const json* frame = find_member(manifest, "frame");
    if (!bounds || !frame) return folder_error(kManifestName, "`bounds` or `frame` is missing");
    const auto lo = position(find_member(*bounds, "min")),
               hi = position(find_member(*bounds, "max"));
    const auto middle = position(find_member(*frame, "middle")),
               scale = position(find_member(*frame, "scale"));
    if (!lo || !hi || !middle || !scale || scale->x == 0.0 || scale->y == 0.0) {
        return folder_error(kManifestName, "`bounds` or `frame` is damaged");
    }
    const PlanFrame metres = PlanFrame::metres();
    placement.bounds = {metres.from_file(*lo), metres.from_file(*hi)};
    const bool sound = on_grid(placement.bounds.lo) && on_grid(placement.bounds.hi) &&
                       placement.bounds.width() > 0 && placement.bounds.height() > 0;
    if (!sound) return folder_error(kManifestName, "`bounds` is no rectangle");
    const bool geographic = text_member(*frame, "kind") == "geographic";
    placement.frame = geographic ? world::Frame::geographic : world::Frame::planar;
    placement.middle_x = middle->x;
    placement.middle_y = middle->y;
    placement.scale_x = scale->x;
    placement.scale_y = scale->y;
    return placement;
}

}  // namespace

Result<WorldFolder> WorldFolder::open(const fs::path& folder) {
    const std::string name = (folder / kManifestName).string();
    TW_ASSIGN(const Bytes bytes, read_file(name));
    WorldFolder world;
    world.folder_ = folder;
    TW_ASSIGN(world.manifest_, parse_json(bytes, name));
    TW_ASSIGN(const world::Placement placement, placement_from(world.manifest_));
    world.frame_ = PlanFrame(placement);
    return world;
}

bool WorldFolder::has(std::string_view name) const {
    const json* files = find_member(manifest_, "files");
    if (!files || !files->is_array()) return false;
    return std::any_of(files->begin(), files->end(),
                       [&](const json& file) { return text_member(file, "name") == name; });
}

Result<Bytes> WorldFolder::read(std::string_view name) const {
    return read_file(folder_ / name);
}

Result<MapCells> WorldFolder::cells() const {
    const std::string name = "cells.geojson";
    TW_ASSIGN(const Bytes bytes, read(name));
    TW_ASSIGN(const json top, parse_json(bytes, name));
    MapCells cells;
    cells.ring_begin.push_back(0);
    TW_TRY(for_each_feature(
        top, name, [&](const std::string& place, const json& rings, const json& p) -> Status {
            const auto ring = rings.size() == 1 ? line_of(&rings[0], frame_) : std::nullopt;
            const auto site = position(find_member(p, "site"));
            const auto elevation = number(find_member(p, "elevation"));
            if (!ring || !site || !elevation || std::abs(*elevation) > kMostMetres) {
                return folder_error(place, "its ring, site or elevation is damaged");
            }
            if (ring->size() < 4 || ring->front().point != ring->back().point) {
                return folder_error(place, "its ring is not closed");
            }
            const auto water = named<world::Water>(text_member(p, "water"), 3,
                                                   [](world::Water w) { return name_of(w); });
            const auto biome =
                named<world::Biome>(text_member(p, "biome"), world::kBiomeCount,
                                    [](world::Biome b) { return world::look_of(b).name; });
            if (!water) return folder_error(place, "its water is unknown");
            for (std::size_t i = 0; i + 1 < ring->size(); ++i) {
                cells.corner.push_back((*ring)[i].point);
                cells.corner_elevation.push_back((*ring)[i].height);
            }
            cells.ring_begin.push_back(static_cast<std::uint32_t>(cells.corner.size()));
            cells.site.push_back(frame_.from_file(*site));
            cells.elevation.push_back(to_steps(*elevation));
            cells.water.push_back(*water);
            cells.biome.push_back(biome.value_or(world::Biome::grassland));
            const double moisture = std::clamp(number_member(p, "moisture"), 0.0, 1.0);
            cells.moisture.push_back(static_cast<std::uint16_t>(std::lround(moisture * 65535.0)));
            cells.flow.push_back(number_member(p, "flow"));
            return ok_status();
        }));
    if (cells.size() == 0) return folder_error(name, "there are no cells");
    find_neighbours(cells);
    return cells;
}

Result<std::vector<MapRiver>> WorldFolder::rivers() const {
    const std::string name = "rivers.geojson";
    TW_ASSIGN(const Bytes bytes, read(name));
    TW_ASSIGN(const json top, parse_json(bytes, name));
    std::vector<MapRiver> rivers;
    TW_TRY(for_each_feature(
        top, name, [&](const std::string& place, const json& list, const json& p) -> Status {
            const auto line = line_of(&list, frame_);
            if (!line || line->size() < 2) return folder_error(place, "its line is damaged");
            MapRiver river;
            for (const FilePoint& at : *line) {
                river.point.push_back(at.point);
                river.elevation.push_back(at.height);
            }
            river.flow_begin = number_member(p, "flow_begin");
            river.flow_end = number_member(p, "flow");
            rivers.push_back(std::move(river));
            return ok_status();
        }));
    return rivers;
}

Result<std::vector<MapRoad>> WorldFolder::roads() const {
    const std::string name = "roads.geojson";
    TW_ASSIGN(const Bytes bytes, read(name));
    TW_ASSIGN(const json top, parse_json(bytes, name));
    std::vector<MapRoad> roads;
    TW_TRY(for_each_feature(
        top, name, [&](const std::string& place, const json& list, const json& p) -> Status {
            const auto line = line_of(&list, frame_);
            const auto road_class = world::road_class_from(text_member(p, "class"));
            const double width = number_member(p, "width");
            if (!line || line->size() < 2 || !road_class || !(width > 0.0 && width < 1000.0)) {
                return folder_error(place, "its line, class or width is damaged");
            }
            MapRoad road;
            for (const FilePoint& at : *line) road.point.push_back(at.point);
            road.attributes.road_class = *road_class;
            road.attributes.width = to_steps(width);
            road.attributes.level =
                static_cast<std::int8_t>(std::clamp(number_member(p, "level"), -5.0, 5.0));
            road.attributes.form =
                named<world::RoadForm>(text_member(p, "form"), 3, [](world::RoadForm f) {
                    return name_of(f);
                }).value_or(world::RoadForm::ground);
            roads.push_back(std::move(road));
            return ok_status();
        }));
    return roads;
}

Result<NavGrids> WorldFolder::nav() const {
    TW_ASSIGN(const Bytes bytes, read("nav.bin"));
    return decode_nav(bytes, "nav.bin");
}

Result<HeightPixels> WorldFolder::heights() const {
    const json* height = find_member(manifest_, "height");
    if (!height) return folder_error(kManifestName, "`height` is missing");
    const double width = number_member(*height, "width"), rows = number_member(*height, "height");
    const double step = number_member(*height, "step_m");
    const auto origin = position(find_member(*height, "origin"));
    const auto side = [](double n) { return n >= 1.0 && n <= 16'384.0 && n == std::floor(n); };
    if (!side(width) || !side(rows) || !(step > 0.0 && step < kMostMetres) || !origin) {
        return folder_error(kManifestName, "`height` is damaged");
    }
    HeightPixels pixels;
    pixels.columns = static_cast<std::int32_t>(width);
    pixels.rows = static_cast<std::int32_t>(rows);
    pixels.pixel = to_steps(step);
    pixels.north_west = PlanFrame::metres().from_file(*origin);
    TW_ASSIGN(const Bytes bytes, read("height.r16"));
    const auto count =
        static_cast<std::size_t>(pixels.columns) * static_cast<std::size_t>(pixels.rows);
    if (bytes.size() != 2 * count)
        return folder_error("height.r16", "its size is not that of the manifest");
    pixels.value.resize(count);
    std::memcpy(pixels.value.data(), bytes.data(), bytes.size());
    return pixels;
}

Result<std::vector<FilePiece>> WorldFolder::pieces() const {
    const std::string name = "streets.pieces.json";
    TW_ASSIGN(const Bytes bytes, read(name));
    TW_ASSIGN(const json top, parse_json(bytes, name));
    const json* list = find_member(top, "pieces");
    if (!list || !list->is_array()) return folder_error(name, "there is no list of pieces");
    const PlanFrame metres = PlanFrame::metres();
    std::vector<FilePiece> pieces;
    for (const json& item : *list) {
        FilePiece piece;
        piece.id = text_member(item, "id");
        piece.junction = text_member(item, "kind") == "junction";
        const std::string place = name + ":piece " + piece.id;
        const auto add_ring = [&](const json* ring) {
            const auto line = line_of(ring, metres);
            if (!line) return false;
            std::vector<GridPoint>& points = piece.rings.emplace_back();
            for (const FilePoint& at : *line) points.push_back(at.point);
            return true;
        };
        if (!add_ring(find_member(item, "poly"))) return folder_error(place, "its poly is damaged");
        if (const json* holes = find_member(item, "holes"); holes && holes->is_array()) {
            for (const json& hole : *holes) {
                if (!add_ring(&hole)) return folder_error(place, "a hole is damaged");
            }
        }
        if (const json* ends = find_member(item, "ends"); ends && ends->is_array()) {
            for (const json& end : *ends) {
                const auto l = position(find_member(end, "l")), r = position(find_member(end, "r"));
                if (!l || !r) return folder_error(place, "an end is damaged");
                piece.ends.push_back(
                    {text_member(end, "node"), metres.from_file(*l), metres.from_file(*r)});
            }
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

}  // namespace tw::io
