#include "terraway/core/vector_target.hpp"

#include <algorithm>
#include <atomic>

namespace tw::inline core {
namespace {

std::atomic<VectorTarget> limit{VectorTarget::avx512};

VectorTarget of_processor() {
#if TW_HAS_VECTOR_TARGETS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
        return VectorTarget::avx512;
    }
    if (__builtin_cpu_supports("avx2")) return VectorTarget::avx2;
#endif
    return VectorTarget::plain;
}

}  // namespace

VectorTarget vector_target() {
    static const VectorTarget kOfProcessor = of_processor();
    return std::min(kOfProcessor, limit.load(std::memory_order_relaxed));
}

void limit_vector_target(VectorTarget widest) {
    limit.store(widest, std::memory_order_relaxed);
}

}  // namespace tw::inline core
