#include "street_files.hpp"

#include "terraway/core/hash.hpp"
#include "terraway/recipe/json_writer.hpp"
#include "terraway/recipe/recipe.hpp"

#include "geojson_files.hpp"
#include "plan_frame.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tw::io {
namespace {

using recipe::JsonLayout;
using recipe::JsonWriter;
using world::GateId;
using world::PieceId;
using world::PieceKind;
using world::StreetSurface;
using world::StreetVertexId;

constexpr PlanFrame kMetres = PlanFrame::metres();

/// The gates of every corridor: where its road starts, where it ends.
std::vector<std::vector<GateId>> gates_of_pieces(const StreetSurface& streets) {
    std::vector<std::vector<GateId>> gates(streets.piece_count());
    for (const GateId gate : streets.gate_corridor.ids())
        gates[streets.gate_corridor[gate].index()].push_back(gate);
    return gates;
}

/// The junction's id, or that of the network's node at a dead end.
std::string node_name(const StreetSurface& streets, const world::RoadNetwork& network,
                      GateId gate) {
    const PieceId junction = streets.gate_junction[gate];
    if (junction) return streets.label[junction];
    return "end " + hash_to_text(network.node_id[streets.gate_node[gate]].value());
}

void write_ring(JsonWriter& json, const StreetSurface& streets, world::RingId ring) {
    json.begin_array();
    for (const StreetVertexId v : streets.ring(ring)) kMetres.write(json, streets.vertex[v]);
    json.end_array();
}

/// One item a line inside {"head": [ … ]}.
std::string listed(std::string_view head, const std::vector<std::string>& items,
                   std::string_view tail) {
    std::string text(head);
    for (std::size_t i = 0; i < items.size(); ++i) {
        text += i == 0 ? "\n" : ",\n";
        text += items[i];
    }
    text += tail;
    return text;
}

/// The chain of ring vertices from `from` to `to`, walking the outline forward.
std::vector<StreetVertexId> chain(std::span<const StreetVertexId> ring, StreetVertexId from,
                                  StreetVertexId to) {
    const auto start = std::find(ring.begin(), ring.end(), from);
    std::vector<StreetVertexId> out;
    if (start == ring.end()) return out;
    for (std::size_t i = 0, at = static_cast<std::size_t>(start - ring.begin()); i < ring.size();
         ++i) {
        out.push_back(ring[at]);
        if (ring[at] == to) return out;
        at = (at + 1) % ring.size();
    }
    return {};
}

GridPoint middle(GridPoint a, GridPoint b) {
    return {static_cast<std::int32_t>((std::int64_t{a.x} + b.x) / 2),
            static_cast<std::int32_t>((std::int64_t{a.y} + b.y) / 2)};
}

/// Middles of the corridor's cross-sections, where its two sides have as many vertices.
std::vector<GridPoint> centre_line(const StreetSurface& streets, PieceId piece, GateId first,
                                   GateId last) {
    const auto ring = streets.ring(*streets.rings(piece).begin());
    // Counter-clockwise, the right side runs along the road and the left side back.
    const auto right = chain(ring, streets.gate_right[first], streets.gate_right[last]);
    auto left = chain(ring, streets.gate_left[last], streets.gate_left[first]);
    std::reverse(left.begin(), left.end());
    std::vector<GridPoint> line;
    if (left.size() != right.size()) return line;
    for (std::size_t i = 0; i < left.size(); ++i) {
        line.push_back(middle(streets.vertex[left[i]], streets.vertex[right[i]]));
    }
    return line;
}

void add_line(std::vector<std::string>& items, std::string_view kind, const StreetSurface& streets,
              PieceId piece, PieceId junction, std::span<const GridPoint> points) {
    JsonWriter json;
    json.begin_object().member("kind", kind).member("piece", streets.label[piece]);
    if (junction) json.member("junction", streets.label[junction]);
    json.key("points").begin_array();
    for (const GridPoint point : points) kMetres.write(json, point);
    json.end_array().end_object();
    items.push_back(std::move(json).take());
}

/// Recipes take such a name for this very number.
std::string source_name(std::uint64_t node) {
    return "n" + std::to_string(node);
}

/// "via": [[index of the point, node], ...].
void write_inner_nodes(JsonWriter& json, std::span<const std::uint64_t> nodes) {
    bool any = false;
    for (std::size_t i = 1; i + 1 < nodes.size(); ++i) {
        if (nodes[i] == 0) continue;
        if (!any) json.key("via").begin_array();
        any = true;
        json.begin_array().value(i).value(source_name(nodes[i])).end_array();
    }
    if (any) json.end_array();
}

bool is_carriageway(world::RoadClass road_class) {
    return road_class <= world::RoadClass::residential;
}

}  // namespace

std::string pieces_json(const StreetSurface& streets, const world::RoadNetwork& network) {
    const auto gates = gates_of_pieces(streets);
    std::vector<std::string> items;
    for (const PieceId piece : streets.kind.ids()) {
        const bool junction = streets.kind[piece] == PieceKind::junction;
        JsonWriter json;
        json.begin_object()
            .member("id", streets.label[piece])
            .member("kind", junction ? "junction" : "road");
        json.member("layer", streets.level[piece])
            .member("class", to_string(streets.road_class[piece]));
        json.member("form", name_of(streets.form[piece]));
        if (!streets.note[piece].empty()) json.member("note", streets.note[piece]);
        json.key("poly");
        bool outline = true;
        for (const world::RingId ring : streets.rings(piece)) {
            write_ring(json, streets, ring);
            if (outline) json.key("holes").begin_array();
            outline = false;
        }
        if (outline) json.begin_array().end_array().key("holes").begin_array();
        json.end_array();
        if (!junction) {
            json.key("ends").begin_array();
            for (const GateId gate : gates[piece.index()]) {
                json.begin_object().member("node", node_name(streets, network, gate)).key("l");
                kMetres.write(json, streets.vertex[streets.gate_left[gate]]);
                json.key("r");
                kMetres.write(json, streets.vertex[streets.gate_right[gate]]);
                json.end_object();
            }
            json.end_array().key("twin").null();
        }
        json.end_object();
        items.push_back(std::move(json).take());
    }
    return listed("{\"terraway\":1,\"pieces\":[", items, "\n]}\n");
}

std::string lines_json(const world::RoadLines& lines, const GridBox& bounds) {
    std::vector<std::string> items;
    for (const world::RoadId line : lines.label.ids()) {
        const world::RoadAttributes& road = lines.attributes[line];
        const std::span<const GridPoint> points = lines.points(line);
        const auto nodes = lines.node.span().subspan(lines.point_begin[line], points.size());
        JsonWriter json;
        json.begin_object().member("id", lines.label[line]);
        if (nodes.front() != 0) json.member("from", source_name(nodes.front()));
        if (nodes.back() != 0) json.member("to", source_name(nodes.back()));
        write_inner_nodes(json, nodes);
        json.member("width", to_metres(road.width)).member("level", road.level);
        json.member("class", to_string(road.road_class)).member("form", name_of(road.form));
        json.member("oneway", road.oneway != world::Oneway::no);
        json.key("points").begin_array();
        for (const GridPoint point : points) kMetres.write(json, point);
        json.end_array().end_object();
        items.push_back(std::move(json).take());
    }
    // Size and origin keep the frame: without them the world would lie round the lines.
    JsonWriter head;
    head.begin_object().member("terraway", recipe::kRecipeVersion);
    head.key("size").begin_array();
    head.value(to_metres(bounds.width())).value(to_metres(bounds.height())).end_array();
    head.key("origin").begin_array().value(0).value(0).end_array();
    head.key("roads").begin_object().key("lines").begin_array();
    return listed(head.text(), items, "\n]}}\n");
}

std::string markings_json(const StreetSurface& streets, const world::RoadNetwork& network) {
    constexpr std::size_t kCrossing = 3;  // arms that make a node a crossing
    constexpr Steps kTwoLanes = to_steps(5.5);
    std::vector<std::size_t> arms(streets.piece_count(), 0);
    for (const PieceId junction : streets.gate_junction.span()) {
        if (junction) ++arms[junction.index()];
    }
    const auto gates = gates_of_pieces(streets);
    std::vector<std::string> items;
    for (const PieceId piece : streets.kind.ids()) {
        const auto& ends = gates[piece.index()];
        if (ends.size() != 2 || !is_carriageway(streets.road_class[piece]) || !streets.road[piece])
            continue;
        const world::RoadAttributes& road = network.attributes[streets.road[piece]];
        const bool two_way = road.oneway == world::Oneway::no;
        if (two_way && road.width >= kTwoLanes) {
            const auto line = centre_line(streets, piece, ends[0], ends[1]);
            if (line.size() >= 2) add_line(items, "centre_line", streets, piece, PieceId(), line);
        }
        for (const bool at_end : {false, true}) {
            const GateId gate = ends[at_end ? 1 : 0];
            const PieceId junction = streets.gate_junction[gate];
            if (!junction || arms[junction.index()] < kCrossing) continue;
            const bool arrives = two_way || (road.oneway == world::Oneway::along) == at_end;
            if (!arrives) continue;
            // Who drives on the right and arrives at the road's end has its right side; at its
            // start, its left.
            const GridPoint l = streets.vertex[streets.gate_left[gate]],
                            r = streets.vertex[streets.gate_right[gate]];
            const GridPoint inner = two_way ? middle(l, r) : (at_end ? l : r);
            const std::vector<GridPoint> points = {inner, at_end ? r : l};
            add_line(items, "stop_line", streets, piece, junction, points);
        }
    }
    return listed("{\"terraway\":1,\"traffic\":\"right\",\"instances\":[", items, "\n]}\n");
}

std::string report_json(const StreetReport& report) {
    JsonWriter json(JsonLayout::indented);
    json.begin_object().member("terraway", 1);
    json.member("junctions", report.junctions).member("corridors", report.corridors);
    const auto write = [&](std::string_view key, std::string_view piece,
                           const std::vector<StreetReport::Repair>& list) {
        json.key(key).begin_array();
        for (const StreetReport::Repair& repair : list) {
            json.begin_object().member(piece, repair.piece).member("why", repair.why).end_object();
        }
        json.end_array();
    };
    write("repaired", "junction", report.repaired);
    write("corridor_notes", "corridor", report.corridor_notes);
    json.member("unsolved", report.unsolved).end_object();
    return std::move(json).take() + "\n";
}

}  // namespace tw::io
