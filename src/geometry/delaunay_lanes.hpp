#pragma once
// The part of a star that is the same arithmetic for every candidate, written for vectors.

#include "terraway/core/vector_target.hpp"

#include <cstddef>
#include <cstdint>

namespace tw::geometry::detail {

inline constexpr std::size_t kLaneBlock = 32;
inline constexpr std::size_t kMaxLanes = 96;
inline constexpr int kLaneBits = 7;  // below the angle in a key, so that keys differ
inline constexpr std::int32_t kNoKey = 0x7fffffff;

/// Candidates as offsets from a centre, in whole blocks of lanes.
struct StarLanes {
    static constexpr std::size_t kOverrun = 8;  // lanes that copying in vectors may pass the end by

    std::size_t used = 0;
    double reach2 = 0.0;  ///< squared distance within which candidates count
    alignas(64) std::int32_t x[kMaxLanes + kOverrun];
    alignas(64) std::int32_t y[kMaxLanes + kOverrun];
    alignas(64) std::uint32_t rank[kMaxLanes + kOverrun];
    alignas(64) std::int32_t key[kMaxLanes];     ///< rises with the angle; kNoKey: does not count
    alignas(64) double inverse_lift[kMaxLanes];  ///< 1 / (x² + y²)
    alignas(64) std::int32_t position[kLaneBlock];  ///< in the order of the keys
};

struct LaneCounts {
    std::int32_t near = 0;   ///< lanes within reach, the centre's own not among them
    std::int32_t equal = 0;  ///< lanes at the centre
};

/// The same bits whichever the processor: the functions differ in the vectors they are compiled
/// for.
struct LaneFunctions {
    /// Fills key and inverse_lift of all used blocks.
    LaneCounts (*measure)(StarLanes&);
    /// Fills position; one block only.
    void (*order)(StarLanes&);
};
LaneFunctions lane_functions(VectorTarget target = vector_target());

}  // namespace tw::geometry::detail
