#include "terraway/math/noise.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/core/vector_target.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <string>

namespace tw::inline math {
namespace {

constexpr std::string_view kStage = "noise";

using detail::NoiseLattice;

constexpr std::size_t kBlock = 64;  ///< points worked on at once

constexpr std::uint32_t kStrideX = 0x9E3779B1u, kStrideY = 0x85EBCA77u;
// Simplex: F skews the plane so that triangles become half squares, G brings it back.
constexpr double kSkew = 0x1.76cf5d0b09955p-2;  // (√3 − 1) / 2
constexpr float kUnskew = 0x1.b0cb18p-3f;       // (3 − √3) / 6
constexpr float kGradientScale = 1.41f;         // below √2 by what a gradient may exceed 1
constexpr float kSimplexScale = 99.0f;

/// A bijection of 32 bits without visible pattern (C. Wellons' "lowbias32").
TW_INLINE std::uint32_t mix(std::uint32_t h) {
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}
TW_INLINE float to_float(std::uint32_t h) {
    return static_cast<float>(static_cast<std::int32_t>(h));
}
/// [−1, 1], short of the ends by more than sums of octaves round.
TW_INLINE float to_unit(std::uint32_t h) {
    return to_float(h) * 0x1.ffffep-32f;
}
constexpr std::uint32_t kQuarterTurn = 1u << 30;
/// About sin of h / 2³² of a turn, within 0.0011: two parabolas, one upon the other.
TW_INLINE float turn_sin(std::uint32_t h) {
    const float t = to_float(h) * 0x1p-31f;
    const float parabola = 4.0f * t * (1.0f - std::fabs(t));
    return parabola * (0.775f + 0.225f * std::fabs(parabola));
}
/// The slope (dx, dy) times a direction drawn from h.
TW_INLINE float slope(std::uint32_t h, float dx, float dy) {
    return turn_sin(h + kQuarterTurn) * dx + turn_sin(h) * dy;
}
TW_INLINE float fade(float t) {
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}
TW_INLINE float mix_linear(float a, float b, float t) {
    return a + t * (b - a);
}

/// Where a point lies: lattice cell and place in it, 0 <= u, v < 1.
struct Place {
    std::uint32_t i, j;
    float u, v;
};

template <NoiseBasis basis>
TW_INLINE float noise_at(const Place& p, std::uint32_t seed) {
    const std::uint32_t x0 = p.i * kStrideX, x1 = x0 + kStrideX;
    const std::uint32_t y0 = p.j * kStrideY + seed, y1 = y0 + kStrideY;
    if constexpr (basis == NoiseBasis::value) {
        const float s = fade(p.u), t = fade(p.v);
        const float low = mix_linear(to_unit(mix(x0 ^ y0)), to_unit(mix(x1 ^ y0)), s);
        const float high = mix_linear(to_unit(mix(x0 ^ y1)), to_unit(mix(x1 ^ y1)), s);
        return mix_linear(low, high, t);
    } else if constexpr (basis == NoiseBasis::gradient) {
        const float s = fade(p.u), t = fade(p.v);
        const float u1 = p.u - 1.0f, v1 = p.v - 1.0f;
        const float low =
            mix_linear(slope(mix(x0 ^ y0), p.u, p.v), slope(mix(x1 ^ y0), u1, p.v), s);
        const float high = mix_linear(slope(mix(x0 ^ y1), p.u, v1), slope(mix(x1 ^ y1), u1, v1), s);
        return kGradientScale * mix_linear(low, high, t);
    } else {
        const float back = (p.u + p.v) * kUnskew;
        const float dx0 = p.u - back, dy0 = p.v - back;
        // All ones in the triangle below the diagonal, u > v; without a branch for the vectoriser.
        const std::uint32_t below = 0u - (std::bit_cast<std::uint32_t>(p.v - p.u) >> 31);
        const auto right = static_cast<float>(static_cast<std::int32_t>(below & 1u));
        const float dx1 = dx0 + (kUnskew - right);
        const float dy1 = dy0 + (kUnskew - (1.0f - right));
        const float dx2 = dx0 + (2.0f * kUnskew - 1.0f), dy2 = dy0 + (2.0f * kUnskew - 1.0f);
        const auto corner = [](std::uint32_t h, float dx, float dy) __attribute__((always_inline)) {
            const float left = 0.5f - (dx * dx + dy * dy);
            const float inside = 0.5f * (left + std::fabs(left));  // the greater of it and 0
            const float square = inside * inside;
            return square * square * slope(h, dx, dy);
        };
        const float first = corner(mix(x0 ^ y0), dx0, dy0);
        const float middle =
            corner(mix((x0 + (kStrideX & below)) ^ (y0 + (kStrideY & ~below))), dx1, dy1);
        const float last = corner(mix(x1 ^ y1), dx2, dy2);
        return kSimplexScale * ((first + middle) + last);
    }
}

/// x + 2³⁰, so that products with an axis are of unsigned numbers.
TW_INLINE std::uint64_t biased(std::int32_t x) {
    return static_cast<std::uint32_t>(x) + (1u << 30);
}
/// The 24 bits below the binary point.
TW_INLINE float fraction(std::uint64_t coordinate, int shift_bits) {
    const auto bits = static_cast<std::uint32_t>(coordinate >> (shift_bits - 24)) & 0xffffffu;
    return static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-24f;
}
/// The cell, counted from the one at the world's origin.
TW_INLINE std::uint32_t whole(std::uint64_t coordinate, int shift_bits) {
    return static_cast<std::uint32_t>(coordinate >> shift_bits) - (1u << (63 - shift_bits));
}

template <NoiseBasis basis>
TW_INLINE Place place_of(GridPoint p, const NoiseLattice& lattice) {
    const std::uint64_t x = biased(p.x), y = biased(p.y);
    std::uint64_t a = x * lattice.x_factor[0] + lattice.shift[0];
    std::uint64_t b = y * lattice.y_factor[1] + lattice.shift[1];
    if constexpr (basis == NoiseBasis::simplex) {
        a += y * lattice.y_factor[0];
        b += x * lattice.x_factor[1];
    }
    return {whole(a, lattice.bits), whole(b, lattice.bits), fraction(a, lattice.bits),
            fraction(b, lattice.bits)};
}

template <NoiseBasis basis>
TW_INLINE void sample_blocks(const NoiseLattice& shared, std::span<const GridPoint> points,
                             std::span<float> out) {
    const NoiseLattice lattice = shared;  // a copy that `out` cannot overlap
    GridPoint in[kBlock] = {};
    std::uint32_t i[kBlock], j[kBlock];
    float u[kBlock], v[kBlock], result[kBlock];
    for (std::size_t begin = 0; begin < points.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, points.size() - begin);
        std::copy_n(points.data() + begin, n, in);
        for (std::size_t k = 0; k < kBlock; ++k) {
            const Place place = place_of<basis>(in[k], lattice);
            i[k] = place.i;
            j[k] = place.j;
            u[k] = place.u;
            v[k] = place.v;
        }
        for (std::size_t k = 0; k < kBlock; ++k) {
            result[k] = noise_at<basis>({i[k], j[k], u[k], v[k]}, lattice.seed);
        }
        std::copy_n(result, n, out.data() + begin);
    }
}

template <NoiseBasis basis>
void sample_any(const NoiseLattice& lattice, std::span<const GridPoint> points,
                std::span<float> out) {
    sample_blocks<basis>(lattice, points, out);
}
#if TW_HAS_VECTOR_TARGETS
template <NoiseBasis basis>
TW_AVX2 void sample_avx2(const NoiseLattice& lattice, std::span<const GridPoint> points,
                         std::span<float> out) {
    sample_blocks<basis>(lattice, points, out);
}
template <NoiseBasis basis>
TW_AVX512 void sample_avx512(const NoiseLattice& lattice, std::span<const GridPoint> points,
                             std::span<float> out) {
    sample_blocks<basis>(lattice, points, out);
}
#endif

template <NoiseBasis basis>
void sample_best(const NoiseLattice& lattice, std::span<const GridPoint> points,
                 std::span<float> out) {
#if TW_HAS_VECTOR_TARGETS
    if (vector_target() == VectorTarget::avx512) return sample_avx512<basis>(lattice, points, out);
    if (vector_target() == VectorTarget::avx2) return sample_avx2<basis>(lattice, points, out);
#endif
    sample_any<basis>(lattice, points, out);
}

/// A sum of octaves; `weight` is ridged noise's memory.
struct Sum {
    float total = 0.0f, weight = 1.0f;
};
template <NoiseShape shape>
inline void add_octave(float n, float amplitude, Sum& sum) {
    if constexpr (shape == NoiseShape::plain) {
        sum.total += amplitude * n;
    } else if constexpr (shape == NoiseShape::billow) {
        sum.total += amplitude * std::fabs(n);
    } else {
        const float crest = 1.0f - std::fabs(n);
        const float signal = crest * crest * sum.weight;
        sum.total += amplitude * signal;
        const float twice = 2.0f * signal;
        sum.weight = twice < 1.0f ? twice : 1.0f;
    }
}
template <NoiseShape shape>
void add_octaves(const float (&n)[kBlock], float amplitude, Sum (&sum)[kBlock]) {
    for (std::size_t k = 0; k < kBlock; ++k) add_octave<shape>(n[k], amplitude, sum[k]);
}

std::int32_t round_to_steps(float steps) {
    return static_cast<std::int32_t>(steps < 0.0f ? steps - 0.5f : steps + 0.5f);
}

}  // namespace

NoiseOctave::NoiseOctave(NoiseBasis basis, double wavelength, std::uint32_t seed,
                         std::uint32_t shift_x, std::uint32_t shift_y)
    : basis_(basis) {
    assert(wavelength >= kMinWavelength && wavelength <= kMaxWavelength);
    const bool simplex = basis == NoiseBasis::simplex;
    // Steps to lattice units as a 32-bit factor over a power of two, its highest bit set.
    double along = (simplex ? 1.0 + kSkew : 1.0) / (wavelength * kStepsPerMetre);
    double across = simplex ? kSkew / (wavelength * kStepsPerMetre) : 0.0;
    int bits = 0;
    for (; along < 0x1p31 - 0.5; ++bits) {
        along *= 2.0;
        across *= 2.0;
    }
    const auto along_factor = static_cast<std::uint32_t>(along + 0.5);
    const auto across_factor = static_cast<std::uint32_t>(across + 0.5);
    // Takes the bias of both coordinates off again, and adds half the range so that nothing wraps.
    const std::uint64_t centre =
        (1ull << 63) - ((std::uint64_t{along_factor} + across_factor) << 30);
    lattice_ = {.x_factor = {along_factor, across_factor},
                .y_factor = {across_factor, along_factor},
                .shift = {centre + (std::uint64_t{shift_x} << (bits - 32)),
                          centre + (std::uint64_t{shift_y} << (bits - 32))},
                .bits = bits,
                .seed = seed};
}

float NoiseOctave::sample(GridPoint p) const {
    const auto at = [&]<NoiseBasis basis>() {
        return noise_at<basis>(place_of<basis>(p, lattice_), lattice_.seed);
    };
    switch (basis_) {
        case NoiseBasis::value:
            return at.operator()<NoiseBasis::value>();
        case NoiseBasis::gradient:
            return at.operator()<NoiseBasis::gradient>();
        case NoiseBasis::simplex:
            break;
    }
    return at.operator()<NoiseBasis::simplex>();
}

void NoiseOctave::sample(std::span<const GridPoint> points, std::span<float> out) const {
    assert(points.size() == out.size());
    switch (basis_) {
        case NoiseBasis::value:
            return sample_best<NoiseBasis::value>(lattice_, points, out);
        case NoiseBasis::gradient:
            return sample_best<NoiseBasis::gradient>(lattice_, points, out);
        case NoiseBasis::simplex:
            return sample_best<NoiseBasis::simplex>(lattice_, points, out);
    }
}

Status validate(const NoiseOptions& options) {
    TW_TRY(require_range(kStage, "octaves", options.octaves, 1, kMaxOctaves));
    TW_TRY(require_range(kStage, "wavelength", options.wavelength, kMinWavelength, kMaxWavelength));
    TW_TRY(require_range(kStage, "gain", options.gain, 0.0, 1.0));
    return require_range(kStage, "lacunarity", options.lacunarity, 1.0, 16.0);
}

Noise::Noise(const NoiseOptions& options, Seed seed, Purpose purpose, std::uint32_t component)
    : shape_(options.shape), gain_(options.gain) {
    assert(validate(options).ok());
    double wavelength = options.wavelength;
    float amplitude = 1.0f, sum = 0.0f;
    while (count_ < options.octaves && wavelength >= kMinWavelength) {
        RandomStream random(seed, purpose,
                            std::uint64_t{component} << 32 | static_cast<std::uint32_t>(count_));
        const std::uint32_t hash_seed = random.next_u32();
        const std::uint32_t shift_x = random.next_u32();
        const std::uint32_t shift_y = random.next_u32();
        octave_[static_cast<std::size_t>(count_++)] =
            NoiseOctave(options.basis, wavelength, hash_seed, shift_x, shift_y);
        sum += amplitude;
        amplitude *= options.gain;
        wavelength /= options.lacunarity;
    }
    normal_ = 1.0f / sum;
}

float Noise::sample(GridPoint p) const {
    Sum sum;
    float amplitude = 1.0f;
    for (int o = 0; o < count_; ++o, amplitude *= gain_) {
        const float n = octave_[static_cast<std::size_t>(o)].sample(p);
        switch (shape_) {
            case NoiseShape::plain:
                add_octave<NoiseShape::plain>(n, amplitude, sum);
                break;
            case NoiseShape::billow:
                add_octave<NoiseShape::billow>(n, amplitude, sum);
                break;
            case NoiseShape::ridged:
                add_octave<NoiseShape::ridged>(n, amplitude, sum);
                break;
        }
    }
    return sum.total * normal_;
}

void Noise::sample(std::span<const GridPoint> points, std::span<float> out) const {
    assert(points.size() == out.size());
    float octave[kBlock] = {};
    for (std::size_t begin = 0; begin < points.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, points.size() - begin);
        Sum sum[kBlock];
        float amplitude = 1.0f;
        for (int o = 0; o < count_; ++o, amplitude *= gain_) {
            octave_[static_cast<std::size_t>(o)].sample(points.subspan(begin, n),
                                                        std::span(octave, n));
            switch (shape_) {
                case NoiseShape::plain:
                    add_octaves<NoiseShape::plain>(octave, amplitude, sum);
                    break;
                case NoiseShape::billow:
                    add_octaves<NoiseShape::billow>(octave, amplitude, sum);
                    break;
                case NoiseShape::ridged:
                    add_octaves<NoiseShape::ridged>(octave, amplitude, sum);
                    break;
            }
        }
        for (std::size_t k = 0; k < n; ++k) out[begin + k] = sum[k].total * normal_;
    }
}

Status validate(const WarpOptions& options) {
    TW_TRY(require_range(kStage, "amplitude", options.amplitude, 0.0, 0x1p18));
    return validate(options.noise);
}

Warp::Warp(const WarpOptions& options, Seed seed, Purpose purpose)
    : x_(options.noise, seed, purpose, 0),
      y_(options.noise, seed, purpose, 1),
      amplitude_(static_cast<float>(options.amplitude * kStepsPerMetre)) {
    assert(validate(options).ok());
}

GridPoint Warp::move(GridPoint p) const {
    return {p.x + round_to_steps(x_.sample(p) * amplitude_),
            p.y + round_to_steps(y_.sample(p) * amplitude_)};
}

void Warp::move(std::span<const GridPoint> points, std::span<GridPoint> out) const {
    assert(points.size() == out.size());
    float dx[kBlock], dy[kBlock];
    for (std::size_t begin = 0; begin < points.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, points.size() - begin);
        const auto part = points.subspan(begin, n);
        x_.sample(part, std::span(dx, n));
        y_.sample(part, std::span(dy, n));
        for (std::size_t k = 0; k < n; ++k) {
            out[begin + k] = {part[k].x + round_to_steps(dx[k] * amplitude_),
                              part[k].y + round_to_steps(dy[k] * amplitude_)};
        }
    }
}

void warped_noise(std::span<const GridPoint> points, const Warp& warp, const Noise& noise,
                  std::span<float> out) {
    assert(points.size() == out.size());
    GridPoint moved[kBlock];
    for (std::size_t begin = 0; begin < points.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, points.size() - begin);
        warp.move(points.subspan(begin, n), std::span(moved, n));
        noise.sample(std::span(moved, n), out.subspan(begin, n));
    }
}

}  // namespace tw::inline math
