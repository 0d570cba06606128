#include "terraway/core/hash.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/io/world_file.hpp"
#include "terraway/recipe/edits.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "baking.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "edit_file.hpp"
#include "interrupt.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace tw::cli {
namespace {

struct EditCommand {
    std::string folder, edits, output;
    std::optional<std::uint64_t> tick;
    bool squash = false;
    unsigned threads = 0;
    OutputOptions console;
};

/// A session on the world of a folder.
struct Opened {
    recipe::Recipe recipe;
    std::unique_ptr<pipeline::Session> session;
};

struct Summary {
    std::vector<pipeline::StageChange> rebuilt;
    std::size_t edits = 0;
    std::uint64_t hash = 0;
    double load_ms = 0.0, apply_ms = 0.0, write_ms = 0.0;
};

Result<Opened> open_world(const EditCommand& options, Executor& executor) {
    const std::filesystem::path file = std::filesystem::path(options.folder) / io::kWorldName;
    StageContext context(executor);
    context.cancel = &interrupt_flag();
    TW_ASSIGN(recipe::WorldFile loaded, io::load_world(file, context));
    Opened opened;
    TW_ASSIGN(opened.recipe, recipe::parse_recipe(loaded.recipe, file.string()));
    auto session = pipeline::Session::create(
        opened.recipe.world, std::move(loaded.world),
        {.executor = &executor, .cancel = &interrupt_flag(), .undo_steps = 0});
    if (!session) return about_file(session.error(), file.string());
    opened.session = std::move(session).value();
    return opened;
}

Status write_edited(const Opened& opened, const EditCommand& options, Executor& executor) {
    pipeline::BakedWorld world = opened.session->world();
    if (options.squash) {
        world.edits =
            std::make_shared<const world::EditList>(recipe::squash(opened.session->edits()));
    }
    auto files = write_files(world, opened.recipe, options.output, executor, options.console);
    return files ? ok_status() : Status(std::move(files).error());
}

void print_json(const Summary& summary) {
    recipe::JsonWriter json;
    json.begin_object().key("rebuilt").begin_object();
    for (const pipeline::StageChange& stage : summary.rebuilt)
        json.member(stage.stage, stage.elements);
    json.end_object()
        .member("ms", summary.load_ms + summary.apply_ms + summary.write_ms)
        .member("apply_ms", summary.apply_ms)
        .member("hash", hash_to_text(summary.hash))
        .end_object();
    std::printf("%s\n", json.text().c_str());
}

void print_summary(const EditCommand& options, const Summary& summary) {
    std::string rebuilt;
    for (const pipeline::StageChange& stage : summary.rebuilt) {
        rebuilt += (rebuilt.empty() ? "" : ", ") + grouped(stage.elements) + " of ";
        rebuilt += stage.stage;
    }
    std::printf("%s  %s edits%s%s\n", bold(options.output).c_str(), grouped(summary.edits).c_str(),
                rebuilt.empty() ? "; nothing came out otherwise" : "; rebuilt ", rebuilt.c_str());
    std::printf("hash %s  loaded %.0f ms, applied %.1f ms, wrote %.0f ms\n",
                hash_to_text(summary.hash).c_str(), summary.load_ms, summary.apply_ms,
                summary.write_ms);
}

Result<ExitCode> run_edit(const EditCommand& options) {
    Stopwatch watch;
    Summary summary;
    TW_ASSIGN(const world::EditList list, read_edits(options.edits));
    const auto edits = edits_until(list, options.tick);
    ThreadPool threads(options.threads);
    TW_ASSIGN(const Opened opened, open_world(options, threads));
    summary.load_ms = watch.lap_ms();
    TW_ASSIGN(summary.rebuilt, apply_edits(*opened.session, edits, options.edits));
    summary.edits = edits.size();
    summary.hash = opened.session->hash();
    summary.apply_ms = watch.lap_ms();
    TW_TRY(write_edited(opened, options, threads));
    summary.write_ms = watch.lap_ms();
    if (options.console.json) {
        print_json(summary);
    } else if (!options.console.quiet) {
        print_summary(options, summary);
    }
    return ExitCode::done;
}

}  // namespace

void add_edit(CLI::App& app, Action& action) {
    auto options = std::make_shared<EditCommand>();
    CLI::App* command =
        app.add_subcommand("edit", "Apply edits to a baked world, rebuilding only what they touch");
    command->add_option("DIR", options->folder, "Folder of a baked world")->required();
    command->add_option("EDITS", options->edits, "Edits to do, one a line (edits.jsonl)")
        ->required();
    command
        ->add_option("-o,--output", options->output,
                     "Folder for the edited world, replaced whole; it may be DIR itself")
        ->required()
        ->type_name("DIR2");
    command->add_option("--tick", options->tick, "Leave out edits of later ticks")->type_name("T");
    command->add_flag("--squash", options->squash,
                      "Leave out of DIR2/edits.jsonl what later edits have made idle");
    add_threads_option(*command, options->threads);
    command->add_flag(
        "--json", options->console.json,
        "Print one JSON object: rebuilt {stage: elements that came out otherwise}, ms of the whole "
        "run, apply_ms of the edits alone, hash");
    command->add_flag("-q,--quiet", options->console.quiet, "Print errors only");
    command->footer(
        "Examples:\n"
        "  terraway edit out/island edits.jsonl -o out/island2\n"
        "  terraway edit out/island more.jsonl -o out/island --squash\n"
        "DIR2/edits.jsonl lists all edits so far. What an edit says: terraway schema --edits.");
    command->callback([options, &action] { action = [options] { return run_edit(*options); }; });
}

}  // namespace tw::cli
