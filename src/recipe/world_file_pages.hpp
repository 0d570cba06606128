#pragma once
// One page of an array to packed bytes and back. Where a rule says most of the page, only what
// differs is kept. Else a filter brings words near each other, then LZ4 takes out what repeats;
// either is left out where it doesn't gain.

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
    /// 32-bit words that are others than the page's rule says: the place of each in the page (16
    /// bits, ascending), then what it is; then the bytes behind the last whole word. Since version
    /// 2.
    difference,
};
inline constexpr PageFilter kLastPageFilter = PageFilter::difference;
/// As a page of the file names it. What a rule gives is fixed for ever: docs/formats.md.
enum class PageRule : std::uint16_t {
    none,
    same,            ///< the element of another array
    cell_of_side,    ///< by the rows of cells
    patch_position,  ///< vertices of the surface's patches
    patch_triangle,  ///< triangles of the surface's patches
};
inline constexpr PageRule kLastPageRule = PageRule::patch_triangle;

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
    PageRule rule = PageRule::none;  ///< that the difference is from
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

/// True if the page differs in so little from what its rule says (`ruled`) that it is worth it:
/// then the difference is at the front of `out`, which has the page's size.
bool pack_difference(std::span<const std::byte> page, std::span<const std::byte> ruled,
                     PageEntry& entry, std::span<std::byte> out);
/// Writes the packed page to the front of `out`, which has the page's size. The entry's hash is the
/// caller's to fill in.
PageEntry pack_page(std::span<const std::byte> page, std::size_t element_bytes,
                    PageScratch& scratch, std::span<std::byte> out);

/// False when `packed` is damaged. Codec and filter of the entry are known ones, and the codec is
/// one that this build can. A page that is a difference holds what its rule says.
bool unpack_page(const PageEntry& entry, std::span<const std::byte> packed,
                 std::size_t element_bytes, PageScratch& scratch, std::span<std::byte> page);

}  // namespace tw::recipe
