#pragma once
// Real data for tests that want it; where it is absent they say so and are skipped.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tw::testing {

/// Where a file of the real data would be (environment TERRAWAY_DATA, default ../shared/data beside
/// the sources).
inline std::string data_path(const std::string& name) {
    const char* folder = std::getenv("TERRAWAY_DATA");
    return std::string(folder ? folder : TERRAWAY_SOURCE_DIR "/../shared/data") + "/" + name;
}

/// What it holds; empty when it is not at hand.
inline std::string data_file(const std::string& name) {
    std::ifstream file(data_path(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The numbers of a JSON array of [x, y] pairs.
inline std::vector<double> numbers_in(const std::string& text) {
    std::vector<double> numbers;
    for (const char* at = text.c_str(); *at != '\0';) {
        char* end = nullptr;
        const double value = std::strtod(at, &end);
        if (end == at) {
            ++at;
        } else {
            numbers.push_back(value);
            at = end;
        }
    }
    return numbers;
}

}  // namespace tw::testing
