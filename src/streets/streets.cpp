#include "terraway/streets/streets.hpp"

#include "terraway/core/option_range.hpp"

#include "builder.hpp"
#include "trace.hpp"

#include <utility>

namespace tw::streets {
namespace {

using world::StreetSurface;

Status check(const world::RoadNetwork& network, const StreetOptions& options,
             const StageContext& ctx) {
    TW_TRY(require_range(kStage, "corner_radius", options.corner_radius, 0.0, 2.0));
    TW_TRY(require_range(kStage, "section_length", options.section_length, 1.0, 1000.0));
    return require_memory(ctx, kStage, network.point.size() * 200 + network.road_count() * 2000);
}

}  // namespace

Result<StreetSurface> build_streets(const world::RoadNetwork& network, const StreetOptions& options,
                                    StageContext& ctx) {
    StreetTrace trace;
    return build_streets(network, options, trace, ctx);
}

Result<StreetSurface> build_streets(const world::RoadNetwork& network, const StreetOptions& options,
                                    StreetTrace& trace, StageContext& ctx) {
    TW_TRY(check(network, options, ctx));
    StreetBuilder builder(network, options, {}, ctx);
    TW_TRY(builder.run());
    ctx.progress.set(0.9);
    SurfaceWriter writer(builder.graph());
    TW_TRY(builder.write(writer));
    trace = {};
    builder.trace(trace);
    writer.trace(trace);
    StreetSurface surface = std::move(writer).take();
    trace.standing = separate_foreign_vertices(surface);
    return surface;
}

}  // namespace tw::streets
