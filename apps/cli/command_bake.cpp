#include "terraway/core/hash.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "baking.hpp"
#include "commands.hpp"
#include "console.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

namespace tw::cli {
namespace {

struct BakeCommand {
    BakeOptions bake;
    OutputOptions console;
    std::string folder;
};

constexpr std::array<std::pair<const char*, std::uint64_t io::WorldCounts::*>, 6> kCounts{{
    {"cells", &io::WorldCounts::cells},
    {"rivers", &io::WorldCounts::rivers},
    {"lakes", &io::WorldCounts::lakes},
    {"roads", &io::WorldCounts::roads},
    {"junctions", &io::WorldCounts::junctions},
    {"triangles", &io::WorldCounts::triangles},
}};

struct Summary {
    io::WorldCounts counts;
    std::vector<io::WrittenFile> files;
    double write_ms = 0.0;
};

void print_json(const Baked& baked, const Summary& summary) {
    recipe::JsonWriter json;
    json.begin_object().member("hash", hash_to_text(baked.world.hash)).key("stages").begin_array();
    for (const pipeline::StageReport& stage : baked.world.stages) {
        json.begin_object()
            .member("name", stage.name)
            .member("hash", hash_to_text(stage.hash))
            .member("ms", static_cast<double>(stage.nanoseconds) * 1e-6)
            .member("cached", stage.cached != 0)
            .end_object();
    }
    json.end_array().key("counts").begin_object();
    for (const auto& [name, count] : kCounts) json.member(name, summary.counts.*count);
    json.end_object().key("files").begin_array();
    for (const io::WrittenFile& file : summary.files) json.value(file.name);
    json.end_array();
    const BakeTimes& times = baked.times;
    json.member("ms", times.read_ms + times.build_ms + summary.write_ms)
        .member("peak_mb", peak_mb())
        .end_object();
    std::printf("%s\n", json.text().c_str());
}

void print_summary(const BakeCommand& options, const Baked& baked, const Summary& summary) {
    std::string counts;
    for (const auto& [name, count] : kCounts) {
        if (summary.counts.*count == 0) continue;
        counts += (counts.empty() ? "" : ", ") + grouped(summary.counts.*count) + " " + name;
    }
    const BakeTimes& times = baked.times;
    std::printf("%s  %s\n", bold(options.folder).c_str(), counts.c_str());
    std::printf("hash %s  read %.0f ms, built %.0f ms, wrote %zu files in %.0f ms\n",
                hash_to_text(baked.world.hash).c_str(), times.read_ms, times.build_ms,
                summary.files.size(), summary.write_ms);
}

Result<ExitCode> run_bake(const BakeCommand& options) {
    TW_ASSIGN(const Baked baked,
              bake_input(options.bake, options.console, pipeline::BakeTargets::world));
    Stopwatch watch;
    ThreadPool threads(options.bake.threads);
    Summary summary;
    TW_ASSIGN(summary.files, write_files(baked.world, baked.input.recipe, options.folder, threads,
                                         options.console));
    summary.write_ms = watch.lap_ms();
    summary.counts = io::count_world(baked.world);
    if (options.console.json) {
        print_json(baked, summary);
    } else if (!options.console.quiet) {
        print_summary(options, baked, summary);
    }
    return ExitCode::done;
}

}  // namespace

void add_bake(CLI::App& app, Action& action) {
    auto options = std::make_shared<BakeCommand>();
    CLI::App* command = app.add_subcommand("bake", "Build a world and write its files");
    add_bake_options(*command, options->bake);
    add_output_options(*command, options->console);
    command->add_option("-o,--output", options->folder, "Folder for the world; replaced whole")
        ->required()
        ->type_name("DIR");
    command->footer(
        "Examples:\n"
        "  terraway bake island.json -o out/island --seed 7\n"
        "  terraway bake examples/town.json --set roads.file=monaco.osm.gz -o out/monaco\n"
        "  terraway bake fuji.terrain-rgb.png -o out/fuji --set terrain.cells=100000");
    command->callback([options, &action] { action = [options] { return run_bake(*options); }; });
}

}  // namespace tw::cli
