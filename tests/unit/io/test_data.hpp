#pragma once
// Real data and scratch folders for the tests of io.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace tw::io::test {

/// The folder of real inputs: $TERRAWAY_DATA, else ../shared/data beside the sources. May not
/// exist.
inline std::filesystem::path data_folder() {
    if (const char* given = std::getenv("TERRAWAY_DATA")) return given;
    return (std::filesystem::path(TERRAWAY_SOURCE_DIR) / "../shared/data").lexically_normal();
}

#define TW_NEEDS_DATA(path)                                                               \
    do {                                                                                  \
        if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real data at " << (path); \
    } while (false)

inline std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// An empty folder that goes away with the test.
class ScratchFolder {
public:
    ScratchFolder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "terraway-test-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace tw::io::test
