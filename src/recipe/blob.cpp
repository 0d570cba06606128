#include "terraway/recipe/blob.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tw::recipe {
namespace {

struct BlobHeader {
    std::array<char, 4> magic{'T', 'W', 'B', 'L'};
    std::uint32_t version = 1;
    std::uint32_t kind = 0;
    std::uint32_t reserved = 0;
    std::uint64_t payload_bytes = 0;
    std::uint64_t checksum = 0;
};
static_assert(PlainBytes<BlobHeader>, "written as it lies in memory");

template <class T>
world::Bytes wrap(const T& value, BlobKind kind) {
    const world::Bytes payload = world::to_bytes(value);
    BlobHeader header;
    header.kind = static_cast<std::uint32_t>(kind);
    header.payload_bytes = payload.size();
    header.checksum = hash_bytes(payload);
    world::Bytes blob(sizeof header + payload.size());
    std::memcpy(blob.data(), &header, sizeof header);
    std::ranges::copy(payload, blob.begin() + sizeof header);
    return blob;
}

Error refuse(std::string message, ErrorCode code = ErrorCode::invalid_input) {
    return {.code = code, .stage = "blob", .subject = {}, .message = std::move(message)};
}

Result<BlobHeader> read_header(std::span<const std::byte> bytes) {
    BlobHeader header;
    const std::array<char, 4> magic = header.magic;
    if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
    if (bytes.size() < sizeof header || header.magic != magic) {
        return refuse("this is no blob; make one with terraway import FILE -o BLOB");
    }
    if (header.version != 1) {
        return refuse("the blob is of version " + std::to_string(header.version) +
                          ", this program reads 1; import the file again",
                      ErrorCode::unsupported);
    }
    const bool known = header.kind == static_cast<std::uint32_t>(BlobKind::heights) ||
                       header.kind == static_cast<std::uint32_t>(BlobKind::lines);
    if (!known || header.reserved != 0) {
        return refuse("the blob is of an unknown kind; import the file again",
                      ErrorCode::unsupported);
    }
    return header;
}

// What the archive cannot check: bytes that are no value of their type.
bool enums_in_range(const world::ImportedHeights& heights) {
    return heights.frame <= world::Frame::geographic && heights.has_place <= 1;
}
bool enums_in_range(const world::ImportedLines& lines) {
    if (lines.frame > world::Frame::geographic) return false;
    return std::ranges::all_of(lines.attributes.span(), [](const world::RoadAttributes& road) {
        return static_cast<std::size_t>(road.road_class) < world::kRoadClassCount &&
               road.form <= world::RoadForm::tunnel && road.oneway <= world::Oneway::against;
    });
}

template <class T>
Result<T> unwrap(std::span<const std::byte> bytes, BlobKind kind, std::string_view wanted) {
    TW_ASSIGN(const BlobHeader header, read_header(bytes));
    if (header.kind != static_cast<std::uint32_t>(kind)) {
        return refuse("the blob does not hold " + std::string(wanted) + "; hand in another");
    }
    const std::span<const std::byte> payload = bytes.subspan(sizeof header);
    if (payload.size() != header.payload_bytes || hash_bytes(payload) != header.checksum) {
        return refuse("the blob is cut short or damaged; import the file again");
    }
    TW_ASSIGN(T value, world::from_bytes<T>(payload));
    if (!enums_in_range(value)) return refuse("the blob is damaged; import the file again");
    TW_TRY(world::validate(value));
    return value;
}

}  // namespace

world::Bytes to_blob(const world::ImportedHeights& heights) {
    return wrap(heights, BlobKind::heights);
}
world::Bytes to_blob(const world::ImportedLines& lines) {
    return wrap(lines, BlobKind::lines);
}

Result<BlobKind> blob_kind(std::span<const std::byte> bytes) {
    TW_ASSIGN(const BlobHeader header, read_header(bytes));
    return static_cast<BlobKind>(header.kind);
}
Result<world::ImportedHeights> heights_from_blob(std::span<const std::byte> bytes) {
    return unwrap<world::ImportedHeights>(bytes, BlobKind::heights, "heights");
}
Result<world::ImportedLines> lines_from_blob(std::span<const std::byte> bytes) {
    return unwrap<world::ImportedLines>(bytes, BlobKind::lines, "road lines");
}

}  // namespace tw::recipe
