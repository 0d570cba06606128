#include "edit_file.hpp"

#include "terraway/io/files.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/edits.hpp"

#include "console.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace tw::cli {
namespace {

constexpr std::string_view kSubject = "edit ";  // "edit 3 (raise)"

}  // namespace

Result<world::EditList> read_edits(const std::string& file) {
    TW_ASSIGN(const io::Bytes bytes, io::read_file(file, recipe::kMaxEditsBytes));
    return recipe::parse_edits({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
}

std::span<const world::Edit> edits_until(const world::EditList& list,
                                         std::optional<std::uint64_t> tick) {
    if (!tick) return list.edit;
    const auto end = std::ranges::upper_bound(list.edit, *tick, {}, &world::Edit::tick);
    return {list.edit.begin(), end};
}

std::optional<std::size_t> edit_index(const Error& error) {
    std::string_view text = error.subject.text();
    if (!text.starts_with(kSubject)) return std::nullopt;
    text.remove_prefix(kSubject.size());
    std::size_t number = 0;
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (why != std::errc() || number == 0) return std::nullopt;
    return number - 1;
}

Error about_edit(const Error& error, const std::string& file, std::size_t index) {
    // The first edit stands in the second line.
    Error about = about_file(error, file + ":" + std::to_string(index + 2));
    if (!edit_index(error)) return about;
    const std::string& text = error.subject.text();
    const std::size_t open = text.find('(');
    about.message = error.message;
    if (open != std::string::npos)
        about.message = text.substr(open + 1, text.size() - open - 2) + ": " + error.message;
    return about;
}

Result<std::vector<pipeline::StageChange>> apply_edits(pipeline::Session& session,
                                                       std::span<const world::Edit> edits,
                                                       const std::string& file) {
    std::vector<pipeline::StageChange> all;
    for (const pipeline::StageInfo& stage : pipeline::stage_infos()) all.push_back({stage.name, 0});
    for (std::size_t i = 0; i < edits.size(); ++i) {
        if (const Status done = session.apply(edits[i]); !done) {
            return about_edit(done.error(), file, i);
        }
        for (const pipeline::StageChange& change : session.changes().stages) {
            std::ranges::find(all, change.stage, &pipeline::StageChange::stage)->elements +=
                change.elements;
        }
    }
    std::erase_if(all, [](const pipeline::StageChange& stage) { return stage.elements == 0; });
    return all;
}

}  // namespace tw::cli
