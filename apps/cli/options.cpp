#include "options.hpp"

namespace tw::cli {

void add_output_options(CLI::App& command, OutputOptions& options) {
    command.add_flag("--json", options.json, "Print one JSON object on standard output");
    command.add_flag("-q,--quiet", options.quiet, "Print errors only");
}

void add_threads_option(CLI::App& command, unsigned& threads) {
    command.add_option("-j,--threads", threads, "Threads; 0 takes all there are")
        ->capture_default_str()
        ->check(CLI::Range(0u, 1024u));
}

std::vector<std::string> BakeOptions::overrides() const {
    std::vector<std::string> all;
    if (seed) all.push_back("seed=" + std::to_string(*seed));
    all.insert(all.end(), set.begin(), set.end());
    return all;
}

void add_bake_options(CLI::App& command, BakeOptions& options) {
    command
        .add_option("INPUT", options.input,
                    "A recipe, or data by itself: OSM, GeoJSON, a height raster, an imported blob")
        ->required();
    command.add_option("--seed", options.seed, "Override the recipe's seed");
    command
        .add_option("--set", options.set,
                    "Override a parameter, e.g. terrain.cells=5000; a path is relative to the "
                    "working folder. Repeatable")
        ->take_all()
        ->expected(1)
        ->type_name("PATH=VALUE");
    add_threads_option(command, options.threads);
    command.add_option("--memory", options.memory, "Refuse worlds that would take more MB")
        ->type_name("MB");
    command.add_option("--cache", options.cache, "Keep finished stages in this folder")
        ->type_name("DIR");
}

}  // namespace tw::cli
