#include "terraway/core/hash.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "baking.hpp"
#include "commands.hpp"

#include <cstdio>
#include <memory>

namespace tw::cli {
namespace {

struct HashOptions {
    BakeOptions bake;
    OutputOptions console;
};

Result<ExitCode> run_hash(const HashOptions& options) {
    TW_ASSIGN(const Baked baked,
              bake_input(options.bake, options.console, pipeline::BakeTargets::world));
    if (options.console.json) {
        recipe::JsonWriter json;
        json.begin_object()
            .member("hash", hash_to_text(baked.world.hash))
            .key("stages")
            .begin_object();
        for (const pipeline::StageReport& stage : baked.world.stages) {
            json.member(stage.name, hash_to_text(stage.hash));
        }
        json.end_object().end_object();
        std::printf("%s\n", json.text().c_str());
        return ExitCode::done;
    }
    if (!options.console.quiet) {
        for (const pipeline::StageReport& stage : baked.world.stages) {
            std::printf("%s  %s\n", hash_to_text(stage.hash).c_str(), stage.name.c_str());
        }
    }
    std::printf("%s%s\n", hash_to_text(baked.world.hash).c_str(),
                options.console.quiet ? "" : "  world");
    return ExitCode::done;
}

}  // namespace

void add_hash(CLI::App& app, Action& action) {
    auto options = std::make_shared<HashOptions>();
    CLI::App* command = app.add_subcommand(
        "hash", "Build a world and print the hash of every stage; write nothing");
    add_bake_options(*command, options->bake);
    command->add_flag("--json", options->console.json,
                      "Print one JSON object: hash, stages {name: hash}");
    command->add_flag("-q,--quiet", options->console.quiet, "Print the world's hash alone");
    command->footer("Example:\n  terraway hash island.json --threads 1");
    command->callback([options, &action] { action = [options] { return run_hash(*options); }; });
}

}  // namespace tw::cli
