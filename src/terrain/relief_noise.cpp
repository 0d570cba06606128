#include "terraway/math/noise.hpp"

#include "relief_source.hpp"

#include <algorithm>
#include <span>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::size_t kChunk = 2048;
constexpr Purpose kPurpose{"terrain.relief"};

double default_wavelength(const GridBox& bounds) {
    return to_metres(std::max(bounds.width(), bounds.height())) / 3;
}

float smooth_step(float t) {
    t = std::clamp(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// How the shape bends the noise: 0 in the middle, 1 on the rectangle.
class Falloff {
public:
    Falloff(const GridBox& bounds, const ReliefOptions& options)
        : middle_{(static_cast<float>(bounds.lo.x) + static_cast<float>(bounds.hi.x)) / 2,
                  (static_cast<float>(bounds.lo.y) + static_cast<float>(bounds.hi.y)) / 2},
          half_{static_cast<float>(bounds.width()) / 2, static_cast<float>(bounds.height()) / 2},
          shape_(options.shape),
          border_(options.border) {}

    /// What is taken from the noise at `p`.
    float at(GridPoint p) const {
        const float x = (static_cast<float>(p.x) - middle_.x) / half_.x;
        const float y = (static_cast<float>(p.y) - middle_.y) / half_.y;
        float fall = 0.0f;
        if (shape_ == Shape::island) fall = 0.8f * (x * x + y * y);
        if (border_ == Border::ocean || shape_ == Shape::island) {
            const float margin =
                std::min((1.0f - std::abs(x)) * half_.x, (1.0f - std::abs(y)) * half_.y) /
                std::min(half_.x, half_.y);
            fall += smooth_step(1.0f - margin / kMargin);
        }
        return fall;
    }

private:
    static constexpr float kMargin = 0.20f;  ///< of half the shorter side, where the sea takes over
    Vec2f middle_, half_;
    Shape shape_;
    Border border_;
};

struct Noises {
    Warp warp;
    Noise hills;
    Noise ridges;
};

Noises make_noises(const GridBox& bounds, const ReliefOptions& options, Seed seed) {
    const double wavelength =
        options.wavelength > 0.0 ? options.wavelength : default_wavelength(bounds);
    const auto gain = static_cast<float>(options.gain);
    const auto octaves = static_cast<int>(options.octaves);
    const NoiseOptions bend{.octaves = 3, .wavelength = wavelength, .gain = 0.5f};
    const NoiseOptions hills{.octaves = octaves, .wavelength = wavelength, .gain = gain};
    const NoiseOptions ridges{.shape = NoiseShape::ridged,
                              .octaves = octaves,
                              .wavelength = wavelength * 0.6,
                              .gain = gain};
    const double amplitude = std::min(wavelength * 0.35, 0x1p18);
    return {Warp({.noise = bend, .amplitude = amplitude}, seed, kPurpose),
            Noise(hills, seed, kPurpose, 2), Noise(ridges, seed, kPurpose, 3)};
}

}  // namespace

Result<NoiseRelief> noise_relief(const PolygonMap& map, const ReliefOptions& options, Seed seed,
                                 StageContext& context) {
    const Falloff falloff(map.bounds, options);
    const Noises noises = make_noises(map.bounds, options, seed);
    NoiseRelief relief{std::vector<float>(map.cell_count()), std::vector<float>(map.cell_count())};
    const float weight = options.shape == Shape::island ? 1.5f : 1.0f;
    parallel_for(*context.executor, map.cell_count(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     if (context.cancelled()) return;
                     const std::span<const GridPoint> sites =
                         map.site.span().subspan(begin, end - begin);
                     const std::span<float> shore(relief.shore.data() + begin, end - begin);
                     const std::span<float> mountain(relief.mountain.data() + begin, end - begin);
                     std::vector<GridPoint> moved(sites.size());
                     noises.warp.move(sites, moved);
                     noises.hills.sample(moved, shore);
                     noises.ridges.sample(moved, mountain);
                     for (std::size_t i = 0; i < sites.size(); ++i) {
                         shore[i] = weight * shore[i] - falloff.at(sites[i]);
                     }
                 });
    if (context.cancelled()) return cancelled_error("relief");
    if (options.border == Border::ocean && options.shape != Shape::plain) {
        for (const SideId side : map.twin.ids()) {
            if (!map.twin[side]) relief.shore[map.cell_of_side[side].index()] = kNeverLand;
        }
    }
    return relief;
}

}  // namespace tw::terrain
