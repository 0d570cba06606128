#pragma once
// What a session's arrays and values were before a step: swapped in, it is undo; swapped again,
// redo; swapped before the step ends, rollback.

#include "terraway/core/id_array.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tw::pipeline {

/// One value as it stands on the other side of a step.
class Delta {
public:
    virtual ~Delta() = default;
    /// Exchanges what it holds with what is there.
    virtual void swap() = 0;
};

/// A value that is replaced whole.
template <class T>
class ValueDelta final : public Delta {
public:
    ValueDelta(T& place, T other) : place_(place), other_(std::move(other)) {}
    void swap() override { std::swap(place_, other_); }

private:
    T& place_;
    T other_;
};

/// Memory in slabs of one size: what one step leaves, the next takes.
class SlabPool {
public:
    static constexpr std::size_t kSlab = std::size_t{1} << 15;  ///< bytes
    using Slab = std::unique_ptr<std::byte[]>;

    Slab take() {
        if (spare_.empty()) return std::make_unique_for_overwrite<std::byte[]>(kSlab);
        Slab slab = std::move(spare_.back());
        spare_.pop_back();
        return slab;
    }
    void give(Slab slab) {
        if (spare_.size() < kSpare) spare_.push_back(std::move(slab));
    }

private:
    static constexpr std::size_t kSpare = 512;  ///< slabs, 16 MiB: a vast step is not kept for ever

    std::vector<Slab> spare_;
};

/// Some elements of an array in a row, in memory of a step.
struct SavedBlock {
    std::uint32_t block = 0;
    std::byte* data = nullptr;
};

class Recorder;

/// What a step changed in one array: blocks [begin, end) of its log, in ascending order.
struct ArrayDelta {
    Recorder* recorder = nullptr;
    std::size_t size_other = 0;  ///< elements on the other side
    std::size_t begin = 0, end = 0;
};

/// Listens to one array, and knows its type.
class Recorder : public ArrayListener {
public:
    explicit Recorder(std::uint32_t number) : number_(number) {}
    /// Which array it is, for readers of a log.
    std::uint32_t number() const { return number_; }
    virtual std::size_t size_now() const = 0;
    /// The step ends: all that it saved goes to the end of `out`, in ascending order.
    virtual ArrayDelta close(std::vector<SavedBlock>& out) = 0;
    virtual void swap(ArrayDelta&, std::span<const SavedBlock>) = 0;
    /// Adds the indices of elements that differ on both sides, ascending; those that stand on one
    /// side alone are left out.
    virtual void list_changed(const ArrayDelta&, std::span<const SavedBlock>,
                              std::vector<std::uint32_t>& out) const = 0;
    /// Ends the lives of elements in the blocks.
    virtual void drop(const ArrayDelta&, std::span<const SavedBlock>) = 0;

private:
    std::uint32_t number_;
};

/// Both sides of a step. It is filled and cleared again and again and keeps its memory; pool and
/// recorders must outlive what it holds.
class StepLog {
public:
    explicit StepLog(SlabPool& pool) : pool_(pool) {}
    ~StepLog() { clear(); }
    StepLog(const StepLog&) = delete;
    StepLog& operator=(const StepLog&) = delete;

    void add(std::unique_ptr<Delta> delta) { value_.push_back(std::move(delta)); }
    void take_from(Recorder& recorder) { array_.push_back(recorder.close(block_)); }
    /// Room for elements, as aligned as any. At most a slab.
    std::byte* room(std::size_t bytes) {
        constexpr std::size_t kAlign = alignof(std::max_align_t);
        static_assert(SlabPool::kSlab % kAlign == 0);
        const std::size_t size = (bytes + kAlign - 1) / kAlign * kAlign;
        assert(size <= SlabPool::kSlab);
        if (slab_.empty() || used_ + size > SlabPool::kSlab) {
            slab_.push_back(pool_.take());
            used_ = 0;
        }
        return slab_.back().get() + std::exchange(used_, used_ + size);
    }

    std::span<const ArrayDelta> arrays() const { return array_; }
    std::span<const SavedBlock> blocks(const ArrayDelta& array) const {
        return std::span(block_).subspan(array.begin, array.end - array.begin);
    }
    /// A value may have been replaced more than once: the last time comes back first.
    void take_back() {
        for (std::size_t i = value_.size(); i-- > 0;) value_[i]->swap();
        swap_arrays();
    }
    void do_again() {
        for (const auto& value : value_) value->swap();
        swap_arrays();
    }
    /// True if its memory is too much to be kept for another step.
    bool is_vast() const { return block_.capacity() > kManyBlocks; }
    void clear() {
        for (const ArrayDelta& array : array_) array.recorder->drop(array, blocks(array));
        for (SlabPool::Slab& slab : slab_) pool_.give(std::move(slab));
        array_.clear();
        block_.clear();
        slab_.clear();
        value_.clear();
        used_ = 0;
    }

private:
    static constexpr std::size_t kManyBlocks = std::size_t{1} << 16;

    void swap_arrays() {
        for (ArrayDelta& array : array_) array.recorder->swap(array, blocks(array));
    }

    SlabPool& pool_;
    std::vector<std::unique_ptr<Delta>> value_;
    std::vector<ArrayDelta> array_;
    std::vector<SavedBlock> block_;
    std::vector<SlabPool::Slab> slab_;
    std::size_t used_ = 0;  ///< bytes of the last slab
};

}  // namespace tw::pipeline
