// libosmium asserts on some files that are merely damaged; its exceptions are what we want.
#ifndef NDEBUG
#define NDEBUG
#endif

#include "line_collector.hpp"
#include "pbf_frames.hpp"
#include "road_formats.hpp"
#include "road_tags.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <osmium/index/map/sparse_mem_array.hpp>
#include <osmium/io/file.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/way.hpp>

namespace tw::io {
namespace {

constexpr std::size_t kMaxNodes = std::size_t{64} << 20;

using NodeIndex =
    osmium::index::map::SparseMemArray<osmium::unsigned_object_id_type, osmium::Location>;

/// A way that is a road, before its nodes are known.
struct RoadWay {
    osmium::object_id_type id = 0;
    world::RoadAttributes attributes;
    std::size_t node_begin = 0, node_end = 0;
};

struct Extract {
    NodeIndex nodes;
    std::vector<RoadWay> ways;
    std::vector<osmium::unsigned_object_id_type> way_nodes;
    std::uint64_t objects = 0;  ///< read so far, for errors
};

Error osm_error(ErrorCode code, const std::string& place, std::string message) {
    return Error{
        .code = code, .stage = "read osm", .subject = place, .message = std::move(message)};
}

void add_way(const osmium::Way& way, const RoadReadOptions& options, Extract& extract) {
    const osmium::TagList& tags = way.tags();
    const auto lookup = [&](std::string_view key) -> std::string_view {
        const char* value = tags.get_value_by_key(std::string(key).c_str());
        return value ? value : "";
    };
    const auto attributes = attributes_from_tags(lookup, options.scope);
    if (!attributes) return;
    const std::size_t begin = extract.way_nodes.size();
    for (const osmium::NodeRef& ref : way.nodes()) {
        extract.way_nodes.push_back(static_cast<osmium::unsigned_object_id_type>(ref.ref()));
    }
    extract.ways.push_back({way.id(), *attributes, begin, extract.way_nodes.size()});
}

Status read_objects(std::span<const std::byte> bytes, std::string_view format,
                    const std::string& name, const RoadReadOptions& options, Extract& extract) {
    const osmium::io::File file(reinterpret_cast<const char*>(bytes.data()), bytes.size(),
                                std::string(format));
    osmium::io::Reader reader(file, osmium::osm_entity_bits::node | osmium::osm_entity_bits::way,
                              osmium::io::read_meta::yes);
    while (const osmium::memory::Buffer buffer = reader.read()) {
        for (const osmium::OSMObject& object : buffer.select<osmium::OSMObject>()) {
            ++extract.objects;
            if (!object.visible()) continue;
            if (object.type() == osmium::item_type::node) {
                const auto& node = static_cast<const osmium::Node&>(object);
                if (!node.location().valid()) continue;
                extract.nodes.set(static_cast<osmium::unsigned_object_id_type>(node.id()),
                                  node.location());
            } else if (object.type() == osmium::item_type::way) {
                add_way(static_cast<const osmium::Way&>(object), options, extract);
            }
        }
        if (extract.nodes.size() > kMaxNodes || extract.way_nodes.size() > kMaxLinePoints ||
            extract.ways.size() > kMaxLines) {
            return osm_error(
                ErrorCode::too_large, name,
                "holds more than 64 million nodes; cut out a region first (osmium extract)");
        }
    }
    reader.close();
    return ok_status();
}

/// The points of the way, without repeated nodes and nodes that the file does not hold.
std::vector<LinePoint> points_of(const RoadWay& way, const Extract& extract) {
    std::vector<LinePoint> points;
    for (std::size_t i = way.node_begin; i < way.node_end; ++i) {
        const std::uint64_t node = extract.way_nodes[i];
        const osmium::Location at = extract.nodes.get_noexcept(node);
        if (!at.valid() || (!points.empty() && points.back().node == node)) continue;
        points.push_back({.x = at.x(), .y = at.y(), .node = node});
    }
    return points;
}

std::string place_of(const std::string& name, const std::exception& what, const Extract& extract) {
    if (const auto* xml = dynamic_cast<const osmium::xml_error*>(&what); xml && xml->line > 0) {
        return name + ":" + std::to_string(xml->line);
    }
    return name + ":object " + std::to_string(extract.objects + 1);
}

}  // namespace

Result<world::ImportedLines> parse_osm(std::span<const std::byte> bytes, std::string_view format,
                                       const std::string& name, const RoadReadOptions& options) {
    // libosmium takes a file that ends within a blob's first bytes for a whole one.
    if (format == "pbf") TW_TRY(check_pbf_frames(bytes, name));
    Extract extract;
    try {
        TW_TRY(read_objects(bytes, format, name, options, extract));
    } catch (const std::bad_alloc&) {
        return osm_error(ErrorCode::too_large, name,
                         "needs more memory than there is; cut out a region first");
    } catch (const std::exception& what) {
        return osm_error(ErrorCode::invalid_input, place_of(name, what, extract),
                         std::string("the file is damaged, cut short or no OSM data (") +
                             what.what() + "); fetch it again");
    }
    extract.nodes.sort();
    // By way id, so that the XML and the PBF of one extract give the same import; of a way that
    // comes twice, the first with a shape.
    std::vector<std::pair<osmium::object_id_type, std::size_t>> order;
    order.reserve(extract.ways.size());
    for (std::size_t i = 0; i < extract.ways.size(); ++i) {
        order.emplace_back(extract.ways[i].id, i);
    }
    std::sort(order.begin(), order.end());
    LineCollector lines(world::Frame::geographic);
    std::optional<osmium::object_id_type> last;
    for (const auto& [id, index] : order) {
        const RoadWay& way = extract.ways[index];
        if (last == way.id) continue;
        const std::vector<LinePoint> points = points_of(way, extract);
        if (points.size() < 2) continue;
        last = way.id;
        lines.add("w" + std::to_string(way.id), way.attributes, points);
    }
    if (lines.line_count() == 0)
        return no_roads_error(name, "ways with a `highway` that cars can use");
    return std::move(lines).take();
}

}  // namespace tw::io
