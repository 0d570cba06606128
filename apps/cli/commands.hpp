#pragma once
// The commands. Each registers itself and leaves what it does in `action`.

#include "options.hpp"

namespace tw::cli {

void add_new(CLI::App& app, Action& action);
void add_bake(CLI::App& app, Action& action);
void add_hash(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_picture(CLI::App& app, Action& action);
void add_streets(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_edit(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);

}  // namespace tw::cli
