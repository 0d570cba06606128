// Any bytes as a world.tw: refused, or read into a world that writes and reads back the same. The
// trailer of the input is mended first, so that what lies before it is met.

#include "terraway/core/hash.hpp"
#include "terraway/recipe/world_file.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

void mend(tw::world::Bytes& bytes) {
    constexpr std::size_t kHeader = 8, kTrailer = 24;
    if (bytes.size() < kHeader + kTrailer) return;
    const std::size_t trailer = bytes.size() - kTrailer;
    std::uint64_t directory = 0;
    std::memcpy(&directory, bytes.data() + trailer, sizeof directory);
    directory = std::min<std::uint64_t>(directory, trailer - kHeader);
    const std::uint64_t checksum = tw::hash_bytes(std::span(bytes).subspan(
        trailer - static_cast<std::size_t>(directory), static_cast<std::size_t>(directory)));
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + trailer, &directory, sizeof directory);
    std::memcpy(bytes.data() + trailer + 8, &checksum, sizeof checksum);
    std::memcpy(bytes.data() + trailer + 16, &size, sizeof size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    tw::world::Bytes bytes(first, first + size);
    mend(bytes);
    tw::SerialExecutor serial;
    tw::StageContext context(serial);
    context.memory_limit = std::uint64_t{64} << 20;
    const auto file = tw::recipe::read_world_file(bytes, context);
    if (!file) {
        must(!file.error().message.empty());
        return 0;
    }
    const auto written = tw::recipe::write_world_file(*file, context);
    must(written.ok());
    const auto again = tw::recipe::read_world_file(*written, context);
    must(again.ok() && again->world.hash == file->world.hash && again->recipe == file->recipe);
    must(*tw::recipe::write_world_file(*again, context) == *written);
    return 0;
}
