#include "console.hpp"

#include <cstdio>
#include <cstdlib>

#include <sys/resource.h>
#include <unistd.h>

namespace tw::cli {
namespace {

/// One line whatever a file's name or a library's message holds.
std::string on_one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        line += control ? ' ' : c;
    }
    return line;
}

}  // namespace

void print_error(const Error& error) {
    std::string text = error.subject.empty() ? error.stage : error.subject.text();
    if (!text.empty()) text += ": ";
    print_error(text + error.message);
}

void print_error(std::string_view text) {
    std::fprintf(stderr, "terraway: %s\n", on_one_line(text).c_str());
}

Error about_file(const Error& error, std::string_view file) {
    return Error{.code = error.code,
                 .stage = error.stage,
                 .subject = std::string(file),
                 .message = to_string(error)};
}

std::string bold(std::string_view text) {
    static const bool kColours = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    return kColours ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

ProgressLine::ProgressLine(Wanted wanted)
    : on_(wanted == Wanted::yes && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::progress(double fraction, std::string_view what) {
    if (!on_) return;
    constexpr auto kPause = std::chrono::milliseconds(50);
    const auto now = std::chrono::steady_clock::now();
    if (shown_ && now - last_ < kPause) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "\r\x1b[K%3.0f %%  %.*s", fraction * 100, static_cast<int>(what.size()),
                 what.data());
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (shown_) std::fprintf(stderr, "\r\x1b[K");
    shown_ = false;
}

double Stopwatch::lap_ms() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> lap = now - start_;
    start_ = now;
    return lap.count();
}

double peak_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts in kB
}

}  // namespace tw::cli
