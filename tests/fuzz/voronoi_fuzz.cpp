// Any bytes are sites: thinned to the spacing that build_voronoi asks for, their cells must tile.

#include "terraway/core/executor.hpp"
#include "terraway/geometry/voronoi.hpp"

#include "support/fuzz_points.hpp"
#include "support/voronoi_check.hpp"

#include <cstdlib>
#include <iostream>

namespace {

constexpr std::int32_t kSpacing = tw::geometry::kMinSpacing;

std::vector<tw::GridPoint> thinned(const std::vector<tw::GridPoint>& points) {
    std::vector<tw::GridPoint> sites;
    for (const tw::GridPoint p : points) {
        const bool inside = p.x > -(1 << 28) && p.x < 1 << 28 && p.y > -(1 << 28) && p.y < 1 << 28;
        const auto is_near = [p](tw::GridPoint q) {
            return tw::distance2(p, q) < std::int64_t{kSpacing} * kSpacing;
        };
        if (inside && std::none_of(sites.begin(), sites.end(), is_near)) sites.push_back(p);
    }
    return sites;
}

void require(const std::string& wrong) {
    if (wrong.empty()) return;
    std::cerr << wrong << '\n';
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const std::int32_t margin = 32 << data[0] % 20;
    const auto sites = thinned(tw::testing::points_from_bytes({data + 1, size - 1}));
    if (sites.empty()) return 0;
    tw::GridBox box;
    for (const tw::GridPoint p : sites) box.include(p);
    box = {{box.lo.x - 32, box.lo.y - margin}, {box.hi.x + margin, box.hi.y + 32}};
    tw::SerialExecutor executor;
    const auto delaunay = tw::geometry::build_delaunay_general(sites);
    require(delaunay.ok() ? "" : "no triangulation");
    const auto cells = tw::geometry::build_voronoi(*delaunay, box, kSpacing, executor);
    if (!cells.ok()) {
        require(cells.error().code == tw::ErrorCode::invalid_input ? "" : "the wrong error");
        return 0;
    }
    require(tw::testing::check_voronoi(*cells, *delaunay, box, kSpacing));
    return 0;
}
