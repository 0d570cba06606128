#pragma once
// Progress nests: a stage reports 0…1 of its part, the whole sees its share. Cancelling is a flag.

#include <atomic>
#include <string_view>

namespace tw::inline core {

/// Where progress goes. Called from the thread that runs the stage, never from a worker.
class ProgressSink {
public:
    virtual ~ProgressSink() = default;
    /// `fraction` of the whole, 0…1, never falling within one job; `what` is the stage's name.
    virtual void progress(double fraction, std::string_view what) = 0;
};

/// A span of the whole that one piece of work fills.
class Progress {
public:
    Progress() = default;
    explicit Progress(ProgressSink* sink) : sink_(sink) {}
    /// The part from `begin` to `end` (0…1 of this one), named `what` (a literal, or outliving it).
    Progress part(double begin, double end, std::string_view what) const {
        Progress child = *this;
        child.begin_ = begin_ + (end_ - begin_) * begin;
        child.end_ = begin_ + (end_ - begin_) * end;
        child.what_ = what;
        return child;
    }
    void set(double fraction) const {
        if (sink_) sink_->progress(begin_ + (end_ - begin_) * fraction, what_);
    }

private:
    ProgressSink* sink_ = nullptr;
    double begin_ = 0.0, end_ = 1.0;
    std::string_view what_;
};

/// Set by any thread (or a signal handler), read by the work every few milliseconds.
class CancelFlag {
public:
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> cancelled_{false};
};

}  // namespace tw::inline core
