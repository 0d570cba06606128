#include "terraway/io/world_file.hpp"

#include "terraway/io/files.hpp"

#include <utility>

namespace tw::io {
namespace fs = std::filesystem;

namespace {

/// read(ByteSource) on the file; the reader's errors come to name it.
template <class Read>
auto read_parts(const fs::path& path, Read read)
    -> decltype(read(std::declval<const recipe::ByteSource&>())) {
    TW_ASSIGN(const PartReader file, PartReader::open(path));
    const auto read_part = [&](std::uint64_t offset, std::span<std::byte> to) {
        return file.read(offset, to);
    };
    auto result = read(recipe::ByteSource{.size = file.size(), .read = read_part});
    if (result || result.error().code == ErrorCode::io) return result;
    Error error = std::move(result).error();
    const std::string place = error.subject.text();
    error.subject = Subject(path.string() + (place.empty() ? "" : ": " + place));
    return error;
}

}  // namespace

Status save_world(const recipe::WorldFile& file, const fs::path& path, StageContext& context) {
    return write_file(path,
                      [&](PartSink sink) { return recipe::write_world_file(file, sink, context); });
}

Result<recipe::WorldFile> load_world(const fs::path& path, StageContext& context) {
    return read_parts(path, [&](const recipe::ByteSource& source) {
        return recipe::read_world_file(source, context);
    });
}

Result<recipe::WorldFileInfo> describe_world(const fs::path& path) {
    return read_parts(
        path, [](const recipe::ByteSource& source) { return recipe::describe_world_file(source); });
}

}  // namespace tw::io
