#pragma once
// How far moisture comes, for the sea's air and for fresh water alike.

#include "terraway/core/option_range.hpp"
#include "terraway/math/floor_sqrt.hpp"
#include "terraway/math/functions.hpp"
#include "terraway/terrain/climate.hpp"

#include <algorithm>
#include <cstdint>

namespace tw::terrain {

inline constexpr double kWettest = 65535.0;

inline Status check_climate(const ClimateOptions& options) {
    if (options.reach != 0.0) {
        TW_TRY(require_range("climate", "reach", options.reach, 1.0, 1'000'000.0));
    }
    TW_TRY(require_range("climate", "temperature", options.temperature, -40.0, 45.0));
    return require_range("climate", "lapse", options.lapse, 0.0, 0.1);
}

inline double reach_in_steps(const world::PolygonMap& map, const ClimateOptions& options) {
    if (options.reach > 0.0) return options.reach * kStepsPerMetre;
    return static_cast<double>(std::max(map.bounds.width(), map.bounds.height())) / 10;
}

/// [steps] from `from` to `to`, ascents counted three times.
inline std::uint64_t way(const world::PolygonMap& map,
                         const IdArray<world::CellTag, Steps>& elevation, world::CellId from,
                         world::CellId to) {
    constexpr std::int64_t kClimb = 3;
    const std::int64_t rise = std::int64_t{elevation[to]} - std::max(0, elevation[from]);
    return static_cast<std::uint64_t>(floor_sqrt(distance2(map.site[from], map.site[to])) +
                                      kClimb * std::max<std::int64_t>(0, rise));
}

/// [steps] of way after which soaked air is as dry as air of this strength.
inline std::uint64_t way_of(double strength, double reach) {
    return static_cast<std::uint64_t>(-math::log(strength) * reach + 0.5);
}

inline double wetness(std::uint64_t dryness, double reach) {
    return math::exp(-static_cast<double>(dryness) / reach);
}
inline std::uint16_t as_moisture(double wet) {
    return static_cast<std::uint16_t>(wet * kWettest + 0.5);
}

}  // namespace tw::terrain
