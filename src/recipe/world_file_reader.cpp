#include "terraway/recipe/world_file.hpp"

#include "world_file_checks.hpp"
#include "world_file_directory.hpp"
#include "world_file_sections.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace tw::recipe {
namespace {

constexpr std::string_view kTakeACopy = "the file is damaged; bake the world again or take a copy";

Error damaged(std::string place) {
    return world_file_error(std::move(place), std::string(kTakeACopy));
}

/// A section whose small values are read and whose arrays wait for their pages.
struct Loading {
    const SectionEntry* entry = nullptr;
    std::vector<ArrayTarget> array;
    /// Compares hashes and hands the value to the world.
    std::function<Status(pipeline::BakedWorld&)> finish;
};

/// The stage of that name must have reported this hash, if it has reported.
bool fits_report(const pipeline::BakedWorld& world, const SectionEntry& entry) {
    const auto found = std::ranges::find(world.stages, entry.name, &pipeline::StageReport::name);
    return found == world.stages.end() || found->hash == entry.hash;
}

/// As many pages as the arrays have, each within the size it unpacks to.
Status check_pages(const SectionEntry& entry, std::span<const ArrayTarget> arrays) {
    std::size_t next = 0;
    for (const ArrayTarget& array : arrays) {
        const std::size_t left = entry.page.size() - next;
        if (array.size > left * kPageSize) return damaged(entry.name);
        for (std::size_t page = 0; page < array.page_count(); ++page, ++next) {
            const PageEntry& at = entry.page[next];
            const std::string place = entry.name + " page " + std::to_string(next);
            const std::size_t elements = std::min(kPageSize, array.size - page * kPageSize);
            if (at.codec > PageCodec::lz4 || at.filter > PageFilter::planes || at.reserved != 0) {
                return world_file_error(place,
                                        "the page is packed in a way that this program does "
                                        "not know; use a newer program",
                                        ErrorCode::unsupported);
            }
            if (at.codec == PageCodec::lz4 && !kCanCompress) {
                return world_file_error(place,
                                        "the page is compressed and this program is built "
                                        "without LZ4; use one with TERRAWAY_LZ4",
                                        ErrorCode::unsupported);
            }
            if (at.bytes == 0 || at.bytes > elements * array.element_bytes) return damaged(place);
        }
    }
    return next == entry.page.size() ? ok_status() : damaged(entry.name);
}

template <class T>
Result<Loading> start(const SectionMember<T>& section, const SectionEntry& entry) {
    auto value = std::make_shared<T>();
    Joiner joiner(entry.values);
    joiner.read(*value);
    if (!joiner.done() || !is_sound(*value)) return damaged(entry.name);
    Loading loading{.entry = &entry, .array = joiner.targets(*value), .finish = {}};
    TW_TRY(check_pages(entry, loading.array));
    loading.finish = [value, &section, &entry](pipeline::BakedWorld& world) -> Status {
        if (hash_of(*value) != entry.hash || !fits_report(world, entry)) return damaged(entry.name);
        world.*section.member = value;
        return ok_status();
    };
    return loading;
}

Result<Loading> start(const SectionEntry& entry) {
    std::optional<Result<Loading>> loading;
    for_each_section([&]<class T>(const SectionMember<T>& section) {
        if (section.name != entry.name) return;
        if (entry.version > version_of_stage(section.name) || entry.layout != layout_of<T>()) {
            loading = world_file_error(entry.name,
                                       "the section is of a newer version than this "
                                       "program knows; use a newer program",
                                       ErrorCode::unsupported);
        } else {
            loading = start(section, entry);
        }
    });
    if (loading) return *std::move(loading);
    return world_file_error(entry.name, "this program knows no such section; use a newer program",
                            ErrorCode::unsupported);
}

Result<std::vector<Loading>> start_all(const WorldFileDirectory& directory) {
    std::vector<Loading> sections;
    for (const SectionEntry& entry : directory.section) {
        for (const Loading& other : sections) {
            if (other.entry->name == entry.name) return damaged(entry.name);
        }
        TW_ASSIGN(Loading loading, start(entry));
        sections.push_back(std::move(loading));
    }
    return sections;
}

Status allocate(std::span<Loading> sections, StageContext& context) {
    std::vector<ArrayTarget*> arrays;
    std::uint64_t bytes = 0;
    for (Loading& section : sections) {
        for (ArrayTarget& array : section.array) {
            arrays.push_back(&array);
            bytes += std::uint64_t{array.size} * array.element_bytes;
        }
    }
    TW_TRY(require_memory(context, "world file", bytes));
    context.executor->run(arrays.size(), [&](std::size_t i) { arrays[i]->allocate(*arrays[i]); });
    return ok_status();
}

struct PageTask {
    const Loading* section = nullptr;
    std::size_t ordinal = 0;  ///< of the page in its section
    const ArrayTarget* array = nullptr;
    std::size_t page = 0;      ///< of the array
    std::uint64_t offset = 0;  ///< in the file

    const PageEntry& entry() const { return section->entry->page[ordinal]; }
    bool run(std::span<const std::byte> packed, PageScratch& scratch) const {
        std::uint64_t hash = 0;
        return unpack_page(entry(), packed, array->element_bytes, scratch, array->page(page)) &&
               array->hash(array->array, page, hash) && hash == entry().hash;
    }
};

std::vector<PageTask> list_pages(std::span<const Loading> sections) {
    std::vector<PageTask> tasks;
    std::uint64_t offset = sizeof(WorldFileHeader);
    for (const Loading& section : sections) {
        std::size_t ordinal = 0;
        for (const ArrayTarget& array : section.array) {
            for (std::size_t page = 0; page < array.page_count(); ++page, ++ordinal) {
                tasks.push_back({&section, ordinal, &array, page, offset});
                offset += section.entry->page[ordinal].bytes;
            }
        }
    }
    return tasks;
}

/// Pages that follow one another in the file, read at once.
Status unpack_run(const ByteSource& source, std::span<const PageTask> tasks) {
    const std::uint64_t begin = tasks.front().offset;
    const std::uint64_t end = tasks.back().offset + tasks.back().entry().bytes;
    world::Bytes bytes(static_cast<std::size_t>(end - begin));
    TW_TRY(source.read(begin, bytes));
    PageScratch scratch;
    for (const PageTask& task : tasks) {
        const auto packed = std::span<const std::byte>(bytes).subspan(
            static_cast<std::size_t>(task.offset - begin), task.entry().bytes);
        if (!task.run(packed, scratch)) {
            return damaged(task.section->entry->name + " page " + std::to_string(task.ordinal));
        }
    }
    return ok_status();
}

/// The first damaged page is named, whichever thread saw one first.
Status unpack(const ByteSource& source, std::span<const PageTask> tasks, StageContext& context) {
    constexpr std::size_t kPagesPerTask = 16;
    std::vector<Status> done((tasks.size() + kPagesPerTask - 1) / kPagesPerTask, ok_status());
    parallel_for(*context.executor, tasks.size(), kPagesPerTask,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                     done[chunk] = context.cancelled()
                                       ? cancelled_error("world file")
                                       : unpack_run(source, tasks.subspan(begin, end - begin));
                 });
    for (const Status& status : done) {
        if (!status) return status;
    }
    return ok_status();
}

}  // namespace

Result<WorldFile> read_world_file(const ByteSource& source, StageContext& context) {
    TW_ASSIGN(WorldFileDirectory directory, read_directory(source));
    TW_ASSIGN(std::vector<Loading> sections, start_all(directory));
    TW_TRY(allocate(sections, context));
    TW_TRY(unpack(source, list_pages(sections), context));

    WorldFile file;
    for (const StageEntry& stage : directory.stage) {
        file.world.stages.push_back({.name = stage.name, .hash = stage.hash});
    }
    for (const Loading& section : sections) TW_TRY(section.finish(file.world));
    file.world.hash = pipeline::hash_of_stages(file.world.stages);
    file.recipe = std::move(directory.recipe);
    TW_TRY(check_references(file.world, *context.executor));
    return file;
}

Result<WorldFile> read_world_file(std::span<const std::byte> bytes, StageContext& context) {
    const auto read = [&](std::uint64_t offset, std::span<std::byte> to) {
        std::ranges::copy(bytes.subspan(static_cast<std::size_t>(offset), to.size()), to.begin());
        return ok_status();
    };
    return read_world_file({.size = bytes.size(), .read = read}, context);
}

}  // namespace tw::recipe
