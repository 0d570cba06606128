// Any bytes as a blob: refused, or read, and then written again with the same bytes. The checksum
// of the input is mended first, so that what lies behind it is met.

#include "terraway/recipe/blob.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kHeader = 32, kLength = 16, kChecksum = 24;
    const auto* first = reinterpret_cast<const std::byte*>(data);
    tw::world::Bytes blob(first, first + size);
    if (size >= kHeader) {
        const std::uint64_t length = size - kHeader;
        const std::uint64_t checksum = tw::hash_bytes(std::span(blob).subspan(kHeader));
        std::memcpy(blob.data() + kLength, &length, sizeof length);
        std::memcpy(blob.data() + kChecksum, &checksum, sizeof checksum);
    }
    if (const auto heights = tw::recipe::heights_from_blob(blob)) {
        must(tw::world::validate(*heights).ok());
        must(tw::recipe::to_blob(*heights) == blob);
    }
    if (const auto lines = tw::recipe::lines_from_blob(blob)) {
        must(tw::world::validate(*lines).ok());
        must(tw::recipe::to_blob(*lines) == blob);
    }
    return 0;
}
