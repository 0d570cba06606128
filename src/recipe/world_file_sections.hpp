#pragma once
// What a world file holds: the one table of sections, and the walks over field lists that take a
// value apart into small values and pages, and put it together again.

#include "terraway/pipeline/baked_world.hpp"
#include "terraway/recipe/world_file.hpp"
#include "terraway/world/archive.hpp"

#include "world_file_pages.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tw::recipe {

template <class T>
struct SectionMember {
    std::string_view name;  ///< of the stage whose output it is, else of itself
    std::shared_ptr<const T> pipeline::BakedWorld::* member;
};
template <class T>
SectionMember(const char*, std::shared_ptr<const T> pipeline::BakedWorld::*) -> SectionMember<T>;

/// In the order in which they are written.
inline constexpr std::tuple kSections{
    SectionMember{"placement", &pipeline::BakedWorld::placement},
    SectionMember{"cells", &pipeline::BakedWorld::map},
    SectionMember{"relief", &pipeline::BakedWorld::relief},
    SectionMember{"climate", &pipeline::BakedWorld::climate},
    SectionMember{"edits", &pipeline::BakedWorld::edited_relief},
    SectionMember{"drainage", &pipeline::BakedWorld::drainage},
    SectionMember{"rivers", &pipeline::BakedWorld::rivers},
    SectionMember{"moisture", &pipeline::BakedWorld::moisture},
    SectionMember{"biomes", &pipeline::BakedWorld::biomes},
    SectionMember{"attributes", &pipeline::BakedWorld::attributes},
    SectionMember{"lines", &pipeline::BakedWorld::lines},
    SectionMember{"road_edits", &pipeline::BakedWorld::edited_lines},
    SectionMember{"network", &pipeline::BakedWorld::network},
    SectionMember{"streets", &pipeline::BakedWorld::streets},
    SectionMember{"street_heights", &pipeline::BakedWorld::street_heights},
    SectionMember{"obstacles", &pipeline::BakedWorld::obstacles},
    SectionMember{"meshes", &pipeline::BakedWorld::meshes},
    SectionMember{"raster", &pipeline::BakedWorld::raster},
    SectionMember{"cost", &pipeline::BakedWorld::cost},
    SectionMember{"integration", &pipeline::BakedWorld::integration},
    SectionMember{"directions", &pipeline::BakedWorld::directions},
    SectionMember{"edit_list", &pipeline::BakedWorld::edits},
};

/// A field that a section has since a later version of the file than the first: before, it is read
/// as its default. To add a field, raise kWorldFileVersion and add a line.
struct AddedField {
    std::string_view section, field;
    std::uint32_t since = 0;
};
inline constexpr std::array<AddedField, 0> kAddedFields{};

constexpr bool has_field(std::string_view section, std::string_view field, std::uint32_t version) {
    for (const AddedField& added : kAddedFields) {
        if (added.section == section && added.field == field) return added.since <= version;
    }
    return true;
}

/// What a section was when it was written.
struct SectionForm {
    std::string_view section;
    std::uint32_t version = kWorldFileVersion;  ///< of the file

    /// visit(name, field) for the fields that it had.
    template <class T, class Visit>
    void for_each_field_of(T& value, Visit&& visit) const {
        for_each_field(value, [&](std::string_view name, auto& field) {
            if (has_field(section, name, version)) visit(name, field);
        });
    }
};

/// visit(SectionMember<T>) in order.
template <class Visit>
void for_each_section(Visit&& visit) {
    std::apply([&](const auto&... section) { (visit(section), ...); }, kSections);
}

// ---- the shape of a type ----

template <class T>
struct IsPaged : std::false_type {};
/// Elements whose bytes in memory are their value.
template <class Tag, class T>
struct IsPaged<IdArray<Tag, T>>
    : std::bool_constant<world::detail::RawElement<T> || tw::core::detail::HasFloatFields<T>> {
    static_assert(!tw::core::detail::HasFloatFields<T> || std::is_trivially_copyable_v<T>);
};
template <class T>
concept IsListOfStructs = tw::core::detail::IsVector<T>::value && HasFields<typename T::value_type>;
/// What is walked field by field; all else is archived whole.
template <class T>
concept IsWalked = HasFields<T> && !world::detail::RawElement<T>;

/// The fields of T as a text: "elevation:4* water:1* " (a star: an array in pages).
template <class T>
void describe_layout(const SectionForm& form, std::string& text) {
    if constexpr (IsPaged<T>::value) {
        text += std::to_string(sizeof(typename T::value_type)) + "* ";
    } else if constexpr (IsListOfStructs<T>) {
        text += "[ ";
        describe_layout<typename T::value_type>(form, text);
        text += "] ";
    } else if constexpr (IsWalked<T>) {
        const auto describe = [&]<class Member>(const Field<T, Member>& field) {
            if (!has_field(form.section, field.name, form.version)) return;
            text += std::string(field.name) + ":";
            describe_layout<Member>(form, text);
        };
        std::apply([&](const auto&... field) { (describe(field), ...); }, T::fields());
    } else if constexpr (world::detail::RawElement<T>) {
        text += std::to_string(sizeof(T)) + " ";
    } else {
        text += "~ ";
    }
}
template <class T>
std::string layout_of(const SectionForm& form) {
    std::string text;
    describe_layout<T>(form, text);
    return text;
}

template <class T>
void add_to_hash(const SectionForm& form, const T& value, Hasher& hasher) {
    if constexpr (IsListOfStructs<T>) {
        hasher.add(std::uint64_t{value.size()});
        for (const auto& element : value) add_to_hash(form, element, hasher);
    } else if constexpr (IsWalked<T>) {
        form.for_each_field_of(
            value, [&](std::string_view, const auto& field) { add_to_hash(form, field, hasher); });
    } else {
        hasher.add(value);
    }
}
/// hash_of() the value, had it the fields alone that the section had.
template <class T>
std::uint64_t hash_as(const SectionForm& form, const T& value) {
    Hasher hasher;
    add_to_hash(form, value, hasher);
    return hasher.finish();
}

// ---- writing ----

struct PageSource {
    std::span<const std::byte> bytes;
    std::size_t element_bytes = 0;
    const void* array = nullptr;
    std::size_t index = 0;  ///< of the page in its array
    std::uint64_t (*hash)(const void* array, std::size_t index) = nullptr;
};

/// Takes a value apart.
class Splitter {
public:
    template <class T>
    void add(const T& value) {
        if constexpr (IsPaged<T>::value) {
            values_.add(std::uint64_t{value.size()});
            add_pages(value);
        } else if constexpr (IsListOfStructs<T>) {
            values_.add(std::uint64_t{value.size()});
            for (const auto& element : value) add(element);
        } else if constexpr (IsWalked<T>) {
            for_each_field(value,
                           [this](std::string_view, const auto& field) { this->add(field); });
        } else {
            values_.add(value);
        }
    }
    world::Bytes take_values() { return std::exchange(values_, {}).take(); }
    const std::vector<PageSource>& pages() const { return pages_; }

private:
    template <class Array>
    void add_pages(const Array& array) {
        array.begin_hash();
        for (std::size_t i = 0; i < array.page_count(); ++i) {
            pages_.push_back({.bytes = std::as_bytes(array.page(i)),
                              .element_bytes = sizeof(typename Array::value_type),
                              .array = &array,
                              .index = i,
                              .hash = [](const void* of, std::size_t index) {
                                  return static_cast<const Array*>(of)->page_hash(index);
                              }});
        }
    }
    world::ArchiveWriter values_;
    std::vector<PageSource> pages_;
};

// ---- what bytes may say ----

constexpr world::Frame last_of(world::Frame) {
    return world::Frame::geographic;
}
constexpr world::Fit last_of(world::Fit) {
    return world::Fit::true_scale;
}
constexpr world::Water last_of(world::Water) {
    return world::Water::lake;
}
constexpr world::Biome last_of(world::Biome) {
    return world::Biome::snow;
}
constexpr world::RoadClass last_of(world::RoadClass) {
    return world::RoadClass::path;
}
constexpr world::RoadForm last_of(world::RoadForm) {
    return world::RoadForm::tunnel;
}
constexpr world::Oneway last_of(world::Oneway) {
    return world::Oneway::against;
}
constexpr world::ColumnType last_of(world::ColumnType) {
    return world::ColumnType::text;
}
constexpr world::Falloff last_of(world::Falloff) {
    return world::Falloff::smooth;
}
constexpr world::PieceKind last_of(world::PieceKind) {
    return world::PieceKind::corridor;
}

template <class T>
bool are_sound(std::span<const T> values);

/// Enums are one of their names and no number is a NaN. Pages are looked at by themselves.
template <class T>
bool is_sound(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        return !std::isnan(value);
    } else if constexpr (std::is_enum_v<T>) {
        return value <= last_of(T{});
    } else if constexpr (world::detail::IsIdArray<T>::value && !IsPaged<T>::value) {
        return are_sound(value.span());
    } else if constexpr (tw::core::detail::IsVector<T>::value) {
        return are_sound(std::span<const typename T::value_type>(value));
    } else if constexpr (tw::core::detail::IsVariant<T>::value) {
        return std::visit([](const auto& held) { return is_sound(held); }, value);
    } else if constexpr (HasFields<T>) {
        bool sound = true;
        for_each_field(
            value, [&](std::string_view, const auto& field) { sound = sound && is_sound(field); });
        return sound;
    } else {
        return true;
    }
}
template <class T>
bool are_sound(std::span<const T> values) {
    bool sound = true;
    for (const T& value : values) sound = is_sound(value) && sound;
    return sound;
}

// ---- reading ----

/// An array that waits for its pages.
struct ArrayTarget {
    void* array = nullptr;
    std::size_t size = 0, element_bytes = 0;
    std::span<std::byte> bytes;  ///< once allocated
    void (*allocate)(ArrayTarget&) = nullptr;
    /// The hash of a page that has been filled; keeps it in the array. False: it holds what no
    /// value of its type may say.
    bool (*hash)(const void* array, std::size_t page, std::uint64_t& hash) = nullptr;

    std::size_t page_count() const { return (size + kPageSize - 1) / kPageSize; }
    std::span<std::byte> page(std::size_t index) const {
        const std::size_t begin = index * kPageSize * element_bytes;
        return bytes.subspan(begin, std::min(kPageSize * element_bytes, bytes.size() - begin));
    }
};

/// Reads small values and lists the arrays whose pages follow; their memory is not taken yet.
class Joiner {
public:
    Joiner(const SectionForm& form, std::span<const std::byte> values)
        : form_(form), values_(values) {}
    template <class T>
    void read(T& value) {
        if constexpr (IsPaged<T>::value) {
            std::uint64_t size = 0;
            values_.read(size);
            sizes_.push_back(static_cast<std::size_t>(size));
        } else if constexpr (IsListOfStructs<T>) {
            std::uint64_t size = 0;
            values_.read(size);
            for (std::uint64_t i = 0; i < size && values_.ok(); ++i) read(value.emplace_back());
        } else if constexpr (IsWalked<T>) {
            form_.for_each_field_of(value,
                                    [this](std::string_view, auto& field) { this->read(field); });
        } else {
            values_.read(value);
        }
    }
    /// True when all fitted and nothing is left.
    bool done() const { return values_.ok() && values_.at_end(); }

    /// Arrays stay where they are from now on: the value has all its lists.
    template <class T>
    std::vector<ArrayTarget> targets(T& value) const {
        std::vector<ArrayTarget> found;
        std::size_t next = 0;
        collect(value, next, found);
        return found;
    }

private:
    template <class T>
    void collect(T& value, std::size_t& next, std::vector<ArrayTarget>& found) const {
        if constexpr (IsPaged<T>::value) {
            found.push_back(target_of(value, sizes_[next++]));
        } else if constexpr (IsListOfStructs<T>) {
            for (auto& element : value) collect(element, next, found);
        } else if constexpr (IsWalked<T>) {
            form_.for_each_field_of(
                value, [&](std::string_view, auto& field) { collect(field, next, found); });
        }
    }
    template <class Array>
    static ArrayTarget target_of(Array& array, std::size_t size) {
        using T = typename Array::value_type;
        return {.array = &array,
                .size = size,
                .element_bytes = sizeof(T),
                .bytes = {},
                .allocate =
                    [](ArrayTarget& target) {
                        auto& of = *static_cast<Array*>(target.array);
                        of = Array(std::vector<T>(target.size));
                        target.bytes = std::as_writable_bytes(of.edit_all());
                        of.begin_hash();
                    },
                .hash =
                    [](const void* filled, std::size_t page, std::uint64_t& hash) {
                        const auto& of = *static_cast<const Array*>(filled);
                        if (!are_sound(of.page(page))) return false;
                        hash = of.page_hash(page);
                        return true;
                    }};
    }
    SectionForm form_;
    world::ArchiveReader values_;
    std::vector<std::size_t> sizes_;
};

}  // namespace tw::recipe
