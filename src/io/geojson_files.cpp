#include "geojson_files.hpp"

#include "terraway/core/hash.hpp"

#include "map_data.hpp"

#include <array>
#include <cmath>
#include <span>

namespace tw::io {
namespace {

using recipe::JsonWriter;

/// A collection with a feature on each line.
class FeatureCollection {
public:
    explicit FeatureCollection(const PlanFrame& frame) {
        text_ = "{\"type\":\"FeatureCollection\",";
        if (!frame.geographic()) text_ += "\"terraway:frame\":\"planar\",";
        text_ += "\"features\":[";
    }
    void add(std::string_view feature) {
        text_ += empty_ ? "\n" : ",\n";
        text_ += feature;
        empty_ = false;
    }
    std::string take() && {
        text_ += "\n]}\n";
        return std::move(text_);
    }

private:
    std::string text_;
    bool empty_ = true;
};

JsonWriter begin_feature(std::string_view geometry) {
    JsonWriter json;
    json.begin_object().member("type", "Feature").key("geometry").begin_object();
    json.member("type", geometry).key("coordinates").begin_array();
    return json;
}

double four_decimals(double value) {
    return std::round(value * 1e4) / 1e4;
}

void write_ring(JsonWriter& json, const PlanFrame& frame, const world::StreetSurface& streets,
                world::RingId ring) {
    const auto vertices = streets.ring(ring);
    json.begin_array();
    for (const world::StreetVertexId v : vertices) frame.write(json, streets.vertex[v]);
    if (!vertices.empty()) frame.write(json, streets.vertex[vertices.front()]);
    json.end_array();
}

}  // namespace

std::string_view name_of(world::Water water) {
    return std::array<std::string_view, 3>{"land", "ocean",
                                           "lake"}[static_cast<std::size_t>(water)];
}
std::string_view name_of(world::RoadForm form) {
    return std::array<std::string_view, 3>{"ground", "bridge",
                                           "tunnel"}[static_cast<std::size_t>(form)];
}

std::string cells_geojson(const pipeline::BakedWorld& world, const PlanFrame& frame) {
    const world::PolygonMap& map = *world.map;
    const world::Drainage& drainage = *world.drainage;
    FeatureCollection collection(frame);
    for (const world::CellId cell : map.site.ids()) {
        JsonWriter json = begin_feature("Polygon");
        json.begin_array();
        const auto write_corner = [&](world::SideId side) {
            const world::CornerId corner = map.corner[side];
            frame.write(json, map.corner_point[corner], drainage.corner_elevation[corner]);
        };
        for (const world::SideId side : map.sides(cell)) write_corner(side);
        write_corner(world::SideId(map.side_begin[cell]));
        json.end_array().end_array().end_object().key("properties").begin_object();
        json.member("id", cell.value()).key("site");
        frame.write(json, map.site[cell]);
        json.member("elevation", to_metres(drainage.elevation[cell]));
        json.member("water", name_of(world.drainage->water[cell]));
        if (world.biomes) json.member("biome", look_of(world.biomes->biome[cell]).name);
        if (world.moisture)
            json.member("moisture", four_decimals(world.moisture->moisture[cell] / 65535.0));
        json.member("flow", four_decimals(flow_of(drainage.discharge[cell])));
        json.end_object().end_object();
        collection.add(json.text());
    }
    return std::move(collection).take();
}

std::string rivers_geojson(const pipeline::BakedWorld& world, const PlanFrame& frame) {
    const world::Rivers& rivers = *world.rivers;
    FeatureCollection collection(frame);
    for (const world::ReachId reach : rivers.reach_start.ids()) {
        JsonWriter json = begin_feature("LineString");
        for (const world::RiverNode& node :
             reach_line(*world.map, *world.drainage, rivers, reach)) {
            frame.write(json, node.point, node.elevation);
        }
        json.end_array().end_object().key("properties").begin_object();
        json.member("id", reach.value()).key("next");
        const world::ReachId next = rivers.reach_next[reach];
        if (next) {
            json.value(next.value());
        } else {
            json.null();
        }
        json.member("flow_begin",
                    four_decimals(flow_of(world.drainage->discharge[rivers.reach_start[reach]])));
        json.member("flow", four_decimals(flow_of(rivers.reach_discharge[reach])));
        json.member("order", rivers.reach_order[reach]).end_object().end_object();
        collection.add(json.text());
    }
    return std::move(collection).take();
}

std::string roads_geojson(const pipeline::BakedWorld& world, const PlanFrame& frame) {
    const world::RoadNetwork& network = *world.network;
    FeatureCollection collection(frame);
    for (const world::RoadId road : network.id.ids()) {
        const world::RoadAttributes& attributes = network.attributes[road];
        JsonWriter json = begin_feature("LineString");
        for (const GridPoint point : network.points(road)) frame.write(json, point);
        json.end_array().end_object().key("properties").begin_object();
        json.member("id", network.label[road]).member("class", to_string(attributes.road_class));
        json.member("width", to_metres(attributes.width)).member("level", attributes.level);
        json.member("form", name_of(attributes.form));
        constexpr std::array<std::string_view, 3> kOneway = {"no", "yes", "-1"};
        json.member("oneway", kOneway[static_cast<std::size_t>(attributes.oneway)]);
        json.member("from", hash_to_text(network.node_id[network.from[road]].value()));
        json.member("to", hash_to_text(network.node_id[network.to[road]].value()));
        json.end_object().end_object();
        collection.add(json.text());
    }
    return std::move(collection).take();
}

std::string streets_geojson(const world::StreetSurface& streets, const PlanFrame& frame) {
    FeatureCollection collection(frame);
    for (const world::PieceId piece : streets.kind.ids()) {
        JsonWriter json = begin_feature("Polygon");
        for (const world::RingId ring : streets.rings(piece))
            write_ring(json, frame, streets, ring);
        json.end_array().end_object().key("properties").begin_object();
        const bool junction = streets.kind[piece] == world::PieceKind::junction;
        json.member("id", streets.label[piece]).member("kind", junction ? "junction" : "road");
        json.member("layer", streets.level[piece])
            .member("class", to_string(streets.road_class[piece]));
        json.member("form", name_of(streets.form[piece])).end_object().end_object();
        collection.add(json.text());
    }
    return std::move(collection).take();
}

}  // namespace tw::io
