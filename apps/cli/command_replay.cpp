#include "terraway/core/hash.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "baking.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "edit_file.hpp"
#include "interrupt.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace tw::cli {
namespace {

struct ReplayCommand {
    BakeOptions bake;
    OutputOptions console;
    std::string edits, folder;
    std::optional<std::uint64_t> tick;
};

Result<ExitCode> run_replay(const ReplayCommand& options) {
    Stopwatch watch;
    std::vector<std::string> overrides = options.bake.overrides();
    overrides.push_back(file_override("edits.file", options.edits));
    TW_ASSIGN(WorldInput input, read_input(options.bake.input, overrides));
    const auto list = std::exchange(input.imports.edits, nullptr);
    const auto edits = edits_until(*list, options.tick);
    TW_ASSIGN(pipeline::BakedWorld world,
              bake_world(input, options.bake, options.console, pipeline::BakeTargets::world));
    ThreadPool threads(options.bake.threads);
    TW_ASSIGN(const auto session,
              pipeline::Session::create(
                  input.recipe.world, std::move(world),
                  {.executor = &threads, .cancel = &interrupt_flag(), .undo_steps = 0}));
    TW_TRY(apply_edits(*session, edits, options.edits));
    const std::uint64_t hash = session->hash();
    const std::uint64_t last = edits.empty() ? 0 : edits.back().tick;
    const std::uint64_t tick = options.tick.value_or(last);
    if (!options.folder.empty()) {
        TW_TRY(
            write_files(session->world(), input.recipe, options.folder, threads, options.console));
    }
    if (options.console.json) {
        recipe::JsonWriter json;
        json.begin_object()
            .member("tick", tick)
            .member("edits", std::uint64_t{edits.size()})
            .member("hash", hash_to_text(hash))
            .member("ms", watch.lap_ms())
            .end_object();
        std::printf("%s\n", json.text().c_str());
    } else if (options.console.quiet) {
        std::printf("%s\n", hash_to_text(hash).c_str());
    } else {
        std::printf("tick %s  %s edits  hash %s\n", grouped(tick).c_str(),
                    grouped(edits.size()).c_str(), hash_to_text(hash).c_str());
    }
    return ExitCode::done;
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
    auto options = std::make_shared<ReplayCommand>();
    CLI::App* command = app.add_subcommand(
        "replay", "Build a world without its edits, then apply them up to a tick");
    add_bake_options(*command, options->bake);
    command
        ->add_option("EDITS", options->edits,
                     "Edits to do, one a line; they take the place of the recipe's own")
        ->required();
    command->add_option("--tick", options->tick, "Stop after this tick; else after the last edit")
        ->type_name("T");
    command->add_option("-o,--output", options->folder, "Folder for the world; replaced whole")
        ->type_name("DIR");
    command->add_flag("--json", options->console.json,
                      "Print one JSON object: tick, edits, hash, ms");
    command->add_flag("-q,--quiet", options->console.quiet, "Print the world's hash alone");
    command->footer(
        "Examples:\n"
        "  terraway replay island.json edits.jsonl\n"
        "  terraway replay island.json edits.jsonl --tick 600 -o out/at600\n"
        "The hash is that of terraway hash with the same edits in edits.file.");
    command->callback([options, &action] { action = [options] { return run_replay(*options); }; });
}

}  // namespace tw::cli
