#pragma once
// Ctrl-C: work that can be asked to stop is asked; what has nothing to tidy up ends at once.

#include "terraway/core/progress.hpp"

namespace tw::cli {

/// Catches SIGINT and SIGTERM from now on.
void watch_interrupts();

/// Set by a signal while work is under way.
CancelFlag& interrupt_flag();

/// 128 + the signal, as shells count; 0 when there was none.
int interrupt_exit_code();

/// While one lives, a signal ends the program on the spot: nothing is half done outside memory.
/// For calls that cannot be cancelled, like reading a file.
class EndAtOnce {
public:
    EndAtOnce();
    ~EndAtOnce();
    EndAtOnce(const EndAtOnce&) = delete;
    EndAtOnce& operator=(const EndAtOnce&) = delete;
};

}  // namespace tw::cli
