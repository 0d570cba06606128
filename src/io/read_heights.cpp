#include "terraway/io/read_heights.hpp"

#include "terraway/io/files.hpp"

#include "height_formats.hpp"
#include "png.hpp"
#include "unpack.hpp"

#include <new>
#include <string_view>

namespace tw::io {
namespace {

Error kind_error(const std::string& name, std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::string what = "is no height file; give";
    if (bytes.empty()) {
        what = "is empty; give";
    } else if (text.starts_with("II*") || text.starts_with("MM")) {
        what = "is a TIFF; convert it first (gdal_translate -of AAIGrid) to";
    } else if (text.starts_with("\xff\xd8")) {
        what = "is a JPEG, which blurs heights; give";
    } else if (text.starts_with('{')) {
        what = "is JSON, not heights; give";
    } else if (is_gzip(bytes) || is_bzip2(bytes)) {
        what = "is packed; unpack it first to";
    }
    return Error{.code = ErrorCode::invalid_input,
                 .stage = "read heights",
                 .subject = name,
                 .message = what + " an ESRI ASCII grid (.asc) or a PNG, grey or Terrain-RGB"};
}

}  // namespace

Result<world::ImportedHeights> parse_heights(std::span<const std::byte> bytes,
                                             const std::string& name,
                                             const pipeline::HeightFileOptions& options) {
    try {
        if (is_png(bytes)) return parse_png_heights(bytes, name, options);
        if (looks_like_ascii_grid(bytes)) return parse_ascii_grid(bytes, name);
        return kind_error(name, bytes);
    } catch (const std::bad_alloc&) {
        return Error{.code = ErrorCode::too_large,
                     .stage = "read heights",
                     .subject = name,
                     .message = "needs more memory than there is; scale it down first"};
    }
}

Result<world::ImportedHeights> read_heights(const std::filesystem::path& path,
                                            const pipeline::HeightFileOptions& options) {
    TW_ASSIGN(const Bytes bytes, read_file(path));
    return parse_heights(bytes, path.string(), options);
}

bool is_height_file(const std::filesystem::path& path) {
    constexpr std::size_t kSniff = 4096;
    const auto start = read_file_start(path, kSniff);
    return start && (is_png(*start) || looks_like_ascii_grid(*start));
}

}  // namespace tw::io
