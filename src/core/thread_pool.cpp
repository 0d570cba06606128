#if TERRAWAY_THREADS

#include "terraway/core/thread_pool.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace tw::inline core {
namespace {

thread_local bool inside_task = false;

}  // namespace

struct ThreadPool::State {
    std::mutex one_run;  // held for the whole of a run()
    std::mutex mutex;
    std::condition_variable wake, done;
    std::vector<std::thread> threads;
    const FunctionRef<void(std::size_t)>* task = nullptr;
    std::size_t count = 0;
    std::atomic<std::size_t> next{0};
    std::uint64_t round = 0;
    std::size_t busy = 0;
    bool stop = false;

    void work(const FunctionRef<void(std::size_t)>& body, std::size_t n) {
        inside_task = true;
        for (std::size_t i = next.fetch_add(1); i < n; i = next.fetch_add(1)) body(i);
        inside_task = false;
    }
    void loop() {
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [&] { return stop || (round != seen && task); });
            if (stop) return;
            seen = round;
            const auto* body = task;
            const std::size_t n = count;
            ++busy;
            lock.unlock();
            work(*body, n);
            lock.lock();
            if (--busy == 0) done.notify_all();
        }
    }
};

ThreadPool::ThreadPool(unsigned threads) : state_(std::make_unique<State>()) {
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 1; i < threads; ++i) state_->threads.emplace_back([this] { state_->loop(); });
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(state_->mutex);
        state_->stop = true;
    }
    state_->wake.notify_all();
    for (std::thread& thread : state_->threads) thread.join();
}

unsigned ThreadPool::concurrency() const {
    return static_cast<unsigned>(state_->threads.size()) + 1;
}

void ThreadPool::run(std::size_t count, FunctionRef<void(std::size_t)> task) {
    State& state = *state_;
    if (inside_task || count <= 1 || state.threads.empty()) {
        for (std::size_t i = 0; i < count; ++i) task(i);
        return;
    }
    std::lock_guard one(state.one_run);
    {
        std::lock_guard lock(state.mutex);
        state.task = &task;
        state.count = count;
        state.next.store(0);
        ++state.round;
    }
    state.wake.notify_all();
    state.work(task, count);
    std::unique_lock lock(state.mutex);
    state.done.wait(lock, [&] { return state.busy == 0; });
    state.task = nullptr;
}

}  // namespace tw::inline core

#endif  // TERRAWAY_THREADS
