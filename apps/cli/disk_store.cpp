#include "disk_store.hpp"

#include "terraway/core/hash.hpp"
#include "terraway/io/files.hpp"

#include <system_error>
#include <utility>

namespace tw::cli {

DiskStore::DiskStore(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
}

std::filesystem::path DiskStore::path_of(std::uint64_t key) const {
    return folder_ / (hash_to_text(key) + ".stage");
}

std::optional<world::Bytes> DiskStore::get(std::uint64_t key) {
    auto bytes = io::read_file(path_of(key));
    if (!bytes) return std::nullopt;
    return std::move(bytes).value();
}

void DiskStore::put(std::uint64_t key, std::span<const std::byte> bytes) {
    // A cache that cannot be written is a slow bake, not a failed one.
    [[maybe_unused]] const Status written = io::write_file(path_of(key), bytes);
}

}  // namespace tw::cli
