#pragma once
// What a session's arrays and values were before a step: swapped in, it is undo; swapped again,
// redo; swapped before the step ends, rollback.

#include "terraway/core/id_array.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tw::pipeline {

class ArrayDelta;

/// One array or value as it stands on the other side of a step.
class Delta {
public:
    virtual ~Delta() = default;
    /// Exchanges what it holds with what is there.
    virtual void swap() = 0;
    virtual const ArrayDelta* as_array() const { return nullptr; }
};
using Deltas = std::vector<std::unique_ptr<Delta>>;

/// Elements [begin, end); empty when begin >= end.
struct ElementRange {
    std::size_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
    void include(std::size_t index) {
        if (empty()) {
            begin = index;
            end = index + 1;
        } else {
            begin = std::min(begin, index);
            end = std::max(end, index + 1);
        }
    }
};

/// A delta of an array: blocks of its elements. Which array it is, readers tell by its number.
class ArrayDelta : public Delta {
public:
    explicit ArrayDelta(std::uint32_t array) : array_(array) {}
    const ArrayDelta* as_array() const override { return this; }
    std::uint32_t array() const { return array_; }
    /// Adds the indices of elements that differ on both sides, ascending; those that stand on one
    /// side alone are left out.
    virtual void list_changed(std::vector<std::uint32_t>& out) const = 0;
    virtual std::size_t size_now() const = 0;
    virtual std::size_t size_other() const = 0;
    bool resized() const { return size_now() != size_other(); }

private:
    std::uint32_t array_;
};

class Journal;

/// Listens to one array.
class Recorder : public ArrayListener {
public:
    virtual std::unique_ptr<Delta> close() = 0;
};

/// The step that is open: what recorders saved, and deltas that were handed in.
class Journal {
public:
    void opened(Recorder& recorder) { open_.push_back(&recorder); }
    void add(std::unique_ptr<Delta> delta) { delta_.push_back(std::move(delta)); }
    bool empty() const { return open_.empty() && delta_.empty(); }
    Deltas close() {
        for (Recorder* recorder : open_) delta_.push_back(recorder->close());
        open_.clear();
        return std::exchange(delta_, {});
    }

private:
    std::vector<Recorder*> open_;
    Deltas delta_;
};

/// Saves blocks of an array before they are written for the first time in a step. Blocks are
/// smaller than pages: a brush touches few elements of many pages.
template <class Array>
class ArrayRecorder final : public Recorder {
public:
    using T = typename Array::value_type;
    static constexpr std::size_t kBlock = 256;
    static_assert(kPageSize % kBlock == 0);

    ArrayRecorder(Array& array, std::uint32_t number, Journal& journal)
        : array_(array), number_(number), journal_(journal) {
        array_.set_listener(this);
    }
    ~ArrayRecorder() override { array_.set_listener(nullptr); }
    ArrayRecorder(const ArrayRecorder&) = delete;
    ArrayRecorder& operator=(const ArrayRecorder&) = delete;

    void before_edit(std::size_t begin, std::size_t end) override {
        open();
        save(begin / kBlock, (end + kBlock - 1) / kBlock);
    }
    void before_resize(std::size_t size) override {
        open();
        if (size < array_.size()) save(size / kBlock, blocks_in(array_.size()));
    }
    std::unique_ptr<Delta> close() override {
        for (const std::uint32_t block : now_.block) saved_[block] = 0;
        is_open_ = false;
        return std::make_unique<Change>(*this, std::exchange(now_, {}));
    }

private:
    /// Some blocks of an array of `size` elements, one after another in `value`.
    struct Blocks {
        std::size_t size = 0;
        std::vector<std::uint32_t> block;
        std::vector<T> value;

        std::size_t length(std::uint32_t at) const {
            const std::size_t begin = at * kBlock;
            return begin >= size ? 0 : std::min(kBlock, size - begin);
        }
    };
    class Change final : public ArrayDelta {
    public:
        Change(ArrayRecorder& recorder, Blocks other)
            : ArrayDelta(recorder.number_), recorder_(recorder), other_(std::move(other)) {}
        void swap() override { other_ = recorder_.exchange(other_); }
        std::size_t size_other() const override { return other_.size; }
        std::size_t size_now() const override { return recorder_.array_.size(); }
        void list_changed(std::vector<std::uint32_t>& out) const override {
            const auto now = recorder_.array_.span();
            const std::size_t begin = out.size();
            std::size_t from = 0;
            for (const std::uint32_t block : other_.block) {
                const std::size_t length = other_.length(block);
                for (std::size_t i = 0; i < length; ++i) {
                    const std::size_t at = block * kBlock + i;
                    if (at < now.size() && !(now[at] == other_.value[from + i])) {
                        out.push_back(static_cast<std::uint32_t>(at));
                    }
                }
                from += length;
            }
            std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
        }

    private:
        ArrayRecorder& recorder_;
        Blocks other_;
    };

    static std::size_t blocks_in(std::size_t size) { return (size + kBlock - 1) / kBlock; }
    void open() {
        if (is_open_) return;
        is_open_ = true;
        now_.size = array_.size();
        saved_.resize(std::max(saved_.size(), blocks_in(array_.size())), 0);
        journal_.opened(*this);
    }
    void save(std::size_t first, std::size_t end) {
        // What was not there when the step began needs no saving.
        for (std::size_t block = first; block < std::min(end, blocks_in(now_.size)); ++block) {
            if (saved_[block]) continue;
            saved_[block] = 1;
            append(now_, static_cast<std::uint32_t>(block));
        }
    }
    void append(Blocks& to, std::uint32_t block) const {
        to.block.push_back(block);
        const auto begin =
            array_.values().begin() + static_cast<std::ptrdiff_t>(std::size_t{block} * kBlock);
        to.value.insert(to.value.end(), begin,
                        begin + static_cast<std::ptrdiff_t>(to.length(block)));
    }
    /// Puts `other` in place and gives what stood there.
    Blocks exchange(const Blocks& other) {
        assert(!is_open_);
        array_.set_listener(nullptr);
        Blocks before;
        before.size = array_.size();
        const std::size_t both = std::min(before.size, other.size);
        for (const std::uint32_t block : other.block) {
            if (block < blocks_in(before.size)) append(before, block);
        }
        // What stands on this side alone.
        for (std::size_t block = both / kBlock; block < blocks_in(before.size); ++block) {
            const auto index = static_cast<std::uint32_t>(block);
            const auto& known = other.block;
            if (std::find(known.begin(), known.end(), index) == known.end()) append(before, index);
        }
        array_.resize(other.size);
        std::size_t from = 0;
        for (const std::uint32_t block : other.block) {
            const std::size_t length = other.length(block), begin = block * kBlock;
            const auto to = array_.edit_range(begin, begin + length);
            std::copy_n(other.value.begin() + static_cast<std::ptrdiff_t>(from), length,
                        to.begin());
            from += length;
        }
        array_.set_listener(this);
        return before;
    }

    Array& array_;
    std::uint32_t number_;
    Journal& journal_;
    bool is_open_ = false;
    std::vector<std::uint8_t> saved_;  ///< 1 by block of this step
    Blocks now_;                       ///< saved in this step
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

}  // namespace tw::pipeline
