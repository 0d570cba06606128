#include "terraway/ground/height_raster.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/geometry/raster.hpp"
#include "terraway/world/imported.hpp"
#include "terraway/world/surface_scan.hpp"

#include <algorithm>
#include <vector>

namespace tw::ground {
namespace {

using geometry::Raster;
using world::HeightRaster;
using world::PixelId;

constexpr const char* kStage = "height raster";

/// The pixels that rivers enter, reach after reach, in order.
struct Traces {
    static constexpr std::uint32_t kNowhere = 0xffffffffu;
    std::vector<PixelId> pixel;         ///< a pixel may stand here many times
    std::vector<std::uint8_t> goes_on;  ///< 1: water runs on from this entry to the next one
    std::vector<std::uint32_t> before;  ///< the last entry before this one with the same pixel
    std::vector<std::uint32_t> newest;  ///< the last entry of all with the same pixel
};

/// Finds the entries with the same pixels, by sorting: few pixels of a raster have a river.
void link_entries(Traces& traces) {
    std::vector<std::uint64_t> order;
    order.reserve(traces.pixel.size());
    for (std::uint32_t i = 0; i < traces.pixel.size(); ++i) {
        order.push_back(std::uint64_t{traces.pixel[i].value()} << 32 | i);
    }
    std::sort(order.begin(), order.end());
    traces.before.assign(order.size(), Traces::kNowhere);
    traces.newest.resize(order.size());
    for (std::size_t i = order.size(); i > 0; --i) {
        const auto entry = static_cast<std::uint32_t>(order[i - 1]);
        traces.newest[entry] = entry;
        if (i == order.size() || order[i] >> 32 != order[i - 1] >> 32) continue;
        const auto after = static_cast<std::uint32_t>(order[i]);
        traces.newest[entry] = traces.newest[after];
        traces.before[after] = entry;
    }
}

Traces trace_rivers(const world::CanonicalSurface& surface, const Raster& raster) {
    const auto columns = static_cast<std::size_t>(raster.columns);
    const auto rows = static_cast<std::size_t>(raster.rows);
    Traces traces;
    const auto enter = [&](std::int32_t column, std::int32_t row) {
        const auto x = static_cast<std::size_t>(std::clamp(column, 0, raster.columns - 1));
        const auto y = static_cast<std::size_t>(std::clamp(row, 0, raster.rows - 1));
        const PixelId pixel = PixelId::from_index((rows - 1 - y) * columns + x);
        const bool in_reach = !traces.goes_on.empty() && traces.goes_on.back();
        if (in_reach && traces.pixel.back() == pixel) return;  // still in it
        traces.pixel.push_back(pixel);
        traces.goes_on.push_back(1);
    };
    for (const world::ReachId reach : surface.rivers->reach_start.ids()) {
        const std::vector<world::RiverNode> line =
            world::reach_line(*surface.map, *surface.drainage, *surface.rivers, reach);
        for (std::size_t i = 1; i < line.size(); ++i) {
            geometry::walk_segment(raster, line[i - 1].point, line[i].point, enter);
        }
        if (!traces.goes_on.empty()) traces.goes_on.back() = 0;
    }
    link_entries(traces);
    return traces;
}

/// The fixed point in one go: a pixel ends at the least height from which water comes to it, so
/// from the lowest pixel up, each gives its height to all that it reaches and that have none yet.
void carve(const Traces& traces, std::span<Steps> height) {
    // Height above entry in one word: half the time of sorting pairs.
    std::vector<std::uint64_t> sources;
    for (std::uint32_t i = 0; i < traces.pixel.size(); ++i) {
        if (traces.newest[i] != i) continue;
        const auto from_lowest =
            static_cast<std::uint64_t>(std::int64_t{height[traces.pixel[i].index()]} - INT32_MIN);
        sources.push_back(from_lowest << 32 | i);
    }
    std::sort(sources.begin(), sources.end());
    std::vector<std::uint8_t> settled(traces.pixel.size(), 0);  // a pixel, by its newest entry
    std::vector<std::uint32_t> open;
    const auto settle = [&](std::uint32_t entry) {
        const std::uint32_t newest = traces.newest[entry];
        if (settled[newest] == 0) open.push_back(newest);
        settled[newest] = 1;
    };
    for (const std::uint64_t source : sources) {
        const auto lowest = static_cast<std::uint32_t>(source);
        // Its own still, unless it is settled.
        const Steps least = height[traces.pixel[lowest].index()];
        settle(lowest);
        while (!open.empty()) {
            std::uint32_t entry = open.back();
            open.pop_back();
            height[traces.pixel[entry].index()] = least;
            for (; entry != Traces::kNowhere; entry = traces.before[entry]) {
                if (traces.goes_on[entry]) settle(entry + 1);
            }
        }
    }
}

}  // namespace

Result<HeightRaster> build_height_raster(const world::CanonicalSurface& surface,
                                         const RasterOptions& options, StageContext& context) {
    TW_TRY(require_range(kStage, "longest", options.longest, 16.0, 16'384.0));
    const Raster raster = geometry::raster_over(surface.map->bounds, options.longest);
    const auto columns = static_cast<std::size_t>(raster.columns);
    const auto rows = static_cast<std::size_t>(raster.rows);
    TW_TRY(require_memory(context, kStage,
                          columns * rows * 2 * sizeof(Steps) + surface.map->cell_count() * 24));

    HeightRaster out{.origin = raster.origin,
                     .pixel = raster.pixel,
                     .columns = raster.columns,
                     .rows = raster.rows,
                     .height = {},
                     .uncarved = IdArray<world::PixelTag, Steps>(columns * rows)};
    const std::span<Steps> height = out.uncarved.edit_all();
    // Where rivers run does not hang on heights.
    Traces traces;
    Status scanned = ok_status();
    const auto scan = [&] {
        return world::scan_surface(
            surface, raster, kStage, context,
            [&](world::CellId, const world::SurfaceTriangle& triangle, std::int32_t row_begin,
                std::int32_t row_end) {
                geometry::scan_triangle(
                    raster, triangle, row_begin, row_end,
                    [&](std::int32_t column, std::int32_t row, Steps at) {
                        const auto from_north = rows - 1 - static_cast<std::size_t>(row);
                        height[from_north * columns + static_cast<std::size_t>(column)] = at;
                    });
            });
    };
    context.executor->run(2, [&](std::size_t task) {
        if (task == 0) scanned = scan();
        if (task == 1 && surface.rivers) traces = trace_rivers(surface, raster);
    });
    TW_TRY(std::move(scanned));
    context.progress.set(0.8);
    out.height = out.uncarved;
    carve(traces, out.height.edit_all());
    context.progress.set(1.0);
    return out;
}

void update_height_raster(const world::CanonicalSurface& surface,
                          std::span<const world::CellId> cells, HeightRaster& out) {
    const Raster raster{
        .origin = out.origin, .pixel = out.pixel, .columns = out.columns, .rows = out.rows};
    const auto columns = static_cast<std::size_t>(raster.columns);
    const auto rows = static_cast<std::size_t>(raster.rows);
    for (const world::CellId cell : cells) {
        world::for_each_triangle(surface, cell, [&](const world::SurfaceTriangle& triangle) {
            geometry::scan_triangle(
                raster, triangle, 0, raster.rows,
                [&](std::int32_t column, std::int32_t row, Steps at) {
                    const auto from_north = rows - 1 - static_cast<std::size_t>(row);
                    out.uncarved.set(PixelId::from_index(from_north * columns +
                                                         static_cast<std::size_t>(column)),
                                     at);
                });
        });
    }
    std::vector<Steps> height = out.uncarved.values();
    if (surface.rivers) carve(trace_rivers(surface, raster), height);
    for (const PixelId pixel : out.height.ids()) out.height.set(pixel, height[pixel.index()]);
}

}  // namespace tw::ground
