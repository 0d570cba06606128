#pragma once
// One page of an array to packed bytes and back. A filter brings words near each other, then LZ4
// takes out what repeats; either is left out where it doesn't gain.

#include "terraway/core/result.hpp"
#include "terraway/world/archive.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tw::recipe {

enum class PageCodec : std::uint8_t { plain, lz4 };
enum class PageFilter : std::uint8_t {
    none,
    /// For elements of whole 32-bit words, lane by lane (a lane: the same word of each element).
    /// The first element; a byte a lane, the planes it has, 0 … 4; then for each lane its planes:
    /// the lowest bytes of all differences to the element before (the first: 0), the next bytes,
    /// and so on. Differences are zigzag: 0, −1, 1, −2 … as 0, 1, 2, 3 …
    planes,
};
inline constexpr bool kCanCompress =
#ifdef TERRAWAY_LZ4
    true;
#else
    false;
#endif

/// Of a page in the file.
struct PageEntry {
    std::uint64_t hash = 0;   ///< of the elements, as IdArray hashes a page
    std::uint32_t bytes = 0;  ///< in the file, never more than the page has in memory
    PageCodec codec = PageCodec::plain;
    PageFilter filter = PageFilter::none;
    std::uint16_t reserved = 0;  ///< 0
};
static_assert(PlainBytes<PageEntry>, "archived as it lies in memory");

/// Memory that is used from page to page.
class PageScratch {
public:
    std::span<std::byte> room(std::size_t bytes) {
        if (bytes_.size() < bytes) bytes_.resize(bytes);
        return std::span(bytes_).first(bytes);
    }

private:
    world::Bytes bytes_;
};

/// Writes the packed page to the front of `out`, which has the page's size. The entry's hash is the
/// caller's to fill in.
PageEntry pack_page(std::span<const std::byte> page, std::size_t element_bytes,
                    PageScratch& scratch, std::span<std::byte> out);

/// False when `packed` is damaged. Codec and filter of the entry are known ones, and the codec is
/// one that this build can.
bool unpack_page(const PageEntry& entry, std::span<const std::byte> packed,
                 std::size_t element_bytes, PageScratch& scratch, std::span<std::byte> page);

}  // namespace tw::recipe
