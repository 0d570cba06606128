// Whatever vectors the processor has, the bits are the same.

#include "terraway/core/vector_target.hpp"

#include "terraway/core/executor.hpp"
#include "terraway/core/hash.hpp"
#include "terraway/core/random.hpp"
#include "terraway/geometry/delaunay.hpp"
#include "terraway/geometry/raster.hpp"
#include "terraway/math/noise.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace tw;

constexpr std::array kTargets{VectorTarget::plain, VectorTarget::avx2, VectorTarget::avx512};

/// Runs `hash_of_work` with each kind of vectors that there is. Those of another processor are
/// shown by running the test there.
template <class HashOfWork>
void expect_equal_hashes(HashOfWork&& hash_of_work) {
    limit_vector_target(VectorTarget::plain);
    const std::uint64_t expected = hash_of_work();
    for (const VectorTarget target : kTargets) {
        limit_vector_target(target);
        if (vector_target() != target) {
            std::printf("SKIPPED this processor has no vectors of kind %d\n",
                        static_cast<int>(target));
            continue;
        }
        EXPECT_EQ(hash_of_work(), expected) << "vectors of kind " << static_cast<int>(target);
    }
    limit_vector_target(VectorTarget::avx512);
}

std::vector<GridPoint> jittered_grid(std::int32_t side, std::uint64_t id) {
    RandomStream random(Seed{3}, Purpose("test.vectors"), id);
    std::vector<GridPoint> points;
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x) {
            const auto dx = static_cast<std::int32_t>(random.below(700));
            const auto dy = static_cast<std::int32_t>(random.below(700));
            points.push_back({x * 1000 + dx, y * 1000 + dy});
        }
    }
    return points;
}

TEST(VectorTarget, DelaunayStars) {
    SerialExecutor serial;
    for (std::uint64_t id = 0; id < 5; ++id) {
        const auto points = jittered_grid(60, id);
        expect_equal_hashes([&] {
            const auto delaunay = geometry::build_delaunay(points, serial);
            Hasher hasher;
            hasher.add(delaunay->head).add(delaunay->twin).add(delaunay->star_begin);
            return hasher.finish();
        });
    }
}

TEST(VectorTarget, RasterOfTriangles) {
    const geometry::Raster raster{{0, 0}, 64, 40, 40};
    for (std::uint64_t id = 0; id < 50; ++id) {
        RandomStream random(Seed{4}, Purpose("test.vectors"), id);
        std::array<geometry::RasterVertex, 3> t;
        for (auto& v : t) {
            v.point.x = static_cast<std::int32_t>(random.below(40 * 64));
            v.point.y = static_cast<std::int32_t>(random.below(40 * 64));
            v.height = static_cast<Steps>(random.below(100'000));
        }
        expect_equal_hashes([&] {
            Hasher hasher;
            geometry::scan_triangle(raster, t, 0, raster.rows,
                                    [&](std::int32_t column, std::int32_t row, Steps height) {
                                        hasher.add(column).add(row).add(height);
                                    });
            return hasher.finish();
        });
    }
}

TEST(VectorTarget, Noise) {
    const auto points = jittered_grid(40, 9);
    for (const NoiseBasis basis : {NoiseBasis::value, NoiseBasis::gradient, NoiseBasis::simplex}) {
        const NoiseOptions options{.basis = basis, .octaves = 5, .wavelength = 7.0};
        const Noise noise(options, Seed{5}, Purpose("test.vectors.noise"));
        expect_equal_hashes([&] {
            std::vector<float> values(points.size());
            noise.sample(points, values);
            return Hasher().add(values).finish();
        });
    }
}

}  // namespace
