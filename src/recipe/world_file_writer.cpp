#include "terraway/recipe/world_file.hpp"

#include "world_file_directory.hpp"
#include "world_file_rules.hpp"
#include "world_file_sections.hpp"

#include <algorithm>
#include <utility>

namespace tw::recipe {
namespace {

constexpr std::size_t kPagesPerTask = 8;
constexpr std::size_t kTasksPerBatch = 16;

/// Pages of one task, packed one after the other.
struct Packed {
    PageScratch scratch, ruled;
    world::Bytes bytes;  ///< its first `used` are packed pages; grows to the largest need and stays
    std::size_t used = 0;

    void pack(std::span<const PageSource> sources, const ArrayRules& rules,
              std::span<PageEntry> entries) {
        std::size_t room = 0;
        for (const PageSource& source : sources) room += source.bytes.size();
        if (bytes.size() < room) bytes.resize(room);
        used = 0;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const PageSource& source = sources[i];
            const std::span<std::byte> to = std::span(bytes).subspan(used, source.bytes.size());
            if (!pack_by_rule(source, rules.of(source.array), to, entries[i])) {
                entries[i] = pack_page(source.bytes, source.element_bytes, scratch, to);
            }
            entries[i].hash = source.hash(source.array, source.index);
            used += entries[i].bytes;
        }
    }

private:
    bool pack_by_rule(const PageSource& source, const ArrayRule* rule, std::span<std::byte> to,
                      PageEntry& entry) {
        if (!rule) return false;
        const std::span<std::byte> says = ruled.room(source.bytes.size());
        rule->fill(source.index * kPageSize, says);
        entry = {.rule = rule->rule};
        return pack_difference(source.bytes, says, entry, to);
    }
};

/// Packs the pages and hands them to the sink in order: one batch is packed while the one before it
/// is taken.
class PagePacking {
public:
    PagePacking(std::span<const PageSource> sources, const ArrayRules& rules,
                std::span<PageEntry> entries, ByteSink sink)
        : sources_(sources), rules_(rules), entries_(entries), sink_(sink) {}

    Status run(StageContext& context) {
        while (begin_ < sources_.size() || tasks_before_ > 0) {
            if (context.cancelled()) return cancelled_error("world file");
            TW_TRY(run_batch(*context.executor));
            context.progress.set(static_cast<double>(begin_) /
                                 static_cast<double>(sources_.size()));
        }
        return ok_status();
    }

private:
    Status run_batch(Executor& executor) {
        const std::size_t end = std::min(begin_ + kPagesPerTask * kTasksPerBatch, sources_.size());
        const std::size_t tasks = (end - begin_ + kPagesPerTask - 1) / kPagesPerTask;
        Status taken = ok_status();
        executor.run(tasks + 1, [&](std::size_t task) {
            if (task == 0) {
                taken = hand_over();
                return;
            }
            const std::size_t from = begin_ + (task - 1) * kPagesPerTask;
            const std::size_t size = std::min(kPagesPerTask, end - from);
            batch_[task - 1].pack(sources_.subspan(from, size), rules_,
                                  entries_.subspan(from, size));
        });
        std::swap(batch_, before_);
        tasks_before_ = tasks;
        begin_ = end;
        return taken;
    }
    Status hand_over() const {
        for (const Packed& packed : std::span(before_).first(tasks_before_)) {
            TW_TRY(sink_(std::span(packed.bytes).first(packed.used)));
        }
        return ok_status();
    }

    std::span<const PageSource> sources_;
    const ArrayRules& rules_;
    std::span<PageEntry> entries_;
    ByteSink sink_;
    std::vector<Packed> batch_{kTasksPerBatch}, before_{kTasksPerBatch};
    std::size_t begin_ = 0;         ///< of the pages not yet packed
    std::size_t tasks_before_ = 0;  ///< whose pages wait in `before_`
};

template <class T>
Status put(ByteSink sink, const T& value) {
    return sink(std::as_bytes(std::span(&value, 1)));
}

/// visit(section, value) for those that the world has.
template <class Visit>
void for_each_value(const pipeline::BakedWorld& world, Visit&& visit) {
    for_each_section([&]<class T>(const SectionMember<T>& section) {
        if (const T* const value = (world.*section.member).get()) visit(section, *value);
    });
}

}  // namespace

Status write_world_file(const WorldFile& file, ByteSink sink, StageContext& context) {
    WorldFileDirectory directory;
    directory.recipe = file.recipe;
    for (const pipeline::StageReport& stage : file.world.stages) {
        directory.stage.push_back({.name = stage.name, .hash = stage.hash});
    }
    Splitter splitter;
    for_each_value(file.world, [&]<class T>(const SectionMember<T>& section, const T& value) {
        const std::size_t pages_before = splitter.pages().size();
        splitter.add(value);
        directory.section.push_back(
            {.name = std::string(section.name),
             .version = version_of_stage(section.name),
             .layout = layout_of<T>({section.name}),
             .hash = 0,
             .values = splitter.take_values(),
             .page = std::vector<PageEntry>(splitter.pages().size() - pages_before)});
    });

    TW_TRY(put(sink, WorldFileHeader{.version = kWorldFileVersion}));
    ArrayRules rules(file.world);
    rules.prepare(*context.executor);
    std::vector<PageEntry> entries(splitter.pages().size());
    TW_TRY(PagePacking(splitter.pages(), rules, entries, sink).run(context));

    auto next_entry = entries.begin();
    auto next_section = directory.section.begin();
    std::uint64_t page_bytes = 0;
    for_each_value(file.world, [&](const auto&, const auto& value) {
        SectionEntry& section = *next_section++;
        for (PageEntry& page : section.page) {
            page = *next_entry++;
            page_bytes += page.bytes;
        }
        section.hash = hash_of(value);  // of page hashes that are known by now
    });
    const world::Bytes archived = world::to_bytes(directory);
    TW_TRY(sink(archived));
    return put(sink, WorldFileTrailer{.directory_bytes = archived.size(),
                                      .directory_checksum = hash_bytes(archived),
                                      .file_bytes = sizeof(WorldFileHeader) + page_bytes +
                                                    archived.size() + sizeof(WorldFileTrailer)});
}

Result<world::Bytes> write_world_file(const WorldFile& file, StageContext& context) {
    world::Bytes bytes;
    const auto append = [&](std::span<const std::byte> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
        return ok_status();
    };
    TW_TRY(write_world_file(file, append, context));
    return bytes;
}

}  // namespace tw::recipe
