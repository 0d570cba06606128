#include "height_formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tw::io {
namespace {

constexpr double kMaxPlace = 1e9;            ///< [m or degrees] of an origin
constexpr double kLargestDegreeCell = 0.05;  ///< cells this wide or wider are metres

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';';
}

/// Words of a text, with the line they stand on.
class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}
    std::string_view next() {
        while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n';
        const std::size_t begin = at_;
        while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    std::string_view peek() {
        const Words before = *this;
        const std::string_view word = next();
        *this = before;
        return word;
    }
    std::size_t line() const { return line_; }
    std::size_t bytes_left() const { return text_.size() - at_; }

private:
    std::string_view text_;
    std::size_t at_ = 0, line_ = 1;
};

std::string lowered(std::string_view word) {
    std::string out(word);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::optional<double> number_from(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0.0;
    const auto [end, why] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (why != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

enum class Key {
    ncols,
    nrows,
    xllcorner,
    yllcorner,
    xllcenter,
    yllcenter,
    cellsize,
    dx,
    dy,
    nodata_value
};
constexpr std::array<std::string_view, 10> kKeys = {
    "ncols",     "nrows",    "xllcorner", "yllcorner", "xllcenter",
    "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

class GridReader {
public:
    GridReader(std::string_view text, const std::string& name) : words_(text), name_(name) {}

    Result<world::ImportedHeights> read() {
        TW_TRY(read_header());
        world::ImportedHeights raster;
        TW_TRY(read_shape(raster));
        TW_TRY(read_place(raster));
        TW_TRY(read_values(raster));
        return raster;
    }

private:
    Error error(std::string message, ErrorCode code = ErrorCode::invalid_input) const {
        return Error{.code = code,
                     .stage = "read ascii grid",
                     .subject = name_ + ":" + std::to_string(words_.line()),
                     .message = std::move(message)};
    }
    std::optional<double>& entry(Key key) { return header_[static_cast<std::size_t>(key)]; }

    Status read_header() {
        for (;;) {
            const std::string word = lowered(words_.peek());
            const auto key = std::find(kKeys.begin(), kKeys.end(), word);
            if (key == kKeys.end()) {
                if (!word.empty() && !number_from(word) && word != "nan") {
                    return error("`" + word.substr(0, 40) +
                                 "` is no key of an ESRI ASCII grid; remove it");
                }
                return ok_status();
            }
            words_.next();
            const auto value = number_from(words_.next());
            if (!value) return error("`" + word + "` needs a number");
            header_[static_cast<std::size_t>(key - kKeys.begin())] = value;
        }
    }

    Status read_shape(world::ImportedHeights& raster) {
        const auto count = [&](Key key, std::string_view what) -> Result<std::int32_t> {
            const auto value = entry(key);
            if (!value) return error(std::string(what) + " is missing from the header; add it");
            if (!(*value >= 1.0) || *value != std::floor(*value)) {
                return error(std::string(what) + " must be a whole number above 0");
            }
            if (*value > kMaxRasterSide) {
                return error(std::string(what) + " is over " + std::to_string(kMaxRasterSide) +
                                 "; resample it first (gdalwarp -tr)",
                             ErrorCode::too_large);
            }
            return static_cast<std::int32_t>(*value);
        };
        TW_ASSIGN(raster.columns, count(Key::ncols, "ncols"));
        TW_ASSIGN(raster.rows, count(Key::nrows, "nrows"));
        return ok_status();
    }

    Status read_place(world::ImportedHeights& raster) {
        auto cell = entry(Key::cellsize);
        if (!cell && entry(Key::dx) && entry(Key::dy)) {
            cell = entry(Key::dx);
            if (std::abs(*cell - *entry(Key::dy)) > 1e-6 * std::abs(*cell)) {
                return error("dx and dy differ; resample to square cells first (gdalwarp -tr)",
                             ErrorCode::unsupported);
            }
        }
        if (!cell) return error("cellsize is missing from the header; add it");
        if (!(*cell >= 1e-6 && *cell <= 1e6))
            return error("cellsize must be above 0 and at most 1,000,000");
        const auto edge = [&](Key corner, Key centre) -> std::optional<double> {
            if (entry(corner)) return entry(corner);
            if (entry(centre)) return *entry(centre) - *cell / 2;
            return std::nullopt;
        };
        const auto west = edge(Key::xllcorner, Key::xllcenter),
                   south = edge(Key::yllcorner, Key::yllcenter);
        if (!west || !south)
            return error("xllcorner and yllcorner are missing from the header; add them");
        if (!(std::abs(*west) <= kMaxPlace && std::abs(*south) <= kMaxPlace)) {
            return error("the grid's corner is out of range; at most a million km from the origin");
        }
        raster.has_place = 1;
        raster.pixel = *cell;
        raster.west = *west;
        raster.south = *south;
        const double east = *west + *cell * raster.columns, north = *south + *cell * raster.rows;
        const bool on_globe = *west >= -180.0 && east <= 180.0 && *south >= -90.0 && north <= 90.0;
        raster.frame = on_globe && *cell < kLargestDegreeCell ? world::Frame::geographic
                                                              : world::Frame::planar;
        return ok_status();
    }

    Status read_values(world::ImportedHeights& raster) {
        const auto wanted =
            static_cast<std::size_t>(raster.columns) * static_cast<std::size_t>(raster.rows);
        // A value takes a digit and a blank: a header that promises more is lying about memory too.
        if (words_.bytes_left() + 1 < 2 * wanted) return error(cut_short(wanted));
        const double nodata = entry(Key::nodata_value).value_or(-9999.0);
        std::vector<Steps> heights(wanted);
        bool any = false;
        for (std::size_t i = 0; i < wanted; ++i) {
            const std::string_view word = words_.next();
            if (word.empty()) return error(cut_short(wanted));
            const auto value = number_from(word);
            if (!value) {
                return error("`" + std::string(word.substr(0, 40)) + "` is no height; correct it");
            }
            if (std::isnan(*value) || *value == nodata ||
                std::abs(*value - nodata) < 1e-6 * std::abs(nodata)) {
                heights[i] = world::ImportedHeights::kVoid;
                continue;
            }
            if (!(std::abs(*value) <= kMaxHeight)) {
                return error(std::string(word.substr(0, 40)) +
                             " m is over ±20 km; set NODATA_value if it stands for no data");
            }
            heights[i] = to_steps(*value);
            any = true;
        }
        if (!words_.next().empty()) {
            return error("there are more than the " + std::to_string(wanted) +
                         " values that ncols and nrows promise; correct the header");
        }
        if (!any) return error("there are no heights in it, only NODATA; choose another part");
        raster.height = IdArray<world::PixelTag, Steps>(std::move(heights));
        return ok_status();
    }

    static std::string cut_short(std::size_t wanted) {
        return "the file ends before the " + std::to_string(wanted) +
               " values that its header promises; fetch it again";
    }

    Words words_;
    std::string name_;
    std::array<std::optional<double>, kKeys.size()> header_;
};

std::string_view text_of(std::span<const std::byte> bytes) {
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    return text;
}

}  // namespace

bool looks_like_ascii_grid(std::span<const std::byte> bytes) {
    constexpr std::size_t kSniff = 4096;
    Words words(text_of(bytes.first(std::min(bytes.size(), kSniff))));
    const std::string word = lowered(words.next());
    return std::find(kKeys.begin(), kKeys.end(), word) != kKeys.end();
}

Result<world::ImportedHeights> parse_ascii_grid(std::span<const std::byte> bytes,
                                                const std::string& name) {
    return GridReader(text_of(bytes), name).read();
}

}  // namespace tw::io
