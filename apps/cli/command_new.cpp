#include "terraway/io/files.hpp"
#include "terraway/recipe/parameters.hpp"

#include "commands.hpp"
#include "console.hpp"

#include <memory>
#include <string>

namespace tw::cli {
namespace {

struct NewOptions {
    std::string preset, output;
    OutputOptions console;
};

Result<ExitCode> run_new(const NewOptions& options) {
    TW_ASSIGN(const std::string text, recipe::preset_text(options.preset));
    TW_TRY(io::write_file(options.output, text));
    if (!options.console.quiet) {
        std::printf("%s: a starting recipe with every parameter explained\n",
                    options.output.c_str());
    }
    return ExitCode::done;
}

}  // namespace

void add_new(CLI::App& app, Action& action) {
    auto options = std::make_shared<NewOptions>();
    CLI::App* command = app.add_subcommand("new", "Write a commented starting recipe");
    std::string presets;
    for (const std::string_view name : recipe::preset_names()) {
        presets += (presets.empty() ? "" : ", ") + std::string(name);
    }
    command->add_option("PRESET", options->preset, presets)->required();
    command->add_option("-o,--output", options->output, "Where the recipe goes")
        ->required()
        ->type_name("RECIPE");
    command->add_flag("-q,--quiet", options->console.quiet, "Print errors only");
    command->footer("Example:\n  terraway new island -o island.json");
    command->callback([options, &action] { action = [options] { return run_new(*options); }; });
}

}  // namespace tw::cli
