#include "terraway/ground/meshes.hpp"

#include "terraway/ground/street_meshes.hpp"

#include "meshes_chunks.hpp"
#include "meshes_terrain.hpp"
#include "meshes_water.hpp"

#include <iterator>
#include <utility>

namespace tw::ground {
namespace {

constexpr std::string_view kTerrain = "terrain", kWater = "water";

void add_surface(std::string_view name, std::vector<world::MeshChunk> chunks,
                 world::GroundMeshes& out) {
    if (!chunks.empty()) out.surface.push_back({std::string(name), std::move(chunks)});
}

world::NamedSurface* find_surface(world::GroundMeshes& meshes, std::string_view name) {
    for (world::NamedSurface& surface : meshes.surface) {
        if (surface.name == name) return &surface;
    }
    return nullptr;
}

}  // namespace

Result<world::GroundMeshes> build_meshes(const world::CanonicalSurface& surface,
                                         const world::Relief& relief, const world::Biomes& biomes,
                                         const world::StreetSurface* streets,
                                         const world::StreetHeights* heights,
                                         StageContext& context) {
    const std::size_t street_triangles = streets ? streets->triangle.size() : 0;
    TW_TRY(require_memory(context, "meshes",
                          bytes_of_surface(2 * surface.map->side_count() + street_triangles)));
    world::GroundMeshes out;
    const TerrainLayout layout(*surface.map);
    TW_ASSIGN(std::vector<world::MeshChunk> terrain,
              terrain_chunks(layout, surface, biomes, context));
    add_surface(kTerrain, std::move(terrain), out);
    context.progress.set(0.6);
    add_surface(kWater, WaterMaker(*surface.map, layout.cells(), relief).chunks(*surface.drainage),
                out);
    context.progress.set(0.8);
    if (streets && heights) {
        TW_ASSIGN(world::GroundMeshes pieces, build_street_meshes(*streets, *heights, context));
        std::move(pieces.surface.begin(), pieces.surface.end(), std::back_inserter(out.surface));
    }
    context.progress.set(1.0);
    return out;
}

class MeshUpdate::Impl {
public:
    Impl(const world::PolygonMap& map, const world::Relief& relief)
        : layout_(map), terrain_(map, layout_), water_(map, layout_.cells(), relief) {}
    void run(const world::CanonicalSurface& surface, const world::Biomes& biomes,
             const SurfaceChanges& changes, world::GroundMeshes& meshes) {
        if (world::NamedSurface* terrain = find_surface(meshes, kTerrain)) {
            terrain_.run(surface, biomes, changes.shape.ids(), changes.rim, changes.biome,
                         terrain->chunk);
        }
        if (world::NamedSurface* water = find_surface(meshes, kWater)) {
            water_.update(*surface.drainage, changes.water, changes.elevation, water->chunk);
        }
    }

private:
    TerrainLayout layout_;
    TerrainMeshUpdate terrain_;
    WaterMaker water_;
};

MeshUpdate::MeshUpdate(const world::PolygonMap& map, const world::Relief& relief)
    : impl_(std::make_unique<Impl>(map, relief)) {}
MeshUpdate::~MeshUpdate() = default;

void MeshUpdate::run(const world::CanonicalSurface& surface, const world::Biomes& biomes,
                     const SurfaceChanges& changes, world::GroundMeshes& meshes) {
    impl_->run(surface, biomes, changes, meshes);
}

}  // namespace tw::ground
