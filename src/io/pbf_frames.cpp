#include "pbf_frames.hpp"

#include <optional>

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

namespace tw::io {
namespace {

// Limits of the format (OpenStreetMap wiki, "PBF Format").
constexpr std::size_t kLengthBytes = 4, kMaxHeader = 64 * 1024, kMaxBlob = 32 * 1024 * 1024;

struct BlobHeader {
    std::string type;
    std::int64_t size = 0;
};

std::optional<BlobHeader> header_from(std::span<const std::byte> bytes) {
    constexpr protozero::pbf_tag_type kType = 1, kSize = 3;
    try {
        BlobHeader header;
        protozero::pbf_reader reader(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        while (reader.next()) {
            if (reader.tag_and_type() ==
                protozero::tag_and_type(kType, protozero::pbf_wire_type::length_delimited)) {
                header.type = reader.get_string();
            } else if (reader.tag_and_type() ==
                       protozero::tag_and_type(kSize, protozero::pbf_wire_type::varint)) {
                header.size = reader.get_int32();
            } else {
                reader.skip();
            }
        }
        return header;
    } catch (const protozero::exception&) {
        return std::nullopt;
    }
}

}  // namespace

Status check_pbf_frames(std::span<const std::byte> bytes, const std::string& name) {
    std::size_t at = 0;
    const auto broken = [&](const char* what) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "read osm",
                     .subject = name + ":byte " + std::to_string(at),
                     .message = std::string(what) + "; fetch the file again"};
    };
    while (at < bytes.size()) {
        if (bytes.size() - at < kLengthBytes) return broken("the PBF is cut short");
        std::size_t length = 0;
        for (std::size_t i = 0; i < kLengthBytes; ++i) {
            length = length << 8 | std::to_integer<std::size_t>(bytes[at + i]);
        }
        if (length > kMaxHeader) return broken("this is no header of a PBF blob");
        if (length > bytes.size() - at - kLengthBytes) return broken("the PBF is cut short");
        const auto header = header_from(bytes.subspan(at + kLengthBytes, length));
        if (!header || header->type.empty() || header->size <= 0 ||
            header->size > static_cast<std::int64_t>(kMaxBlob)) {
            return broken("a header of a PBF blob is damaged");
        }
        const std::size_t rest = bytes.size() - at - kLengthBytes - length;
        if (static_cast<std::size_t>(header->size) > rest) return broken("the PBF is cut short");
        at += kLengthBytes + length + static_cast<std::size_t>(header->size);
    }
    return ok_status();
}

}  // namespace tw::io
