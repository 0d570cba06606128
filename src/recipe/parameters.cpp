#include "terraway/recipe/parameters.hpp"

#include <algorithm>

namespace tw::recipe {
namespace {

using Type = ParameterType;

/// `Member` gives the option in a recipe, const or not.
template <auto Member, class T>
void store(Recipe& recipe, const ParameterValue& value) {
    using Option = std::remove_cvref_t<decltype(Member(recipe))>;
    Member(recipe) = static_cast<Option>(*std::get_if<T>(&value));
}

template <auto Member>
constexpr Parameter number(std::string_view path, std::string_view unit, double low, double high,
                           double step, std::string_view doc) {
    return {.path = path,
            .type = Type::number,
            .unit = unit,
            .low = low,
            .high = high,
            .step = step,
            .choices = {},
            .doc = doc,
            .get = [](const Recipe& recipe) { return ParameterValue(Member(recipe)); },
            .set = store<Member, double>};
}

template <auto Member>
constexpr Parameter integer(std::string_view path, double low, double high, std::string_view doc) {
    return {
        .path = path,
        .type = Type::integer,
        .unit = {},
        .low = low,
        .high = high,
        .step = 1.0,
        .choices = {},
        .doc = doc,
        .get = [](const Recipe& recipe) { return ParameterValue(std::uint64_t{Member(recipe)}); },
        .set = store<Member, std::uint64_t>};
}

template <auto Member>
constexpr Parameter choice(std::string_view path, std::span<const std::string_view> choices,
                           std::string_view doc) {
    return {.path = path,
            .type = Type::choice,
            .unit = {},
            .low = 0.0,
            .high = 0.0,
            .step = 0.0,
            .choices = choices,
            .doc = doc,
            .get =
                [](const Recipe& recipe) {
                    return ParameterValue(static_cast<std::uint64_t>(Member(recipe)));
                },
            .set = store<Member, std::uint64_t>};
}

template <FileReference Recipe::* reference, auto Path>
constexpr Parameter file(std::string_view path, std::string_view doc) {
    return {.path = path,
            .type = Type::file,
            .unit = {},
            .low = 0.0,
            .high = 0.0,
            .step = 0.0,
            .choices = {},
            .doc = doc,
            .get =
                [](const Recipe& recipe) {
                    const std::string& value = (recipe.*reference).path;
                    return value.empty() ? ParameterValue() : ParameterValue(value);
                },
            .set =
                [](Recipe& recipe, const ParameterValue& value) {
                    const auto* text = std::get_if<std::string>(&value);
                    (recipe.*reference).path = Path(recipe) = text ? *text : std::string();
                    (recipe.*reference).wanted = true;
                },
            .file = reference};
}

// A lambda that names an option of the recipe, for reading and for writing.
#define TW_WORLD(option) [](auto& recipe) -> auto& { return recipe.world.option; }

constexpr Parameter kName{
    .path = "name",
    .type = Type::text,
    .unit = {},
    .low = 0.0,
    .high = 0.0,
    .step = 0.0,
    .choices = {},
    .doc = "What the world is called.",
    .get = [](const Recipe& recipe) { return ParameterValue(recipe.name); },
    .set = [](Recipe& recipe,
              const ParameterValue& value) { recipe.name = *std::get_if<std::string>(&value); }};

constexpr Parameter kSize{
    .path = "size",
    .type = Type::pair,
    .unit = "m",
    .low = 100.0,
    .high = 1'048'576.0,
    .step = 1.0,
    .choices = {},
    .doc =
        "Width and height of the world; null: what the data covers, roads with a margin of 50 m.",
    .get =
        [](const Recipe& recipe) {
            const auto& size = recipe.world.placement.size;
            return size ? ParameterValue(*size) : ParameterValue();
        },
    .set =
        [](Recipe& recipe, const ParameterValue& value) {
            const auto* size = std::get_if<std::array<double, 2>>(&value);
            recipe.world.placement.size = size ? std::optional(*size) : std::nullopt;
        }};

constexpr Parameter kOrigin{
    .path = "origin",
    .type = Type::pair,
    .unit = "m or degrees",
    .low = -1e8,
    .high = 1e8,
    .step = 1.0,
    .choices = {},
    .doc =
        "Where in the data the middle of the world is; null: the middle of what the data covers. "
        "Set it, and another road moves nothing else.",
    .get =
        [](const Recipe& recipe) {
            const auto& origin = recipe.world.placement.origin;
            return origin ? ParameterValue(*origin) : ParameterValue();
        },
    .set =
        [](Recipe& recipe, const ParameterValue& value) {
            const auto* origin = std::get_if<std::array<double, 2>>(&value);
            recipe.world.placement.origin = origin ? std::optional(*origin) : std::nullopt;
        }};

constexpr Parameter kRange{
    .path = "terrain.range",
    .type = Type::pair,
    .unit = "m",
    .low = -12'000.0,
    .high = 12'000.0,
    .step = 1.0,
    .choices = {},
    .doc = "Heights of black and of white in a grey picture.",
    .get =
        [](const Recipe& recipe) {
            const auto& reading = recipe.world.terrain_reading;
            return ParameterValue(std::array{reading.range_low, reading.range_high});
        },
    .set =
        [](Recipe& recipe, const ParameterValue& value) {
            const auto& range = *std::get_if<std::array<double, 2>>(&value);
            recipe.world.terrain_reading.range_low = range[0];
            recipe.world.terrain_reading.range_high = range[1];
        }};

constexpr std::array<std::string_view, 3> kFits{"contain", "crop", "true_scale"};
constexpr std::array<std::string_view, 3> kEncodings{"automatic", "grey", "terrain_rgb"};
constexpr std::array<std::string_view, 3> kShapes{"island", "continent", "plain"};
constexpr std::array<std::string_view, 2> kBorders{"ocean", "open"};
constexpr std::array<std::string_view, 2> kDepressions{"fill", "carve"};

constexpr double kSeeds = 0x1p64;
constexpr double kLongest = 1'048'576.0;  // [m] the grid's width

constexpr std::array kParameters{
    kName,
    integer<TW_WORLD(seed.value)>("seed", 0, kSeeds, "Every random number follows from it."),
    kSize,
    kOrigin,
    choice<TW_WORLD(placement.fit)>(
        "fit", kFits,
        "How data comes into the size: scaled until all of it fits, scaled until it covers the "
        "world, or a metre stays a metre. A picture that does not know its place has no metres: "
        "it covers the world unless it is contained."),

    integer<TW_WORLD(sites.cells)>("terrain.cells", terrain::kMinCells, terrain::kMaxCells,
                                   "Wanted number of cells."),
    integer<TW_WORLD(sites.lloyd_rounds)>(
        "terrain.lloyd_rounds", 0, 16, "Rounds that move sites to the centroids of their cells."),
    file<&Recipe::terrain_file, TW_WORLD(terrain_file)>(
        "terrain.file",
        "Heights to build on: ESRI ASCII grid, 16-bit grey PNG or Terrain-RGB PNG; null: the user "
        "gives one with --set."),
    choice<TW_WORLD(terrain_reading.encoding)>("terrain.encoding", kEncodings,
                                               "How a picture holds its heights."),
    kRange,
    number<TW_WORLD(placement.metres_per_pixel)>(
        "terrain.metres_per_pixel", "m", 0.1, 10'000, 0.1,
        "Of a raster that does not know its place, when there is no size."),
    choice<TW_WORLD(relief.shape)>("terrain.shape", kShapes,
                                   "Of generated land: falls to the sea on all sides, land and sea "
                                   "by noise alone, or all land."),
    choice<TW_WORLD(relief.border)>(
        "terrain.border", kBorders,
        "Whether water leaves into the sea only, or over the border too."),
    number<TW_WORLD(relief.land_fraction)>("terrain.land_fraction", "", 0, 1, 0.01,
                                           "Share of the area that is land."),
    number<TW_WORLD(relief.highest)>("terrain.highest", "m", 1, 9'000, 10,
                                     "Height of the highest generated land."),
    number<TW_WORLD(relief.deepest)>("terrain.deepest", "m", 1, 11'000, 10,
                                     "Depth of the deepest generated sea."),
    number<TW_WORLD(relief.wavelength)>("terrain.wavelength", "m", 0, kLongest, 100,
                                        "Of the broadest forms; 0: a third of the longer side."),
    integer<TW_WORLD(relief.octaves)>("terrain.octaves", 1, 12,
                                      "Layers of noise, each half as broad."),
    number<TW_WORLD(relief.gain)>("terrain.gain", "", 0.1, 0.9, 0.01,
                                  "Strength of a layer of noise over the one before."),
    number<TW_WORLD(relief.roughness)>("terrain.roughness", "", 0, 1, 0.01,
                                       "Share of ridges in the mountains."),
    number<TW_WORLD(relief.vertical_scale)>("terrain.vertical_scale", "", 0.01, 100, 0.01,
                                            "Heights of a file are multiplied by it."),
    number<TW_WORLD(relief.sea_level)>("terrain.sea_level", "m", -11'000, 9'000, 1,
                                       "Heights of a file at or below it are sea."),

    choice<TW_WORLD(drainage.depressions)>(
        "water.depressions", kDepressions,
        "Whether pits are filled to their outlet, or a way out is dug."),
    number<TW_WORLD(drainage.rain)>("water.rain", "m/year", 0, 20, 0.05, "On all land."),
    number<TW_WORLD(rivers.min_flow)>(
        "water.min_flow", "m3/s", 0, 100'000, 0.01,
        "Smallest flow that is a river; 0: a 300th of what leaves all land."),

    number<TW_WORLD(climate.reach)>(
        "climate.reach", "m", 0, kLongest, 100,
        "Over which moisture from water falls to 1/e; 0: a tenth of the longer side."),
    number<TW_WORLD(climate.temperature)>("climate.temperature", "degC", -40, 45, 0.5,
                                          "Mean at the sea."),
    number<TW_WORLD(climate.lapse)>("climate.lapse", "degC/m", 0, 0.1, 0.0005,
                                    "Cooling with height."),

    file<&Recipe::roads_file, TW_WORLD(roads_file)>(
        "roads.file",
        "Centre lines: OpenStreetMap (.osm, .osm.gz, .osm.pbf) or GeoJSON; null: the user gives "
        "one with --set."),
    number<TW_WORLD(network.join)>(
        "roads.join", "m", 0, 50, 0.1,
        "An end this near to a node or to the middle of another road is joined to it."),
    number<TW_WORLD(streets.corner_radius)>(
        "roads.corner_radius", "", 0, 2, 0.05,
        "Of the fillets at junctions, in widths of the narrower road."),
    number<TW_WORLD(streets.section_length)>("roads.section_length", "m", 1, 1'000, 1,
                                             "Longest piece of a street that is flat along."),

    number<TW_WORLD(drape.lift)>("ground.lift", "m", 0, 10, 0.01, "Of streets over the terrain."),
    number<TW_WORLD(drape.clearance)>("ground.clearance", "m", 1, 100, 0.1,
                                      "Between a bridge or tunnel and what it crosses."),
    number<TW_WORLD(drape.max_grade)>("ground.max_grade", "", 0.01, 1, 0.01,
                                      "Rise over run of the ramps up to bridges."),

    integer<TW_WORLD(raster.longest)>("output.raster_longest", 16, 16'384,
                                      "Pixels of the height raster along the longer side."),

    integer<TW_WORLD(cost.longest)>("navigation.longest", 8, 8'192,
                                    "Cells of the navigation grid along the longer side."),
    number<TW_WORLD(cost.steepest)>("navigation.steepest", "", 0.05, 10, 0.05,
                                    "Rise over run that nobody walks."),
    number<TW_WORLD(cost.ford_flow)>("navigation.ford_flow", "m3/s", 0, 1'000'000, 1,
                                     "Rivers that carry more cannot be waded."),

    file<&Recipe::edits_file, TW_WORLD(edits_file)>(
        "edits.file",
        "What was changed by hand (.jsonl), one edit a line, described by edits.schema.json; "
        "null: the user gives one with --set."),
};

#undef TW_WORLD

}  // namespace

std::span<const Parameter> parameters() {
    return kParameters;
}

const Parameter* find_parameter(std::string_view path) {
    const auto found = std::ranges::find(kParameters, path, &Parameter::path);
    return found == kParameters.end() ? nullptr : &*found;
}

}  // namespace tw::recipe
