// What a program that finds Terraway on a system can do with its exact geometry.
#include "terraway/core/thread_pool.hpp"
#include "terraway/geometry/delaunay.hpp"

#include <cstdio>
#include <vector>

int main() {
    // A square of two kilometres and its middle, in grid steps.
    const std::int32_t kilometre = 1000 * tw::kStepsPerMetre;
    std::vector<tw::GridPoint> points;
    for (std::int32_t x : {-kilometre, kilometre}) {
        for (std::int32_t y : {-kilometre, kilometre}) points.push_back({x, y});
    }
    points.push_back({0, 0});

    tw::ThreadPool pool;
    const auto delaunay = tw::geometry::build_delaunay(points, pool);
    if (!delaunay) {
        std::fprintf(stderr, "%s\n", to_string(delaunay.error()).c_str());
        return 1;
    }
    std::printf("%zu points, %u triangles\n", delaunay.value().vertex_count(),
                delaunay.value().triangle_count);
    return delaunay.value().triangle_count == 4 ? 0 : 1;
}
