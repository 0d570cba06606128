#pragma once
// What a network was made of: every line through all its layers, the joins, the parts of its roads.

#include "terraway/roads/network.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tw::roads {

inline constexpr std::string_view kStage = "roads";
inline constexpr std::uint64_t kNoTie = 0;
inline constexpr std::uint32_t kNone = UINT32_MAX;

/// Rounding moves a segment by a step, which seldom makes a new meeting, and hardly ever twice.
inline constexpr int kMostRounds = 16;
/// The layers of a line: prepared, a layer for each round of noding, joined, and noded again.
inline constexpr int kNoded = kMostRounds, kJoined = kNoded + 1, kFinal = kJoined + kMostRounds;
inline constexpr std::size_t kMostMeetings = std::size_t{1} << 23;

struct Vertex {
    GridPoint point;
    std::uint64_t tie = kNoTie;  ///< source node; equal ones are one node, whatever their level
    friend bool operator==(const Vertex&, const Vertex&) = default;
};
using Chain = std::vector<Vertex>;  ///< no two points in a row equal; under two vertices: none

/// A line's chain where a layer made it another.
struct Layer {
    int index = 0;
    Chain vertex;
};

/// A line by its key, which it keeps as long as it has its label, and the ordinal of its part.
struct PartName {
    std::uint32_t line = 0, ordinal = 0;
    friend auto operator<=>(const PartName&, const PartName&) = default;
};

/// A part of a line between two stops.
struct Part {
    std::uint32_t begin = 0, end = 0;  ///< vertices of the last layer, both included
    PartName road;                     ///< the part that its road is named after
    std::vector<PartName> member;      ///< of the road with this name, if it has more parts
};

/// What a vertex of the last layer is to the network.
struct Mark {
    bool kept = false;      ///< the segment behind it stands there for the first time
    bool stop = false;      ///< parts end here
    bool chained = false;   ///< and roads go on
    std::int8_t place = 0;  ///< the lowest level of those that meet at its point, in its place
    friend bool operator==(const Mark&, const Mark&) = default;
};

struct LineTrace {
    std::string label;
    world::RoadAttributes attributes;
    bool twin = false;              ///< another line has this label
    bool joins_ties = false;        ///< two of its nodes fall together
    std::vector<GridPoint> placed;  ///< its points, each where the first of its node stands
    std::vector<Layer> layer{1};    ///< ascending by index, the first is 0
    std::vector<Mark> mark;
    std::vector<Part> part;

    const Chain& at(int index) const {
        std::size_t i = layer.size() - 1;
        while (layer[i].index > index) --i;
        return layer[i].vertex;
    }
    bool grew_at(int index) const {
        for (const Layer& l : layer) {
            if (l.index == index) return true;
        }
        return false;
    }
};

/// An array in blocks that its later versions share where they are equal.
template <class T>
class SharedBlocks {
public:
    std::size_t size() const { return size_; }
    const T& operator[](std::size_t i) const { return (*block_[i / kBlock])[i % kBlock]; }
    /// The array with other elements at `indices` (ascending), which may be behind its end.
    template <class Element>
    SharedBlocks with(const std::vector<std::uint32_t>& indices, Element&& element) const {
        SharedBlocks out = *this;
        std::shared_ptr<Block> block;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const std::size_t index = indices[i], at = index / kBlock;
            if (i == 0 || indices[i - 1] / kBlock != at) {
                block = at < block_.size() ? std::make_shared<Block>(*block_[at])
                                           : std::make_shared<Block>();
                if (at >= out.block_.size()) out.block_.resize(at + 1);
                out.block_[at] = block;
            }
            (*block)[index % kBlock] = element(indices[i]);
            out.size_ = std::max(out.size_, index + 1);
        }
        return out;
    }

private:
    static constexpr std::size_t kBlock = 64;
    using Block = std::array<T, kBlock>;
    std::vector<std::shared_ptr<const Block>> block_;
    std::size_t size_ = 0;
};

/// An end that may be moved.
struct Join {
    std::int64_t distance = 0;  ///< squared
    GridPoint from, to;
    std::uint32_t line = 0;  ///< key
    std::uint8_t at_back = 0;
    bool done = false;  ///< it was moved
    std::int32_t level = 0;
};

/// Lines by label, then by everything else that tells them apart.
struct LineOrder {
    std::vector<std::uint32_t> key;       ///< by position
    std::vector<std::uint32_t> position;  ///< by key; kNone: no longer there
};

/// The lines that the network was made of. Arrays that stayed equal are shared.
struct Snapshot {
    std::shared_ptr<const std::vector<std::string>> label;
    std::shared_ptr<const std::vector<world::RoadAttributes>> attributes;
    std::shared_ptr<const std::vector<std::uint32_t>> begin;
    std::shared_ptr<const std::vector<GridPoint>> point;
    std::shared_ptr<const std::vector<std::uint64_t>> node;
};

class NetworkTrace {
public:
    NetworkOptions options;
    Snapshot source;
    std::vector<std::uint32_t> key_of_source;  ///< by line of the snapshot
    std::shared_ptr<const LineOrder> order = std::make_shared<const LineOrder>();
    SharedBlocks<std::shared_ptr<const LineTrace>> line;         ///< by key; null: no longer there
    std::vector<GridBox> box;                                    ///< by key: of all its layers
    std::vector<std::pair<std::uint64_t, std::uint64_t>> alias;  ///< nodes that fell together, and
                                                                 ///< the least of them
    bool unsettled = false;                 ///< some line was still being cut in the last round
    int grown_noded = 0;                    ///< no line has a later layer before it is joined
    int grown_final = 0;                    ///< no line has a later layer
    std::size_t meetings = 0;               ///< no round has found more
    std::vector<Join> join;                 ///< in the order in which they are done
    std::vector<PartName> road;             ///< by road: its name
    std::vector<std::int8_t> node_place;    ///< by node
    std::vector<std::uint64_t> node_tie;    ///< by node: the least tie there
    std::vector<std::uint32_t> node_first;  ///< by node: twice the first road there, 1 for its end
};

}  // namespace tw::roads
