#include "terraway/io/read_roads.hpp"

#include "terraway/core/hash.hpp"
#include "terraway/io/files.hpp"

#include "unit/io/test_data.hpp"

#include <array>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace tw::io {
namespace {

using test::bytes_of;
using world::Frame;
using world::ImportedLines;
using world::Oneway;
using world::RoadAttributes;
using world::RoadClass;
using world::RoadForm;

Result<ImportedLines> parse(const std::string& text, const RoadReadOptions& options = {}) {
    return parse_roads(bytes_of(text), "test.osm", options);
}

constexpr const char* kTwoNodes =
    "<node id='1' lat='43.7370125' lon='7.4220280'/><node id='2' lat='43.7371175' "
    "lon='7.4229093'/>";

std::string osm(const std::string& body) {
    return "<?xml version='1.0'?><osm version='0.6'>" + body + "</osm>";
}

std::string way(const std::map<std::string, std::string>& tags) {
    std::string text = "<way id='7'><nd ref='1'/><nd ref='2'/>";
    for (const auto& [k, v] : tags) {
        std::string value;
        for (const char c : v)
            value += c == '"' ? "&quot;" : c == '\'' ? "&apos;" : std::string(1, c);
        text.append("<tag k='").append(k).append("' v='").append(value).append("'/>");
    }
    return osm(kTwoNodes + text + "</way>");
}

RoadAttributes attributes(const std::map<std::string, std::string>& tags) {
    const auto lines = parse(way(tags));
    EXPECT_TRUE(lines.ok()) << (lines.ok() ? "" : to_string(lines.error()));
    return lines ? lines->attributes[world::LineId(0)] : RoadAttributes{};
}

double width(const std::map<std::string, std::string>& tags) {
    return to_metres(attributes(tags).width);
}

TEST(ReadRoads, ReadsAWay) {
    const auto lines = parse(way({{"highway", "primary"}}));
    ASSERT_TRUE(lines.ok());
    EXPECT_EQ(lines->frame, Frame::geographic);
    EXPECT_EQ(lines->label.values(), std::vector<std::string>{"w7"});
    EXPECT_EQ(lines->point_begin.values(), (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(lines->x.values(), (std::vector<std::int64_t>{74220280, 74229093}));
    EXPECT_EQ(lines->y.values(), (std::vector<std::int64_t>{437370125, 437371175}));
    EXPECT_EQ(lines->node.values(), (std::vector<std::uint64_t>{1, 2}));
    EXPECT_TRUE(validate(*lines).ok());
}

TEST(ReadRoads, WidthComesFromTagsThenLanesThenClass) {
    const std::string h = "highway";
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "7.5"}}), 7.5);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "7,5 m"}}), 7.5);
    EXPECT_NEAR(width({{h, "residential"}, {"width", "23 ft"}}), 23 * 0.3048, 1.0 / 1024);
    EXPECT_NEAR(width({{h, "residential"}, {"width", "23'"}}), 23 * 0.3048, 1.0 / 1024);
    EXPECT_NEAR(width({{h, "residential"}, {"width", "12'6\""}}), 12 * 0.3048 + 6 * 0.0254,
                1.0 / 1024);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "7.5"}, {"width:carriageway", "5"}}),
                     5.0);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "wide"}, {"lanes", "2"}}), 6.5);
    EXPECT_DOUBLE_EQ(width({{h, "motorway"}, {"lanes", "3"}}), 3 * 3.25 + 3.0);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "0.2"}}), 1.5);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "1000"}}), 60.0);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "-3"}}), 6.0);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"width", "1e999"}}), 6.0);
    EXPECT_DOUBLE_EQ(width({{h, "residential"}, {"lanes", "99999"}}), 6.0);
    EXPECT_GT(width({{h, "primary"}}), width({{h, "residential"}}));
    EXPECT_LT(width({{h, "primary"}, {"oneway", "yes"}}), width({{h, "primary"}}));
}

TEST(ReadRoads, LevelsOfBridgesAndTunnels) {
    const auto check = [](const std::map<std::string, std::string>& extra, RoadForm form,
                          int level) {
        auto tags = extra;
        tags["highway"] = "residential";
        const RoadAttributes road = attributes(tags);
        EXPECT_EQ(road.form, form);
        EXPECT_EQ(road.level, level);
    };
    check({}, RoadForm::ground, 0);
    check({{"bridge", "yes"}}, RoadForm::bridge, 1);
    check({{"bridge", "viaduct"}, {"layer", "3"}}, RoadForm::bridge, 3);
    check({{"bridge", "no"}}, RoadForm::ground, 0);
    check({{"tunnel", "yes"}}, RoadForm::tunnel, -1);
    check({{"tunnel", "yes"}, {"layer", "-2"}}, RoadForm::tunnel, -2);
    check({{"tunnel", "building_passage"}}, RoadForm::ground, 0);
    check({{"layer", "77"}}, RoadForm::ground, 5);
    check({{"layer", "-77"}}, RoadForm::ground, -5);
    check({{"layer", "99999999999"}}, RoadForm::ground, 0);
}

TEST(ReadRoads, Oneways) {
    const auto check = [](const std::map<std::string, std::string>& tags, Oneway oneway) {
        EXPECT_EQ(attributes(tags).oneway, oneway);
    };
    check({{"highway", "residential"}}, Oneway::no);
    check({{"highway", "residential"}, {"oneway", "yes"}}, Oneway::along);
    check({{"highway", "residential"}, {"oneway", "-1"}}, Oneway::against);
    check({{"highway", "residential"}, {"junction", "roundabout"}}, Oneway::along);
    check({{"highway", "motorway"}}, Oneway::along);
    check({{"highway", "motorway"}, {"oneway", "no"}}, Oneway::no);
    check({{"highway", "motorway_link"}}, Oneway::no);
}

TEST(ReadRoads, WhichWaysAreRoads) {
    for (const char* highway : {"footway", "cycleway", "steps", "path"}) {
        EXPECT_FALSE(parse(way({{"highway", highway}})).ok()) << highway;
        EXPECT_TRUE(parse(way({{"highway", highway}}), {.scope = RoadScope::all}).ok()) << highway;
    }
    for (const char* highway : {"proposed", "construction", "platform", "corridor", ""}) {
        EXPECT_FALSE(parse(way({{"highway", highway}}), {.scope = RoadScope::all}).ok()) << highway;
    }
    EXPECT_FALSE(parse(way({{"highway", "pedestrian"}, {"area", "yes"}})).ok());
    EXPECT_EQ(attributes({{"highway", "living_street"}}).road_class, RoadClass::residential);
    EXPECT_EQ(attributes({{"highway", "trunk_link"}}).road_class, RoadClass::trunk);
}

TEST(ReadRoads, MissingNodesAreLeftOut) {
    const std::string ways =
        "<way id='9'><nd ref='1'/><nd ref='55'/><nd ref='2'/><nd ref='2'/><tag k='highway' "
        "v='track'/></way>"
        "<way id='8'><nd ref='1'/><nd ref='56'/><tag k='highway' v='track'/></way>";
    const auto lines = parse(osm(kTwoNodes + ways));
    ASSERT_TRUE(lines.ok());
    EXPECT_EQ(lines->label.values(), std::vector<std::string>{"w9"});
    EXPECT_EQ(lines->node.values(), (std::vector<std::uint64_t>{1, 2}));
}

TEST(ReadRoads, OrderOfTheFileDoesNotMatter) {
    const std::string a =
        "<way id='9'><nd ref='1'/><nd ref='2'/><tag k='highway' v='track'/></way>";
    const std::string b =
        "<way id='8'><nd ref='2'/><nd ref='1'/><tag k='highway' v='service'/></way>";
    const auto forward = parse(osm(kTwoNodes + a + b)), backward = parse(osm(b + a + kTwoNodes));
    ASSERT_TRUE(forward.ok());
    ASSERT_TRUE(backward.ok());
    EXPECT_EQ(hash_of(*forward), hash_of(*backward));
    EXPECT_EQ(forward->label.values(), (std::vector<std::string>{"w8", "w9"}));
}

TEST(ReadRoads, DeletedAndRepeatedObjects) {
    const auto lines = parse(osm(
        "<node id='1' lat='1' lon='1'/><node id='2' lat='2' lon='2'/><node id='3' visible='false'/>"
        "<way id='-4'><nd ref='1'/><nd ref='2'/><nd ref='3'/><tag k='highway' v='track'/></way>"
        "<way id='-4'><nd ref='2'/><nd ref='1'/><tag k='highway' v='track'/></way>"
        "<way id='5' visible='false'><nd ref='2'/><nd ref='1'/><tag k='highway' "
        "v='track'/></way>"));
    ASSERT_TRUE(lines.ok());
    EXPECT_EQ(lines->label.values(), std::vector<std::string>{"w-4"});
    EXPECT_EQ(lines->node.values(), (std::vector<std::uint64_t>{1, 2}));
}

std::string gzipped(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(text.size() + 1000, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

TEST(ReadRoads, GzipWholeOrRefused) {
    const std::string text = way({{"highway", "primary"}}), packed = gzipped(text);
    const auto plain = parse(text), unpacked = parse(packed);
    ASSERT_TRUE(unpacked.ok());
    EXPECT_EQ(hash_of(*plain), hash_of(*unpacked));
    // Two streams one after another are one file.
    EXPECT_TRUE(parse(gzipped(text.substr(0, 50)) + gzipped(text.substr(50))).ok());
    for (std::size_t cut = 2; cut < packed.size(); ++cut) {
        const auto result = parse(packed.substr(0, cut));
        ASSERT_FALSE(result.ok()) << cut;
        EXPECT_EQ(result.error().code, ErrorCode::invalid_input) << cut;
    }
    EXPECT_FALSE(parse(packed + "junk").ok());
}

TEST(ReadRoads, ErrorsNameThePlace) {
    const auto broken = parse("<?xml version='1.0'?>\n<osm version='0.6'>\n<node id='1'></osm>");
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(broken.error().subject.text(), "test.osm:3");
    EXPECT_NE(parse("").error().message.find("empty"), std::string::npos);
    EXPECT_NE(parse(osm(kTwoNodes)).error().message.find("no roads"), std::string::npos);
    EXPECT_FALSE(parse("<?xml version='1.0'?><gpx/>").ok());
    EXPECT_EQ(read_roads("/no/such/file.osm").error().code, ErrorCode::not_found);
}

std::string line_feature(const std::string& properties, const std::string& more = "") {
    return "{\"type\":\"Feature\"," + more + "\"properties\":" + properties +
           ",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[7.5,43.25],[7.75,43.5,99]]}}";
}

std::string collection(const std::string& features, const std::string& more = "") {
    return "{\"type\":\"FeatureCollection\"," + more + "\"features\":[" + features + "]}";
}

TEST(ReadRoads, GeoJsonInDegrees) {
    const auto lines = parse(
        collection(line_feature("{\"id\":\"a\",\"highway\":\"secondary\",\"width\":9,\"layer\":2,"
                                "\"bridge\":true,\"oneway\":-1}") +
                   "," + line_feature("{\"class\":\"path\",\"level\":\"-1\"}", "\"id\":12,") + "," +
                   line_feature("{}") + "," + line_feature("{\"highway\":\"footway\"}") + "," +
                   line_feature("null", "\"id\":12,")));
    ASSERT_TRUE(lines.ok()) << to_string(lines.error());
    EXPECT_EQ(lines->frame, Frame::geographic);
    EXPECT_EQ(lines->label.values(), (std::vector<std::string>{"a", "12", "r2", "12#2"}));
    EXPECT_EQ(lines->x.values()[0], 75'000'000);
    EXPECT_EQ(lines->y.values()[1], 435'000'000);
    const RoadAttributes first = lines->attributes[world::LineId(0)];
    EXPECT_EQ(first.width, 9 * 1024);
    EXPECT_EQ(first.road_class, RoadClass::secondary);
    EXPECT_EQ(first.form, RoadForm::bridge);
    EXPECT_EQ(first.level, 2);
    EXPECT_EQ(first.oneway, Oneway::against);
    EXPECT_EQ(lines->attributes[world::LineId(1)].road_class, RoadClass::path);
    EXPECT_EQ(lines->attributes[world::LineId(1)].level, -1);
    EXPECT_EQ(lines->attributes[world::LineId(2)].road_class, RoadClass::residential);
    EXPECT_TRUE(validate(*lines).ok());
}

TEST(ReadRoads, GeoJsonInMetres) {
    const std::string multi =
        "{\"type\":\"Feature\",\"properties\":{\"id\":\"m\"},\"geometry\":{\"type\":"
        "\"MultiLineString\","
        "\"coordinates\":[[[0,0],[1000.5,0]],[[5,5],[5,5]],[[1e7,-2],[1e7,3]]]}}";
    const auto lines = parse(collection(multi, "\"terraway:frame\":\"planar\","));
    ASSERT_TRUE(lines.ok()) << to_string(lines.error());
    EXPECT_EQ(lines->frame, Frame::planar);
    EXPECT_EQ(lines->label.values(), (std::vector<std::string>{"m.1", "m.3"}));
    EXPECT_EQ(lines->x.values(),
              (std::vector<std::int64_t>{0, 1024512, 10'240'000'000, 10'240'000'000}));
    EXPECT_EQ(lines->y.values(), (std::vector<std::int64_t>{0, 0, -2048, 3072}));
}

TEST(ReadRoads, GeoJsonErrors) {
    const auto message = [](const std::string& text) {
        const auto lines = parse(text);
        EXPECT_FALSE(lines.ok()) << text;
        return lines.ok() ? std::string() : to_string(lines.error());
    };
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    const std::string metres =
        "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"LineString\","
        "\"coordinates\":[[500000,1],[2,3]]}}";
    EXPECT_TRUE(has(message(collection(metres)), "terraway:frame"));
    EXPECT_TRUE(has(message(collection(metres)), "feature 0"));
    EXPECT_TRUE(has(message("{\"type\":\"FeatureCollection\",\n\"features\":[\n"), "test.osm:3"));
    EXPECT_TRUE(has(message("{\"type\":\"Topology\"}"), "TopoJSON"));
    EXPECT_TRUE(has(message("{\"type\":\"FeatureCollection\"}"), "features"));
    EXPECT_TRUE(has(message("{\"type\":\"FeatureCollection\",\"features\":[]}"), "no roads"));
    EXPECT_TRUE(has(message(collection(line_feature("{}"),
                                       "\"crs\":{\"properties\":{\"name\":\"EPSG:3857\"}},")),
                    "reproject"));
    EXPECT_TRUE(
        has(message("{\"type\":\"LineString\",\"coordinates\":[[1,\"a\"],[2,3]]}"), "position"));
    EXPECT_TRUE(
        has(message("{\"type\":\"LineString\",\"coordinates\":[[1e400,1],[2,3]]}"), "1e400"));
    const std::string deep(200'000, '[');
    EXPECT_FALSE(parse("{\"type\":\"LineString\",\"coordinates\":" + deep).ok());
    std::string nested = "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}";
    for (int i = 0; i < 40; ++i) {
        nested.insert(0, "{\"type\":\"GeometryCollection\",\"geometries\":[");
        nested.append("]}");
    }
    EXPECT_TRUE(has(message(nested), "deep"));
}

/// Ways and points counted by another program (Python's ElementTree) with the same rules.
struct KnownFile {
    const char* name;
    std::size_t lines, points, bridges, tunnels;
};
constexpr std::array kKnownFiles = {
    KnownFile{"arizona_highways.osm", 76, 371, 7, 0},
    KnownFile{"bautzen.osm", 59, 304, 4, 0},
    KnownFile{"i5_exit_ramp.osm", 57, 259, 9, 0},
    KnownFile{"kingsway_junction.osm", 55, 228, 2, 0},
    KnownFile{"krems.osm.gz", 695, 4647, 42, 1},
    KnownFile{"monaco.osm.gz", 540, 3867, 13, 51},
    KnownFile{"neukolln.osm", 100, 399, 0, 0},
    KnownFile{"northgate_dual_carriageway.osm", 114, 533, 0, 2},
    KnownFile{"quad_intersection.osm", 43, 181, 0, 9},
    KnownFile{"simpleTest01.osm", 1, 3, 0, 0},
    KnownFile{"tiny_loop.osm", 12, 178, 0, 0},
};

TEST(ReadRoadsRealData, CountsAgreeWithAnotherProgram) {
    const auto folder = test::data_folder() / "osm";
    TW_NEEDS_DATA(folder);
    for (const KnownFile& known : kKnownFiles) {
        const auto lines = read_roads(folder / known.name);
        ASSERT_TRUE(lines.ok()) << to_string(lines.error());
        std::size_t bridges = 0, tunnels = 0;
        for (const RoadAttributes& road : lines->attributes.span()) {
            bridges += road.form == RoadForm::bridge;
            tunnels += road.form == RoadForm::tunnel;
        }
        EXPECT_EQ(lines->label.size(), known.lines) << known.name;
        EXPECT_EQ(lines->x.size(), known.points) << known.name;
        EXPECT_EQ(bridges, known.bridges) << known.name;
        EXPECT_EQ(tunnels, known.tunnels) << known.name;
    }
}

TEST(ReadRoadsRealData, PbfLiesWhereItsCountryDoes) {
    const auto folder = test::data_folder() / "osm";
    TW_NEEDS_DATA(folder);
    struct Country {
        const char* name;
        double west, south, east, north;
    };
    for (const Country& c : {Country{"andorra.osm.pbf", 1.2, 42.3, 2.0, 42.8},
                             Country{"liechtenstein-latest.osm.pbf", 9.2, 46.8, 10.0, 47.5},
                             Country{"baltimore.osm.pbf", -77.0, 39.0, -76.0, 39.6}}) {
        const auto lines = read_roads(folder / c.name);
        ASSERT_TRUE(lines.ok()) << to_string(lines.error());
        EXPECT_GT(lines->label.size(), 1000u);
        EXPECT_TRUE(validate(*lines).ok());
        std::size_t inside = 0;
        for (std::size_t i = 0; i < lines->x.size(); ++i) {
            const double x = static_cast<double>(lines->x.values()[i]) / 1e7;
            const double y = static_cast<double>(lines->y.values()[i]) / 1e7;
            inside += x > c.west && x < c.east && y > c.south && y < c.north;
        }
        EXPECT_EQ(inside, lines->x.size()) << c.name;
    }
}

TEST(ReadRoadsRealData, DamagedFilesAreValuesOrErrors) {
    const auto folder = test::data_folder() / "osm";
    TW_NEEDS_DATA(folder);
    for (const auto& path : test::files_in(folder)) {
        EXPECT_TRUE(is_road_file(path)) << path;
        const Bytes whole = *read_file(path);
        for (const std::size_t percent : {0u, 1u, 30u, 70u, 99u}) {
            const auto part = std::span(whole).first(whole.size() * percent / 100);
            const auto lines = parse_roads(part, path.string());
            // XML, gzip and PBF blobs know their ends; only a PBF cut between blobs reads as a
            // smaller file.
            EXPECT_TRUE(!lines.ok() || path.extension() == ".pbf")
                << path << " at " << percent << " %";
        }
        for (std::size_t seed = 1; seed <= 4; ++seed) {
            Bytes flipped = whole;
            for (std::size_t i = 0; i < 16; ++i) {
                flipped[(seed * 7919 + i * 104729) % flipped.size()] ^=
                    std::byte{static_cast<unsigned char>(1u << (i % 8))};
            }
            if (const auto lines = parse_roads(flipped, path.string())) {
                EXPECT_TRUE(validate(*lines).ok()) << path;
            }
        }
    }
}

TEST(ReadRoadsRealData, OtherFilesAreNoRoads) {
    TW_NEEDS_DATA(test::data_folder());
    for (const auto* folder : {"terrain", "grid-maps", "street-cases", "robustness"}) {
        for (const auto& path : test::files_in(test::data_folder() / folder)) {
            EXPECT_FALSE(is_road_file(path)) << path;
            EXPECT_FALSE(read_roads(path).ok()) << path;
        }
    }
}

}  // namespace
}  // namespace tw::io
