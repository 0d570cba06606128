#include "terraway/io/read_roads.hpp"

#include "terraway/io/files.hpp"

#include "road_formats.hpp"
#include "unpack.hpp"

#include <algorithm>
#include <new>
#include <string_view>

namespace tw::io {
namespace {

constexpr std::size_t kSniff = 64 * 1024;

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view sniffed_text(std::span<const std::byte> bytes) {
    std::string_view text = text_of(bytes.first(std::min(bytes.size(), kSniff)));
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// A big-endian length, then a BlobHeader whose type is OSMHeader.
bool looks_like_pbf(std::span<const std::byte> bytes) {
    return bytes.size() > 15 && bytes[0] == std::byte{0} && bytes[1] == std::byte{0} &&
           text_of(bytes).substr(0, 64).find("OSMHeader") != std::string_view::npos;
}

bool looks_like_osm_xml(std::span<const std::byte> bytes) {
    const std::string_view text = sniffed_text(bytes);
    return text.starts_with('<') && text.find("<osm") != std::string_view::npos;
}

bool looks_like_geojson(std::span<const std::byte> bytes) {
    const std::string_view text = sniffed_text(bytes);
    const auto has = [&](std::string_view word) {
        return text.find(word) != std::string_view::npos;
    };
    if (!text.starts_with('{') || !has("\"type\"") || has("\"Topology\"")) return false;
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"\"FeatureCollection\"", "\"Feature\"",
                                                "\"LineString\"", "\"MultiLineString\"",
                                                "\"GeometryCollection\""},
        has);
}

Error kind_error(const std::string& name, std::span<const std::byte> bytes) {
    const std::string_view text = sniffed_text(bytes);
    std::string what = "is no road file";
    if (bytes.empty() || text.empty()) {
        what = "is empty";
    } else if (text.starts_with('<')) {
        what = "is XML, but not of OpenStreetMap";
    } else if (text_of(bytes).starts_with("\x89PNG")) {
        what = "is a PNG picture";
    }
    return Error{.code = ErrorCode::invalid_input,
                 .stage = "read roads",
                 .subject = name,
                 .message = what + "; give .osm, .osm.gz, .osm.bz2, .osm.pbf or .geojson"};
}

Result<world::ImportedLines> parse_unpacked(std::span<const std::byte> bytes,
                                            const std::string& name,
                                            const RoadReadOptions& options) {
    if (looks_like_pbf(bytes)) return parse_osm(bytes, "pbf", name, options);
    if (looks_like_osm_xml(bytes)) return parse_osm(bytes, "osm", name, options);
    if (sniffed_text(bytes).starts_with('{')) return parse_geojson_roads(bytes, name, options);
    return kind_error(name, bytes);
}

}  // namespace

Error no_roads_error(const std::string& name, std::string_view what_counts) {
    return Error{.code = ErrorCode::invalid_input,
                 .stage = "read roads",
                 .subject = name,
                 .message = "there are no roads in it; give " + std::string(what_counts)};
}

Result<world::ImportedLines> parse_roads(std::span<const std::byte> bytes, const std::string& name,
                                         const RoadReadOptions& options) {
    try {
        if (is_gzip(bytes)) {
            TW_ASSIGN(const Bytes plain, unpack_gzip(bytes, name, kMaxFileSize));
            return parse_unpacked(plain, name, options);
        }
        if (is_bzip2(bytes)) {
            TW_ASSIGN(const Bytes plain, unpack_bzip2(bytes, name, kMaxFileSize));
            return parse_unpacked(plain, name, options);
        }
        return parse_unpacked(bytes, name, options);
    } catch (const std::bad_alloc&) {
        return Error{.code = ErrorCode::too_large,
                     .stage = "read roads",
                     .subject = name,
                     .message = "needs more memory than there is; cut out a region first"};
    }
}

Result<world::ImportedLines> read_roads(const std::filesystem::path& path,
                                        const RoadReadOptions& options) {
    TW_ASSIGN(const Bytes bytes, read_file(path));
    return parse_roads(bytes, path.string(), options);
}

bool is_road_file(const std::filesystem::path& path) {
    const auto start = read_file_start(path, kSniff);
    if (!start) return false;
    const std::span<const std::byte> bytes = *start;
    return is_gzip(bytes) || is_bzip2(bytes) || looks_like_pbf(bytes) ||
           looks_like_osm_xml(bytes) || looks_like_geojson(bytes);
}

}  // namespace tw::io
