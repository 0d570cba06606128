#include "terraway/recipe/edits.hpp"

#include "terraway/core/hash.hpp"
#include "terraway/core/option_range.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "edit_keys.hpp"

#include <vector>

namespace tw::recipe {
namespace {

/// Writes the keys of an edit.
class EditWriter {
public:
    explicit EditWriter(JsonWriter& writer) : writer_(writer) {}

    void points(std::string_view key, std::string_view, const std::vector<GridPoint>& points,
                std::size_t, std::size_t) {
        writer_.key(key).begin_array();
        for (const GridPoint p : points) write(p);
        writer_.end_array();
    }
    void point(std::string_view key, std::string_view, GridPoint point) {
        writer_.key(key);
        write(point);
    }
    void length(std::string_view key, std::string_view, Steps steps, const Length&) {
        writer_.key(key);
        write(steps);
    }
    void heights(std::string_view key, std::string_view, const std::vector<Steps>& heights) {
        writer_.key(key).begin_array();
        for (const Steps height : heights) write(height);
        writer_.end_array();
    }
    void name(std::string_view key, std::string_view, const std::string& name) {
        writer_.member(key, std::string_view(name));
    }
    template <class Enum>
    void choice(std::string_view key, std::string_view, Enum choice,
                std::span<const std::string_view> names) {
        writer_.member(key, names[static_cast<std::size_t>(choice)]);
    }
    void value(std::string_view key, std::string_view, const world::AttributeValue& value) {
        writer_.key(key);
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            writer_.value(*integer);
        } else if (const auto* number = std::get_if<double>(&value)) {
            // With a point or an exponent, so that it is read as what it is.
            std::string text = number_text(*number);
            if (text.find_first_of(".e") == std::string::npos) text += ".0";
            writer_.raw(text);
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            writer_.value(std::string_view(*text));
        } else {
            writer_.null();
        }
    }
    void road(const world::RoadAttributes& attributes) {
        write_road_attributes(writer_, attributes);
    }

private:
    /// A step is 2⁻¹⁰ m: ten decimals say it exactly.
    void write(Steps steps) { writer_.raw(number_text(to_metres(steps))); }
    void write(GridPoint p) {
        writer_.begin_array();
        write(p.x);
        write(p.y);
        writer_.end_array();
    }

    JsonWriter& writer_;
};

}  // namespace

std::uint64_t rolled(std::uint64_t rolling, const world::Edit& edit) {
    return Hasher().add(rolling).add(edit).finish();
}

std::uint64_t rolling_hash(const world::EditList& list) {
    std::uint64_t rolling = 0;
    for (const world::Edit& edit : list.edit) rolling = rolled(rolling, edit);
    return rolling;
}

std::string first_line() {
    JsonWriter writer;
    writer.begin_object().member(kVersionKey, kEditsVersion).end_object();
    return std::move(writer).take() + "\n";
}

std::string to_line(const world::Edit& edit, std::uint64_t& rolling) {
    rolling = rolled(rolling, edit);
    JsonWriter writer;
    writer.begin_object().member("edit", world::name_of(edit.action)).member("tick", edit.tick);
    EditWriter keys(writer);
    std::visit(EditKeys(keys), edit.action);
    writer.member("hash", hash_to_text(rolling)).end_object();
    return std::move(writer).take() + "\n";
}

std::string to_text(const world::EditList& list) {
    std::string text = first_line();
    std::uint64_t rolling = 0;
    for (const world::Edit& edit : list.edit) text += to_line(edit, rolling);
    return text;
}

}  // namespace tw::recipe
