#pragma once
// What changes a world after it was made: edits, in the order in which they were done. They hold
// resolved numbers (places and heights in steps), so that they mean the same in every build.

#include "terraway/core/fields.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"
#include "terraway/world/roads.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace tw::world {

/// How a brush fades from its path to its rim.
enum class Falloff : std::uint8_t {
    constant,  ///< not at all
    linear,
    smooth,  ///< 1 − t² (3 − 2 t): level at the path and at the rim
};

struct Brush {
    Steps radius = 0;  ///< [steps] > 0, at most the longer side of the world
    Falloff falloff = Falloff::smooth;

    static constexpr auto fields() {
        return std::tuple{Field{"radius", &Brush::radius}, Field{"falloff", &Brush::falloff}};
    }
};

/// Raises the ground along a stroke, or lowers it. Like all edits of the ground it keeps the shore:
/// land stays a step above the sea, the sea's floor a step below.
struct RaiseGround {
    std::vector<GridPoint> path;  ///< of one point or more, within the world
    Brush brush;
    Steps amount = 0;  ///< [steps] at the path; negative lowers; ±9,000 m

    static constexpr auto fields() {
        return std::tuple{Field{"path", &RaiseGround::path}, Field{"brush", &RaiseGround::brush},
                          Field{"amount", &RaiseGround::amount}};
    }
};

/// Draws the ground to one height: wholly at the path, less towards the rim of the brush.
struct FlattenGround {
    std::vector<GridPoint> path;
    Brush brush;
    Steps height = 0;  ///< [steps] above the sea, ±11,000 m

    static constexpr auto fields() {
        return std::tuple{Field{"path", &FlattenGround::path},
                          Field{"brush", &FlattenGround::brush},
                          Field{"height", &FlattenGround::height}};
    }
};

/// Gives the ground along a line the heights of the line, and fades out over `brush`.
struct SetLineHeight {
    std::vector<GridPoint> path;  ///< two points or more, no two in a row equal
    std::vector<Steps> height;    ///< one for each point of the path, even in between
    Brush brush;

    static constexpr auto fields() {
        return std::tuple{Field{"path", &SetLineHeight::path},
                          Field{"height", &SetLineHeight::height},
                          Field{"brush", &SetLineHeight::brush}};
    }
};

/// Lowers every cell that the path runs through, and those whose site lies within half the width,
/// to a bed that falls evenly from one end to the other. What lies lower already stays.
struct DigChannel {
    std::vector<GridPoint> path;  ///< two points or more, no two in a row equal
    Steps width = 0;              ///< [steps] >= 0
    Steps bed_from = 0;           ///< [steps] height of the bed at the path's first point
    Steps bed_to = 0;             ///< [steps] and at its last

    static constexpr auto fields() {
        return std::tuple{Field{"path", &DigChannel::path}, Field{"width", &DigChannel::width},
                          Field{"bed_from", &DigChannel::bed_from},
                          Field{"bed_to", &DigChannel::bed_to}};
    }
};

/// The value of a user's attribute. Monostate: none.
using AttributeValue = std::variant<std::monostate, std::int64_t, double, std::string>;

/// Sets a user's attribute of the cell at `place`, or of all whose site lies within `radius`. The
/// first value of a column gives it its type.
struct SetCellAttribute {
    GridPoint place;
    Steps radius = 0;  ///< [steps] 0: one cell
    std::string column;
    AttributeValue value;

    static constexpr auto fields() {
        return std::tuple{
            Field{"place", &SetCellAttribute::place}, Field{"radius", &SetCellAttribute::radius},
            Field{"column", &SetCellAttribute::column}, Field{"value", &SetCellAttribute::value}};
    }
};
/// Sets a user's attribute of the road whose line has this label.
struct SetRoadAttribute {
    std::string road;
    std::string column;
    AttributeValue value;

    static constexpr auto fields() {
        return std::tuple{Field{"road", &SetRoadAttribute::road},
                          Field{"column", &SetRoadAttribute::column},
                          Field{"value", &SetRoadAttribute::value}};
    }
};

/// A new centre line. It meets others as imported lines do: where it ends near them or crosses.
struct AddRoad {
    std::string road;  ///< label, unused so far
    RoadAttributes attributes;
    std::vector<GridPoint> path;  ///< two points or more, no two in a row equal

    static constexpr auto fields() {
        return std::tuple{Field{"road", &AddRoad::road}, Field{"attributes", &AddRoad::attributes},
                          Field{"path", &AddRoad::path}};
    }
};
struct DeleteRoad {
    std::string road;

    static constexpr auto fields() { return std::tuple{Field{"road", &DeleteRoad::road}}; }
};
struct SetRoadWidth {
    std::string road;
    Steps width = 0;  ///< [steps] > 0, at most 1,000 m

    static constexpr auto fields() {
        return std::tuple{Field{"road", &SetRoadWidth::road}, Field{"width", &SetRoadWidth::width}};
    }
};
/// Puts a point into the road's nearest segment.
struct AddRoadNode {
    std::string road;
    GridPoint place;

    static constexpr auto fields() {
        return std::tuple{Field{"road", &AddRoadNode::road}, Field{"place", &AddRoadNode::place}};
    }
};
/// Moves the road's point nearest to `from` (within 1 m) to `to`, and with it the points of other
/// lines that share its node, or its place and level.
struct MoveRoadNode {
    std::string road;
    GridPoint from, to;

    static constexpr auto fields() {
        return std::tuple{Field{"road", &MoveRoadNode::road}, Field{"from", &MoveRoadNode::from},
                          Field{"to", &MoveRoadNode::to}};
    }
};
/// Takes the point nearest to `place` (within 1 m) out of the road; a road of two points goes
/// whole.
struct DeleteRoadNode {
    std::string road;
    GridPoint place;

    static constexpr auto fields() {
        return std::tuple{Field{"road", &DeleteRoadNode::road},
                          Field{"place", &DeleteRoadNode::place}};
    }
};

/// Blocks all squares of the cost grid that the ring touches or contains.
struct PutObstacle {
    std::string obstacle;         ///< name, none that stands
    std::vector<GridPoint> ring;  ///< simple, three points or more, either way round

    static constexpr auto fields() {
        return std::tuple{Field{"obstacle", &PutObstacle::obstacle},
                          Field{"ring", &PutObstacle::ring}};
    }
};
struct TakeObstacle {
    std::string obstacle;  ///< name of one that stands

    static constexpr auto fields() {
        return std::tuple{Field{"obstacle", &TakeObstacle::obstacle}};
    }
};

using EditAction =
    std::variant<RaiseGround, FlattenGround, SetLineHeight, DigChannel, SetCellAttribute,
                 SetRoadAttribute, AddRoad, DeleteRoad, SetRoadWidth, AddRoadNode, MoveRoadNode,
                 DeleteRoadNode, PutObstacle, TakeObstacle>;

struct Edit {
    std::uint64_t tick = 0;  ///< of the event; never falls along a list
    EditAction action;

    static constexpr auto fields() {
        return std::tuple{Field{"tick", &Edit::tick}, Field{"action", &Edit::action}};
    }
};

struct EditList {
    std::vector<Edit> edit;

    static constexpr auto fields() { return std::tuple{Field{"edit", &EditList::edit}}; }
};

inline constexpr std::size_t kMaxPathPoints = 100'000;  ///< of an edit
inline constexpr std::size_t kMaxRingPoints = 10'000;   ///< of an obstacle
inline constexpr std::size_t kMaxNameBytes = 256;       ///< of roads, columns and obstacles
inline constexpr std::size_t kMaxTextBytes = 4096;      ///< of an attribute's value
inline constexpr Steps kMaxRoadWidth = 1000 * kStepsPerMetre;
inline constexpr int kMaxRoadLevel = 100;                         ///< and the least is −100
inline constexpr Steps kMaxRaise = 9000 * kStepsPerMetre;         ///< either way
inline constexpr Steps kMaxEditHeight = 11'000 * kStepsPerMetre;  ///< and depth

/// What can be said of an edit without the world's data: places within `bounds`, sizes and heights
/// in range, names that are printable, no longer than 256 bytes and not empty, rings that are
/// simple. Error invalid_input or invalid_option; the subject is the edit's kind ("raise").
/// Cost: O(points), and of geometry::find_self_contact for a ring.
Status validate(const Edit& edit, const GridBox& bounds);

/// "raise", "flatten", "line_height", "channel", "cell_attribute", "road_attribute", "add_road",
/// "delete_road", "road_width", "add_road_node", "move_road_node", "delete_road_node",
/// "put_obstacle", "take_obstacle"
std::string_view name_of(const EditAction& action);

}  // namespace tw::world
