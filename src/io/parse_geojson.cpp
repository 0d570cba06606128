#include "json_text.hpp"
#include "line_collector.hpp"
#include "road_formats.hpp"
#include "road_tags.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <set>
#include <string>
#include <vector>

namespace tw::io {
namespace {

using nlohmann::json;

constexpr double kMaxPlanar = 1e9;  ///< [m]
constexpr double kDegree = 1e7;     ///< units of an import in a degree
constexpr int kMaxNesting = 16;     ///< of GeometryCollections

Error geojson_error(const std::string& place, std::string message,
                    ErrorCode code = ErrorCode::invalid_input) {
    return Error{
        .code = code, .stage = "read geojson", .subject = place, .message = std::move(message)};
}

/// A property as the text that it would be as an OSM tag.
std::string tag_text(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number()) return value.dump();
    return {};
}

class RoadFeatures {
public:
    RoadFeatures(world::Frame frame, std::string name, const RoadReadOptions& options)
        : lines_(frame), frame_(frame), name_(std::move(name)), options_(options) {}

    Status add_feature(const json& feature, std::size_t index) {
        place_ = name_ + ":feature " + std::to_string(index);
        const json* geometry = find_member(feature, "geometry");
        if (!geometry || geometry->is_null()) return ok_status();
        read_tags(feature);
        const auto lookup = [&](std::string_view key) -> std::string_view {
            const auto at = tags_.find(key);
            return at == tags_.end() ? std::string_view() : std::string_view(at->second);
        };
        // A class of our own is meant; a highway of OSM is filtered as in OSM files.
        const RoadScope scope = own_class_ ? RoadScope::all : options_.scope;
        const auto attributes = attributes_from_tags(lookup, scope);
        if (!attributes) return ok_status();
        return add_geometry(*geometry, label_of(feature), *attributes, kMaxNesting);
    }
    Status add_bare_geometry(const json& geometry) {
        place_ = name_;
        const auto lookup = [&](std::string_view key) -> std::string_view {
            return key == "highway" ? "residential" : "";
        };
        const auto attributes = attributes_from_tags(lookup, RoadScope::all);
        return add_geometry(geometry, "r" + std::to_string(lines_.line_count()), *attributes,
                            kMaxNesting);
    }
    std::size_t line_count() const { return lines_.line_count(); }
    world::ImportedLines take() && { return std::move(lines_).take(); }

private:
    void read_tags(const json& feature) {
        tags_.clear();
        const json* properties = find_member(feature, "properties");
        if (properties && properties->is_object()) {
            for (const auto& [key, value] : properties->items()) {
                if (std::string text = tag_text(value); !text.empty()) tags_[key] = std::move(text);
            }
        }
        own_class_ = !tags_.contains("highway");
        if (own_class_) tags_["highway"] = tags_.contains("class") ? tags_["class"] : "residential";
        if (!tags_.contains("layer") && tags_.contains("level")) tags_["layer"] = tags_["level"];
        if (const auto form = tags_.find("form"); form != tags_.end())
            tags_.try_emplace(form->second, "yes");
        if (const auto oneway = tags_.find("oneway"); oneway != tags_.end()) {
            if (oneway->second == "along") oneway->second = "yes";
            if (oneway->second == "against") oneway->second = "-1";
        }
    }

    std::string label_of(const json& feature) const {
        if (const json* id = find_member(feature, "id")) {
            if (std::string text = tag_text(*id); !text.empty()) return text;
        }
        for (const char* key : {"id", "@id", "osm_id"}) {
            if (const auto at = tags_.find(key); at != tags_.end()) return at->second;
        }
        return "r" + std::to_string(lines_.line_count());
    }

    Status add_geometry(const json& geometry, const std::string& label,
                        const world::RoadAttributes& attributes, int nesting) {
        const json* type = find_member(geometry, "type");
        const std::string kind = type && type->is_string() ? type->get<std::string>() : "";
        const json* coordinates = find_member(geometry, "coordinates");
        if (kind == "LineString") {
            if (!coordinates)
                return geojson_error(place_, "a LineString without coordinates; add them");
            return add_line(*coordinates, label, attributes);
        }
        if (kind == "MultiLineString") {
            if (!coordinates || !coordinates->is_array()) {
                return geojson_error(place_, "a MultiLineString without coordinates; add them");
            }
            std::size_t part = 0;
            for (const json& line : *coordinates) {
                TW_TRY(add_line(line, label + "." + std::to_string(++part), attributes));
            }
        } else if (kind == "GeometryCollection") {
            const json* members = find_member(geometry, "geometries");
            if (nesting == 0)
                return geojson_error(place_, "collections nest too deep; flatten them");
            if (members && members->is_array()) {
                std::size_t part = 0;
                for (const json& member : *members) {
                    TW_TRY(add_geometry(member, label + "." + std::to_string(++part), attributes,
                                        nesting - 1));
                }
            }
        }
        return ok_status();  // points and polygons are no roads
    }

    Result<LinePoint> point_from(const json& position) const {
        if (!position.is_array() || position.size() < 2 || !position[0].is_number() ||
            !position[1].is_number()) {
            return geojson_error(place_, "a position must be [x, y] in numbers; correct it");
        }
        const auto x = position[0].get<double>(), y = position[1].get<double>();
        const bool geographic = frame_ == world::Frame::geographic;
        const double most_x = geographic ? 180.0 : kMaxPlanar,
                     most_y = geographic ? 90.0 : kMaxPlanar;
        if (!(x >= -most_x && x <= most_x && y >= -most_y && y <= most_y)) {
            const std::string place = "[" + position[0].dump() + ", " + position[1].dump() + "]";
            return geojson_error(
                place_, geographic ? place +
                                         " is no longitude and latitude; for metres add "
                                         "\"terraway:frame\": \"planar\" at the top level"
                                   : place + " is farther than a million km; move the data");
        }
        const double scale = geographic ? kDegree : kStepsPerMetre;
        return LinePoint{.x = std::llround(x * scale), .y = std::llround(y * scale)};
    }

    Status add_line(const json& coordinates, const std::string& label,
                    const world::RoadAttributes& attributes) {
        if (!coordinates.is_array())
            return geojson_error(place_, "coordinates must be a list; correct them");
        std::vector<LinePoint> points;
        for (const json& position : coordinates) {
            TW_ASSIGN(const LinePoint point, point_from(position));
            if (points.empty() || !(points.back() == point)) points.push_back(point);
        }
        if (points.size() < 2) return ok_status();
        if (lines_.line_count() >= kMaxLines ||
            lines_.point_count() + points.size() > kMaxLinePoints) {
            return geojson_error(place_, "there are too many roads; cut out a region first",
                                 ErrorCode::too_large);
        }
        std::string unique = label;
        for (std::size_t again = 2; !labels_.insert(unique).second; ++again) {
            unique = label + "#" + std::to_string(again);
        }
        lines_.add(std::move(unique), attributes, points);
        return ok_status();
    }

    LineCollector lines_;
    world::Frame frame_;
    std::string name_, place_;
    RoadReadOptions options_;
    std::map<std::string, std::string, std::less<>> tags_;
    std::set<std::string> labels_;
    bool own_class_ = false;
};

Result<world::Frame> frame_of(const json& top, const std::string& name) {
    if (const json* frame = find_member(top, "terraway:frame")) {
        if (*frame == "planar") return world::Frame::planar;
        if (*frame == "geographic") return world::Frame::geographic;
        return geojson_error(name,
                             "\"terraway:frame\" is neither; give \"planar\" or \"geographic\"");
    }
    if (const json* crs = find_member(top, "crs"); crs && !crs->is_null()) {
        const std::string text = crs->dump();
        if (text.find("CRS84") == std::string::npos && text.find("4326") == std::string::npos) {
            return geojson_error(
                name,
                "coordinates are in another system; reproject to WGS 84 (ogr2ogr -t_srs EPSG:4326)",
                ErrorCode::unsupported);
        }
    }
    return world::Frame::geographic;
}

Result<world::ImportedLines> roads_from(const json& top, const std::string& name,
                                        const RoadReadOptions& options) {
    TW_ASSIGN(const world::Frame frame, frame_of(top, name));
    RoadFeatures roads(frame, name, options);
    const json* type = find_member(top, "type");
    const std::string kind = type && type->is_string() ? type->get<std::string>() : "";
    if (kind == "FeatureCollection") {
        const json* features = find_member(top, "features");
        if (!features || !features->is_array())
            return geojson_error(name, "`features` must be a list; add it");
        for (std::size_t i = 0; i < features->size(); ++i)
            TW_TRY(roads.add_feature((*features)[i], i));
    } else if (kind == "Feature") {
        TW_TRY(roads.add_feature(top, 0));
    } else if (kind == "LineString" || kind == "MultiLineString" || kind == "GeometryCollection") {
        TW_TRY(roads.add_bare_geometry(top));
    } else if (kind == "Topology") {
        return geojson_error(name, "this is TopoJSON; convert it to GeoJSON (topo2geo)",
                             ErrorCode::unsupported);
    } else {
        return geojson_error(
            name, "this JSON is no GeoJSON; give an object whose \"type\" is FeatureCollection");
    }
    if (roads.line_count() == 0) return no_roads_error(name, "LineString features");
    return std::move(roads).take();
}

}  // namespace

Result<world::ImportedLines> parse_geojson_roads(std::span<const std::byte> bytes,
                                                 const std::string& name,
                                                 const RoadReadOptions& options) {
    try {
        TW_ASSIGN(const json top, parse_json(bytes, name));
        return roads_from(top, name, options);
    } catch (const std::bad_alloc&) {
        return geojson_error(name, "needs more memory than there is; cut out a region first",
                             ErrorCode::too_large);
    } catch (const std::exception& what) {
        return geojson_error(name, std::string(what.what()) + "; correct the file");
    }
}

}  // namespace tw::io
