#include "terraway/core/thread_pool.hpp"
#include "terraway/io/draw_picture.hpp"

#include "commands.hpp"
#include "interrupt.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tw::cli {
namespace {

struct PictureCommand {
    std::string folder, output;
    std::vector<std::string> layers;
    io::PictureOptions picture;
    OutputOptions console;
};

Result<ExitCode> run_picture(const PictureCommand& options) {
    ThreadPool threads;
    StageContext context(threads);
    context.cancel = &interrupt_flag();
    TW_TRY(
        io::draw_picture(options.folder, options.layers, options.output, options.picture, context));
    if (!options.console.quiet) std::printf("%s\n", options.output.c_str());
    return ExitCode::done;
}

}  // namespace

void add_picture(CLI::App& app, Action& action) {
    auto options = std::make_shared<PictureCommand>();
    CLI::App* command = app.add_subcommand("picture", "Draw layers of a baked world, or its map");
    std::string layers;
    for (const std::string_view layer : io::picture_layers()) {
        layers += (layers.empty() ? "" : ", ") + std::string(layer);
    }
    command->add_option("DIR", options->folder, "Folder of a baked world")->required();
    command
        ->add_option("-l,--layer", options->layers,
                     "Repeatable or with commas, each over the one before: " + layers)
        ->required()
        ->delimiter(',')
        ->type_name("LAYER");
    command->add_option("-o,--output", options->output, "Where the picture goes: .png or .svg")
        ->required()
        ->type_name("FILE");
    command->add_option("--size", options->picture.size, "Pixels of the longer side")
        ->capture_default_str();
    command->add_option("--title", options->picture.title, "Over the map");
    command->add_flag("-q,--quiet", options->console.quiet, "Print errors only");
    command->footer(
        "Example:\n  terraway picture out/island --layer biome --layer voronoi -o cells.png");
    command->callback([options, &action] { action = [options] { return run_picture(*options); }; });
}

}  // namespace tw::cli
