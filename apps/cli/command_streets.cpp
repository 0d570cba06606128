#include "terraway/core/thread_pool.hpp"
#include "terraway/ground/drape.hpp"
#include "terraway/ground/street_meshes.hpp"
#include "terraway/io/write_streets.hpp"
#include "terraway/recipe/json_writer.hpp"
#include "terraway/world/flat_ground.hpp"

#include "baking.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "interrupt.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace tw::cli {
namespace {

struct StreetsCommand {
    BakeOptions bake;
    OutputOptions console;
    std::string folder;
};

void print_json(const io::StreetReport& report, const BakeTimes& times, double write_ms) {
    recipe::JsonWriter json;
    json.begin_object()
        .member("junctions", report.junctions)
        .member("corridors", report.corridors)
        .key("repaired")
        .begin_array();
    for (const io::StreetReport::Repair& repair : report.repaired) {
        json.begin_object().member("junction", repair.piece).member("why", repair.why).end_object();
    }
    json.end_array()
        .member("unsolved", report.unsolved)
        .key("ms")
        .begin_object()
        .member("read", times.read_ms)
        .member("build", times.build_ms)
        .member("write", write_ms)
        .end_object()
        .member("peak_mb", peak_mb())
        .end_object();
    std::printf("%s\n", json.text().c_str());
}

/// Streets without a terrain lie on level ground, so that bridges still rise over what they cross.
Status add_level_meshes(Baked& baked, StageContext& context) {
    pipeline::BakedWorld& world = baked.world;
    const world::FlatGround ground = world::flat_ground(world.placement->bounds);
    TW_ASSIGN(world::StreetHeights heights,
              ground::drape_streets(world::SurfaceQuery(ground.surface()), *world.network,
                                    *world.streets, baked.input.recipe.world.drape, context));
    TW_ASSIGN(world::GroundMeshes meshes,
              ground::build_street_meshes(*world.streets, heights, context));
    world.street_heights = std::make_shared<const world::StreetHeights>(std::move(heights));
    world.meshes = std::make_shared<const world::GroundMeshes>(std::move(meshes));
    return ok_status();
}

Result<ExitCode> run_streets(const StreetsCommand& options) {
    TW_ASSIGN(Baked baked,
              bake_input(options.bake, options.console, pipeline::BakeTargets::streets));
    ThreadPool threads(options.bake.threads);
    StageContext context(threads);
    context.cancel = &interrupt_flag();
    Stopwatch watch;
    if (const Status meshed = add_level_meshes(baked, context); !meshed) {
        return about_file(meshed.error(), options.bake.input);
    }
    baked.times.build_ms += watch.lap_ms();
    TW_ASSIGN(const std::vector<io::WrittenFile> files,
              io::write_streets(baked.world, options.folder, context));
    const double write_ms = watch.lap_ms();
    const io::StreetReport report = io::report_streets(*baked.world.streets);
    if (options.console.json) {
        print_json(report, baked.times, write_ms);
    } else if (!options.console.quiet) {
        std::printf("%s  %s junctions, %s corridors, %s repaired, %s unsolved\n",
                    bold(options.folder).c_str(), grouped(report.junctions).c_str(),
                    grouped(report.corridors).c_str(), grouped(report.repaired.size()).c_str(),
                    grouped(report.unsolved).c_str());
        std::printf("read %.0f ms, built %.0f ms, wrote %zu files in %.0f ms\n",
                    baked.times.read_ms, baked.times.build_ms, files.size(), write_ms);
    }
    return ExitCode::done;
}

}  // namespace

void add_streets(CLI::App& app, Action& action) {
    auto options = std::make_shared<StreetsCommand>();
    CLI::App* command =
        app.add_subcommand("streets", "Build the streets alone: junctions, corridors, no terrain");
    add_bake_options(*command, options->bake);
    add_output_options(*command, options->console);
    command->add_option("-o,--output", options->folder, "Folder for the files")
        ->required()
        ->type_name("DIR");
    command->footer(
        "Examples:\n"
        "  terraway streets monaco.osm.gz -o out/monaco-streets\n"
        "  terraway streets city.json -o out/city-streets --set roads.join=5");
    command->callback([options, &action] { action = [options] { return run_streets(*options); }; });
}

}  // namespace tw::cli
