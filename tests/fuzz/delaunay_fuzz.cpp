// Any bytes are points; the triangulation must hold what it promises.

#include "terraway/core/executor.hpp"
#include "terraway/geometry/delaunay.hpp"

#include "support/delaunay_check.hpp"
#include "support/fuzz_points.hpp"

#include <cstdlib>
#include <iostream>

namespace {

void require(const std::string& wrong) {
    if (wrong.empty()) return;
    std::cerr << wrong << '\n';
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<tw::GridPoint> points = tw::testing::points_from_bytes({data, size});
    const auto general = tw::geometry::build_delaunay_general(points);
    if (!general.ok()) {
        require(std::all_of(points.begin(), points.end(), tw::on_grid) ? "refused good points"
                                                                       : "");
        return 0;
    }
    require(tw::testing::check_delaunay(*general, points));
    if (points.size() <= 64) require(tw::testing::check_empty_circles(*general));
    tw::SerialExecutor executor;
    const auto chosen = tw::geometry::build_delaunay(points, executor);
    require(chosen.ok() && chosen->head == general->head && chosen->twin == general->twin &&
                    chosen->star_begin == general->star_begin
                ? ""
                : "the paths differ");
    return 0;
}
