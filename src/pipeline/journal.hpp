#pragma once
// The step that is open: arrays tell it before they are written, and what they were goes into the
// step's log.

#include "terraway/core/id_array.hpp"

#include "step_log.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace tw::pipeline {

class Journal {
public:
    void begin(StepLog& log) { log_ = &log; }
    void end() {
        for (Recorder* recorder : open_) log_->take_from(*recorder);
        open_.clear();
        saved_.clear();
        log_ = nullptr;
    }
    void add(std::unique_ptr<Delta> delta) { log_->add(std::move(delta)); }

    // ---- For recorders.

    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    void opened(Recorder& recorder) {
        assert(log_ && "arrays are written in steps alone");
        open_.push_back(&recorder);
    }
    /// Blocks of an array are chained, so that the arrays share memory: gives the new one's number.
    std::uint32_t save(std::uint32_t block, std::size_t bytes, std::uint32_t before) {
        saved_.push_back({{block, log_->room(bytes)}, before});
        return static_cast<std::uint32_t>(saved_.size() - 1);
    }
    struct Saved {
        SavedBlock block;
        std::uint32_t before = kNone;  ///< number of the block that was saved before this one
    };
    const Saved& saved(std::uint32_t number) const { return saved_[number]; }

private:
    StepLog* log_ = nullptr;
    std::vector<Recorder*> open_;
    std::vector<Saved> saved_;
};

/// Saves blocks of an array before they are written for the first time in a step. Blocks are far
/// smaller than pages: a brush touches few elements of many pages.
template <class Array>
class ArrayRecorder final : public Recorder {
public:
    using T = typename Array::value_type;
    static constexpr std::size_t kBlock = 16;  ///< elements
    static_assert(kBlock * sizeof(T) <= SlabPool::kSlab);
    static_assert(alignof(T) <= alignof(std::max_align_t));

    ArrayRecorder(Array& array, std::uint32_t number, Journal& journal)
        : Recorder(number), array_(array), journal_(journal), saved_(blocks_in(array.size()), 0) {
        array_.set_listener(this);
    }
    ~ArrayRecorder() override { array_.set_listener(nullptr); }
    ArrayRecorder(const ArrayRecorder&) = delete;
    ArrayRecorder& operator=(const ArrayRecorder&) = delete;

    void before_edit(std::size_t begin, std::size_t end) override {
        open();
        // What was not there when the step began needs no saving.
        save_blocks(begin / kBlock, blocks_in(std::min(end, size_before_)));
    }
    void before_resize(std::size_t size) override {
        open();
        save_blocks(size / kBlock, blocks_in(size_before_));
    }
    std::size_t size_now() const override { return array_.size(); }
    ArrayDelta close(std::vector<SavedBlock>& out) override {
        // What is new needs room on the other side once it is taken back.
        saved_.resize(std::max(saved_.size(), blocks_in(array_.size())), 0);
        save_blocks(size_before_ / kBlock, blocks_in(array_.size()));
        const std::size_t begin = out.size();
        for (std::uint32_t at = last_; at != Journal::kNone; at = journal_.saved(at).before) {
            out.push_back(journal_.saved(at).block);
            saved_[out.back().block] = 0;
        }
        std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
                  [](const SavedBlock& a, const SavedBlock& b) { return a.block < b.block; });
        is_open_ = false;
        return {.recorder = this, .size_other = size_before_, .begin = begin, .end = out.size()};
    }
    void swap(ArrayDelta& delta, std::span<const SavedBlock> blocks) override {
        assert(!is_open_);
        const std::size_t now = array_.size(), other = delta.size_other;
        array_.set_listener(nullptr);
        for (const SavedBlock& saved : blocks) {
            const std::size_t here = length(saved.block, now), there = length(saved.block, other);
            const auto elements = array_.edit_range(begin_of(saved, now), end_of(saved, now));
            const std::size_t both = std::min(here, there);
            std::swap_ranges(elements.begin(), elements.begin() + to_offset(both), data(saved));
            std::uninitialized_move(elements.begin() + to_offset(both), elements.end(),
                                    data(saved) + both);
        }
        array_.resize(other);
        for (const SavedBlock& saved : blocks) {
            const std::size_t here = length(saved.block, now), there = length(saved.block, other);
            if (there <= here) continue;
            const auto elements =
                array_.edit_range(begin_of(saved, other) + here, end_of(saved, other));
            std::move(data(saved) + here, data(saved) + there, elements.begin());
            std::destroy(data(saved) + here, data(saved) + there);
        }
        array_.set_listener(this);
        delta.size_other = now;
    }
    void list_changed(const ArrayDelta& delta, std::span<const SavedBlock> blocks,
                      std::vector<std::uint32_t>& out) const override {
        const std::size_t both = std::min(array_.size(), delta.size_other);
        const T* const now = array_.span().data();
        for (const SavedBlock& saved : blocks) {
            const std::size_t begin = begin_of(saved, both), end = end_of(saved, both);
            const T* const other = data(saved);
            for (std::size_t at = begin; at < end; ++at) {
                if (!(now[at] == other[at - begin])) out.push_back(static_cast<std::uint32_t>(at));
            }
        }
    }
    void drop(const ArrayDelta& delta, std::span<const SavedBlock> blocks) override {
        for (const SavedBlock& saved : blocks) {
            std::destroy_n(data(saved), length(saved.block, delta.size_other));
        }
    }

private:
    static std::size_t blocks_in(std::size_t size) { return (size + kBlock - 1) / kBlock; }
    static std::ptrdiff_t to_offset(std::size_t count) {
        return static_cast<std::ptrdiff_t>(count);
    }
    static T* data(const SavedBlock& saved) { return reinterpret_cast<T*>(saved.data); }
    /// Of an array of `size` elements: which of them the block holds.
    static std::size_t begin_of(const SavedBlock& saved, std::size_t size) {
        return std::min(size, saved.block * kBlock);
    }
    static std::size_t end_of(const SavedBlock& saved, std::size_t size) {
        return std::min(size, (saved.block + 1) * kBlock);
    }
    static std::size_t length(std::size_t block, std::size_t size) {
        const std::size_t begin = std::min(size, block * kBlock);
        return std::min(kBlock, size - begin);
    }
    void open() {
        if (is_open_) return;
        is_open_ = true;
        size_before_ = array_.size();
        last_ = Journal::kNone;
        saved_.resize(std::max(saved_.size(), blocks_in(size_before_)), 0);
        journal_.opened(*this);
    }
    void save_blocks(std::size_t first, std::size_t end) {
        for (std::size_t block = first; block < end; ++block) {
            if (saved_[block]) continue;
            saved_[block] = 1;
            last_ = journal_.save(static_cast<std::uint32_t>(block), kBlock * sizeof(T), last_);
            const std::size_t count = length(block, size_before_);
            if (count == 0) continue;
            std::uninitialized_copy_n(array_.span().data() + block * kBlock, count,
                                      data(journal_.saved(last_).block));
        }
    }

    Array& array_;
    Journal& journal_;
    bool is_open_ = false;
    std::size_t size_before_ = 0;          ///< elements when this step began
    std::uint32_t last_ = Journal::kNone;  ///< block that was saved last in this step
    std::vector<std::uint8_t> saved_;      ///< 1 by block of this step
};

}  // namespace tw::pipeline
