#include "terraway/io/files.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tw::io {
namespace fs = std::filesystem;

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Error file_error(ErrorCode code, const fs::path& path, std::string message) {
    return Error{
        .code = code, .stage = "files", .subject = path.string(), .message = std::move(message)};
}

Error open_error(const fs::path& path) {
    const int why = errno;
    if (why == ENOENT) {
        return file_error(ErrorCode::not_found, path, "there is no such file; check the path");
    }
    return file_error(
        ErrorCode::io, path,
        std::string("cannot be opened (") + std::strerror(why) + "); check its permissions");
}

Result<Bytes> read_up_to(const fs::path& path, std::uint64_t limit, std::uint64_t wanted) {
    std::error_code why;
    if (fs::is_directory(path, why)) {
        return file_error(ErrorCode::io, path, "is a folder; name a file");
    }
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) return open_error(path);
    Bytes bytes;
    const std::uintmax_t size = fs::file_size(path, why);
    if (!why) {
        if (size > limit && wanted > limit) {
            return file_error(
                ErrorCode::too_large, path,
                "has more than " + std::to_string(limit >> 20) + " MB; cut out a part first");
        }
        bytes.reserve(static_cast<std::size_t>(size < wanted ? size : wanted));
    }
    // A file may be a pipe, or grow: the size was a hint.
    constexpr std::size_t kBlock = std::size_t{1} << 20;
    while (bytes.size() < wanted) {
        const std::size_t had = bytes.size();
        const std::size_t block =
            wanted - had < kBlock ? static_cast<std::size_t>(wanted - had) : kBlock;
        bytes.resize(had + block);
        const std::size_t got = std::fread(bytes.data() + had, 1, block, file.get());
        bytes.resize(had + got);
        if (got < block) break;
    }
    if (std::ferror(file.get())) {
        return file_error(ErrorCode::io, path, "cannot be read to its end; check the disk");
    }
    if (bytes.size() > limit) {
        return file_error(
            ErrorCode::too_large, path,
            "has more than " + std::to_string(limit >> 20) + " MB; cut out a part first");
    }
    return bytes;
}

Error create_error(const fs::path& path) {
    const int why = errno;
    if (why == ENOENT) {
        return file_error(ErrorCode::io, path, "the folder it is in does not exist; make it first");
    }
    return file_error(
        ErrorCode::io, path,
        std::string("cannot be written (") + std::strerror(why) + "); choose another place");
}

/// Writes at `path` what will stand at `goal`: errors speak of that.
Status write_parts(const fs::path& path, FunctionRef<Status(PartSink)> produce,
                   const fs::path& goal) {
    File file(std::fopen(path.c_str(), "wb"));
    if (!file) return create_error(goal);
    const auto full_disk = [&] {
        return file_error(ErrorCode::io, goal, "cannot be written; make room on the disk");
    };
    Status written = produce([&](std::span<const std::byte> bytes) -> Status {
        const std::size_t put = std::fwrite(bytes.data(), 1, bytes.size(), file.get());
        return put == bytes.size() ? ok_status() : Status(full_disk());
    });
    if (std::fclose(file.release()) != 0 && written) written = full_disk();
    if (!written) {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
    return written;
}
Status write_plain(const fs::path& path, std::span<const std::byte> bytes, const fs::path& goal) {
    return write_parts(path, [&](PartSink sink) { return sink(bytes); }, goal);
}

Status rename_into_place(const fs::path& from, const fs::path& to) {
    std::error_code why;
    fs::rename(from, to, why);
    if (!why) return ok_status();
    return file_error(ErrorCode::io, to,
                      "cannot be replaced (" + why.message() + "); choose another place");
}

Error folder_error(const fs::path& path, const std::error_code& why) {
    return file_error(
        ErrorCode::io, path,
        "the folder it is in cannot be made (" + why.message() + "); choose another place");
}

std::string unique_suffix() {
    static std::atomic<unsigned> counter{0};
    return std::to_string(getpid()) + "-" + std::to_string(counter.fetch_add(1));
}

}  // namespace

Result<Bytes> read_file(const fs::path& path, std::uint64_t limit) {
    return read_up_to(path, limit, limit + 1);
}

Result<Bytes> read_file_start(const fs::path& path, std::size_t count) {
    return read_up_to(path, kMaxFileSize, count);
}

Status write_file(const fs::path& path, FunctionRef<Status(PartSink)> produce) {
    fs::path beside = path;
    beside += ".new-" + unique_suffix();
    TW_TRY(write_parts(beside, produce, path));
    Status renamed = rename_into_place(beside, path);
    if (!renamed) {
        std::error_code ignored;
        fs::remove(beside, ignored);
    }
    return renamed;
}

Status write_file(const fs::path& path, std::span<const std::byte> bytes) {
    return write_file(path, [&](PartSink sink) { return sink(bytes); });
}

Status write_file(const fs::path& path, std::string_view text) {
    return write_file(path, std::as_bytes(std::span(text)));
}

PartReader::PartReader(fs::path path, int file, std::uint64_t size)
    : path_(std::move(path)), file_(file), size_(size) {}

PartReader::PartReader(PartReader&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), size_(other.size_) {}

PartReader::~PartReader() {
    if (file_ >= 0) ::close(file_);
}

Result<PartReader> PartReader::open(const fs::path& path) {
    std::error_code why;
    if (fs::is_directory(path, why)) {
        return file_error(ErrorCode::io, path, "is a folder; name a file");
    }
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return open_error(path);
    struct stat about{};
    if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
        ::close(file);
        return file_error(ErrorCode::io, path, "is no plain file; copy it to a disk first");
    }
    return PartReader(path, file, static_cast<std::uint64_t>(about.st_size));
}

Status PartReader::read(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t got = ::pread(file_, to.data(), to.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            return file_error(ErrorCode::io, path_, "cannot be read to its end; check the disk");
        }
        to = to.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    return ok_status();
}

StagedFolder::StagedFolder(fs::path target, fs::path stage, fs::path made)
    : target_(std::move(target)), stage_(std::move(stage)), made_(std::move(made)) {}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : target_(std::move(other.target_)),
      stage_(std::exchange(other.stage_, {})),
      made_(std::exchange(other.made_, {})) {}

Result<StagedFolder> StagedFolder::open(const fs::path& target) {
    std::error_code why;
    fs::path made;
    for (fs::path at = fs::absolute(target, why).lexically_normal(); !why && !fs::exists(at, why);
         at = at.parent_path()) {
        made = at;
    }
    fs::path stage = target / (".terraway-new-" + unique_suffix());
    fs::create_directories(stage, why);
    if (why) {
        return file_error(ErrorCode::io, target,
                          "cannot be made a folder (" + why.message() + "); choose another place");
    }
    return StagedFolder(target, std::move(stage), std::move(made));
}

StagedFolder::~StagedFolder() {
    std::error_code ignored;
    if (!stage_.empty()) fs::remove_all(stage_, ignored);
    if (made_.empty()) return;
    // From the target up, as long as nothing else has moved in: remove() refuses a full folder.
    for (fs::path at = fs::absolute(target_, ignored).lexically_normal();
         fs::remove(at, ignored) && at != made_; at = at.parent_path()) {
    }
}

Status StagedFolder::add(std::string_view name, std::span<const std::byte> bytes) const {
    const fs::path path = stage_ / name;
    std::error_code why;
    fs::create_directories(path.parent_path(), why);
    if (why) return folder_error(target_ / name, why);
    return write_plain(path, bytes, target_ / name);
}

Status StagedFolder::publish(std::span<const std::string> names) {
    for (const std::string& name : names) {
        std::error_code why;
        fs::create_directories((target_ / name).parent_path(), why);
        if (why) return folder_error(target_ / name, why);
        TW_TRY(rename_into_place(stage_ / name, target_ / name));
    }
    made_.clear();
    return ok_status();
}

}  // namespace tw::io
