#pragma once
// Noise over the plan: smooth functions of the world position, the same bits on every machine.
//
// There is no table: each lattice point hashes its own coordinates (32-bit integers) and a seed, so
// that noise has no period within the world. Positions are brought to the lattice in integers.
// The batch forms are written so that compilers turn them into vector code; they give the bits of
// the single-point forms.
// Sources: Perlin 1985 and 2002 (gradient noise, quintic fade), Perlin 2001 and Gustavson 2005
// (simplex noise), Musgrave in Ebert et al. 1994 (ridged), Quilez 2002 (domain warping).

#include "terraway/core/random.hpp"
#include "terraway/core/result.hpp"
#include "terraway/math/grid.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace tw::inline math {

enum class NoiseBasis : std::uint8_t {
    value,     ///< random heights at lattice points, smoothly joined; blotchy, along the axes
    gradient,  ///< Perlin's: zero at lattice points, random slopes there
    simplex,   ///< on triangles: the least directional; features about 0.8 of the wavelength
};
enum class NoiseShape : std::uint8_t {
    plain,   ///< sum of octaves: hills, in [−1, 1]
    billow,  ///< sum of absolute values: rounded heaps with sharp valleys, in [0, 1]
    ridged,  ///< (1 − |n|)², each octave weighted by the one before: sharp crests, in [0, 1]
};

/// Points that noise may be asked at: twice the grid, so that warped points stay inside.
inline constexpr std::int32_t kMaxNoiseCoordinate = 1 << 30;  ///< [steps]
inline constexpr double kMinWavelength = 2 * kMetresPerStep;  ///< [m]
inline constexpr double kMaxWavelength = 1 << 20;             ///< [m]
inline constexpr int kMaxOctaves = 24;

namespace detail {
/// From steps to lattice units: coordinate a is (x · x_factor[a] + y · y_factor[a] + shift[a]) /
/// 2^bits.
struct NoiseLattice {
    std::uint32_t x_factor[2] = {0, 0}, y_factor[2] = {0, 0};
    std::uint64_t shift[2] = {0, 0};
    int bits = 32;
    std::uint32_t seed = 0;
};
}  // namespace detail

/// One octave: a lattice and its hash. Values in [−1, 1], continuous with its first derivative.
class NoiseOctave {
public:
    NoiseOctave() = default;
    /// `wavelength` [m]: lattice spacing, kMinWavelength … kMaxWavelength (asserted).
    /// `shift_x`, `shift_y`: where the world's origin lies in its lattice cell, in 2⁻³² of a cell;
    /// with 0 the origin is a lattice point.
    NoiseOctave(NoiseBasis basis, double wavelength, std::uint32_t seed, std::uint32_t shift_x = 0,
                std::uint32_t shift_y = 0);
    float sample(GridPoint p) const;
    /// out[i] = sample(points[i]); the spans are equally long.
    void sample(std::span<const GridPoint> points, std::span<float> out) const;

private:
    NoiseBasis basis_ = NoiseBasis::value;
    detail::NoiseLattice lattice_;
};

struct NoiseOptions {
    NoiseBasis basis = NoiseBasis::gradient;
    NoiseShape shape = NoiseShape::plain;
    int octaves = 6;  ///< 1 … kMaxOctaves; those shorter than kMinWavelength are left out
    double wavelength = 4096.0;  ///< [m] of the first octave, kMinWavelength … kMaxWavelength
    float gain = 0.5f;           ///< amplitude of an octave over the one before, 0 … 1
    double lacunarity = 2.0;     ///< wavelength of an octave over that of the next, 1 … 16
};
/// Errors: invalid_option (a value out of its range, or NaN).
Status validate(const NoiseOptions& options);

/// Several octaves (fractal Brownian motion, billow or ridged), normalised to the shape's range.
/// Each octave has its own seed and its own place for the origin. A longer wavelength scales the
/// picture about the world's origin. Cost: a few nanoseconds a sample and octave in batches.
class Noise {
public:
    /// `options` must be valid (asserted). `component` tells apart several noises of one purpose.
    Noise(const NoiseOptions& options, Seed seed, Purpose purpose, std::uint32_t component = 0);
    /// `p` within ±kMaxNoiseCoordinate.
    float sample(GridPoint p) const;
    /// out[i] = sample(points[i]), bit for bit; the spans are equally long.
    void sample(std::span<const GridPoint> points, std::span<float> out) const;

private:
    std::array<NoiseOctave, kMaxOctaves> octave_;
    int count_ = 0;
    NoiseShape shape_;
    float gain_;
    float normal_ = 1.0f;  ///< one over the sum of amplitudes
};

/// Domain warping: moves points by a noise for x and another for y, so that what is sampled there
/// bends and folds.
struct WarpOptions {
    NoiseOptions noise = {};   ///< of the shape `plain`
    double amplitude = 512.0;  ///< [m] farthest move along each axis, 0 … 2¹⁸
};
/// Errors: invalid_option.
Status validate(const WarpOptions& options);

class Warp {
public:
    Warp(const WarpOptions& options, Seed seed, Purpose purpose);
    GridPoint move(GridPoint p) const;
    /// out[i] = move(points[i]); the spans are equally long and may be the same.
    void move(std::span<const GridPoint> points, std::span<GridPoint> out) const;

private:
    Noise x_, y_;
    float amplitude_;  ///< [steps]
};

/// Noise of `options` at points moved by `warp`: out[i] belongs to points[i].
void warped_noise(std::span<const GridPoint> points, const Warp& warp, const Noise& noise,
                  std::span<float> out);

}  // namespace tw::inline math
