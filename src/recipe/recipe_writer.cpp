#include "terraway/recipe/recipe.hpp"

#include "parameter_text.hpp"

namespace tw::recipe {
namespace {

bool at_default(const Recipe& recipe, const Parameter& parameter) {
    // A file that is wanted and not given (null) is not the same as no file.
    if (parameter.file) return !(recipe.*parameter.file).wanted;
    return parameter.get(recipe) == parameter.default_value();
}

}  // namespace

std::string to_text(const Recipe& recipe) {
    JsonWriter writer(JsonLayout::indented);
    writer.begin_object();
    writer.member("terraway", kRecipeVersion);
    std::string_view open;  // the section that is being written
    const auto enter = [&](std::string_view section) {
        if (section == open) return;
        if (!open.empty()) writer.end_object();
        if (!section.empty()) writer.key(section).begin_object();
        open = section;
    };
    for (const Parameter& parameter : parameters()) {
        if (parameter.path == "roads.file" && !recipe.roads_lines.empty()) {
            enter("roads");
            writer.key("lines").raw(recipe.roads_lines);
        }
        if (at_default(recipe, parameter)) continue;
        enter(section_of(parameter));
        write_value(writer.key(key_of(parameter)), parameter, parameter.get(recipe));
    }
    enter("");
    if (!recipe.notes.empty()) writer.key("notes").raw(recipe.notes);
    writer.end_object();
    return std::move(writer).take() + "\n";
}

}  // namespace tw::recipe
