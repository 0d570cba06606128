#include "nearest.hpp"

#include "terraway/recipe/parameters.hpp"

#include <algorithm>
#include <vector>

namespace tw::recipe {
namespace {

/// Least number of letters put in, taken out, changed or swapped with their neighbour (Damerau
/// 1964, optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> before(width), last(width), row(width);
    for (std::size_t j = 0; j < width; ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j < width; ++j) {
            const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
    constexpr std::size_t kLongest = 64;  // no name of ours is longer; keys from files may be
    if (name.size() > kLongest) return {};
    std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
    std::string_view found;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < least) {
            least = distance;
            found = candidate;
        }
    }
    return found;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
    const std::string_view found = nearest(name, candidates);
    return found.empty() ? std::string() : "; did you mean \"" + std::string(found) + "\"?";
}

std::string_view nearest_path(std::string_view path) {
    std::vector<std::string_view> paths{"terraway", "notes", "roads.lines"};
    for (const Parameter& parameter : parameters()) {
        paths.push_back(parameter.path);
        const std::size_t dot = parameter.path.find('.');
        if (dot != std::string_view::npos) paths.push_back(parameter.path.substr(0, dot));
    }
    // The right name in the wrong place is nearer than any misspelling.
    const std::size_t dot = path.rfind('.');
    const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
    for (const std::string_view candidate : paths) {
        if (candidate.ends_with("." + std::string(name)) || candidate == name) return candidate;
    }
    return nearest(path, paths);
}

}  // namespace tw::recipe
