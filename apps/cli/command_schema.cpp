#include "terraway/io/files.hpp"
#include "terraway/recipe/parameters.hpp"

#include "commands.hpp"

#include <cstdio>
#include <memory>
#include <string>

namespace tw::cli {
namespace {

Result<ExitCode> run_schema(const std::string& output) {
    const std::string text = recipe::schema_text();
    if (output.empty()) {
        std::fputs(text.c_str(), stdout);
    } else {
        TW_TRY(io::write_file(output, text));
    }
    return ExitCode::done;
}

}  // namespace

void add_schema(CLI::App& app, Action& action) {
    auto output = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of recipes");
    command->add_option("-o,--output", *output, "Into a file instead")->type_name("FILE");
    command->footer("Example:\n  terraway schema > recipe.schema.json");
    command->callback([output, &action] { action = [output] { return run_schema(*output); }; });
}

}  // namespace tw::cli
