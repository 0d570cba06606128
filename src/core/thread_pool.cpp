#if TERRAWAY_THREADS

#include "terraway/core/thread_pool.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ranges>
#include <thread>
#include <vector>

namespace tw::inline core {
namespace {

/// One call of run(), on the stack of its caller.
struct Job {
    const FunctionRef<void(std::size_t)>& task;
    const std::size_t count;
    std::atomic<std::size_t> next{0};
    std::size_t helpers = 0;  ///< other threads inside it

    bool has_more() const { return next.load(std::memory_order_relaxed) < count; }
    void work() {
        for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) task(i);
    }
};

/// Tells the processor that this thread only waits.
void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

struct ThreadPool::State {
    int looks = 0;                       // before a thread sleeps
    std::atomic<std::uint32_t> news{0};  // counts what `changed` tells
    std::mutex mutex;                    // for what follows
    std::condition_variable changed;     // a job came, or the last helper left one
    std::vector<Job*> jobs;              // under way, newest last
    bool stop = false;
    std::vector<std::thread> threads;

    /// The newest comes first: what is nested ends soonest.
    Job* job_with_work() const {
        for (Job* job : jobs | std::views::reverse) {
            if (job->has_more()) return job;
        }
        return nullptr;
    }
    void tell() {
        news.fetch_add(1, std::memory_order_release);
        changed.notify_all();
    }
    /// A stage asks for threads every few hundred microseconds, and to wake one takes as long, on
    /// virtual machines longer: it looks around for about a millisecond before it sleeps.
    void wait_for_news(std::unique_lock<std::mutex>& lock) {
        const std::uint32_t seen = news.load(std::memory_order_acquire);
        lock.unlock();
        for (int i = 0; i < looks && news.load(std::memory_order_acquire) == seen; ++i) relax();
        lock.lock();
        if (news.load(std::memory_order_acquire) == seen) changed.wait(lock);
    }
    void help(Job& job, std::unique_lock<std::mutex>& lock) {
        ++job.helpers;
        lock.unlock();
        job.work();
        lock.lock();
        if (--job.helpers == 0) tell();
    }
    void loop() {
        std::unique_lock lock(mutex);
        while (!stop) {
            if (Job* job = job_with_work()) {
                help(*job, lock);
            } else {
                wait_for_news(lock);
            }
        }
    }
    void run(Job& job) {
        {
            std::lock_guard lock(mutex);
            jobs.push_back(&job);
            tell();
        }
        job.work();
        std::unique_lock lock(mutex);
        // Its last tasks are in other hands: meanwhile, what these and others ask for.
        while (job.helpers > 0) {
            if (Job* other = job_with_work()) {
                help(*other, lock);
            } else {
                wait_for_news(lock);
            }
        }
        std::erase(jobs, &job);
    }
};

ThreadPool::ThreadPool(unsigned threads) : state_(std::make_unique<State>()) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    if (threads == 0) threads = cores;
    // With fewer cores than threads, one that looks around keeps another one from its work.
    constexpr int kLooks = 20'000;
    if (threads <= cores) state_->looks = kLooks;
    for (unsigned i = 1; i < threads; ++i) state_->threads.emplace_back([this] { state_->loop(); });
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(state_->mutex);
        state_->stop = true;
        state_->tell();
    }
    for (std::thread& thread : state_->threads) thread.join();
}

unsigned ThreadPool::concurrency() const {
    return static_cast<unsigned>(state_->threads.size()) + 1;
}

void ThreadPool::run(std::size_t count, FunctionRef<void(std::size_t)> task) {
    if (count <= 1 || state_->threads.empty()) {
        for (std::size_t i = 0; i < count; ++i) task(i);
        return;
    }
    Job job{.task = task, .count = count};
    state_->run(job);
}

}  // namespace tw::inline core

#endif  // TERRAWAY_THREADS
