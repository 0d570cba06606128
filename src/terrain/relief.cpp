#include "terraway/terrain/relief.hpp"

#include "terraway/core/option_range.hpp"

#include "relief_source.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tw::terrain {
namespace {

using namespace world;

constexpr std::string_view kStage = "relief";

Status check_options(const ReliefOptions& options) {
    TW_TRY(require_range(kStage, "land_fraction", options.land_fraction, 0.0, 1.0));
    TW_TRY(require_range(kStage, "highest", options.highest, 1.0, 9'000.0));
    TW_TRY(require_range(kStage, "deepest", options.deepest, 1.0, 11'000.0));
    if (options.wavelength != 0.0) {
        TW_TRY(require_range(kStage, "wavelength", options.wavelength, 1.0, 1'000'000.0));
    }
    TW_TRY(require_range(kStage, "octaves", options.octaves, 1, 12));
    TW_TRY(require_range(kStage, "gain", options.gain, 0.1, 0.9));
    TW_TRY(require_range(kStage, "roughness", options.roughness, 0.0, 1.0));
    TW_TRY(require_range(kStage, "vertical_scale", options.vertical_scale, 0.01, 100.0));
    return require_range(kStage, "sea_level", options.sea_level, -11'000.0, 9'000.0);
}

/// Floats as integers that sort like them.
std::uint32_t sort_key(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value == 0.0f ? 0.0f : value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/// 1 for the cells of the highest values that together come nearest to the wanted area; cells at
/// kNeverLand stay out.
std::vector<std::uint8_t> choose_land(const PolygonMap& map, const std::vector<float>& shore,
                                      double fraction, Executor& executor) {
    constexpr int kShift = 18;  // so few bins that they stay in the cache
    constexpr std::size_t kBins = std::size_t{1} << (32 - kShift);
    std::vector<std::int64_t> bin(kBins, 0), area(map.cell_count());
    parallel_for(executor, area.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (const CellId cell : IdRange<CellId>(begin, end)) {
            area[cell.index()] = double_area(map, cell);
        }
    });
    std::int64_t whole = 0;
    for (std::size_t i = 0; i < area.size(); ++i) {
        whole += area[i];
        bin[sort_key(shore[i]) >> kShift] += area[i];
    }
    const auto wanted = static_cast<std::int64_t>(static_cast<double>(whole) * fraction);
    std::int64_t land = 0;
    std::size_t last = kBins - 1;  // the bin that the shore runs through
    while (last > 0 && land + bin[last] <= wanted) land += bin[last--];

    std::vector<std::uint8_t> is_land(map.cell_count(), 0);
    std::vector<CellId> at_shore;
    for (const CellId cell : map.site.ids()) {
        const float value = shore[cell.index()];
        const std::size_t its = sort_key(value) >> kShift;
        if (value == kNeverLand || its < last) continue;
        if (its > last) {
            is_land[cell.index()] = 1;
        } else {
            at_shore.push_back(cell);
        }
    }
    std::sort(at_shore.begin(), at_shore.end(), [&](CellId a, CellId b) {
        const float va = shore[a.index()], vb = shore[b.index()];
        return va != vb ? va > vb : a < b;
    });
    for (const CellId cell : at_shore) {
        if (land + area[cell.index()] / 2 > wanted) break;
        is_land[cell.index()] = 1;
        land += area[cell.index()];
    }
    return is_land;
}

/// Parts low places: what reaches the border through such cells is ocean, the rest lakes.
IdArray<CellTag, Water> flood_from_border(const PolygonMap& map,
                                          const std::vector<std::uint8_t>& is_land) {
    std::vector<Water> water(map.cell_count());
    for (std::size_t i = 0; i < water.size(); ++i)
        water[i] = is_land[i] ? Water::land : Water::lake;
    std::vector<CellId> front;
    const auto reach = [&](CellId cell) {
        if (water[cell.index()] != Water::lake) return;
        water[cell.index()] = Water::ocean;
        front.push_back(cell);
    };
    for (const SideId side : map.twin.ids()) {
        if (!map.twin[side]) reach(map.cell_of_side[side]);
    }
    while (!front.empty()) {
        const CellId cell = front.back();
        front.pop_back();
        for (const SideId side : map.sides(cell)) {
            if (const CellId other = map.neighbour(side)) reach(other);
        }
    }
    return IdArray<CellTag, Water>(std::move(water));
}

/// The lowest and highest of some values.
struct Range {
    float low = 3e38f, high = -3e38f;
    void include(float v) {
        low = std::min(low, v);
        high = std::max(high, v);
    }
    /// 0 at the low end, 1 at the high one.
    float place(float v) const { return high > low ? (v - low) / (high - low) : 1.0f; }
};

/// Heights from noise: slow near the shore, steep where mountains are.
std::vector<Steps> shape_noise(const ReliefOptions& options, const NoiseRelief& noise,
                               const std::vector<std::uint8_t>& is_land) {
    Range land, sea;
    for (std::size_t i = 0; i < is_land.size(); ++i) {
        if (is_land[i]) {
            land.include(noise.shore[i]);
        } else if (noise.shore[i] != kNeverLand) {
            sea.include(noise.shore[i]);
        }
    }
    const auto roughness = static_cast<float>(options.roughness);
    std::vector<float> height(is_land.size());
    float highest = 0.0f;
    for (std::size_t i = 0; i < is_land.size(); ++i) {
        if (!is_land[i]) continue;
        const float inland = land.place(noise.shore[i]);
        const float mountain = 1.0f - roughness + 2.0f * roughness * noise.mountain[i];
        height[i] = inland * (0.4f + 0.6f * inland) * mountain;
        highest = std::max(highest, height[i]);
    }
    std::vector<Steps> elevation(is_land.size());
    for (std::size_t i = 0; i < is_land.size(); ++i) {
        if (is_land[i]) {
            const float part = highest > 0.0f ? height[i] / highest : 1.0f;
            elevation[i] = std::max(1, to_steps(static_cast<double>(part) * options.highest));
        } else {
            const float shoal = noise.shore[i] == kNeverLand ? 0.0f : sea.place(noise.shore[i]);
            const float depth = 1.0f - shoal * shoal;
            elevation[i] = std::min(-1, -to_steps(static_cast<double>(depth) * options.deepest));
        }
    }
    return elevation;
}

}  // namespace

Result<Relief> build_relief(const PolygonMap& map, const ReliefOptions& options,
                            const ImportedHeights* heights, const Placement& placement, Seed seed,
                            StageContext& context) {
    constexpr std::uint64_t kBytesPerCell = 60;
    TW_TRY(check_options(options));
    TW_TRY(require_memory(context, kStage, kBytesPerCell * map.cell_count()));

    std::vector<std::uint8_t> is_land(map.cell_count(), 1);
    std::vector<Steps> elevation;
    if (heights) {
        TW_ASSIGN(elevation, raster_relief(map, options, *heights, placement, context));
        for (std::size_t i = 0; i < elevation.size(); ++i) is_land[i] = elevation[i] > 0 ? 1 : 0;
    } else {
        TW_ASSIGN(const NoiseRelief noise, noise_relief(map, options, seed, context));
        if (options.shape != Shape::plain) {
            is_land = choose_land(map, noise.shore, options.land_fraction, *context.executor);
        }
        elevation = shape_noise(options, noise, is_land);
    }
    if (context.cancelled()) return cancelled_error(kStage);
    context.progress.set(0.8);

    Relief relief;
    relief.water = flood_from_border(map, is_land);
    for (const CellId cell : map.site.ids()) {
        Steps& height = elevation[cell.index()];
        height = relief.water[cell] == Water::ocean ? std::min(height, -1) : std::max(height, 1);
    }
    relief.elevation = IdArray<CellTag, Steps>(std::move(elevation));
    context.progress.set(1.0);
    return relief;
}

}  // namespace tw::terrain
