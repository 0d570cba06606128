#pragma once
// Options that several commands take.

#include "terraway/core/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace tw::cli {

enum class ExitCode : int { done = 0, check_failed = 1, bad_input = 2 };

/// A command is registered with the options it takes; what it does runs after all are parsed.
using Action = std::function<Result<ExitCode>()>;

struct OutputOptions {
    bool json = false;   ///< one JSON object on standard output, nothing else there
    bool quiet = false;  ///< neither progress nor summary
};
void add_output_options(CLI::App& command, OutputOptions& options);
void add_threads_option(CLI::App& command, unsigned& threads);

struct BakeOptions {
    std::string input;
    unsigned threads = 0;  ///< 0: all
    std::optional<std::uint64_t> seed;
    std::vector<std::string> set;         ///< "path=value"
    std::optional<std::uint64_t> memory;  ///< [2²⁰ bytes]
    std::string cache;                    ///< folder; empty: none

    /// The recipe's overrides, in order.
    std::vector<std::string> overrides() const;
};
void add_bake_options(CLI::App& command, BakeOptions& options);

}  // namespace tw::cli
