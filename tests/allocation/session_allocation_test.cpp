// A steady edit of a session allocates nothing but what the list of edits keeps. A program of its
// own: it counts every allocation that is made in it.

#include "terraway/pipeline/session.hpp"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace {

std::atomic<std::size_t> allocations = 0;

void* counted(std::size_t size, std::size_t align) {
    ++allocations;
    void* const memory = align > alignof(std::max_align_t)
                             ? std::aligned_alloc(align, (size + align - 1) / align * align)
                             : std::malloc(size > 0 ? size : 1);
    if (!memory) std::abort();
    return memory;
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size, 0);
}
void* operator new[](std::size_t size) {
    return counted(size, 0);
}
void* operator new(std::size_t size, std::align_val_t align) {
    return counted(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
    return counted(size, static_cast<std::size_t>(align));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace tw::pipeline {
namespace {

using world::CellId;

constexpr Steps kMetre = kStepsPerMetre;

std::size_t allocated_by(const std::function<void()>& work) {
    const std::size_t before = allocations;
    work();
    return allocations - before;
}

/// A session on an island of 4,000 cells with rivers and lakes.
class SteadyEdits : public testing::Test {
protected:
    SteadyEdits() {
        recipe_.sites.cells = 4'000;
        recipe_.placement.size = std::array{6000.0, 6000.0};
        recipe_.relief.land_fraction = 0.6;
        recipe_.rivers.min_flow = 0.02;
        auto baked = bake(recipe_, {});
        EXPECT_TRUE(baked.ok()) << to_string(baked.error());
        const BakedWorld world = std::move(baked).value();
        map_ = world.map;
        drainage_ = world.drainage;
        auto session = Session::create(recipe_, world, {.undo_steps = 6});
        EXPECT_TRUE(session.ok());
        session_ = std::move(session).value();
    }
    /// Sites along the way of water, 30 at most.
    std::vector<GridPoint> way_from(CellId cell) const {
        std::vector<GridPoint> way;
        while (way.size() < 30 && cell && drainage_->downhill[cell]) {
            way.push_back(map_->site[cell]);
            cell = map_->neighbour(drainage_->downhill[cell]);
        }
        return way;
    }
    /// The i-th of some cells far from the sea, on land so high that no stroke meets its limit.
    CellId place(std::size_t i) const {
        std::size_t count = 0;
        for (const CellId cell : map_->site.ids()) {
            if (drainage_->elevation[cell] < 60 * kMetre || way_from(cell).size() < 10) continue;
            if (++count % 31 == 0 && i-- == 0) return cell;
        }
        ADD_FAILURE() << "the island is too small";
        return CellId(0);
    }
    world::Edit raise(CellId cell, Steps amount) const {
        return {0, world::RaiseGround{{map_->site[cell]}, {12 * map_->spacing}, amount}};
    }
    world::Edit channel(CellId cell) const {
        world::DigChannel dig;
        dig.path = way_from(cell);
        dig.bed_from = 2 * kMetre;
        dig.bed_to = kMetre;
        return {0, dig};
    }
    void apply(const world::Edit& edit) { done_ &= session_->apply(edit).ok(); }
    void take_back() { done_ &= session_->undo().ok(); }

    WorldRecipe recipe_;
    std::shared_ptr<const world::PolygonMap> map_;
    std::shared_ptr<const world::Drainage> drainage_;
    std::unique_ptr<Session> session_;
    bool done_ = true;  ///< no step failed
};

TEST_F(SteadyEdits, AllocateNothingButWhatTheirListKeeps) {
    std::vector<world::Edit> strokes;
    for (std::size_t i = 0; i < 6; ++i) {
        strokes.push_back(raise(place(2 * i), 3 * kMetre));
        strokes.push_back(channel(place(2 * i)));
        strokes.push_back(raise(place(2 * i + 1), -3 * kMetre));
        strokes.push_back(raise(place(2 * i), -3 * kMetre));
        strokes.push_back(raise(place(2 * i + 1), 3 * kMetre));
    }
    std::uint64_t cells = 0, crossings = 0;
    const auto round = [&] {
        for (const world::Edit& stroke : strokes) {
            apply(stroke);
            cells += session_->changes().cells.size();
            for (const MeshRange& range : session_->changes().meshes) crossings += range.resized;
        }
    };
    // Every step that is kept comes to serve every stroke.
    for (std::size_t i = 0; i < 8; ++i) round();
    ASSERT_TRUE(done_);
    EXPECT_GT(cells, 100 * strokes.size());
    EXPECT_GT(crossings, 0u) << "no stroke moved a river";
    constexpr std::size_t kRounds = 3;
    const std::size_t count = allocated_by([&] {
        for (std::size_t i = 0; i < kRounds; ++i) round();
    });
    ASSERT_TRUE(done_);
    // Each edit's path, and once perhaps the list itself.
    EXPECT_LE(count, kRounds * strokes.size() + 1);
}

TEST_F(SteadyEdits, NothingIsAllocatedForTakingStepsBackAndDoingThemAgain) {
    const std::vector<world::Edit> strokes{raise(place(0), 3 * kMetre), channel(place(1)),
                                           raise(place(2), -3 * kMetre)};
    for (const world::Edit& stroke : strokes) apply(stroke);
    const auto there_and_back = [&] {
        for (std::size_t i = 0; i < strokes.size(); ++i) take_back();
        for (std::size_t i = 0; i < strokes.size(); ++i) done_ &= session_->redo().ok();
    };
    there_and_back();
    EXPECT_EQ(allocated_by(there_and_back), 0u);
    EXPECT_TRUE(done_);
}

TEST_F(SteadyEdits, AreCounted) {
    std::vector<world::Edit> list;
    list.reserve(1);
    const world::Edit edit = raise(place(0), kMetre);
    EXPECT_EQ(allocated_by([&] { list.push_back(edit); }), 1u);
}

}  // namespace
}  // namespace tw::pipeline
