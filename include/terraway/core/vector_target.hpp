#pragma once
// Which vectors the processor has. Functions that are compiled for several of them share one
// always-inlined body and give the same bits: -ffp-contract=off holds for all.

#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define TW_HAS_VECTOR_TARGETS 1
#define TW_AVX2 [[gnu::target("avx2")]]
#define TW_AVX512 [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]]
#else
#define TW_HAS_VECTOR_TARGETS 0
#endif
/// For bodies that must end up inside the function of each target.
#define TW_INLINE [[gnu::always_inline]] inline

namespace tw::inline core {

enum class VectorTarget : std::uint8_t { plain, avx2, avx512 };

/// The widest that this processor has and that is not wider than the limit.
VectorTarget vector_target();
/// Nothing wider from now on, in the whole process: to show that it makes no difference.
void limit_vector_target(VectorTarget widest);

}  // namespace tw::inline core
