#include "world_file_pages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#ifdef TERRAWAY_LZ4
#include <lz4.h>
#endif

namespace tw::recipe {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);
constexpr std::size_t kMaxLanes = 4;  ///< of elements that are filtered

std::uint32_t load_word(const std::byte* at) {
    std::uint32_t word;
    std::memcpy(&word, at, kWord);
    return word;
}
constexpr std::uint32_t zigzag(std::uint32_t difference) {
    return (difference << 1) ^ (0u - (difference >> 31));
}
constexpr std::uint32_t unzigzag(std::uint32_t value) {
    return (value >> 1) ^ (0u - (value & 1u));
}

using PageWords = std::array<std::uint32_t, kPageSize>;

template <std::size_t stride>
void find_differences(const std::byte* lane, std::size_t count, PageWords& differences) {
    if constexpr (stride == kWord) {
        differences[0] = 0;
        for (std::size_t i = 1; i < count; ++i) {
            const std::byte* const at = lane + i * kWord;
            differences[i] = zigzag(load_word(at) - load_word(at - kWord));
        }
    } else {
        // Word after word: g++ would build vectors of far words through memory, which is slower.
        std::uint32_t before = load_word(lane);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t word = load_word(lane + i * stride);
            differences[i] = zigzag(word - before);
            before = word;
        }
    }
}

/// Planes of one lane to `to`; how many.
template <std::size_t stride>
std::size_t write_planes(const std::byte* lane, std::size_t count, std::byte* to) {
    PageWords differences;
    find_differences<stride>(lane, count, differences);
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= differences[i];
    const std::size_t planes = (static_cast<std::size_t>(std::bit_width(any)) + 7) / 8;
    for (std::size_t plane = 0; plane < planes; ++plane) {
        std::byte* const bytes = to + plane * count;
        for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte(differences[i] >> (8 * plane));
    }
    return planes;
}

/// Bytes that a filtered page may take.
constexpr std::size_t filtered_room(std::size_t page_bytes, std::size_t element_bytes) {
    return page_bytes + element_bytes + element_bytes / kWord;
}

/// The bytes of `out` that are filled.
template <std::size_t lanes>
std::size_t filter(std::span<const std::byte> page, std::span<std::byte> out) {
    constexpr std::size_t kElement = lanes * kWord;
    const std::size_t count = page.size() / kElement;
    std::memcpy(out.data(), page.data(), kElement);
    std::size_t at = kElement + lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t planes =
            write_planes<kElement>(page.data() + lane * kWord, count, out.data() + at);
        out[kElement + lane] = std::byte(planes);
        at += planes * count;
    }
    return at;
}

template <std::size_t stride, std::size_t planes>
void read_planes(const std::byte* from, std::size_t count, std::byte* lane) {
    std::uint32_t word = load_word(lane);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t value = 0;
        for (std::size_t plane = 0; plane < planes; ++plane) {
            value |= std::to_integer<std::uint32_t>(from[plane * count + i]) << (8 * plane);
        }
        word += unzigzag(value);
        std::memcpy(lane + i * stride, &word, kWord);
    }
}

template <std::size_t lanes>
bool unfilter(std::span<const std::byte> from, std::span<std::byte> page) {
    constexpr std::size_t kElement = lanes * kWord;
    constexpr std::array kReaders{read_planes<kElement, 0>, read_planes<kElement, 1>,
                                  read_planes<kElement, 2>, read_planes<kElement, 3>,
                                  read_planes<kElement, 4>};
    const std::size_t count = page.size() / kElement;
    if (from.size() < kElement + lanes) return false;
    const std::span<const std::byte> planes = from.subspan(kElement, lanes);
    std::size_t at = kElement + lanes;
    std::memcpy(page.data(), from.data(), kElement);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t n = std::to_integer<std::size_t>(planes[lane]);
        if (n >= kReaders.size() || n * count > from.size() - at) return false;
        kReaders[n](from.data() + at, count, page.data() + lane * kWord);
        at += n * count;
    }
    return at == from.size();
}

constexpr std::array kFilters{filter<1>, filter<2>, filter<3>, filter<4>};
constexpr std::array kUnfilters{unfilter<1>, unfilter<2>, unfilter<3>, unfilter<4>};

bool can_filter(std::size_t element_bytes) {
    return element_bytes % kWord == 0 && element_bytes / kWord <= kMaxLanes;
}

constexpr std::size_t kDifferingWord = sizeof(std::uint16_t) + kWord;
constexpr std::size_t kMostWords = std::size_t{1} << 16;  ///< of a page with a difference

/// Puts words that differ over `page`.
bool apply_difference(std::span<const std::byte> packed, std::span<std::byte> page) {
    const std::size_t words = page.size() / kWord, rest = page.size() % kWord;
    if (words > kMostWords || packed.size() < rest ||
        (packed.size() - rest) % kDifferingWord != 0) {
        return false;
    }
    const std::size_t count = (packed.size() - rest) / kDifferingWord;
    const std::byte* const places = packed.data();
    const std::byte* const values = places + count * sizeof(std::uint16_t);
    std::size_t least = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint16_t place;
        std::memcpy(&place, places + i * sizeof place, sizeof place);
        if (place < least || place >= words) return false;
        least = std::size_t{place} + 1;
        std::memcpy(page.data() + place * kWord, values + i * kWord, kWord);
    }
    std::ranges::copy(packed.last(rest), page.last(rest).begin());
    return true;
}

#ifdef TERRAWAY_LZ4
/// The bytes of `to` that `from` compressed fills; 0 when it doesn't gain.
std::size_t compress(std::span<const std::byte> from, std::span<std::byte> to) {
    constexpr int kAcceleration = 4;
    const std::size_t room = std::min(to.size(), from.size() - 1);
    const int got = LZ4_compress_fast(
        reinterpret_cast<const char*>(from.data()), reinterpret_cast<char*>(to.data()),
        static_cast<int>(from.size()), static_cast<int>(room), kAcceleration);
    return static_cast<std::size_t>(std::max(got, 0));
}
/// The bytes that `from` becomes, at most to.size(); 0: damaged.
std::size_t decompress(std::span<const std::byte> from, std::span<std::byte> to) {
    const int got = LZ4_decompress_safe(reinterpret_cast<const char*>(from.data()),
                                        reinterpret_cast<char*>(to.data()),
                                        static_cast<int>(from.size()), static_cast<int>(to.size()));
    return static_cast<std::size_t>(std::max(got, 0));
}
#else
std::size_t compress(std::span<const std::byte>, std::span<std::byte>) {
    return 0;
}
std::size_t decompress(std::span<const std::byte>, std::span<std::byte>) {
    return 0;
}
#endif

}  // namespace

bool pack_difference(std::span<const std::byte> page, std::span<const std::byte> ruled,
                     PageEntry& entry, std::span<std::byte> out) {
    constexpr std::size_t kWorth = 8;  ///< packed otherwise a page has an eighth, if it goes well
    const std::size_t words = page.size() / kWord, rest = page.size() % kWord;
    const std::size_t most = page.size() / kWorth / kDifferingWord;
    if (words > kMostWords) return false;
    std::array<std::uint16_t, kMostWords / kWorth> place;
    std::size_t count = 0;
    constexpr std::size_t kStretch = 64;  ///< words that are compared at once
    for (std::size_t begin = 0; begin < words; begin += kStretch) {
        const std::size_t end = std::min(begin + kStretch, words);
        if (std::memcmp(page.data() + begin * kWord, ruled.data() + begin * kWord,
                        (end - begin) * kWord) == 0) {
            continue;
        }
        for (std::size_t i = begin; i < end; ++i) {
            if (load_word(page.data() + i * kWord) == load_word(ruled.data() + i * kWord)) continue;
            if (count == most) return false;
            place[count++] = static_cast<std::uint16_t>(i);
        }
    }
    std::byte* const values = out.data() + count * sizeof(std::uint16_t);
    std::memcpy(out.data(), place.data(), count * sizeof(std::uint16_t));
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(values + i * kWord, page.data() + place[i] * kWord, kWord);
    }
    std::ranges::copy(page.last(rest), values + count * kWord);
    entry.bytes = static_cast<std::uint32_t>(count * kDifferingWord + rest);
    entry.filter = PageFilter::difference;
    return true;
}

PageEntry pack_page(std::span<const std::byte> page, std::size_t element_bytes,
                    PageScratch& scratch, std::span<std::byte> out) {
    PageEntry entry;
    std::span<const std::byte> rest = page;
    if (can_filter(element_bytes)) {
        const std::span<std::byte> room = scratch.room(filtered_room(page.size(), element_bytes));
        const std::size_t filtered = kFilters[element_bytes / kWord - 1](page, room);
        if (filtered < page.size()) {
            entry.filter = PageFilter::planes;
            rest = room.first(filtered);
        }
    }
    entry.bytes = static_cast<std::uint32_t>(compress(rest, out));
    if (entry.bytes > 0) {
        entry.codec = PageCodec::lz4;
    } else {
        entry.bytes = static_cast<std::uint32_t>(rest.size());
        std::ranges::copy(rest, out.begin());
    }
    return entry;
}

bool unpack_page(const PageEntry& entry, std::span<const std::byte> packed,
                 std::size_t element_bytes, PageScratch& scratch, std::span<std::byte> page) {
    if (entry.filter == PageFilter::difference) {
        return entry.codec == PageCodec::plain && apply_difference(packed, page);
    }
    const bool filtered = entry.filter == PageFilter::planes;
    if (filtered && !can_filter(element_bytes)) return false;
    if (entry.codec == PageCodec::lz4) {
        if (!filtered) return decompress(packed, page) == page.size();
        const std::span<std::byte> room = scratch.room(page.size());
        packed = room.first(decompress(packed, room));
    }
    if (filtered) return kUnfilters[element_bytes / kWord - 1](packed, page);
    if (packed.size() != page.size()) return false;
    std::ranges::copy(packed, page.begin());
    return true;
}

}  // namespace tw::recipe
