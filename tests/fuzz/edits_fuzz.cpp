// Any bytes as a list of edits: refused at a line, or read, and then its canonical text reads back
// equal, and squashing twice gives what squashing once gives.

#include "terraway/core/hash.hpp"
#include "terraway/recipe/edits.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto list = tw::recipe::parse_edits(text, "fuzz");
    if (!list) {
        must(list.error().subject.text().starts_with("fuzz:"));
        must(!list.error().message.empty());
        return 0;
    }
    const std::string canonical = tw::recipe::to_text(*list);
    const auto again = tw::recipe::parse_edits(canonical, "again");
    must(again.ok());
    must(tw::hash_of(*again) == tw::hash_of(*list));
    must(tw::recipe::to_text(*again) == canonical);
    const tw::world::EditList squashed = tw::recipe::squash(*list);
    must(squashed.edit.size() <= list->edit.size());
    const std::string text_squashed = tw::recipe::to_text(squashed);
    must(tw::recipe::parse_edits(text_squashed, "squashed").ok());
    must(tw::recipe::to_text(tw::recipe::squash(squashed)) == text_squashed);
    return 0;
}
