#pragma once
// Files in and out. What is written appears whole or not at all.

#include "terraway/core/function_ref.hpp"
#include "terraway/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tw::io {

using Bytes = std::vector<std::byte>;

inline constexpr std::uint64_t kMaxFileSize = std::uint64_t{4} << 30;  ///< [bytes]

/// All bytes of a file. Errors: not_found; io (a folder, no permission); too_large (over `limit`).
Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t limit = kMaxFileSize);
/// As read_file, at most the first `count` bytes: enough to see what a file is.
Result<Bytes> read_file_start(const std::filesystem::path& path, std::size_t count);

/// Writes beside `path` and renames into place. Error io leaves what stood there untouched.
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
Status write_file(const std::filesystem::path& path, std::string_view text);
/// The same in parts: `produce` hands them to its argument, one after the other. Its error comes
/// back, and what stood there stays.
using PartSink = FunctionRef<Status(std::span<const std::byte>)>;
Status write_file(const std::filesystem::path& path, FunctionRef<Status(PartSink)> produce);

/// A file to be read here and there.
class PartReader {
public:
    /// Errors: not_found; io (a folder, no permission).
    static Result<PartReader> open(const std::filesystem::path& path);
    PartReader(PartReader&& other) noexcept;
    PartReader& operator=(PartReader&&) = delete;
    ~PartReader();

    std::uint64_t size() const { return size_; }
    /// Fills `to` with the bytes from `offset` on; from any thread. Error io.
    Status read(std::uint64_t offset, std::span<std::byte> to) const;

private:
    PartReader(std::filesystem::path path, int file, std::uint64_t size);
    std::filesystem::path path_;
    int file_ = -1;
    std::uint64_t size_ = 0;
};

/// A set of files that appears together. They are staged in a hidden folder inside `target`, so
/// that publish() only renames; until then the files of an older set stand as they were. Without
/// publish() the staged files are removed, and `target` too if it was made for them.
class StagedFolder {
public:
    static Result<StagedFolder> open(const std::filesystem::path& target);
    StagedFolder(StagedFolder&& other) noexcept;
    StagedFolder& operator=(StagedFolder&&) = delete;
    ~StagedFolder();

    /// `name` is relative ("layers/biome.png"). May be called from several threads for different
    /// names.
    Status add(std::string_view name, std::span<const std::byte> bytes) const;
    /// Renames the named files into place, in this order: the last one, the manifest, is the seal.
    Status publish(std::span<const std::string> names);

private:
    StagedFolder(std::filesystem::path target, std::filesystem::path stage,
                 std::filesystem::path made);
    std::filesystem::path target_, stage_;
    std::filesystem::path made_;  ///< the topmost folder that open() made; empty: none
};

}  // namespace tw::io
