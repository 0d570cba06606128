#include "file_jobs.hpp"

#include "terraway/core/hash.hpp"

#include <exception>
#include <new>
#include <optional>

namespace tw::io {
namespace {

Result<WrittenFile> run_job(const FileJob& job, const StagedFolder& folder,
                            const StageContext& context) {
    if (context.cancelled()) return cancelled_error("write");
    try {
        TW_ASSIGN(const Bytes bytes, job.make());
        if (context.cancelled()) return cancelled_error("write");
        TW_TRY(folder.add(job.name, bytes));
        return WrittenFile{.name = job.name, .bytes = bytes.size(), .checksum = hash_bytes(bytes)};
    } catch (const std::bad_alloc&) {
        return Error{
            .code = ErrorCode::too_large,
            .stage = "write",
            .subject = job.name,
            .message = "needs more memory than there is; ask for fewer cells or smaller pictures"};
    } catch (const std::exception& what) {
        return Error{.code = ErrorCode::io,
                     .stage = "write",
                     .subject = job.name,
                     .message = std::string(what.what()) + "; choose another folder"};
    }
}

}  // namespace

Bytes to_bytes(std::string_view text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

Result<std::vector<WrittenFile>> run_jobs(const std::vector<FileJob>& jobs,
                                          const StagedFolder& folder, StageContext& context) {
    std::vector<std::optional<Result<WrittenFile>>> results(jobs.size());
    context.executor->run(jobs.size(),
                          [&](std::size_t i) { results[i] = run_job(jobs[i], folder, context); });
    std::vector<WrittenFile> files;
    for (auto& result : results) {
        TW_ASSIGN(WrittenFile file, std::move(*result));
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace tw::io
