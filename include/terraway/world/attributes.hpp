#pragma once
// Columns of the user's own per cell and per road: owner, army, buildings. The engine keeps them.

#include "terraway/core/id_array.hpp"
#include "terraway/core/result.hpp"
#include "terraway/world/edits.hpp"
#include "terraway/world/polygon_map.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace tw::world {

enum class ColumnType : std::uint8_t { integer, number, text };
inline constexpr std::size_t kMaxColumns = 256;  ///< per cell, and as many per road

/// One value per cell; `present` and the array of the type have an element for each cell, the
/// others are empty. Where there is no value the element is 0 or empty.
struct CellColumn {
    std::string name;
    ColumnType type = ColumnType::integer;
    IdArray<CellTag, std::uint8_t> present;  ///< 0: the cell has no value
    IdArray<CellTag, std::int64_t> integers;
    IdArray<CellTag, double> numbers;
    IdArray<CellTag, std::string> texts;

    static constexpr auto fields() {
        return std::tuple{
            Field{"name", &CellColumn::name},       Field{"type", &CellColumn::type},
            Field{"present", &CellColumn::present}, Field{"integers", &CellColumn::integers},
            Field{"numbers", &CellColumn::numbers}, Field{"texts", &CellColumn::texts}};
    }
};

/// Values of some roads, by the label of their line.
struct RoadColumn {
    struct Entry {
        std::string road;
        AttributeValue value;

        static constexpr auto fields() {
            return std::tuple{Field{"road", &Entry::road}, Field{"value", &Entry::value}};
        }
    };
    std::string name;
    ColumnType type = ColumnType::integer;
    std::vector<Entry> entry;  ///< ascending by road

    static constexpr auto fields() {
        return std::tuple{Field{"name", &RoadColumn::name}, Field{"type", &RoadColumn::type},
                          Field{"entry", &RoadColumn::entry}};
    }
};

struct Attributes {
    std::vector<CellColumn> cell;  ///< ascending by name
    std::vector<RoadColumn> road;  ///< ascending by name

    static constexpr auto fields() {
        return std::tuple{Field{"cell", &Attributes::cell}, Field{"road", &Attributes::road}};
    }
};

/// Sets or takes away the value of `cells`, which the caller found by the edit's place and radius.
/// The first value makes the column; taking away never makes or removes one. Touches the pages
/// alone that change. A negative zero becomes 0. The edit is valid (world::validate). Errors, after
/// which nothing has changed: invalid_input (a column of another type, which is named; an id that
/// is not below `cell_count`), too_large (more than kMaxColumns).
/// Cost: O(cells given), O(cell_count) when it makes a column.
Status apply_edit(const SetCellAttribute&, std::span<const CellId> cells, std::size_t cell_count,
                  Attributes&);
/// The same for the road of that label, which the caller knows to exist. Cost: O(values).
Status apply_edit(const SetRoadAttribute&, Attributes&);

/// Sizes, order, names, types; that no element stands where there is no value.
/// Error invalid_input, naming the column. Cost: O(values).
Status validate(const Attributes&, std::size_t cell_count);

}  // namespace tw::world
