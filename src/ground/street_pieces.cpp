#include "street_pieces.hpp"

#include "meshes_colour.hpp"

#include <algorithm>

namespace tw::ground {
namespace {

using world::PieceId;
using world::PieceKind;
using world::RoadForm;
using world::StreetSurface;
using world::StreetVertexId;

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

}  // namespace

std::uint32_t colour_of(const StreetSurface& streets, PieceId piece) {
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

void PieceNumbers::add(const StreetSurface& streets, PieceId piece,
                       std::vector<StreetVertexId>& vertex,
                       std::vector<std::array<std::uint32_t, 3>>& triangle) {
    const std::size_t first = vertex.size();
    for (const auto& corners : streets.triangles(piece)) {
        std::array<std::uint32_t, 3> own;
        for (std::size_t k = 0; k < 3; ++k) {
            std::uint32_t& number = number_[corners[k].index()];
            if (number == kNone) {
                number = static_cast<std::uint32_t>(vertex.size() - first);
                vertex.push_back(corners[k]);
            }
            own[k] = number;
        }
        triangle.push_back(own);
    }
    for (std::size_t i = first; i < vertex.size(); ++i) number_[vertex[i].index()] = kNone;
}

GridPoint anchor_of(const StreetSurface& streets, std::span<const StreetVertexId> vertices) {
    GridPoint least{kMaxCoordinate, kMaxCoordinate};
    for (const StreetVertexId vertex : vertices) least = std::min(least, streets.vertex[vertex]);
    return least;
}

}  // namespace tw::ground
