#include "terraway/io/read_heights.hpp"

#include "terraway/io/files.hpp"

#include "unit/io/test_data.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <spng.h>
#include <zlib.h>

namespace tw::io {
namespace {

using pipeline::HeightEncoding;
using pipeline::HeightFileOptions;
using test::bytes_of;
using world::Frame;
using world::ImportedHeights;

Result<ImportedHeights> parse(const std::string& text, const HeightFileOptions& options = {}) {
    return parse_heights(bytes_of(text), "test.asc", options);
}

std::string message(const std::string& text, const HeightFileOptions& options = {}) {
    const auto heights = parse(text, options);
    EXPECT_FALSE(heights.ok()) << text.substr(0, 200);
    return heights.ok() ? std::string() : to_string(heights.error());
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

constexpr Steps kVoid = ImportedHeights::kVoid;

TEST(AsciiGrid, ReadsRowsFromTheNorth) {
    const auto heights = parse(
        "ncols 3\nnrows 2\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n1 2 3\n4 -9999 5.5\n");
    ASSERT_TRUE(heights.ok()) << to_string(heights.error());
    EXPECT_EQ(heights->columns, 3);
    EXPECT_EQ(heights->rows, 2);
    EXPECT_EQ(heights->frame, Frame::planar);
    EXPECT_EQ(heights->has_place, 1);
    EXPECT_EQ(heights->pixel, 10.0);
    EXPECT_EQ(heights->west, 1000.0);
    EXPECT_EQ(heights->south, 2000.0);
    EXPECT_EQ(heights->height.values(), (std::vector<Steps>{1024, 2048, 3072, 4096, kVoid, 5632}));
    EXPECT_TRUE(validate(*heights).ok());
}

TEST(AsciiGrid, HeaderInAnyOrderAndCase) {
    const auto heights = parse(
        "CELLSIZE 2\r\nNODATA_value -1\r\nYLLCENTER 11\r\nXLLCENTER 21\r\nNROWS 1\r\nNCOLS "
        "2\r\n-1\r\n+7e0\r\n");
    ASSERT_TRUE(heights.ok()) << to_string(heights.error());
    EXPECT_EQ(heights->west, 20.0);
    EXPECT_EQ(heights->south, 10.0);
    EXPECT_EQ(heights->height.values(), (std::vector<Steps>{kVoid, 7168}));
    const auto squares = parse("ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ndx 5\ndy 5\n1 ");
    ASSERT_TRUE(squares.ok());
    EXPECT_EQ(squares->pixel, 5.0);
}

TEST(AsciiGrid, DegreesBySize) {
    const auto frame = [](const char* west, const char* cell) {
        const auto heights = parse(std::string("ncols 1\nnrows 1\nyllcorner 40\nxllcorner ") +
                                   west + "\ncellsize " + cell + "\n7 ");
        EXPECT_TRUE(heights.ok());
        return heights->frame;
    };
    EXPECT_EQ(frame("-105.5", "0.000833"), Frame::geographic);
    EXPECT_EQ(frame("-105.5", "30"), Frame::planar);
    EXPECT_EQ(frame("500000", "0.01"), Frame::planar);
}

TEST(AsciiGrid, Errors) {
    const std::string head = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
    EXPECT_TRUE(has(message(head + "1 2 3"), "cut short") ||
                has(message(head + "1 2 3"), "ends before"));
    EXPECT_TRUE(has(message(head + "1 2\n3 4 5"), "more than the 4 values"));
    EXPECT_TRUE(has(message(head + "1 2\n3 x4"), "test.asc:7"));
    EXPECT_TRUE(has(message(head + "1 2\n3 99999"), "20 km"));
    EXPECT_TRUE(has(message(head + "-9999 -9999 -9999 -9999"), "no heights"));
    EXPECT_TRUE(
        has(message("ncols 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2"), "nrows is missing"));
    EXPECT_TRUE(
        has(message("ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\n1 2"), "cellsize is missing"));
    EXPECT_TRUE(has(message("ncols 2\nnrows 1\ncellsize 1\n1 2"), "xllcorner"));
    EXPECT_TRUE(
        has(message("ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ndx 1\ndy 2\n1 2"), "dx and dy"));
    EXPECT_TRUE(has(message("ncols two\n"), "needs a number"));
    EXPECT_TRUE(has(message("ncols -2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2"),
                    "whole number"));
    EXPECT_TRUE(has(message("ncols nan\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2"),
                    "whole number"));
    EXPECT_TRUE(has(message("ncols 99999999\nnrows 1\n"), "over 16384"));
    EXPECT_TRUE(has(message("ncols 16384\nnrows 16384\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2"),
                    "ends before"))
        << "a promise of a gigabyte takes no memory";
    EXPECT_TRUE(has(message("nlines 2\n"), "no height file"));
    EXPECT_TRUE(has(message("ncols 2\nnlines 2\n"), "nlines"));
    EXPECT_TRUE(has(message(""), "empty"));
    EXPECT_TRUE(has(message("{\"type\":\"Topology\"}"), "JSON"));
}

struct Picture {
    std::uint32_t width = 0, height = 0;
    std::uint8_t bits = 8, type = SPNG_COLOR_TYPE_GRAYSCALE;
    std::vector<std::uint8_t> bytes;
    std::uint8_t interlace = SPNG_INTERLACE_NONE;
};

std::string png(const Picture& picture) {
    spng_ctx* context = spng_ctx_new(SPNG_CTX_ENCODER);
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    spng_ihdr header{};
    header.width = picture.width;
    header.height = picture.height;
    header.bit_depth = picture.bits;
    header.color_type = picture.type;
    header.interlace_method = picture.interlace;
    spng_set_ihdr(context, &header);
    spng_plte palette{};
    palette.n_entries = 2;
    if (picture.type == SPNG_COLOR_TYPE_INDEXED) spng_set_plte(context, &palette);
    EXPECT_EQ(spng_encode_image(context, picture.bytes.data(), picture.bytes.size(), SPNG_FMT_PNG,
                                SPNG_ENCODE_FINALIZE),
              0);
    std::size_t size = 0;
    int code = 0;
    const std::unique_ptr<void, void (*)(void*)> data(spng_get_png_buffer(context, &size, &code),
                                                      std::free);
    std::string out(static_cast<const char*>(data.get()), size);
    spng_ctx_free(context);
    return out;
}

std::string grey8(const std::vector<std::uint8_t>& bytes) {
    return png({.width = static_cast<std::uint32_t>(bytes.size()), .height = 1, .bytes = bytes});
}

TEST(PngHeights, GreyOverItsRange) {
    const auto eight = parse(grey8({0, 255, 51}), {.range_low = -100.0, .range_high = 155.0});
    ASSERT_TRUE(eight.ok()) << to_string(eight.error());
    EXPECT_EQ(eight->has_place, 0);
    EXPECT_EQ(eight->height.values(), (std::vector<Steps>{-100 * 1024, 155 * 1024, -49 * 1024}));
    // 16-bit samples stand in the machine's order until they are encoded.
    const std::uint16_t values[] = {0, 65535, 257};
    std::vector<std::uint8_t> raw(6);
    std::copy_n(reinterpret_cast<const std::uint8_t*>(values), 6, raw.begin());
    const auto sixteen =
        parse(png({.width = 3, .height = 1, .bits = 16, .bytes = raw}), {.range_high = 255.0});
    ASSERT_TRUE(sixteen.ok());
    EXPECT_EQ(sixteen->height.values(), (std::vector<Steps>{0, 255 * 1024, 1024}));
}

TEST(PngHeights, TerrainRgb) {
    // The zero of the scheme: 100,000 = 0x0186A0. One more in blue is a tenth of a metre.
    const std::vector<std::uint8_t> pixels = {0x01, 0x86, 0xA0, 255, 0x01, 0x86, 0xAA, 255,
                                              0x01, 0x86, 0x9F, 255, 0x00, 0x00, 0x00, 0};
    const auto heights = parse(
        png({.width = 4, .height = 1, .type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, .bytes = pixels}));
    ASSERT_TRUE(heights.ok()) << to_string(heights.error());
    EXPECT_EQ(heights->height.values(), (std::vector<Steps>{0, 1024, -102, kVoid}));
}

TEST(PngHeights, Errors) {
    const std::string rgb =
        png({.width = 1, .height = 1, .type = SPNG_COLOR_TYPE_TRUECOLOR, .bytes = {200, 1, 1}});
    EXPECT_TRUE(has(message(rgb), "ordinary picture"));
    EXPECT_TRUE(has(message(rgb, {.encoding = HeightEncoding::grey}), "colour picture"));
    EXPECT_TRUE(
        has(message(grey8({1}), {.encoding = HeightEncoding::terrain_rgb}), "grey picture"));
    EXPECT_TRUE(has(message(grey8({1}), {.range_low = 5.0, .range_high = 5.0}), "lower first"));
    EXPECT_TRUE(has(message(grey8({1}), {.range_low = 0.0, .range_high = 1e9}), "20,000"));
    EXPECT_TRUE(has(
        message(png({.width = 2, .height = 1, .type = SPNG_COLOR_TYPE_INDEXED, .bytes = {0, 1}})),
        "palette"));
    EXPECT_TRUE(has(message(png({.width = 8, .height = 1, .bits = 1, .bytes = {0x5a}})), "1 bits"));
    EXPECT_TRUE(
        has(message(png({.width = 20000, .height = 1, .bytes = std::vector<std::uint8_t>(20000)})),
            "16384"));
    const std::string clear = png(
        {.width = 1, .height = 1, .type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, .bytes = {1, 2, 3, 0}});
    EXPECT_TRUE(has(message(clear), "transparent"));
}

TEST(PngHeights, CutShortAnywhereIsAnError) {
    std::vector<std::uint8_t> noise(32 * 32);
    for (std::size_t i = 0; i < noise.size(); ++i)
        noise[i] = static_cast<std::uint8_t>(i * i * 31 + i);
    const std::string whole = png({.width = 32, .height = 32, .bytes = noise});
    ASSERT_TRUE(parse(whole).ok());
    constexpr std::size_t kEnd =
        12 + 4;  // the end mark and the data's own checksum say nothing about pixels
    for (std::size_t cut = 0; cut + kEnd < whole.size(); cut += 7)
        EXPECT_FALSE(parse(whole.substr(0, cut)).ok()) << cut;
}

TEST(PngHeights, APromiseOfMemoryIsNotBelieved) {
    std::string small = grey8({1});
    // The header chunk: length, "IHDR", width, height, …, checksum over all but the length.
    constexpr std::size_t kType = 12, kWidth = 16, kHeight = 20, kChecksum = 29;
    small[kWidth + 2] = small[kHeight + 2] = 0x40;
    small[kWidth + 3] = small[kHeight + 3] = 0;
    const auto sum =
        crc32(0, reinterpret_cast<const Bytef*>(small.data() + kType), kChecksum - kType);
    for (std::size_t i = 0; i < 4; ++i)
        small[kChecksum + i] = static_cast<char>(sum >> (24 - 8 * i));
    EXPECT_TRUE(has(message(small), "cut short"))
        << "a quarter of a gigabyte of pixels in 70 bytes";
}

std::pair<double, double> range_of(const ImportedHeights& heights) {
    Steps low = INT32_MAX, high = INT32_MIN;
    for (const Steps h : heights.height.span()) {
        if (h == kVoid) continue;
        low = std::min(low, h);
        high = std::max(high, h);
    }
    return {to_metres(low), to_metres(high)};
}

TEST(ReadHeightsRealData, MountainsAreAsHighAsTheyAre) {
    const auto folder = test::data_folder() / "terrain";
    TW_NEEDS_DATA(folder);
    const auto fuji = read_heights(folder / "fuji.terrain-rgb.png");
    ASSERT_TRUE(fuji.ok()) << to_string(fuji.error());
    EXPECT_NEAR(range_of(*fuji).second, 3776.0, 30.0) << "the summit of Mount Fuji";
    EXPECT_GT(range_of(*fuji).first, 0.0);
    // Minimum, maximum and sum by another program (awk over the text).
    const auto colorado = read_heights(folder / "srtm_gl3_colorado_240x144.asc");
    ASSERT_TRUE(colorado.ok()) << to_string(colorado.error());
    EXPECT_EQ(colorado->frame, Frame::geographic);
    EXPECT_EQ(range_of(*colorado), std::pair(1943.0, 3286.0));
    std::int64_t sum = 0;
    for (const Steps h : colorado->height.span()) sum += h;
    EXPECT_EQ(sum, 88'027'030ll * 1024);
    const auto hugo = read_heights(folder / "hugo_site_filled.asc");
    ASSERT_TRUE(hugo.ok()) << to_string(hugo.error());
    EXPECT_EQ(range_of(*hugo), std::pair(1660.0, 1711.0));
    EXPECT_EQ(std::count(hugo->height.span().begin(), hugo->height.span().end(), kVoid),
              4180 - 2152);
}

TEST(ReadHeightsRealData, DamagedFilesAreValuesOrErrors) {
    const auto folder = test::data_folder() / "terrain";
    TW_NEEDS_DATA(folder);
    for (const auto& path : test::files_in(folder)) {
        const bool topology = path.extension() == ".topojson";
        EXPECT_EQ(is_height_file(path), !topology) << path;
        EXPECT_EQ(read_heights(path).ok(), !topology) << path;
        const Bytes whole = *read_file(path);
        for (const std::size_t percent : {0u, 1u, 50u, 95u}) {
            EXPECT_FALSE(
                parse_heights(std::span(whole).first(whole.size() * percent / 100), "cut").ok())
                << path;
        }
        for (std::size_t seed = 1; seed <= 8; ++seed) {
            Bytes flipped = whole;
            for (std::size_t i = 0; i < 16; ++i) {
                flipped[(seed * 7919 + i * 10473) % flipped.size()] ^=
                    std::byte{static_cast<unsigned char>(1u << (i % 8))};
            }
            const auto heights = parse_heights(flipped, "flipped");
            EXPECT_TRUE(!heights.ok() || validate(*heights).ok()) << path;
        }
    }
}

}  // namespace
}  // namespace tw::io
