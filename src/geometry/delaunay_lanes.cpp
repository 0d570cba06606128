#include "delaunay_lanes.hpp"

#include "terraway/core/vector_target.hpp"

namespace tw::geometry::detail {
namespace {

TW_INLINE void measure_block(StarLanes& lanes, std::size_t begin, LaneCounts& counts) {
    const std::int32_t* const x = lanes.x + begin;
    const std::int32_t* const y = lanes.y + begin;
    const auto used = static_cast<std::int32_t>(lanes.used - begin);
    alignas(64) std::int32_t near[kLaneBlock];
    for (std::size_t i = 0; i < kLaneBlock; ++i) {
        const auto dx = static_cast<double>(x[i]), dy = static_cast<double>(y[i]);
        const double lift = dx * dx + dy * dy;
        lanes.inverse_lift[begin + i] = 1.0 / lift;
        near[i] = lift <= lanes.reach2 ? 1 : 0;
    }
    std::int32_t near_count = 0, equal_count = 0;
    for (std::size_t i = 0; i < kLaneBlock; ++i) {
        const std::int32_t in_use = static_cast<std::int32_t>(i) < used ? 1 : 0;
        const std::int32_t equal = (x[i] | y[i]) == 0 ? 1 : 0;
        const std::int32_t counts_here = near[i] & in_use & (1 - equal);
        near_count += counts_here;
        equal_count += equal & in_use;
        // A number that rises with the angle from −2 to 2.
        const float fx = static_cast<float>(x[i] + equal), fy = static_cast<float>(y[i]);
        const float part = fx / ((fx < 0 ? -fx : fx) + (fy < 0 ? -fy : fy));
        const float angle = fy < 0 ? 1.0f + part : -1.0f - part;
        const std::int32_t key = static_cast<std::int32_t>(angle * 0x1p22f) * (1 << kLaneBits) +
                                 static_cast<std::int32_t>(begin + i);
        lanes.key[begin + i] = counts_here != 0 ? key : kNoKey;
    }
    counts.near += near_count;
    counts.equal += equal_count;
}

TW_INLINE LaneCounts measure_all(StarLanes& lanes) {
    LaneCounts counts;
    for (std::size_t begin = 0; begin < lanes.used; begin += kLaneBlock) {
        measure_block(lanes, begin, counts);
    }
    return counts;
}

/// Counts for each key how many are less.
TW_INLINE void order_block(StarLanes& lanes) {
    alignas(64) std::int32_t less[kLaneBlock] = {};
    for (std::size_t i = 0; i < lanes.used; ++i) {
        const std::int32_t key = lanes.key[i];
        for (std::size_t j = 0; j < kLaneBlock; ++j) less[j] += key < lanes.key[j] ? 1 : 0;
    }
    for (std::size_t j = 0; j < kLaneBlock; ++j) lanes.position[j] = less[j];
}

LaneCounts measure_plain(StarLanes& lanes) {
    return measure_all(lanes);
}
void order_plain(StarLanes& lanes) {
    order_block(lanes);
}

#if TW_HAS_VECTOR_TARGETS
TW_AVX2 LaneCounts measure_avx2(StarLanes& lanes) {
    return measure_all(lanes);
}
TW_AVX2 void order_avx2(StarLanes& lanes) {
    order_block(lanes);
}
TW_AVX512 LaneCounts measure_avx512(StarLanes& lanes) {
    return measure_all(lanes);
}
TW_AVX512 void order_avx512(StarLanes& lanes) {
    order_block(lanes);
}
#endif

}  // namespace

LaneFunctions lane_functions(VectorTarget target) {
#if TW_HAS_VECTOR_TARGETS
    if (target == VectorTarget::avx512) return {measure_avx512, order_avx512};
    if (target == VectorTarget::avx2) return {measure_avx2, order_avx2};
#endif
    static_cast<void>(target);
    return {measure_plain, order_plain};
}

}  // namespace tw::geometry::detail
