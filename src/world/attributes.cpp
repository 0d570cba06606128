#include "terraway/world/attributes.hpp"

#include "terraway/core/utf8.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace tw::world {
namespace {

constexpr std::string_view kCellStage = "cell attributes";
constexpr std::string_view kRoadStage = "road attributes";

Error wrong(ErrorCode code, std::string_view stage, std::string_view column, std::string message) {
    return {.code = code,
            .stage = std::string(stage),
            .subject = column,
            .message = std::move(message)};
}

/// `value` is not monostate.
ColumnType type_of(const AttributeValue& value) {
    return static_cast<ColumnType>(value.index() - 1);
}

/// Zeros hash alike, so they must be alike.
AttributeValue without_sign_of_zero(const AttributeValue& value) {
    const auto* number = std::get_if<double>(&value);
    return number && *number == 0.0 ? AttributeValue(0.0) : value;
}

/// The place of the column of that name, or where it would be put in.
template <class Column>
typename std::vector<Column>::iterator place_of(std::vector<Column>& columns,
                                                const std::string& name) {
    return std::ranges::lower_bound(columns, name, {}, &Column::name);
}
template <class Column>
bool is_at(const std::vector<Column>& columns, typename std::vector<Column>::iterator place,
           const std::string& name) {
    return place != columns.end() && place->name == name;
}

Status require_type(std::string_view stage, std::string_view name, ColumnType type,
                    const AttributeValue& value) {
    constexpr std::array<std::string_view, 3> kHolds{"whole numbers", "numbers", "texts"};
    constexpr std::array<std::string_view, 3> kGive{"a whole number",
                                                    "a number with a decimal point", "text"};
    if (std::holds_alternative<std::monostate>(value) || type_of(value) == type) return ok_status();
    const auto index = static_cast<std::size_t>(type);
    return wrong(ErrorCode::invalid_input, stage, name,
                 "the column holds " + std::string(kHolds[index]) + "; give " +
                     std::string(kGive[index]) + ", or name another column");
}

template <class Column>
Status require_room(std::string_view stage, const std::vector<Column>& columns,
                    std::string_view name) {
    if (columns.size() < kMaxColumns) return ok_status();
    return wrong(ErrorCode::too_large, stage, name,
                 "there are " + std::to_string(kMaxColumns) +
                     " columns already; use one of them for more than one thing");
}

CellColumn empty_column(const std::string& name, ColumnType type, std::size_t cell_count) {
    CellColumn column;
    column.name = name;
    column.type = type;
    column.present.resize(cell_count);
    switch (type) {
        case ColumnType::integer:
            column.integers.resize(cell_count);
            break;
        case ColumnType::number:
            column.numbers.resize(cell_count);
            break;
        case ColumnType::text:
            column.texts.resize(cell_count);
            break;
    }
    return column;
}

template <class T>
void put(IdArray<CellTag, T>& array, CellId cell, const T& value) {
    if (array[cell] != value) array.edit(cell) = value;
}
/// What the value holds, or the type's zero.
template <class T>
T held(const AttributeValue& value) {
    const T* const found = std::get_if<T>(&value);
    return found ? *found : T{};
}
void put(CellColumn& column, CellId cell, const AttributeValue& value) {
    put(column.present, cell,
        static_cast<std::uint8_t>(std::holds_alternative<std::monostate>(value) ? 0 : 1));
    switch (column.type) {
        case ColumnType::integer:
            put(column.integers, cell, held<std::int64_t>(value));
            break;
        case ColumnType::number:
            put(column.numbers, cell, held<double>(value));
            break;
        case ColumnType::text:
            put(column.texts, cell, held<std::string>(value));
            break;
    }
}

Status check_names(std::string_view stage, const auto& columns) {
    if (columns.size() > kMaxColumns) {
        return wrong(ErrorCode::invalid_input, stage, {}, "there are too many columns");
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& name = columns[i].name;
        if (name.empty() || name.size() > kMaxNameBytes || !is_printable(name)) {
            return wrong(ErrorCode::invalid_input, stage, {}, "a column's name is no plain text");
        }
        if (i > 0 && columns[i - 1].name >= name) {
            return wrong(ErrorCode::invalid_input, stage, name, "the columns are out of order");
        }
        if (columns[i].type > ColumnType::text) {
            return wrong(ErrorCode::invalid_input, stage, name, "the column's type is unknown");
        }
    }
    return ok_status();
}

bool is_sound(std::int64_t) {
    return true;
}
bool is_sound(double number) {
    constexpr double kMost = std::numeric_limits<double>::max();
    return number >= -kMost && number <= kMost;
}
bool is_sound(const std::string& text) {
    return text.size() <= kMaxTextBytes && is_utf8(text);
}

template <class T>
bool is_sound_column(const IdArray<CellTag, std::uint8_t>& present,
                     const IdArray<CellTag, T>& values) {
    for (const CellId cell : present.ids()) {
        if (present[cell] > 1 || !is_sound(values[cell])) return false;
        if (present[cell] == 0 && values[cell] != T{}) return false;
    }
    return true;
}

Status check(const CellColumn& column, std::size_t cell_count) {
    const auto size_if = [&](ColumnType type) { return column.type == type ? cell_count : 0; };
    if (column.present.size() != cell_count ||
        column.integers.size() != size_if(ColumnType::integer) ||
        column.numbers.size() != size_if(ColumnType::number) ||
        column.texts.size() != size_if(ColumnType::text)) {
        return wrong(ErrorCode::invalid_input, kCellStage, column.name,
                     "the column does not fit the number of cells");
    }
    const bool sound =
        column.type == ColumnType::integer  ? is_sound_column(column.present, column.integers)
        : column.type == ColumnType::number ? is_sound_column(column.present, column.numbers)
                                            : is_sound_column(column.present, column.texts);
    if (sound) return ok_status();
    return wrong(ErrorCode::invalid_input, kCellStage, column.name, "a value is out of its range");
}

Status check(const RoadColumn& column) {
    for (std::size_t i = 0; i < column.entry.size(); ++i) {
        const RoadColumn::Entry& entry = column.entry[i];
        const bool typed = !std::holds_alternative<std::monostate>(entry.value) &&
                           type_of(entry.value) == column.type;
        const auto* number = std::get_if<double>(&entry.value);
        const auto* text = std::get_if<std::string>(&entry.value);
        if (!typed || (number && !is_sound(*number)) || (text && !is_sound(*text))) {
            return wrong(ErrorCode::invalid_input, kRoadStage, column.name,
                         "the value of the road \"" + entry.road + "\" is none of the column's");
        }
        if (i > 0 && column.entry[i - 1].road >= entry.road) {
            return wrong(ErrorCode::invalid_input, kRoadStage, column.name,
                         "the roads are out of order");
        }
    }
    return ok_status();
}

}  // namespace

Status apply_edit(const SetCellAttribute& edit, std::span<const CellId> cells,
                  std::size_t cell_count, Attributes& attributes) {
    for (const CellId cell : cells) {
        if (cell.index() < cell_count) continue;
        return wrong(ErrorCode::invalid_input, kCellStage, edit.column,
                     "there is no cell " + Subject(cell).text() + "; give cells of this world");
    }
    const AttributeValue value = without_sign_of_zero(edit.value);
    auto column = place_of(attributes.cell, edit.column);
    if (is_at(attributes.cell, column, edit.column)) {
        TW_TRY(require_type(kCellStage, edit.column, column->type, value));
    } else {
        if (cells.empty() || std::holds_alternative<std::monostate>(value)) return ok_status();
        TW_TRY(require_room(kCellStage, attributes.cell, edit.column));
        column =
            attributes.cell.insert(column, empty_column(edit.column, type_of(value), cell_count));
    }
    for (const CellId cell : cells) put(*column, cell, value);
    return ok_status();
}

Status apply_edit(const SetRoadAttribute& edit, Attributes& attributes) {
    const AttributeValue value = without_sign_of_zero(edit.value);
    const bool takes = std::holds_alternative<std::monostate>(value);
    auto column = place_of(attributes.road, edit.column);
    if (is_at(attributes.road, column, edit.column)) {
        TW_TRY(require_type(kRoadStage, edit.column, column->type, value));
    } else {
        if (takes) return ok_status();
        TW_TRY(require_room(kRoadStage, attributes.road, edit.column));
        column = attributes.road.insert(
            column, RoadColumn{.name = edit.column, .type = type_of(value), .entry = {}});
    }
    std::vector<RoadColumn::Entry>& entries = column->entry;
    const auto entry = std::ranges::lower_bound(entries, edit.road, {}, &RoadColumn::Entry::road);
    const bool there = entry != entries.end() && entry->road == edit.road;
    if (takes) {
        if (there) entries.erase(entry);
    } else if (there) {
        entry->value = value;
    } else {
        entries.insert(entry, {edit.road, value});
    }
    return ok_status();
}

Status validate(const Attributes& attributes, std::size_t cell_count) {
    TW_TRY(check_names(kCellStage, attributes.cell));
    TW_TRY(check_names(kRoadStage, attributes.road));
    for (const CellColumn& column : attributes.cell) TW_TRY(check(column, cell_count));
    for (const RoadColumn& column : attributes.road) TW_TRY(check(column));
    return ok_status();
}

}  // namespace tw::world
