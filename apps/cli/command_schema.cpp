#include "terraway/io/files.hpp"
#include "terraway/recipe/edits.hpp"
#include "terraway/recipe/parameters.hpp"

#include "commands.hpp"

#include <cstdio>
#include <memory>
#include <string>

namespace tw::cli {
namespace {

struct SchemaOptions {
    std::string output;
    bool edits = false;
};

Result<ExitCode> run_schema(const SchemaOptions& options) {
    const std::string text = options.edits ? recipe::edits_schema_text() : recipe::schema_text();
    if (options.output.empty()) {
        std::fputs(text.c_str(), stdout);
    } else {
        TW_TRY(io::write_file(options.output, text));
    }
    return ExitCode::done;
}

}  // namespace

void add_schema(CLI::App& app, Action& action) {
    auto options = std::make_shared<SchemaOptions>();
    CLI::App* command =
        app.add_subcommand("schema", "Print the JSON Schema of recipes, or of edits");
    command->add_flag("--edits", options->edits, "Of a line of edits.jsonl");
    command->add_option("-o,--output", options->output, "Into a file instead")->type_name("FILE");
    command->footer(
        "Examples:\n"
        "  terraway schema > recipe.schema.json\n"
        "  terraway schema --edits -o edits.schema.json");
    command->callback([options, &action] { action = [options] { return run_schema(*options); }; });
}

}  // namespace tw::cli
