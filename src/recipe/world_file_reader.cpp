#include "terraway/recipe/world_file.hpp"

#include "world_file_checks.hpp"
#include "world_file_directory.hpp"
#include "world_file_rules.hpp"
#include "world_file_sections.hpp"

#include <algorithm>
#include <array>
#include <atomic>
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
    std::function<std::uint64_t()> hash;  ///< of the value
};

/// The stage of that name must have reported this hash, if it has reported.
bool fits_report(const pipeline::BakedWorld& world, const SectionEntry& entry) {
    const auto found = std::ranges::find(world.stages, entry.name, &pipeline::StageReport::name);
    return found == world.stages.end() || found->hash == entry.hash;
}

/// Packed in a way that this program knows, into no more than it unpacks to.
Status check_page(const PageEntry& page, std::uint32_t version, std::size_t page_bytes,
                  const std::string& place) {
    const PageFilter last = version == 1 ? PageFilter::planes : kLastPageFilter;
    const PageRule last_rule = version == 1 ? PageRule::none : kLastPageRule;
    if (page.codec > PageCodec::lz4 || page.filter > last || page.rule > last_rule) {
        return world_file_error(place,
                                "the page is packed in a way that this program does "
                                "not know; use a newer program",
                                ErrorCode::unsupported);
    }
    if (page.codec == PageCodec::lz4 && !kCanCompress) {
        return world_file_error(place,
                                "the page is compressed and this program is built "
                                "without LZ4; use one with TERRAWAY_LZ4",
                                ErrorCode::unsupported);
    }
    const bool by_rule = page.filter == PageFilter::difference;
    if (by_rule != (page.rule != PageRule::none) || (page.bytes == 0 && !by_rule) ||
        page.bytes > page_bytes) {
        return damaged(place);
    }
    return ok_status();
}

std::string page_name(const SectionEntry& entry, std::size_t ordinal) {
    return entry.name + " page " + std::to_string(ordinal);
}

/// As many pages as the arrays have.
Status check_pages(const SectionEntry& entry, std::uint32_t version,
                   std::span<const ArrayTarget> arrays) {
    std::size_t next = 0;
    for (const ArrayTarget& array : arrays) {
        const std::size_t left = entry.page.size() - next;
        if (array.size > left * kPageSize) return damaged(entry.name);
        for (std::size_t page = 0; page < array.page_count(); ++page, ++next) {
            const std::size_t elements = std::min(kPageSize, array.size - page * kPageSize);
            TW_TRY(check_page(entry.page[next], version, elements * array.element_bytes,
                              page_name(entry, next)));
        }
    }
    return next == entry.page.size() ? ok_status() : damaged(entry.name);
}

/// Hands the value to the world, without what its arrays hold.
template <class T>
Result<Loading> start(const SectionMember<T>& section, const SectionEntry& entry,
                      std::uint32_t version, pipeline::BakedWorld& world) {
    const SectionForm form{.section = section.name, .version = version};
    if (entry.version > version_of_stage(section.name) || entry.layout != layout_of<T>(form)) {
        return world_file_error(entry.name,
                                "the section is of a newer version than this program knows; use a "
                                "newer program",
                                ErrorCode::unsupported);
    }
    auto value = std::make_shared<T>();
    Joiner joiner(form, entry.values);
    joiner.read(*value);
    if (!joiner.done() || !is_sound(*value)) return damaged(entry.name);
    Loading loading{.entry = &entry, .array = joiner.targets(*value), .hash = {}};
    TW_TRY(check_pages(entry, version, loading.array));
    loading.hash = [form, held = value.get()] { return hash_as(form, *held); };
    world.*section.member = std::move(value);
    return loading;
}

Result<Loading> start(const SectionEntry& entry, std::uint32_t version,
                      pipeline::BakedWorld& world) {
    std::optional<Result<Loading>> loading;
    for_each_section([&]<class T>(const SectionMember<T>& section) {
        if (section.name == entry.name) loading = start(section, entry, version, world);
    });
    if (loading) return *std::move(loading);
    return world_file_error(entry.name, "this program knows no such section; use a newer program",
                            ErrorCode::unsupported);
}

Result<std::vector<Loading>> start_all(const WorldFileDirectory& directory,
                                       pipeline::BakedWorld& world) {
    std::vector<Loading> sections;
    for (const SectionEntry& entry : directory.section) {
        for (const Loading& other : sections) {
            if (other.entry->name == entry.name) return damaged(entry.name);
        }
        TW_ASSIGN(Loading loading, start(entry, directory.version, world));
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
    std::size_t page = 0;             ///< of the array
    std::uint64_t offset = 0;         ///< in the file
    const ArrayRule* rule = nullptr;  ///< null: the page stands for itself

    const PageEntry& entry() const { return section->entry->page[ordinal]; }
    std::uint64_t end() const { return offset + entry().bytes; }
    bool run(std::span<const std::byte> packed, PageScratch& scratch) const {
        const std::span<std::byte> to = array->page(page);
        if (rule) rule->fill(page * kPageSize, to);
        std::uint64_t hash = 0;
        return unpack_page(entry(), packed, array->element_bytes, scratch, to) &&
               array->hash(array->array, page, hash) && hash == entry().hash;
    }
};

/// By the levels of their rules: what one level reads, those before it have unpacked.
using PagesByLevel = std::array<std::vector<PageTask>, kLastRuleLevel + 1>;

Result<PagesByLevel> list_pages(std::span<const Loading> sections, const ArrayRules& rules) {
    PagesByLevel levels;
    std::uint64_t offset = sizeof(WorldFileHeader);
    for (const Loading& section : sections) {
        std::size_t ordinal = 0;
        for (const ArrayTarget& array : section.array) {
            const ArrayRule* const rule = rules.of(array.array);
            for (std::size_t page = 0; page < array.page_count(); ++page, ++ordinal) {
                const PageEntry& entry = section.entry->page[ordinal];
                const bool by_rule = entry.rule != PageRule::none;
                if (by_rule && (!rule || rule->rule != entry.rule)) {
                    return damaged(page_name(*section.entry, ordinal));
                }
                levels[by_rule ? static_cast<std::size_t>(rule->level) : 0].push_back(
                    {&section, ordinal, &array, page, offset, by_rule ? rule : nullptr});
                offset += entry.bytes;
            }
        }
    }
    return levels;
}

/// Memory that one thread uses again and again.
class Unpacking {
public:
    explicit Unpacking(const ByteSource& source) : source_(source) {}
    /// Pages that follow one another in the file are read at once.
    Status run(std::span<const PageTask> tasks) {
        while (!tasks.empty()) {
            std::size_t count = 1;
            while (count < tasks.size() && tasks[count].offset == tasks[count - 1].end()) ++count;
            TW_TRY(run_stretch(tasks.first(count)));
            tasks = tasks.subspan(count);
        }
        return ok_status();
    }

private:
    Status run_stretch(std::span<const PageTask> tasks) {
        const std::uint64_t begin = tasks.front().offset;
        const std::span<std::byte> bytes =
            packed_.room(static_cast<std::size_t>(tasks.back().end() - begin));
        if (!bytes.empty()) TW_TRY(source_.read(begin, bytes));
        for (const PageTask& task : tasks) {
            const auto packed =
                bytes.subspan(static_cast<std::size_t>(task.offset - begin), task.entry().bytes);
            if (!task.run(packed, scratch_)) {
                return damaged(page_name(*task.section->entry, task.ordinal));
            }
        }
        return ok_status();
    }

    const ByteSource& source_;
    PageScratch packed_, scratch_;
};

/// The first damaged page is named, whichever thread saw one first.
Status unpack(const ByteSource& source, std::span<const PageTask> tasks, StageContext& context) {
    constexpr std::size_t kPagesPerTask = 16;
    const std::size_t count = (tasks.size() + kPagesPerTask - 1) / kPagesPerTask;
    std::vector<Status> done(count, ok_status());
    std::atomic<std::size_t> next = 0;
    const auto threads = std::min<std::size_t>(context.executor->concurrency(), count);
    context.executor->run(threads, [&](std::size_t) {
        Unpacking unpacking(source);
        for (std::size_t i = next++; i < count; i = next++) {
            const std::size_t begin = i * kPagesPerTask;
            const std::size_t size = std::min(kPagesPerTask, tasks.size() - begin);
            done[i] = context.cancelled() ? cancelled_error("world file")
                                          : unpacking.run(tasks.subspan(begin, size));
        }
    });
    for (const Status& status : done) {
        if (!status) return status;
    }
    return ok_status();
}

Status unpack_all(const ByteSource& source, const PagesByLevel& levels, ArrayRules& rules,
                  StageContext& context) {
    for (std::size_t level = 0; level < levels.size(); ++level) {
        if (level == 1) rules.prepare(*context.executor);
        TW_TRY(unpack(source, levels[level], context));
    }
    return ok_status();
}

Status check_hashes(std::span<const Loading> sections, const pipeline::BakedWorld& world) {
    for (const Loading& section : sections) {
        const SectionEntry& entry = *section.entry;
        if (section.hash() != entry.hash || !fits_report(world, entry)) return damaged(entry.name);
    }
    return ok_status();
}

}  // namespace

Result<WorldFile> read_world_file(const ByteSource& source, StageContext& context) {
    TW_ASSIGN(WorldFileDirectory directory, read_directory(source));
    WorldFile file;
    for (const StageEntry& stage : directory.stage) {
        file.world.stages.push_back({.name = stage.name, .hash = stage.hash});
    }
    TW_ASSIGN(std::vector<Loading> sections, start_all(directory, file.world));
    ArrayRules rules(file.world);
    TW_ASSIGN(const PagesByLevel pages, list_pages(sections, rules));
    TW_TRY(allocate(sections, context));
    TW_TRY(unpack_all(source, pages, rules, context));
    TW_TRY(check_hashes(sections, file.world));
    file.world.hash = pipeline::hash_of_stages(file.world.stages);
    file.recipe = std::move(directory.recipe);
    TW_TRY(check_references(file.world, rules.terrain(), *context.executor));
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
