#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <string_view>

#include <unistd.h>

namespace tw::cli {
namespace {

CancelFlag flag;
std::atomic<int> caught{0};
std::atomic<int> at_once{0};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers may touch nothing else");

extern "C" void on_signal(int signal) {
    caught.store(signal);
    flag.cancel();
    if (at_once.load() == 0) return;
    constexpr std::string_view kLine = "terraway: interrupted\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kLine.data(), kLine.size());
    _exit(128 + signal);
}

}  // namespace

void watch_interrupts() {
    struct sigaction action{};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

CancelFlag& interrupt_flag() {
    return flag;
}

int interrupt_exit_code() {
    const int signal = caught.load();
    return signal == 0 ? 0 : 128 + signal;
}

EndAtOnce::EndAtOnce() {
    at_once.fetch_add(1);
    // A signal that came just before found nobody to stop.
    if (const int signal = caught.load()) on_signal(signal);
}
EndAtOnce::~EndAtOnce() {
    at_once.fetch_sub(1);
}

}  // namespace tw::cli
