// Any bytes are a ring and a hole; what is triangulated must be whole, what is not must not be
// simple.

#include "terraway/geometry/ear_clipping.hpp"
#include "terraway/geometry/mesh.hpp"
#include "terraway/geometry/polygon.hpp"

#include "support/fuzz_points.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <span>
#include <vector>

namespace {

using Ring = std::vector<tw::GridPoint>;

void require(bool holds, const char* wrong) {
    if (holds) return;
    std::cerr << wrong << '\n';
    std::abort();
}

void check(const Ring& outer, const std::vector<Ring>& holes) {
    const auto result = tw::geometry::triangulate(outer, holes);
    if (!result.ok()) return;
    tw::geometry::Mesh mesh{{}, *result};
    const auto append = [&](const Ring& ring) {
        for (tw::GridPoint p : ring) mesh.position.push_back({p.x, p.y, 0});
    };
    append(outer);
    for (const Ring& hole : holes) append(hole);
    const tw::geometry::MeshReport report = validate(mesh);
    require(report.sound(), "the triangles are not sound");
    require(report.boundary.size() == 1 + holes.size(), "a ring is missing from the boundary");
    std::size_t sides = 0;
    for (const auto& loop : report.boundary) sides += loop.size();
    require(sides == mesh.position.size(), "a vertex is missing from the boundary");
    require(result->size() == mesh.position.size() + 2 * holes.size() - 2, "wrong count");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Ring points = tw::testing::points_from_bytes({data, size});
    const bool simple =
        std::all_of(points.begin(), points.end(), tw::on_grid) && tw::geometry::is_simple(points);
    require(tw::geometry::triangulate(points).ok() == simple,
            "refused a good ring or took a bad one");
    check(points, {});
    const auto middle = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
    check(Ring(points.begin(), middle), {Ring(middle, points.end())});
    return 0;
}
