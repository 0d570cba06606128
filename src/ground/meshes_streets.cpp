#include "meshes_streets.hpp"

#include "meshes_colour.hpp"

#include <algorithm>

namespace tw::ground {
namespace {

using world::PieceId;
using world::PieceKind;
using world::RoadForm;
using world::StreetSurface;
using world::StreetVertexId;
using AreaNormal = Vec3<std::int64_t>;

constexpr std::array<std::uint32_t, world::kRoadClassCount> kClassRgb{
    0x3f4248,  // motorway
    0x45484e,  // trunk
    0x4b4e54,  // primary
    0x525559,  // secondary
    0x585b5f,  // tertiary
    0x606366,  // residential
    0x6d6f70,  // service
    0x8a7a5c,  // track
    0xa39b8b,  // pedestrian
    0x7d5a52,  // cycleway
    0x97896d,  // path
};

std::uint32_t piece_colour(const StreetSurface& streets, PieceId piece) {
    const auto of_class = static_cast<std::size_t>(streets.road_class[piece]);
    return Colour::from_rgb(kClassRgb[of_class]).rgba();
}

std::size_t surface_of(const StreetSurface& streets, PieceId piece) {
    if (streets.kind[piece] == PieceKind::junction) return 0;
    switch (streets.form[piece]) {
        case RoadForm::bridge:
            return 2;
        case RoadForm::tunnel:
            return 3;
        case RoadForm::ground:
            break;
    }
    return 1;
}

std::vector<SurfacePoint> points_of(const StreetSurface& streets,
                                    const world::StreetHeights& heights) {
    std::vector<SurfacePoint> points;
    points.reserve(streets.vertex.size());
    for (const StreetVertexId vertex : streets.vertex.ids()) {
        points.push_back({streets.vertex[vertex], heights.height[vertex]});
    }
    return points;
}

/// One normal a vertex, over the triangles of all pieces.
std::vector<Vec3f> normals_of(const StreetSurface& streets, std::span<const SurfacePoint> points) {
    std::vector<std::uint32_t> begin(points.size() + 1, 0);
    for (const auto& triangle : streets.triangle.span()) {
        for (const StreetVertexId vertex : triangle) ++begin[vertex.index() + 1];
    }
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<AreaNormal> around(begin.back());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (const auto& triangle : streets.triangle.span()) {
        const AreaNormal area = double_area_normal(
            points[triangle[0].index()], points[triangle[1].index()], points[triangle[2].index()]);
        for (const StreetVertexId vertex : triangle) around[at[vertex.index()]++] = area;
    }
    std::vector<Vec3f> normals(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        normals[i] = vertex_normal(std::span(around).subspan(begin[i], begin[i + 1] - begin[i]));
    }
    return normals;
}

}  // namespace

StreetSurfaces street_surfaces(const StreetSurface& streets, const world::StreetHeights& heights) {
    constexpr std::uint32_t kUnused = 0xffffffffu;
    const std::vector<SurfacePoint> points = points_of(streets, heights);
    const std::vector<Vec3f> normals = normals_of(streets, points);
    StreetSurfaces out;
    for (WholeSurface& surface : out.surface) surface.patch_begin.push_back(0);

    // Colours change at the seam, so each piece has its own copies of the vertices.
    std::vector<std::uint32_t> copy(points.size(), kUnused);
    for (const PieceId piece : streets.kind.ids()) {
        WholeSurface& surface = out.surface[surface_of(streets, piece)];
        const std::uint32_t colour = piece_colour(streets, piece);
        GridPoint least{kMaxCoordinate, kMaxCoordinate};
        for (const auto& triangle : streets.triangles(piece)) {
            std::array<std::uint32_t, 3> own;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t vertex = triangle[k].index();
                if (copy[vertex] == kUnused) {
                    copy[vertex] = static_cast<std::uint32_t>(surface.position.size());
                    surface.position.push_back(points[vertex]);
                    surface.normal.push_back(normals[vertex]);
                    surface.rgba.push_back(colour);
                    least = std::min(least, points[vertex].plan);
                }
                own[k] = copy[vertex];
            }
            surface.triangle.push_back(own);
        }
        for (const auto& triangle : streets.triangles(piece)) {
            for (const StreetVertexId vertex : triangle) copy[vertex.index()] = kUnused;
        }
        surface.patch_begin.push_back(static_cast<std::uint32_t>(surface.triangle.size()));
        surface.patch_anchor.push_back(least);
    }
    return out;
}

}  // namespace tw::ground
