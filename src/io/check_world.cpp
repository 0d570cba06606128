#include "terraway/io/check_world.hpp"

#include "checks.hpp"
#include "json_text.hpp"

#include <algorithm>
#include <new>

namespace tw::io {
namespace {

void add_failure(Checks& checks, const char* name, const Error& error) {
    Check check(name);
    check.fail(error);
    checks.push_back(std::move(check).take());
}

/// The manifest's counts against what the files hold.
void check_counts(const WorldFolder& world, std::size_t cells, std::size_t rivers,
                  const std::vector<GlbMesh>* meshes, Checks& checks) {
    Check check("counts are those of the files");
    const nlohmann::json* counts = find_member(world.manifest(), "counts");
    const auto expect = [&](const char* key, std::size_t found) {
        const nlohmann::json* said = counts ? find_member(*counts, key) : nullptr;
        check.expect(said && *said == found, [&] {
            return std::string(key) + ": the files hold " + std::to_string(found) + ", not " +
                   (said ? said->dump() : "what is missing");
        });
    };
    expect("cells", cells);
    if (world.has("rivers.geojson")) expect("rivers", rivers);
    if (meshes) {
        std::size_t triangles = 0;
        for (const GlbMesh& mesh : *meshes) triangles += mesh.triangle.size();
        expect("triangles", triangles);
    }
    checks.push_back(std::move(check).take());
}

Result<Checks> run_checks(const WorldFolder& world, const StageContext& context) {
    Checks checks;
    const auto cancelled = [&] { return context.cancelled(); };
    check_files(world, checks);
    if (cancelled()) return cancelled_error("check");

    const auto cells = world.cells();
    if (!cells) add_failure(checks, "cells tile the rectangle", cells.error());
    if (cells) check_cells(world, *cells, checks);
    std::vector<MapRiver> rivers;
    if (world.has("rivers.geojson")) {
        auto read = world.rivers();
        if (!read) add_failure(checks, "rivers never rise along their lines", read.error());
        if (read) rivers = std::move(*read);
        if (read && cells) check_rivers(world, *cells, rivers, checks);
    }
    if (cancelled()) return cancelled_error("check");
    if (world.has("height.r16")) {
        const auto heights = world.heights();
        if (!heights) add_failure(checks, "rivers never rise along carved pixels", heights.error());
        if (heights) check_carving(*heights, rivers, checks);
        if (heights) check_height_picture(world, *heights, checks);
    }
    if (world.has("nav.bin")) {
        const auto nav = world.nav();
        if (!nav) add_failure(checks, "directions lead down to a goal", nav.error());
        if (nav) check_navigation(*nav, checks);
    }
    if (cancelled()) return cancelled_error("check");
    std::vector<GlbMesh> meshes;
    bool have_meshes = false;
    if (world.has("world.glb")) {
        const auto read = [&]() -> Result<std::vector<GlbMesh>> {
            TW_ASSIGN(const Bytes bytes, world.read("world.glb"));
            return read_glb(bytes, "world.glb");
        };
        auto glb = read();
        have_meshes = glb.ok();
        if (!glb) add_failure(checks, "numbers in world.glb are sound", glb.error());
        if (glb) meshes = std::move(*glb);
        if (have_meshes) check_surfaces(world, meshes, checks);
        if (have_meshes && cells) check_terrain_heights(meshes, *cells, rivers, checks);
    }
    if (world.has("streets.pieces.json")) {
        const auto pieces = world.pieces();
        if (!pieces)
            add_failure(checks, "street borders are the declared contours", pieces.error());
        if (pieces && have_meshes) check_streets(meshes, *pieces, checks);
    }
    if (cells)
        check_counts(world, cells->size(), rivers.size(), have_meshes ? &meshes : nullptr, checks);
    return checks;
}

}  // namespace

Result<Checks> check_world(const std::filesystem::path& folder, StageContext& context) {
    try {
        TW_ASSIGN(const WorldFolder world, WorldFolder::open(folder));
        return run_checks(world, context);
    } catch (const std::exception& what) {
        return Error{.code = ErrorCode::too_large,
                     .stage = "check",
                     .subject = folder.string(),
                     .message = std::string(what.what()) + "; close other programs"};
    }
}

bool all_hold(const Checks& checks) {
    return std::all_of(checks.begin(), checks.end(),
                       [](const CheckResult& check) { return check.broken == 0; });
}

}  // namespace tw::io
