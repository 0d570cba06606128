#include "terraway/ground/street_meshes.hpp"

#include "meshes_chunks.hpp"
#include "street_pieces.hpp"

#include <array>
#include <string>
#include <utility>

namespace tw::ground {
namespace {

using world::PieceId;
using world::StreetSurface;
using world::StreetVertexId;

/// By kStreetSurfaces.
std::array<WholeSurface, kStreetSurfaces.size()> whole_surfaces(
    const StreetSurface& streets, const world::StreetHeights& heights) {
    const std::vector<Vec3f> normals = street_normals(
        streets, heights, streets.vertex.size(),
        [&](auto&& visit) {
            for (const auto& triangle : streets.triangle.span()) visit(triangle);
        },
        [](StreetVertexId vertex) { return vertex.index(); });
    std::array<WholeSurface, kStreetSurfaces.size()> out;
    for (WholeSurface& surface : out) surface.patch_begin.push_back(0);
    PieceNumbers numbers;
    numbers.reset(streets.vertex.size());
    std::vector<StreetVertexId> vertices;
    for (const PieceId piece : streets.kind.ids()) {
        WholeSurface& surface = out[surface_of(streets, piece)];
        const auto first = static_cast<std::uint32_t>(surface.position.size());
        const std::size_t first_triangle = surface.triangle.size();
        vertices.clear();
        numbers.add(streets, piece, vertices, surface.triangle);
        for (std::size_t t = first_triangle; t < surface.triangle.size(); ++t) {
            for (std::uint32_t& corner : surface.triangle[t]) corner += first;
        }
        for (const StreetVertexId vertex : vertices) {
            surface.position.push_back(point_at(streets, heights, vertex));
            surface.normal.push_back(normals[vertex.index()]);
        }
        surface.rgba.resize(surface.position.size(), colour_of(streets, piece));
        surface.patch_begin.push_back(static_cast<std::uint32_t>(surface.triangle.size()));
        surface.patch_anchor.push_back(anchor_of(streets, vertices));
    }
    return out;
}

}  // namespace

Result<world::GroundMeshes> build_street_meshes(const StreetSurface& streets,
                                                const world::StreetHeights& heights,
                                                StageContext& context) {
    TW_TRY(require_memory(context, "meshes", bytes_of_surface(streets.triangle.size())));
    const auto whole = whole_surfaces(streets, heights);
    world::GroundMeshes out;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        TW_ASSIGN(std::vector<world::MeshChunk> chunks, cut_into_chunks(whole[i], context));
        if (chunks.empty()) continue;
        out.surface.push_back({std::string(kStreetSurfaces[i]), std::move(chunks)});
    }
    return out;
}

}  // namespace tw::ground
