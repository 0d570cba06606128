#pragma once
// Lists of edits as text, `edits.jsonl`: a line that says the version, then one edit a line.
//
//     {"terraway_edits": 1}
//     {"edit": "raise", "path": [[120, -40]], "radius": 35, "amount": 12.5}
//     {"edit": "take_obstacle", "tick": 600, "obstacle": "wall", "hash": "0123456789abcdef"}
//
// Metres in the world's frame, x east and y north, rounded once to steps. No line is empty, so the
// edit of index i stands in line i + 2. docs/edits.schema.json describes a line.

#include "terraway/core/result.hpp"
#include "terraway/world/edits.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tw::recipe {

inline constexpr std::uint32_t kEditsVersion = 1;                      ///< of the first line
inline constexpr std::size_t kMaxEditsBytes = std::size_t{256} << 20;  ///< of all lines
inline constexpr std::size_t kMaxEditBytes = std::size_t{8} << 20;     ///< of one line
inline constexpr std::size_t kMaxEdits = 1'000'000;

/// The edits are good by world::validate with all of the grid as bounds. Errors name FILE:LINE:
/// invalid_input (not JSON, a line cut short, unknown, missing or double keys, ticks that fall, a
/// hash that does not fit), invalid_option (out of range), unsupported (a newer version),
/// too_large. Cost: O(bytes), and of world::validate.
Result<world::EditList> parse_edits(std::string_view text, std::string_view file);

/// The list that lines go on with.
struct EditsBefore {
    std::uint64_t tick = 0;     ///< of its last edit: that of lines that say none
    std::uint64_t rolling = 0;  ///< its rolling hash
};
/// Edits without the first line of a file. Errors as parse_edits, but the edit of index i stands in
/// line i + 1.
Result<world::EditList> parse_edit_lines(std::string_view lines, std::string_view name,
                                         const EditsBefore& before);

/// The canonical text, with hashes: parse_edits gives back every bit. The edits are valid and their
/// ticks don't fall.
std::string to_text(const world::EditList&);
/// The first line of every file.
std::string first_line();
/// The line to append to a list whose rolling hash is `rolling`, which becomes that of the longer
/// list.
std::string to_line(const world::Edit&, std::uint64_t& rolling);

/// The hash of the list so far and of one edit more: XXH64 over the hash before, which is 0 for an
/// empty list, and the edit's fields.
std::uint64_t rolled(std::uint64_t rolling, const world::Edit&);
std::uint64_t rolling_hash(const world::EditList&);

/// A shorter list that makes the same world of any world that takes the whole of the first: bit for
/// bit, at the last tick. What is left keeps its ticks and order. Left out are
/// - an obstacle that is put up and taken down: nothing reads obstacles but by name;
/// - the value of an attribute that a later value of the same column takes the place of, for the
///   same road, or the same place and radius: nothing reads values, and cells don't move. The last
///   value stays, and with it the column and its type; where the last takes away, the value before
///   stays too, because it may have made the column;
/// - the width of a road that is set again or that is deleted later: no edit reads widths;
/// - a road that is added and deleted, with its widths and points, unless its points were moved or
///   it was given attributes: other roads may have moved along, and columns may have been made.
///   Meanwhile it takes part in no node of its own, so that other roads move with and without it
///   alike.
/// Edits of the ground stay: they round and keep the shore, so that their order counts. Moves of
/// one node stay: a node that comes to stand on another takes it along from there, which the list
/// does not tell. Squashing twice gives what squashing once gives. Cost: O(n log n).
world::EditList squash(const world::EditList&);

/// docs/edits.schema.json: JSON Schema 2020-12 of one line.
std::string edits_schema_text();

}  // namespace tw::recipe
