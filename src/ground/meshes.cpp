#include "terraway/ground/meshes.hpp"

#include "meshes_chunks.hpp"
#include "meshes_streets.hpp"
#include "meshes_terrain.hpp"

namespace tw::ground {
namespace {

Status add_surface(std::string_view name, const WholeSurface& whole, world::GroundMeshes& out,
                   StageContext& context) {
    TW_ASSIGN(std::vector<world::MeshChunk> chunks, cut_into_chunks(whole, context));
    if (!chunks.empty()) out.surface.push_back({std::string(name), std::move(chunks)});
    return ok_status();
}

/// Bytes of a surface whole and in chunks, with a vertex for every two triangles.
std::uint64_t bytes_of(std::size_t triangles) {
    constexpr std::uint64_t kTriangle = 3 * sizeof(std::uint32_t);
    constexpr std::uint64_t kVertex = sizeof(SurfacePoint) + sizeof(Vec3f) + sizeof(std::uint32_t);
    constexpr std::uint64_t kCutting = kCutters * sizeof(world::MeshVertexId);
    return triangles * (2 * kTriangle + kVertex + kCutting / 2);
}

Status add_streets(const world::StreetSurface& streets, const world::StreetHeights& heights,
                   world::GroundMeshes& out, StageContext& context) {
    const StreetSurfaces pieces = street_surfaces(streets, heights);
    for (std::size_t i = 0; i < pieces.surface.size(); ++i) {
        TW_TRY(add_surface(StreetSurfaces::kNames[i], pieces.surface[i], out, context));
    }
    return ok_status();
}

}  // namespace

Result<world::GroundMeshes> build_meshes(const world::CanonicalSurface& surface,
                                         const world::Relief& relief, const world::Biomes& biomes,
                                         const world::StreetSurface* streets,
                                         const world::StreetHeights* heights,
                                         StageContext& context) {
    const std::size_t street_triangles = streets ? streets->triangle.size() : 0;
    TW_TRY(require_memory(context, "meshes",
                          bytes_of(2 * surface.map->side_count() + street_triangles)));
    world::GroundMeshes out;
    TW_TRY(add_surface("terrain", terrain_surface(surface, biomes, context), out, context));
    context.progress.set(0.6);
    TW_TRY(add_surface("water", water_surface(surface, relief), out, context));
    context.progress.set(0.8);
    if (streets && heights) TW_TRY(add_streets(*streets, *heights, out, context));
    context.progress.set(1.0);
    return out;
}

Result<world::GroundMeshes> build_street_meshes(const world::StreetSurface& streets,
                                                const world::StreetHeights& heights,
                                                StageContext& context) {
    TW_TRY(require_memory(context, "meshes", bytes_of(streets.triangle.size())));
    world::GroundMeshes out;
    TW_TRY(add_streets(streets, heights, out, context));
    return out;
}

}  // namespace tw::ground
