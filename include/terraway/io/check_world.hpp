#pragma once
// Verifies what a world promises, on its files as they are on disk, without the code that made it.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tw::io {

struct CheckResult {
    std::string name;           ///< "cells tile the rectangle"
    std::uint64_t checked = 0;  ///< elements looked at
    std::uint64_t broken = 0;   ///< elements that break it
    std::string first;          ///< the first of them, and how; empty when none
};

/// Every check that the files allow, in a fixed order (docs/formats.md says what each looks at). A
/// file that cannot be read breaks the checks that need it; a world without streets has no checks
/// of streets. Errors: not_found (no folder, no world.json), cancelled. Cost: O(size of the files ·
/// log).
Result<std::vector<CheckResult>> check_world(const std::filesystem::path& folder, StageContext&);

/// True if nothing is broken.
bool all_hold(const std::vector<CheckResult>&);

}  // namespace tw::io
