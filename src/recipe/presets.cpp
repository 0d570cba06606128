#include "terraway/recipe/parameters.hpp"

#include "parameter_text.hpp"

#include <algorithm>
#include <array>

namespace tw::recipe {
namespace {

struct Preset {
    std::string_view name;
    std::string_view intro;  ///< a comment at the top
    void (*choose)(pipeline::WorldRecipe&);
    std::string_view lines;  ///< `roads.lines`, as it stands in the file; empty: none
};

void set_size(pipeline::WorldRecipe& world, double width, double height) {
    world.placement.size = std::array{width, height};
}

void set_plain(pipeline::WorldRecipe& world, double highest) {
    world.relief.shape = terrain::Shape::plain;
    world.relief.border = terrain::Border::open;
    world.relief.highest = highest;
}

constexpr std::string_view kCityLines = R"([
      // Three avenues and three streets; where they cross, a junction is made.
      { "id": "west avenue", "width": 12, "class": "secondary", "points": [[-300, -700], [-300, 700]] },
      { "id": "main avenue", "width": 18, "class": "primary", "points": [[0, -700], [0, 700]] },
      { "id": "east avenue", "width": 12, "class": "secondary", "points": [[300, -700], [300, 700]] },
      { "id": "south street", "width": 8, "points": [[-700, -300], [700, -300]] },
      { "id": "main street", "width": 14, "class": "primary", "points": [[-700, 0], [700, 0]] },
      { "id": "north street", "width": 8, "points": [[-700, 300], [700, 300]] },
      // A bend that leaves the grid, and a lane that ends blind.
      { "id": "river road", "width": 9, "class": "tertiary", "points": [[300, 300], [420, 380], [480, 500], [490, 700]] },
      { "id": "mews", "width": 4, "class": "service", "points": [[-300, 150], [-180, 150], [-160, 170], [-160, 230]] }
    ])";

constexpr std::string_view kTrackLines = R"([
      // One loop: the first point is the last one too.
      { "id": "circuit", "from": "start", "to": "start", "width": 14, "class": "tertiary", "oneway": true,
        "points": [[0, -250], [180, -250], [300, -240], [380, -190], [410, -110], [380, -30], [300, 10], [220, 30],
                   [180, 90], [210, 160], [280, 200], [290, 260], [240, 300], [140, 310], [20, 290], [-80, 240],
                   [-140, 160], [-210, 110], [-300, 90], [-370, 40], [-390, -50], [-360, -150], [-290, -220],
                   [-180, -250], [0, -250]] },
      { "id": "pit lane", "width": 6, "class": "service", "oneway": true,
        "points": [[-180, -250], [-120, -285], [0, -290], [110, -285], [180, -250]] }
    ])";

constexpr std::array kPresets{
    Preset{"island", "An island from a seed.",
           [](pipeline::WorldRecipe& world) {
               set_size(world, 20'000, 20'000);
               world.relief.land_fraction = 0.45;
               world.relief.highest = 1'200;
           },
           ""},
    Preset{"continent", "Coasts, inland seas and long rivers.",
           [](pipeline::WorldRecipe& world) {
               set_size(world, 400'000, 300'000);
               world.sites.cells = 60'000;
               world.relief.shape = terrain::Shape::continent;
               world.relief.border = terrain::Border::open;
               world.relief.land_fraction = 0.6;
               world.relief.highest = 3'500;
               world.relief.deepest = 4'000;
               world.relief.octaves = 9;
               world.cost.ford_flow = 500;
           },
           ""},
    Preset{"city", "A few streets on gentle ground.",
           [](pipeline::WorldRecipe& world) {
               set_size(world, 1'500, 1'500);
               set_plain(world, 25);
               world.sites.cells = 8'000;
           },
           kCityLines},
    Preset{"track", "A race circuit in the hills.",
           [](pipeline::WorldRecipe& world) {
               set_size(world, 1'200, 900);
               set_plain(world, 40);
               world.sites.cells = 10'000;
               world.streets.section_length = 8;
           },
           kTrackLines},
    Preset{"arena", "A small field with a fine navigation grid.",
           [](pipeline::WorldRecipe& world) {
               set_size(world, 256, 256);
               set_plain(world, 6);
               world.sites.cells = 2'000;
               world.raster.longest = 512;
               world.cost.longest = 256;
           },
           ""},
};

constexpr auto kNames = [] {
    std::array<std::string_view, kPresets.size()> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = kPresets[i].name;
    return names;
}();

std::string comment_of(const Parameter& parameter) {
    const std::string range = range_text(parameter);
    return std::string(parameter.doc) + (range.empty() ? "" : " " + range + ".");
}

std::string write_preset(const Preset& preset) {
    Recipe recipe;
    recipe.name = preset.name;
    preset.choose(recipe.world);

    JsonWriter writer(JsonLayout::indented);
    writer.begin_object();
    writer.comment(preset.intro);
    writer.comment(
        "Every parameter is here with its range; what you take out falls back to its default.");
    writer.member("terraway", kRecipeVersion);
    std::string_view open;
    for (const Parameter& parameter : parameters()) {
        // A recipe that names a file is a recipe that needs it, so the key is left out.
        if (parameter.type == ParameterType::file) continue;
        const std::string_view section = section_of(parameter);
        if (section != open) {
            if (!open.empty()) writer.end_object();
            writer.key(section).begin_object();
            open = section;
        }
        writer.comment(comment_of(parameter));
        write_value(writer.key(key_of(parameter)), parameter, parameter.get(recipe));
        if (parameter.path == "roads.section_length" && !preset.lines.empty()) {
            writer.comment(
                "Centre lines, in metres; the middle of them all comes to the middle of the "
                "world.");
            writer.key("lines").raw(preset.lines);
        }
    }
    writer.end_object().end_object();
    return std::move(writer).take() + "\n";
}

}  // namespace

std::span<const std::string_view> preset_names() {
    return kNames;
}

Result<std::string> preset_text(std::string_view name) {
    const auto found = std::ranges::find(kPresets, name, &Preset::name);
    if (found != kPresets.end()) return write_preset(*found);
    std::string message = "no such preset; there are";
    for (const std::string_view each : kNames) message += " " + std::string(each);
    return Error{.code = ErrorCode::not_found,
                 .stage = "recipe",
                 .subject = std::string(name),
                 .message = std::move(message)};
}

}  // namespace tw::recipe
