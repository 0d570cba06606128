#include "world_file_directory.hpp"

#include "terraway/pipeline/bake.hpp"

#include <algorithm>
#include <utility>

namespace tw::recipe {
namespace {

Error damaged() {
    return world_file_error(
        "directory", "the file is damaged or cut short; bake the world again or take a copy");
}

template <class T>
Result<T> read_struct(const ByteSource& source, std::uint64_t offset) {
    T value;
    TW_TRY(source.read(offset, std::as_writable_bytes(std::span(&value, 1))));
    return value;
}

Result<WorldFileHeader> read_header(const ByteSource& source) {
    WorldFileHeader header;
    if (source.size >= sizeof header) {
        TW_ASSIGN(header, read_struct<WorldFileHeader>(source, 0));
    }
    if (source.size < sizeof header || header.magic != kWorldFileMagic) {
        return world_file_error("header", "this is no baked world; save one as world.tw");
    }
    if (header.version > kWorldFileVersion) {
        return world_file_error("header",
                                "the file is of version " + std::to_string(header.version) +
                                    ", this program reads up to " +
                                    std::to_string(kWorldFileVersion) + "; use a newer program",
                                ErrorCode::unsupported);
    }
    if (header.version == 0) return damaged();
    return header;
}

std::uint64_t page_bytes(const WorldFileDirectory& directory) {
    std::uint64_t sum = 0;
    for (const SectionEntry& section : directory.section) {
        for (const PageEntry& page : section.page) sum += page.bytes;
    }
    return sum;
}

}  // namespace

Error world_file_error(std::string place, std::string message, ErrorCode code) {
    return {.code = code,
            .stage = "world file",
            .subject = std::move(place),
            .message = std::move(message)};
}

std::uint32_t version_of_stage(std::string_view name) {
    const auto stages = pipeline::stage_infos();
    const auto found = std::ranges::find(stages, name, &pipeline::StageInfo::name);
    return found == stages.end() ? 0 : found->version;
}

Result<WorldFileDirectory> read_directory(const ByteSource& source) {
    TW_ASSIGN(const WorldFileHeader header, read_header(source));
    constexpr std::uint64_t kFrame = sizeof(WorldFileHeader) + sizeof(WorldFileTrailer);
    if (source.size < kFrame) return damaged();
    TW_ASSIGN(const WorldFileTrailer trailer,
              read_struct<WorldFileTrailer>(source, source.size - sizeof(WorldFileTrailer)));
    if (trailer.file_bytes != source.size || trailer.directory_bytes > source.size - kFrame) {
        return damaged();
    }
    const std::uint64_t pages = source.size - kFrame - trailer.directory_bytes;
    world::Bytes bytes(static_cast<std::size_t>(trailer.directory_bytes));
    TW_TRY(source.read(sizeof(WorldFileHeader) + pages, bytes));
    if (hash_bytes(bytes) != trailer.directory_checksum) return damaged();
    auto directory = world::from_bytes<WorldFileDirectory>(bytes);
    if (!directory || page_bytes(*directory) != pages) return damaged();
    directory->version = header.version;
    return std::move(directory).value();
}

Result<WorldFileInfo> describe_world_file(const ByteSource& source) {
    TW_ASSIGN(const WorldFileDirectory directory, read_directory(source));
    WorldFileInfo info{.hash = 0, .recipe = directory.recipe, .section = {}};
    std::vector<pipeline::StageReport> stages;
    stages.reserve(directory.stage.size());
    for (const StageEntry& stage : directory.stage) {
        stages.push_back({.name = stage.name, .hash = stage.hash});
    }
    info.hash = pipeline::hash_of_stages(stages);
    for (const SectionEntry& section : directory.section) {
        std::uint64_t size = section.values.size();
        for (const PageEntry& page : section.page) size += page.bytes;
        info.section.push_back({.name = section.name,
                                .version = section.version,
                                .hash = section.hash,
                                .pages = section.page.size(),
                                .bytes = size});
    }
    return info;
}

}  // namespace tw::recipe
