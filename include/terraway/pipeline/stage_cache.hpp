#pragma once
// Outputs of stages under the hash of everything they depend on: in memory, and in a BlobStore
// behind it.

#include "terraway/pipeline/blob_store.hpp"
#include "terraway/pipeline/stage_value.hpp"

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>

namespace tw::pipeline {

struct StageCacheOptions {
    std::uint64_t memory_budget =
        std::uint64_t{512} << 20;  ///< [bytes] of values kept; the least recently used leave first
    BlobStore* store = nullptr;    ///< null: memory only; must outlive the cache
};

/// Bakes and their threads may share it. It changes speed, never output.
class StageCache {
public:
    explicit StageCache(const StageCacheOptions& options = {}) : options_(options) {}

    /// The value under `key` if it is held and of the codec's type; else none (an empty
    /// StageValue).
    StageValue find(std::uint64_t key, const ValueCodec& codec);
    void insert(std::uint64_t key, const StageValue& value, const ValueCodec& codec);
    std::uint64_t bytes() const;  ///< of the values held in memory

private:
    struct Entry {
        StageValue value;
        std::list<std::uint64_t>::iterator use;
    };
    void keep(std::uint64_t key, const StageValue& value);

    mutable std::atomic_flag in_use_;  ///< held while any member below is

    StageCacheOptions options_;
    std::map<std::uint64_t, Entry> entry_;
    std::list<std::uint64_t> use_;  ///< keys, most recently used first
    std::uint64_t bytes_ = 0;
};

}  // namespace tw::pipeline
