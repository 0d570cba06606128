#pragma once
// Stages that outlive a run, a file each.

#include "terraway/pipeline/blob_store.hpp"

#include <filesystem>

namespace tw::cli {

/// Files named by their keys in one folder. What cannot be read or written is built again.
class DiskStore final : public pipeline::BlobStore {
public:
    explicit DiskStore(std::filesystem::path folder);
    std::optional<world::Bytes> get(std::uint64_t key) override;
    void put(std::uint64_t key, std::span<const std::byte> bytes) override;

private:
    std::filesystem::path path_of(std::uint64_t key) const;
    std::filesystem::path folder_;
};

}  // namespace tw::cli
