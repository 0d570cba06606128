// terraway: worlds from recipes. Thin: what it does lives in the libraries.

#include "commands.hpp"
#include "console.hpp"
#include "interrupt.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace {

using namespace tw;
using namespace tw::cli;

int exit_code(const Result<ExitCode>& result) {
    if (result) return static_cast<int>(*result);
    const int interrupted = interrupt_exit_code();
    if (result.error().code == ErrorCode::cancelled && interrupted != 0) {
        print_error("interrupted");
        return interrupted;
    }
    print_error(result.error());
    return static_cast<int>(ExitCode::bad_input);
}

int usage_error(const CLI::ParseError& error) {
    print_error(std::string(error.what()) + "; see terraway --help");
    return static_cast<int>(ExitCode::bad_input);
}

/// CLI11 would say that a command is missing, not that this is none.
bool names_no_command(const CLI::App& app, std::string_view word) {
    const auto commands = app.get_subcommands(nullptr);
    return !word.starts_with('-') &&
           std::none_of(commands.begin(), commands.end(),
                        [&](auto* each) { return each->get_name() == word; });
}

int unknown_command(const CLI::App& app, std::string_view word) {
    std::string names;
    for (const CLI::App* each : app.get_subcommands(nullptr)) {
        names += (names.empty() ? "" : ", ") + each->get_name();
    }
    print_error(std::string(word) + ": no such command; choose from " + names);
    return static_cast<int>(ExitCode::bad_input);
}

int run(int argc, char** argv) {
    CLI::App app("Worlds of polygons, roads and junctions from small recipes.", "terraway");
    app.footer(
        "Examples:\n"
        "  terraway new island -o island.json\n"
        "  terraway bake island.json -o out/island --set terrain.cells=5000\n"
        "  terraway bake monaco.osm.gz -o out/monaco\n"
        "  terraway check out/monaco\n"
        "  terraway edit out/island edits.jsonl -o out/island\n"
        "\"terraway COMMAND --help\" says more. Exit codes: 0 done, 1 a check did not hold, 2 bad "
        "input.");
    app.set_version_flag("--version", "terraway " TERRAWAY_VERSION);
    app.require_subcommand(1);

    Action action;
    add_new(app, action);
    add_bake(app, action);
    add_hash(app, action);
    add_check(app, action);
    add_picture(app, action);
    add_streets(app, action);
    add_import(app, action);
    add_edit(app, action);
    add_replay(app, action);
    add_schema(app, action);
    if (argc > 1 && names_no_command(app, argv[1])) return unknown_command(app, argv[1]);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help, --version
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        return usage_error(error);
    }
    watch_interrupts();
    return exit_code(action());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        print_error("not enough memory; ask for a smaller world (--memory MB refuses large ones)");
    } catch (const std::exception& error) {
        print_error(std::string(error.what()) + "; this is a bug: please report it");
    }
    return static_cast<int>(ExitCode::bad_input);
}
