#include "terraway/core/hash.hpp"
#include "terraway/recipe/edits.hpp"

#include "edit_keys.hpp"
#include "json_reader.hpp"
#include "nearest.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tw::recipe {
namespace {

constexpr double kFarthest = 1e6;  // [m] of any length: beyond, steps would not fit
constexpr GridBox kGrid{{-kMaxCoordinate, -kMaxCoordinate}, {kMaxCoordinate, kMaxCoordinate}};

/// Fills an edit from the members of a line. Of several errors the first is kept, but a key that
/// does not exist is told first: it may be the one that is missing, misspelt.
class LineOfEdit {
public:
    LineOfEdit(JsonValue line, WrongValue wrong) : line_(line), wrong_(wrong) {
        keys_ = {"edit", "tick", "hash"};
    }

    Status read(world::EditAction& action) {
        std::visit(EditKeys(*this), action);
        for (const JsonValue member : line_) {
            if (std::ranges::find(keys_, member.key()) != keys_.end()) continue;
            const std::string near = did_you_mean(member.key(), keys_);
            return wrong_(member, "no such key: \"" + member.key() + "\"" +
                                      (near.empty() ? "; leave it out" : near));
        }
        if (error_) return *std::move(error_);
        return ok_status();
    }

    void points(std::string_view key, std::string_view, std::vector<GridPoint>& points,
                std::size_t least, std::size_t most) {
        const auto value = require(key, "a list of points, [[x, y], ...]");
        if (!value) return;
        if (value->kind() != JsonKind::array)
            return fail(*value, key, "is no list; give points, [[x, y], ...]");
        for (const JsonValue point : *value) {
            if (error_) return;
            if (points.size() == most) {
                return fail(*value, key,
                            "has more than " + std::to_string(most) +
                                " points; give fewer, or several edits");
            }
            points.push_back(read_point(point, key));
        }
        if (points.size() < least) {
            fail(*value, key,
                 "has " + std::to_string(points.size()) + " points; give " + std::to_string(least) +
                     " or more");
        }
    }
    void point(std::string_view key, std::string_view, GridPoint& point) {
        if (const auto value = require(key, "a point, [x, y]")) point = read_point(*value, key);
    }
    void length(std::string_view key, std::string_view, Steps& steps, const Length& length) {
        const auto value = length.fallback ? find(key) : require(key, "metres");
        if (value) {
            steps = read_length(*value, key);
        } else {
            steps = length.fallback.value_or(0);
        }
    }
    void heights(std::string_view key, std::string_view, std::vector<Steps>& heights) {
        const auto value = require(key, "a list of metres, one for each point");
        if (!value) return;
        if (value->kind() != JsonKind::array)
            return fail(*value, key, "is no list; give metres, one for each point");
        for (const JsonValue height : *value) {
            if (error_) return;
            heights.push_back(read_length(height, key));
        }
    }
    void name(std::string_view key, std::string_view, std::string& name) {
        const auto value = require(key, "a name in quotes");
        if (!value) return;
        if (value->kind() == JsonKind::natural) {
            name = std::to_string(value->natural());
        } else if (value->kind() == JsonKind::text) {
            name = value->text();
        } else {
            fail(*value, key, "is no name; give text in quotes, or a whole number");
        }
    }
    template <class Enum>
    void choice(std::string_view key, std::string_view, Enum& choice,
                std::span<const std::string_view> names) {
        const auto value = find(key);
        if (!value) return;
        Result<std::size_t> index = read_choice(*value, names, wrong_);
        if (index) {
            choice = static_cast<Enum>(*index);
        } else {
            keep(std::move(index).error());
        }
    }
    void value(std::string_view key, std::string_view, world::AttributeValue& attribute) {
        const auto value = require(key, "a number, text, or null to take the value away");
        if (!value) return;
        switch (value->kind()) {
            case JsonKind::null:
                attribute = std::monostate();
                return;
            case JsonKind::text:
                attribute = value->text();
                return;
            case JsonKind::natural:
            case JsonKind::number:
                if (!value->is_whole()) {
                    attribute = value->number();
                } else if (const auto integer = value->integer()) {
                    attribute = *integer;
                } else {
                    fail(*value, key,
                         "is too large for a whole number; give one of 64 bits, or a decimal "
                         "point");
                }
                return;
            case JsonKind::truth:
            case JsonKind::array:
            case JsonKind::object:
                fail(*value, key, "is no value; give a number, text, or null to take it away");
        }
    }
    void road(world::RoadAttributes& attributes) {
        keys_.insert(keys_.end(), {"level", "class", "form", "oneway"});
        Status status = read_road_attributes(line_, wrong_, attributes);
        if (!status) keep(std::move(status).error());
    }

private:
    void keep(Error error) {
        if (!error_) error_ = std::move(error);
    }
    void fail(JsonValue where, std::string_view key, const std::string& message) {
        keep(wrong_(where, "\"" + std::string(key) + "\" " + message));
    }
    std::optional<JsonValue> find(std::string_view key) {
        keys_.push_back(key);
        return line_.find(key);
    }
    std::optional<JsonValue> require(std::string_view key, std::string_view wanted) {
        const auto value = find(key);
        if (!value) fail(line_, key, "is missing; give " + std::string(wanted));
        return value;
    }
    Steps read_length(JsonValue value, std::string_view key) {
        if (!value.is_number()) {
            fail(value, key, "has what is no number: " + shortened(value) + "; give metres");
            return 0;
        }
        if (!(value.number() >= -kFarthest && value.number() <= kFarthest)) {
            fail(value, key, "has " + shortened(value) + " m; keep within a million");
            return 0;
        }
        return to_steps(value.number());
    }
    GridPoint read_point(JsonValue value, std::string_view key) {
        if (value.kind() != JsonKind::array || value.size() != 2) {
            fail(value, key, "has what is no point: " + shortened(value) + "; give [x, y]");
            return {};
        }
        const Steps x = read_length(*value.begin(), key);
        const Steps y = read_length(*++value.begin(), key);
        return {x, y};
    }
    static std::string shortened(JsonValue value) {
        constexpr std::size_t kMost = 60;
        const bool large = value.kind() == JsonKind::array || value.kind() == JsonKind::object;
        if (large && value.size() > 8) return std::string(to_string(value.kind()));
        std::string text = to_compact(value);
        return text.size() > kMost ? std::string(to_string(value.kind())) : text;
    }

    JsonValue line_;
    WrongValue wrong_;
    std::vector<std::string_view> keys_;  ///< that this kind of edit has
    std::optional<Error> error_;
};

class EditReader {
public:
    EditReader(std::string_view text, std::string_view file, const EditsBefore& before)
        : rest_(text), file_(file), tick_(before.tick), rolling_(before.rolling) {}

    Result<world::EditList> read_file();
    Result<world::EditList> read_lines();

private:
    Error wrong(ErrorCode code, std::string message) const {
        return {.code = code,
                .stage = "edits",
                .subject = std::string(file_) + ":" + std::to_string(line_),
                .message = kind_.empty() ? std::move(message)
                                         : std::string(kind_) + ": " + std::move(message)};
    }
    Error wrong(std::string message) const {
        return wrong(ErrorCode::invalid_input, std::move(message));
    }
    Result<JsonDocument> next_line();
    Status read_version(JsonValue line) const;
    Status read_edit(JsonValue line);
    Status read_action(JsonValue line, world::EditAction& action);
    Status read_tick(JsonValue line, std::uint64_t& tick) const;
    Status check_hash(JsonValue line) const;

    std::string_view rest_, file_;
    std::string_view kind_;  ///< of the edit at hand
    std::uint32_t line_ = 0;
    std::uint64_t tick_, rolling_;  ///< of all edits before the line at hand
    world::EditList list_;
};

Result<JsonDocument> EditReader::next_line() {
    ++line_;
    kind_ = {};
    const std::size_t end = rest_.find('\n');
    const bool last = end == std::string_view::npos;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(last ? rest_.size() : end + 1);
    if (line.size() > kMaxEditBytes) {
        return wrong(ErrorCode::too_large, "the line is longer than 8 MB; split the edit");
    }
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
        return wrong("the line is empty; take it out");
    Result<JsonDocument> json = read_json(line, file_, line_);
    if (!json && last) {
        return wrong("the last line is cut short or is no JSON (" + json.error().message +
                     "); take it out, or fetch the whole file");
    }
    if (!json) {
        Error error = std::move(json).error();
        error.stage = "edits";
        return error;
    }
    if (JsonValue(*json).kind() != JsonKind::object)
        return wrong("the line is no object; give {\"edit\": \"raise\", ...}");
    return json;
}

Status EditReader::read_version(JsonValue line) const {
    const auto version = line.find(kVersionKey);
    if (!version || version->kind() != JsonKind::natural || version->natural() == 0) {
        return wrong("the first line does not say the version; begin with {\"terraway_edits\": 1}");
    }
    // Versions before this one would be migrated here.
    if (version->natural() > kEditsVersion) {
        return wrong(ErrorCode::unsupported,
                     "the edits are of version " + std::to_string(version->natural()) +
                         ", this program reads up to " + std::to_string(kEditsVersion) +
                         "; use a newer program");
    }
    if (line.size() > 1)
        return wrong("the first line says more than the version; put edits on lines of their own");
    return ok_status();
}

Status EditReader::read_action(JsonValue line, world::EditAction& action) {
    const auto edit = line.find("edit");
    const std::array<std::string_view, kEditKinds> names = edit_names();
    if (!edit || edit->kind() != JsonKind::text) {
        return wrong("the line does not say which edit it is; give \"edit\": \"raise\" or another");
    }
    const auto found = std::ranges::find(names, edit->text());
    if (found == names.end()) {
        std::string near = did_you_mean(edit->text(), names);
        if (near.empty()) near = "; see docs/edits.schema.json";
        return wrong("there is no edit \"" + edit->text().substr(0, 60) + "\"" + near);
    }
    kind_ = *found;
    action = make_action(static_cast<std::size_t>(found - names.begin()));
    const auto wrong_value = [this](JsonValue, std::string message) {
        return wrong(std::move(message));
    };
    return LineOfEdit(line, wrong_value).read(action);
}

Status EditReader::read_tick(JsonValue line, std::uint64_t& tick) const {
    tick = tick_;
    const auto value = line.find("tick");
    if (!value) return ok_status();
    if (value->kind() != JsonKind::natural)
        return wrong("\"tick\" is no whole number; give one from 0 on, or leave it out");
    tick = value->natural();
    if (tick >= tick_) return ok_status();
    return wrong("the tick " + std::to_string(tick) + " comes after the tick " +
                 std::to_string(tick_) + "; put the lines in the order of their ticks");
}

Status EditReader::check_hash(JsonValue line) const {
    const auto value = line.find("hash");
    if (!value) return ok_status();
    if (value->kind() == JsonKind::text && value->text() == hash_to_text(rolling_))
        return ok_status();
    return wrong(
        "this line or one before it was changed since its hash was written; undo the "
        "change, or take \"hash\" out of this line and those after it");
}

Status EditReader::read_edit(JsonValue line) {
    world::Edit edit;
    TW_TRY(read_action(line, edit.action));
    TW_TRY(read_tick(line, edit.tick));
    const Status valid = world::validate(edit, kGrid);
    if (!valid) return wrong(valid.error().code, valid.error().message);
    tick_ = edit.tick;
    rolling_ = rolled(rolling_, edit);
    TW_TRY(check_hash(line));
    list_.edit.push_back(std::move(edit));
    return ok_status();
}

Result<world::EditList> EditReader::read_file() {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);  // a byte order mark
    if (rest_.size() <= kMaxEditsBytes) {
        TW_ASSIGN(const JsonDocument first, next_line());
        TW_TRY(read_version(JsonValue(first)));
    }
    return read_lines();
}

Result<world::EditList> EditReader::read_lines() {
    if (rest_.size() > kMaxEditsBytes) {
        return Error{.code = ErrorCode::too_large,
                     .stage = "edits",
                     .subject = file_,
                     .message = "more than 256 MB; squash the edits"};
    }
    while (!rest_.empty()) {
        TW_ASSIGN(const JsonDocument json, next_line());
        if (list_.edit.size() == kMaxEdits) {
            return wrong(ErrorCode::too_large,
                         "more than " + std::to_string(kMaxEdits) + " edits; squash them");
        }
        TW_TRY(read_edit(JsonValue(json)));
    }
    return std::move(list_);
}

}  // namespace

Result<world::EditList> parse_edits(std::string_view text, std::string_view file) {
    return EditReader(text, file, {}).read_file();
}

Result<world::EditList> parse_edit_lines(std::string_view lines, std::string_view name,
                                         const EditsBefore& before) {
    return EditReader(lines, name, before).read_lines();
}

}  // namespace tw::recipe
