#include "terraway/math/noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tw::GridPoint;
using tw::Noise;
using tw::NoiseBasis;
using tw::NoiseOctave;
using tw::NoiseOptions;
using tw::NoiseShape;
using tw::Purpose;
using tw::Seed;

constexpr NoiseBasis kBases[] = {NoiseBasis::value, NoiseBasis::gradient, NoiseBasis::simplex};
constexpr NoiseShape kShapes[] = {NoiseShape::plain, NoiseShape::billow, NoiseShape::ridged};
constexpr std::int32_t kCell = 64 * tw::kStepsPerMetre;  ///< [steps] of the octaves below

std::vector<GridPoint> random_points(std::size_t count, std::int32_t reach, std::uint64_t id) {
    tw::RandomStream random(Seed{1}, Purpose("noise_test"), id);
    const auto draw = [&] {
        return static_cast<std::int32_t>(
            std::int64_t{random.below(static_cast<std::uint32_t>(reach) * 2)} - reach);
    };
    std::vector<GridPoint> points(count);
    for (GridPoint& p : points) {
        p.x = draw();
        p.y = draw();
    }
    return points;
}

std::vector<float> sampled(const NoiseOctave& octave, const std::vector<GridPoint>& points) {
    std::vector<float> out(points.size());
    octave.sample(points, out);
    return out;
}
std::vector<float> sampled(const Noise& noise, const std::vector<GridPoint>& points) {
    std::vector<float> out(points.size());
    noise.sample(points, out);
    return out;
}

double mean(const std::vector<float>& values) {
    double sum = 0.0;
    for (float v : values) sum += v;
    return sum / static_cast<double>(values.size());
}
double variance(const std::vector<float>& values) {
    const double m = mean(values);
    double sum = 0.0;
    for (float v : values) sum += (v - m) * (v - m);
    return sum / static_cast<double>(values.size());
}
double correlation(const std::vector<float>& a, const std::vector<float>& b) {
    const double ma = mean(a), mb = mean(b);
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - ma) * (b[i] - mb);
    return sum / static_cast<double>(a.size()) / std::sqrt(variance(a) * variance(b));
}

double fade(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/// The variance that one octave must have, from its definition: corners are independent, so squares
/// of their weights add up; the mean over a cell by the midpoint rule.
double expected_variance(NoiseBasis basis) {
    if (basis == NoiseBasis::simplex) {
        // Each lattice point adds (½ − r²)⁴ g·d within r² < ½, g a unit vector; ∫ over the disc of
        // (½ − r²)⁸ r² / 2 is π/2 · 2⁻¹⁰ · B(2, 9), and a lattice point has the area 1/√3.
        const double integral = std::numbers::pi / 2 * std::pow(0.5, 10) / 90;
        return 99.0 * 99.0 * integral * std::sqrt(3.0);
    }
    constexpr int kSteps = 200;
    double sum = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        for (int j = 0; j < kSteps; ++j) {
            const double u = (i + 0.5) / kSteps, v = (j + 0.5) / kSteps;
            for (int corner = 0; corner < 4; ++corner) {
                const int column = corner % 2, row = corner / 2;
                const double du = u - column, dv = v - row;
                const double weight = fade(1 - std::abs(du)) * fade(1 - std::abs(dv));
                // Heights spread evenly over [−1, 1]: 1/3. A unit slope of any direction: d² / 2.
                sum +=
                    weight * weight *
                    (basis == NoiseBasis::value ? 1.0 / 3 : 1.41 * 1.41 * (du * du + dv * dv) / 2);
            }
        }
    }
    return sum / (kSteps * kSteps);
}

TEST(Noise, BatchesGiveTheBitsOfSinglePoints) {
    std::vector<GridPoint> points = random_points(1000, tw::kMaxNoiseCoordinate - 1, 0);
    for (std::int32_t x : {-(1 << 30), -1, 0, 1, 1 << 30}) {
        for (std::int32_t y : {-(1 << 30), 0, 1 << 30}) points.push_back({x, y});
    }
    for (NoiseBasis basis : kBases) {
        for (NoiseShape shape : kShapes) {
            for (double wavelength : {tw::kMinWavelength, 0.3, 777.7, 4096.0, tw::kMaxWavelength}) {
                const Noise noise({.basis = basis, .shape = shape, .wavelength = wavelength},
                                  Seed{3}, Purpose("noise_test"));
                for (std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{63},
                                          std::size_t{65}, points.size()}) {
                    const std::vector<GridPoint> part(
                        points.end() - static_cast<std::ptrdiff_t>(count), points.end());
                    const std::vector<float> batch = sampled(noise, part);
                    for (std::size_t i = 0; i < count; ++i) {
                        ASSERT_EQ(std::bit_cast<std::uint32_t>(batch[i]),
                                  std::bit_cast<std::uint32_t>(noise.sample(part[i])));
                    }
                }
            }
        }
    }
}

TEST(Noise, StaysInTheRangeOfItsShape) {
    const std::vector<GridPoint> points = random_points(300'000, 1 << 28, 1);
    for (NoiseBasis basis : kBases) {
        for (NoiseShape shape : kShapes) {
            for (int octaves : {1, 8}) {
                const Noise noise({.basis = basis, .shape = shape, .octaves = octaves}, Seed{5},
                                  Purpose("noise_test"));
                const std::vector<float> values = sampled(noise, points);
                const auto [low, high] = std::minmax_element(values.begin(), values.end());
                EXPECT_GE(*low, shape == NoiseShape::plain ? -1.0f : 0.0f);
                EXPECT_LE(*high, 1.0f);
            }
        }
    }
}

/// No choice of slopes can leave [−1, 1]: at every place the best slopes point straight away from
/// their lattice points.
TEST(Noise, ScalesLeaveRoomForTheWorstSlopes) {
    constexpr double kLongestSlope = 1.0011;  // the parabolas' error
    double gradient = 0.0, simplex = 0.0;
    const double g = (3 - std::sqrt(3.0)) / 6;
    for (int i = 0; i <= 400; ++i) {
        for (int j = 0; j <= 400; ++j) {
            const double u = i / 400.0, v = j / 400.0;
            double sum = 0.0, simplex_sum = 0.0;
            for (int corner = 0; corner < 4; ++corner) {
                const int column = corner % 2, row = corner / 2;
                const double du = u - column, dv = v - row;
                sum += fade(1 - std::abs(du)) * fade(1 - std::abs(dv)) * std::hypot(du, dv);
                const double dx = du - (du + dv) * g, dy = dv - (du + dv) * g;
                const double left = std::max(0.0, 0.5 - dx * dx - dy * dy);
                simplex_sum += std::pow(left, 4) * std::hypot(dx, dy);
            }
            gradient = std::max(gradient, sum);
            simplex = std::max(simplex, simplex_sum);
        }
    }
    EXPECT_LE(1.41 * kLongestSlope * gradient, 1.0);
    EXPECT_LE(99.0 * kLongestSlope * simplex, 1.0);
    EXPECT_GE(1.41 * gradient, 0.98);  // and little is wasted
    EXPECT_GE(99.0 * simplex, 0.98);
}

TEST(Noise, SlopesVanishAtLatticePoints) {
    const NoiseOctave gradient(NoiseBasis::gradient, 64.0, 12345);
    const NoiseOctave simplex(NoiseBasis::simplex, 64.0, 12345);
    double away = 0.0;
    for (std::int32_t i = -50; i <= 50; ++i) {
        for (std::int32_t j = -50; j <= 50; ++j) {
            EXPECT_EQ(gradient.sample({i * kCell, j * kCell}), 0.0f);
            away += std::abs(gradient.sample({i * kCell + kCell / 2, j * kCell + kCell / 2}));
        }
    }
    EXPECT_GT(away / (101 * 101), 0.1);
    EXPECT_EQ(simplex.sample({0, 0}), 0.0f);
}

TEST(Noise, NeighbouringStepsDifferByNoMoreThanTheSlope) {
    // Steepest slopes per cell: value 2 · 1.875 a side; gradient and simplex are below 8 too.
    const double bound = 8.0 / kCell + 2e-6;
    for (NoiseBasis basis : kBases) {
        const NoiseOctave octave(basis, 64.0, 99);
        const auto expect_smooth = [&](GridPoint p) {
            const float here = octave.sample(p);
            EXPECT_LE(std::abs(octave.sample({p.x + 1, p.y}) - here), bound) << p.x << " " << p.y;
            EXPECT_LE(std::abs(octave.sample({p.x, p.y + 1}) - here), bound) << p.x << " " << p.y;
        };
        for (GridPoint p : random_points(20'000, 1 << 28, 2)) {
            expect_smooth(p);
            // On borders of cells, where another hash takes over, and across them.
            const std::int32_t border = p.x & -kCell;
            expect_smooth({border - 1, p.y});
            expect_smooth({p.y, border - 1});
        }
        for (GridPoint p : random_points(200, 1 << 20, 3)) {
            // Straight lines cross the borders of triangles, wherever these lie.
            for (std::int32_t k = 0; k < 2000; ++k) {
                const GridPoint a{p.x + k * 97, p.y + k * 31}, b{a.x + 97, a.y + 31};
                EXPECT_LE(std::abs(octave.sample(b) - octave.sample(a)), 102 * bound);
            }
        }
    }
}

TEST(Noise, MeanAndVarianceAreThoseOfTheDefinition) {
    const std::vector<GridPoint> points = random_points(400'000, 1 << 28, 4);
    for (NoiseBasis basis : kBases) {
        const std::vector<float> values = sampled(NoiseOctave(basis, 100.0, 7), points);
        const double expected = expected_variance(basis);
        EXPECT_NEAR(mean(values), 0.0, 5 * std::sqrt(expected / 400'000));
        EXPECT_NEAR(variance(values) / expected, 1.0, 0.02);
    }
}

TEST(Noise, LatticeValuesAreUniformAndIndependent) {
    const NoiseOctave octave(NoiseBasis::value, 64.0, 5);
    std::vector<float> here, right, above, diagonal;
    std::vector<double> bins(64, 0.0);
    for (std::int32_t i = -150; i < 150; ++i) {
        for (std::int32_t j = -150; j < 150; ++j) {
            const auto at = [&](std::int32_t x, std::int32_t y) {
                return octave.sample({x * kCell, y * kCell});
            };
            here.push_back(at(i, j));
            right.push_back(at(i + 1, j));
            above.push_back(at(i, j + 1));
            diagonal.push_back(at(i + 1, j + 1));
            bins[static_cast<std::size_t>((here.back() + 1.0f) * 32.0f)] += 1.0;
        }
    }
    double chi2 = 0.0;
    const double expected = 300.0 * 300.0 / 64;
    for (double n : bins) chi2 += (n - expected) * (n - expected) / expected;
    EXPECT_GT(chi2, 31.0);  // 63 degrees of freedom: 0.02 % on either side
    EXPECT_LT(chi2, 109.0);
    for (const auto* other : {&right, &above, &diagonal}) {
        EXPECT_LT(std::abs(correlation(here, *other)), 4.0 / 300.0);
    }
}

TEST(Noise, NoDirectionIsPreferred) {
    // Mean square difference over a third of a wavelength, in 16 directions.
    const std::vector<GridPoint> points = random_points(50'000, 1 << 28, 5);
    for (NoiseBasis basis : {NoiseBasis::gradient, NoiseBasis::simplex}) {
        const NoiseOctave octave(basis, 64.0, 21);
        const std::vector<float> here = sampled(octave, points);
        std::vector<double> by_direction;
        for (int k = 0; k < 16; ++k) {
            const double angle = k * std::numbers::pi / 16;
            std::vector<GridPoint> moved = points;
            for (GridPoint& p : moved) {
                p.x += static_cast<std::int32_t>(kCell / 3.0 * std::cos(angle));
                p.y += static_cast<std::int32_t>(kCell / 3.0 * std::sin(angle));
            }
            const std::vector<float> there = sampled(octave, moved);
            double sum = 0.0;
            for (std::size_t i = 0; i < here.size(); ++i) {
                sum += (there[i] - here[i]) * (there[i] - here[i]);
            }
            by_direction.push_back(sum);
        }
        const auto [low, high] = std::minmax_element(by_direction.begin(), by_direction.end());
        EXPECT_LT(*high / *low, 1.2);
    }
}

TEST(Noise, SeedsPurposesComponentsAndMirrorsAreUnrelated) {
    const std::vector<GridPoint> points = random_points(100'000, 1 << 28, 6);
    std::vector<GridPoint> mirrored = points, turned = points, negated = points;
    for (GridPoint& p : mirrored) p = {p.y, p.x};
    for (GridPoint& p : turned) p = {-p.y, p.x};
    for (GridPoint& p : negated) p = {-p.x, -p.y};
    for (NoiseBasis basis : kBases) {
        const NoiseOptions options{.basis = basis, .octaves = 3, .wavelength = 50.0};
        const Noise noise(options, Seed{1}, Purpose("a"));
        const std::vector<float> base = sampled(noise, points);
        const auto expect_unrelated = [&](const std::vector<float>& other) {
            EXPECT_LT(std::abs(correlation(base, other)), 0.016);  // 5 standard errors
        };
        expect_unrelated(sampled(Noise(options, Seed{2}, Purpose("a")), points));
        expect_unrelated(sampled(Noise(options, Seed{1ull << 63 | 1}, Purpose("a")), points));
        expect_unrelated(sampled(Noise(options, Seed{1}, Purpose("b")), points));
        expect_unrelated(sampled(Noise(options, Seed{1}, Purpose("a"), 1), points));
        expect_unrelated(sampled(noise, mirrored));
        expect_unrelated(sampled(noise, turned));
        expect_unrelated(sampled(noise, negated));
        EXPECT_EQ(base, sampled(Noise(options, Seed{1}, Purpose("a")), points));
    }
}

TEST(Noise, OctavesAddTheirPowerByGain) {
    const std::vector<GridPoint> points = random_points(300'000, 1 << 28, 7);
    for (NoiseBasis basis : kBases) {
        for (float gain : {0.0f, 0.5f, 0.8f, 1.0f}) {
            const Noise noise({.basis = basis, .octaves = 6, .wavelength = 300.0, .gain = gain},
                              Seed{11}, Purpose("noise_test"));
            double amplitude = 1.0, sum = 0.0, power = 0.0;
            for (int o = 0; o < 6; ++o, amplitude *= gain) {
                sum += amplitude;
                power += amplitude * amplitude;
            }
            const double expected = expected_variance(basis) * power / (sum * sum);
            EXPECT_NEAR(variance(sampled(noise, points)) / expected, 1.0, 0.03);
        }
    }
}

TEST(Noise, AnOctaveLivesAtItsWavelength) {
    // The mean square slope of an octave grows with the square of its frequency: with gain 1/2 and
    // lacunarity 2 each octave adds the same, so that n octaves have n times the slope of one.
    const std::vector<GridPoint> points = random_points(200'000, 1 << 28, 8);
    std::vector<GridPoint> moved = points;
    for (GridPoint& p : moved) p.x += 256;  // 1/4 m, against wavelengths of 32 m and more
    const auto slope = [&](int octaves) {
        const Noise noise({.octaves = octaves, .wavelength = 256.0}, Seed{4},
                          Purpose("noise_test"));
        const std::vector<float> a = sampled(noise, points), b = sampled(noise, moved);
        double sum = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
        const double normal = 2.0 - std::ldexp(2.0, -octaves);  // undoes the normalisation
        return sum * normal * normal;
    };
    const double one = slope(1);
    EXPECT_NEAR(slope(2) / one, 2.0, 0.1);
    EXPECT_NEAR(slope(4) / one, 4.0, 0.2);
}

TEST(Noise, WavelengthScalesThePictureAboutTheOrigin) {
    const std::vector<GridPoint> points = random_points(10'000, 1 << 26, 9);
    for (NoiseBasis basis : kBases) {
        const auto noise = [&](double wavelength) {
            return Noise({.basis = basis, .octaves = 3, .wavelength = wavelength}, Seed{4},
                         Purpose("noise_test"));
        };
        const Noise one = noise(1000.0), two = noise(2000.0), three = noise(3000.0);
        for (GridPoint p : points) {
            EXPECT_EQ(two.sample({2 * p.x, 2 * p.y}), one.sample(p));
            EXPECT_NEAR(three.sample({3 * p.x, 3 * p.y}), one.sample(p), 1e-3);
        }
    }
}

TEST(Noise, OptionsOutOfRangeAreRefused) {
    const auto refused = [](NoiseOptions options, std::string_view name) {
        const tw::Status status = validate(options);
        ASSERT_FALSE(status.ok()) << name;
        EXPECT_EQ(status.error().code, tw::ErrorCode::invalid_option);
        EXPECT_EQ(status.error().subject, tw::Subject(name));
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(validate(NoiseOptions{}).ok());
    refused({.octaves = 0}, "octaves");
    refused({.octaves = 25}, "octaves");
    refused({.wavelength = 0.0}, "wavelength");
    refused({.wavelength = 2e6}, "wavelength");
    refused({.wavelength = nan}, "wavelength");
    refused({.gain = -0.1f}, "gain");
    refused({.gain = nan}, "gain");
    refused({.lacunarity = 0.5}, "lacunarity");
    EXPECT_FALSE(validate(tw::WarpOptions{.amplitude = -1.0}).ok());
    EXPECT_FALSE(validate(tw::WarpOptions{.noise = {.octaves = 0}}).ok());
}

TEST(Noise, OctavesBelowTheGridAreLeftOut) {
    const Noise many({.octaves = tw::kMaxOctaves, .wavelength = 0.01}, Seed{1}, Purpose("n"));
    const Noise few({.octaves = 3, .wavelength = 0.01}, Seed{1}, Purpose("n"));
    for (GridPoint p : random_points(100, 1 << 20, 10)) EXPECT_EQ(many.sample(p), few.sample(p));
}

TEST(Warp, MovesWithinItsAmplitudeAndFoldsTheNoise) {
    const std::vector<GridPoint> points = random_points(1000, tw::kMaxCoordinate, 11);
    const tw::Warp warp({.amplitude = 300.0}, Seed{1}, Purpose("warp"));
    const tw::Warp none({.amplitude = 0.0}, Seed{1}, Purpose("warp"));
    const Noise noise({}, Seed{1}, Purpose("noise"));
    std::vector<GridPoint> moved(points.size());
    std::vector<float> values(points.size());
    warp.move(points, moved);
    tw::warped_noise(points, warp, noise, values);
    double farthest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const GridPoint d = moved[i] - points[i];
        farthest = std::max({farthest, tw::to_metres(std::abs(d.x)), tw::to_metres(std::abs(d.y))});
        EXPECT_EQ(moved[i], warp.move(points[i]));
        EXPECT_EQ(none.move(points[i]), points[i]);
        EXPECT_EQ(values[i], noise.sample(moved[i]));
    }
    EXPECT_LE(farthest, 300.0);
    EXPECT_GE(farthest, 100.0);
    warp.move(moved, moved);  // in place
    EXPECT_EQ(moved[0], warp.move(warp.move(points[0])));
}

}  // namespace
