#include "terraway/core/thread_pool.hpp"
#include "terraway/io/check_world.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "commands.hpp"
#include "console.hpp"
#include "interrupt.hpp"

#include <cstdio>
#include <memory>
#include <string>

namespace tw::cli {
namespace {

struct CheckOptions {
    std::string folder;
    OutputOptions console;
};

void print_json(const std::vector<io::CheckResult>& results) {
    recipe::JsonWriter json;
    json.begin_object().member("ok", io::all_hold(results)).key("checks").begin_array();
    for (const io::CheckResult& result : results) {
        json.begin_object()
            .member("name", result.name)
            .member("checked", result.checked)
            .member("broken", result.broken)
            .member("first", result.first)
            .end_object();
    }
    json.end_array().end_object();
    std::printf("%s\n", json.text().c_str());
}

void print_table(const std::vector<io::CheckResult>& results, bool only_broken) {
    for (const io::CheckResult& result : results) {
        if (only_broken && result.broken == 0) continue;
        const std::string mark = result.broken == 0 ? "ok    " : bold("BROKEN");
        std::printf("%s  %s: %s checked", mark.c_str(), result.name.c_str(),
                    grouped(result.checked).c_str());
        if (result.broken > 0) {
            std::printf(", %s broken, first: %s", grouped(result.broken).c_str(),
                        result.first.c_str());
        }
        std::printf("\n");
    }
}

Result<ExitCode> run_check(const CheckOptions& options) {
    ThreadPool threads;
    StageContext context(threads);
    context.cancel = &interrupt_flag();
    TW_ASSIGN(const std::vector<io::CheckResult> results, io::check_world(options.folder, context));
    if (options.console.json) {
        print_json(results);
    } else {
        print_table(results, options.console.quiet);
    }
    return io::all_hold(results) ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command = app.add_subcommand(
        "check", "Verify every guarantee of a baked world on its files; exit 1 if one is broken");
    command->add_option("DIR", options->folder, "Folder of a baked world")->required();
    command->add_flag("--json", options->console.json,
                      "Print one JSON object: ok, checks [{name, checked, broken, first}]");
    command->add_flag("-q,--quiet", options->console.quiet, "Print what is broken only");
    command->footer("Example:\n  terraway check out/island");
    command->callback([options, &action] { action = [options] { return run_check(*options); }; });
}

}  // namespace tw::cli
