#include "terraway/io/write_streets.hpp"

#include "terraway/recipe/glb.hpp"

#include "geojson_files.hpp"
#include "street_files.hpp"
#include "street_jobs.hpp"

#include <string_view>

namespace tw::io {
namespace {

using pipeline::BakedWorld;

bool is_street_surface(std::string_view name) {
    return name == "junctions" || name == "corridors" || name == "bridges" || name == "tunnels";
}

Result<Bytes> streets_glb(const BakedWorld& world) {
    world::GroundMeshes streets;
    for (const world::NamedSurface& surface : world.meshes->surface) {
        if (is_street_surface(surface.name)) streets.surface.push_back(surface);
    }
    return recipe::to_glb(streets, {.title = "streets", .extras = {}});
}

}  // namespace

StreetReport report_streets(const world::StreetSurface& streets) {
    StreetReport report;
    for (const world::PieceId piece : streets.kind.ids()) {
        const bool junction = streets.kind[piece] == world::PieceKind::junction;
        ++(junction ? report.junctions : report.corridors);
        if (streets.triangles(piece).empty()) ++report.unsolved;
        if (streets.note[piece].empty()) continue;
        (junction ? report.repaired : report.corridor_notes)
            .push_back({streets.label[piece], streets.note[piece]});
    }
    return report;
}

void add_street_jobs(std::vector<FileJob>& jobs, const BakedWorld& world) {
    const world::StreetSurface& streets = *world.streets;
    const world::RoadNetwork& network = *world.network;
    const PlanFrame frame(*world.placement);
    jobs.push_back(
        {"streets.pieces.json", [&] { return to_bytes(pieces_json(streets, network)); }});
    jobs.push_back({"streets.geojson",
                    [&streets, frame] { return to_bytes(streets_geojson(streets, frame)); }});
    jobs.push_back({"streets.lines.json",
                    [&] { return to_bytes(lines_json(*world.lines, world.placement->bounds)); }});
    jobs.push_back({"markings.json", [&] { return to_bytes(markings_json(streets, network)); }});
    jobs.push_back({"report.json", [&] { return to_bytes(report_json(report_streets(streets))); }});
}

Result<std::vector<WrittenFile>> write_streets(const BakedWorld& world,
                                               const std::filesystem::path& folder,
                                               StageContext& context) {
    if (!world.streets || !world.network || !world.lines || !world.placement) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "write streets",
                     .subject = "world",
                     .message = "has no streets; give it roads"};
    }
    TW_ASSIGN(StagedFolder staged, StagedFolder::open(folder));
    std::vector<FileJob> jobs;
    if (world.meshes) jobs.push_back({"streets.glb", [&] { return streets_glb(world); }});
    add_street_jobs(jobs, world);
    TW_ASSIGN(std::vector<WrittenFile> files, run_jobs(jobs, staged, context));
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const WrittenFile& file : files) names.push_back(file.name);
    TW_TRY(staged.publish(names));
    return files;
}

}  // namespace tw::io
