// Triangulations and cells beside delaunator (npm, node): the same points, in turns, in one run.
//
//     delaunay_bench [points] [rounds]
//
// DELAUNATOR_FOLDER names the folder whose node_modules hold delaunator; without it, or without
// node, that column stays empty.

#include "terraway/core/random.hpp"
#include "terraway/core/thread_pool.hpp"
#include "terraway/geometry/delaunay.hpp"
#include "terraway/geometry/voronoi.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace tw;
using Points = std::vector<GridPoint>;

Points uniform_points(std::uint32_t count) {
    RandomStream random(Seed{1}, Purpose("delaunay bench"), 0);
    Points points(count);
    for (GridPoint& p : points) {
        p.x = static_cast<std::int32_t>(random.below(1u << 30)) - kMaxCoordinate;
        p.y = static_cast<std::int32_t>(random.below(1u << 30)) - kMaxCoordinate;
    }
    return points;
}

constexpr std::int32_t kSpacing = 4096;  // [steps]: four metres

/// Poisson discs: darts at a grid with room for one site a bucket, bucket by bucket for a number of
/// rounds; numbered in blocks of 32 × 32 buckets, as terrain does.
Points poisson_points(std::uint32_t count) {
    constexpr std::int32_t kBucket = 2896;  // kSpacing / √2
    constexpr int kRounds = 24;
    const auto side = static_cast<std::int32_t>(std::sqrt(count / 0.336));
    const auto at = [side](std::int32_t column, std::int32_t row) {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(side) +
               static_cast<std::size_t>(column);
    };
    std::vector<std::optional<GridPoint>> site(at(0, side));
    const auto is_free = [&](GridPoint p, std::int32_t column, std::int32_t row) {
        for (std::int32_t r = std::max(0, row - 2); r <= std::min(side - 1, row + 2); ++r) {
            for (std::int32_t c = std::max(0, column - 2); c <= std::min(side - 1, column + 2);
                 ++c) {
                const auto& other = site[at(c, r)];
                if (other && distance2(*other, p) < std::int64_t{kSpacing} * kSpacing) return false;
            }
        }
        return true;
    };
    RandomStream random(Seed{2}, Purpose("delaunay bench"), 0);
    for (int round = 0; round < kRounds; ++round) {
        for (std::int32_t row = 0; row < side; ++row) {
            for (std::int32_t column = 0; column < side; ++column) {
                if (site[at(column, row)]) continue;
                GridPoint p{column * kBucket, row * kBucket};
                p.x += static_cast<std::int32_t>(random.below(kBucket));
                p.y += static_cast<std::int32_t>(random.below(kBucket));
                if (is_free(p, column, row)) site[at(column, row)] = p;
            }
        }
    }
    constexpr std::int32_t kBlock = 32;
    Points points;
    for (std::int32_t block_row = 0; block_row < side; block_row += kBlock) {
        for (std::int32_t block_column = 0; block_column < side; block_column += kBlock) {
            for (std::int32_t r = block_row; r < std::min(side, block_row + kBlock); ++r) {
                for (std::int32_t c = block_column; c < std::min(side, block_column + kBlock);
                     ++c) {
                    if (site[at(c, r)]) points.push_back(*site[at(c, r)]);
                }
            }
        }
    }
    return points;
}

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// One node process that triangulates the file whenever it is asked to; answers in milliseconds.
class Delaunator {
public:
    explicit Delaunator(const Points& points) {
        const char* folder = std::getenv("DELAUNATOR_FOLDER");
        if (!folder) return;
        const std::filesystem::path temporary = std::filesystem::temp_directory_path();
        points_file_ = temporary / "terraway-delaunay-bench.i32";
        std::ofstream(points_file_, std::ios::binary)
            .write(reinterpret_cast<const char*>(points.data()),
                   static_cast<std::streamsize>(points.size() * sizeof(GridPoint)));
        command_ = "node " TERRAWAY_SOURCE_DIR "/benchmarks/delaunator_bench.mjs " +
                   std::string(folder) + " " + points_file_.string();
    }
    ~Delaunator() {
        std::error_code ignored;
        if (!points_file_.empty()) std::filesystem::remove(points_file_, ignored);
    }
    /// The median of a few runs in a warm process; nothing when it cannot run.
    std::optional<double> run() const {
        if (command_.empty()) return std::nullopt;
        FILE* pipe = ::popen(command_.c_str(), "r");
        if (!pipe) return std::nullopt;
        double time = 0.0;
        const bool read = std::fscanf(pipe, "%lf", &time) == 1;
        ::pclose(pipe);
        return read ? std::optional(time) : std::nullopt;
    }

private:
    std::filesystem::path points_file_;
    std::string command_;
};

void compare(const char* name, const Points& points, int rounds) {
    SerialExecutor one;
    ThreadPool two(2);
    const Delaunator delaunator(points);
    struct Row {
        const char* name;
        std::function<void()> work;
        std::vector<double> times;
    };
    const auto build = [&](Executor& executor) {
        return [&] { (void)geometry::build_delaunay(points, executor).ok(); };
    };
    std::array<Row, 3> rows{
        Row{"general path, 1 thread",
            [&] { (void)geometry::build_delaunay_general(points).ok(); },
            {}},
        Row{"chosen path, 1 thread", build(one), {}},
        Row{"chosen path, 2 threads", build(two), {}},
    };
    std::vector<double> theirs;
    for (int round = 0; round < rounds; ++round) {
        for (Row& row : rows) row.times.push_back(milliseconds(row.work));
        if (const auto time = delaunator.run()) theirs.push_back(*time);
    }
    std::printf("\n%s, %zu points\n", name, points.size());
    const double reference = median(theirs);
    if (reference > 0) std::printf("  %-28s %8.1f ms\n", "delaunator", reference);
    for (const Row& row : rows) {
        const double time = median(row.times);
        std::printf("  %-28s %8.1f ms", row.name, time);
        if (reference > 0) std::printf("  %5.2f x as fast", reference / time);
        std::printf("\n");
    }
}

void time_cells(const Points& points, int rounds) {
    SerialExecutor one;
    ThreadPool two(2);
    const auto delaunay = geometry::build_delaunay(points, two);
    if (!delaunay.ok()) return;
    GridBox box;
    for (const GridPoint p : points) box.include(p);
    box = {{box.lo.x - kSpacing, box.lo.y - kSpacing}, {box.hi.x + kSpacing, box.hi.y + kSpacing}};
    std::vector<double> serial, parallel;
    for (int round = 0; round < rounds; ++round) {
        const auto run = [&](Executor& executor) {
            return milliseconds(
                [&] { (void)geometry::build_voronoi(*delaunay, box, kSpacing, executor).ok(); });
        };
        serial.push_back(run(one));
        parallel.push_back(run(two));
    }
    std::printf("  %-28s %8.1f ms\n", "cells, 1 thread", median(serial));
    std::printf("  %-28s %8.1f ms\n", "cells, 2 threads", median(parallel));
}

}  // namespace

int main(int argc, char** argv) {
    const auto count = static_cast<std::uint32_t>(argc > 1 ? std::atol(argv[1]) : 1000000);
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
    compare("Uniform random", uniform_points(count), rounds);
    const Points poisson = poisson_points(count);
    compare("Poisson discs", poisson, rounds);
    time_cells(poisson, rounds);
}
