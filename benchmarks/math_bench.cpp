// Noise by the sample and octave, in batches and one by one; functions beside those of libm.

#include "terraway/core/random.hpp"
#include "terraway/math/functions.hpp"
#include "terraway/math/noise.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

constexpr std::size_t kCount = 100'000;

std::vector<tw::GridPoint> points() {
    tw::RandomStream random(tw::Seed{1}, tw::Purpose("math_bench"), 0);
    std::vector<tw::GridPoint> result(kCount);
    for (tw::GridPoint& p : result) {
        p.x = static_cast<std::int32_t>(random.below(1u << 24));
        p.y = static_cast<std::int32_t>(random.below(1u << 24));
    }
    return result;
}

void noise_in_batches(benchmark::State& state) {
    const std::vector<tw::GridPoint> at = points();
    std::vector<float> out(kCount);
    const tw::NoiseOctave octave(static_cast<tw::NoiseBasis>(state.range(0)), 300.0, 5);
    for (auto _ : state) {
        octave.sample(at, out);
        benchmark::DoNotOptimize(out.data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}
BENCHMARK(noise_in_batches)->ArgName("basis")->Arg(0)->Arg(1)->Arg(2);

void noise_one_by_one(benchmark::State& state) {
    const std::vector<tw::GridPoint> at = points();
    const tw::NoiseOctave octave(static_cast<tw::NoiseBasis>(state.range(0)), 300.0, 5);
    for (auto _ : state) {
        for (tw::GridPoint p : at) benchmark::DoNotOptimize(octave.sample(p));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}
BENCHMARK(noise_one_by_one)->ArgName("basis")->Arg(0)->Arg(1)->Arg(2);

template <class Function>
void function(benchmark::State& state, Function f) {
    tw::RandomStream random(tw::Seed{1}, tw::Purpose("math_bench"), 1);
    std::vector<double> x(kCount);
    for (double& value : x) value = random.unit() * 8.0;
    for (auto _ : state) {
        for (double value : x) benchmark::DoNotOptimize(f(value));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}
BENCHMARK_CAPTURE(function, sin, [](double x) { return tw::sin(x); });
BENCHMARK_CAPTURE(function, sin_of_libm, [](double x) { return std::sin(x); });
BENCHMARK_CAPTURE(function, exp, [](double x) { return tw::exp(x); });
BENCHMARK_CAPTURE(function, exp_of_libm, [](double x) { return std::exp(x); });
BENCHMARK_CAPTURE(function, log, [](double x) { return tw::log(x); });
BENCHMARK_CAPTURE(function, log_of_libm, [](double x) { return std::log(x); });
BENCHMARK_CAPTURE(function, pow, [](double x) { return tw::pow(x, 0.3); });
BENCHMARK_CAPTURE(function, pow_of_libm, [](double x) { return std::pow(x, 0.3); });
BENCHMARK_CAPTURE(function, atan2, [](double x) { return tw::atan2(x, 3.0); });
BENCHMARK_CAPTURE(function, atan2_of_libm, [](double x) { return std::atan2(x, 3.0); });

}  // namespace

BENCHMARK_MAIN();
