// Any bytes as a recipe: refused with a message, or read, and then its canonical text reads back
// equal. The first line may be an override.

#include "terraway/recipe/recipe.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> overrides;
    constexpr std::string_view kSet = "--set ";
    if (text.starts_with(kSet)) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        overrides.emplace_back(text.substr(kSet.size(), end - kSet.size()));
        text.remove_prefix(end);
    }
    const auto recipe = tw::recipe::parse_recipe(text, "fuzz", overrides);
    if (!recipe) {
        must(!recipe.error().message.empty());
        return 0;
    }
    if (recipe->world.roads_lines) must(tw::world::validate(*recipe->world.roads_lines).ok());
    const std::string canonical = tw::recipe::to_text(*recipe);
    const auto again = tw::recipe::parse_recipe(canonical, "again");
    must(again.ok());
    must(tw::recipe::to_text(*again) == canonical);
    must(again->world.seed == recipe->world.seed);
    return 0;
}
