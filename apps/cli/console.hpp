#pragma once
// What goes to the terminal: one line an error, progress on standard error, colours on a terminal
// only.

#include "terraway/core/progress.hpp"
#include "terraway/core/result.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace tw::cli {

/// "terraway: FILE:PLACE: what is wrong; what to do", on one line of standard error.
void print_error(const Error& error);
void print_error(std::string_view text);

/// The error of something that was done for `file`, so that its line begins with the file.
Error about_file(const Error& error, std::string_view file);

/// `text` in bold, if standard output is a terminal and the environment doesn't say NO_COLOR.
std::string bold(std::string_view text);

/// "1,234,567"
std::string grouped(std::uint64_t number);

/// A line that is rewritten in place, on a terminal only.
class ProgressLine final : public ProgressSink {
public:
    enum class Wanted : std::uint8_t { yes, no };
    explicit ProgressLine(Wanted wanted);
    ~ProgressLine() override;
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void progress(double fraction, std::string_view what) override;
    /// Wipes the line, for what is printed next.
    void clear();

private:
    bool shown_ = false, on_;
    std::chrono::steady_clock::time_point last_;
};

/// Milliseconds since it was made or last read.
class Stopwatch {
public:
    double lap_ms();

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The most memory this program has held, in units of 2²⁰ bytes.
double peak_mb();

}  // namespace tw::cli
