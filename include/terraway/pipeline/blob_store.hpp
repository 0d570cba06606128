#pragma once
// Where cached stages outlive a run: a folder, a database, a browser's storage. The caller gives
// it.

#include "terraway/world/archive.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace tw::pipeline {

/// Bytes under 64-bit keys. It may lose entries, and may return damaged ones: what comes out is
/// checked, and built again when it is not whole. What it holds is trusted as the program's own
/// files are: don't fill it from strangers.
class BlobStore {
public:
    virtual ~BlobStore() = default;
    /// The bytes last put under `key`; none: not there, or not readable.
    virtual std::optional<world::Bytes> get(std::uint64_t key) = 0;
    /// May fail silently (disk full): the entry is then built again next time.
    virtual void put(std::uint64_t key, std::span<const std::byte> bytes) = 0;
};

/// Keeps everything in memory, without a limit.
class MemoryBlobStore final : public BlobStore {
public:
    std::optional<world::Bytes> get(std::uint64_t key) override {
        const auto found = entry_.find(key);
        if (found == entry_.end()) return std::nullopt;
        return found->second;
    }
    void put(std::uint64_t key, std::span<const std::byte> bytes) override {
        entry_[key].assign(bytes.begin(), bytes.end());
    }
    std::map<std::uint64_t, world::Bytes>& entries() { return entry_; }

private:
    std::map<std::uint64_t, world::Bytes> entry_;
};

}  // namespace tw::pipeline
